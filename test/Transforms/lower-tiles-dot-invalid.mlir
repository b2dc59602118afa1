// Instructions that registers of 16 bytes do not have.
// RUN: labgen-opt %s --lab-lower-tiles=vector-bytes=16 --verify-diagnostics

func.func @narrow(%a: memref<1x8xi8>, %c: memref<1x1xi32>) {
  // expected-error @+1 {{'lab.gemm' op schedule asks for integer_dot = quads with 16-byte vectors; legal: quads or pairs with 32 or 64, generic}}
  lab.gemm %a, %a -> %c {kernel = #lab.kernel<integer_dot = quads>} : memref<1x8xi8>, memref<1x8xi8> -> memref<1x1xi32>
  return
}
