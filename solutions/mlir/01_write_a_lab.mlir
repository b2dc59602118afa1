// Drill 1: write a lab by hand. README.md has the reasoning.
func.func @quantize(%x: memref<16x96xf32>, %q: memref<16x48xi8>,
                    %scale: memref<16x3xi8>) {
  lab.quantize %x -> %q, %scale group = 32
      {code = f4E2M1FN, scale_type = f8E8M0FNU, rule = #lab.rule<rceil>}
      : memref<16x96xf32> -> memref<16x48xi8>, memref<16x3xi8>
  return
}
