// Casts and exps parse and print back: formats by element type, formats named
// beside packed bytes, every rule; an empty one is folded away.
// RUN: labgen-opt %s | labgen-opt | FileCheck %s
// RUN: labgen-opt %s --mlir-print-op-generic | labgen-opt | FileCheck %s
// RUN: labgen-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: func @plain
// CHECK: lab.cast %{{.*}} -> %{{.*}} : memref<9xf32> -> memref<9xbf16>
// CHECK: lab.cast %{{.*}} -> %{{.*}} : memref<?xf64> -> memref<?xf16>
func.func @plain(%x: memref<9xf32>, %y: memref<9xbf16>, %u: memref<?xf64>, %v: memref<?xf16>) {
  lab.cast %x -> %y : memref<9xf32> -> memref<9xbf16>
  lab.cast %u -> %v : memref<?xf64> -> memref<?xf16>
  return
}

// CHECK-LABEL: func @named
// CHECK: lab.cast %{{.*}} -> %{{.*}} {out = f4E2M1FN} : memref<9xf32> -> memref<5xi8>
// CHECK: lab.cast %{{.*}} -> %{{.*}} {in = f6E3M2FN} : memref<7xi8> -> memref<9xf32>
// CHECK: lab.cast %{{.*}} -> %{{.*}} {out = tf32} : memref<9xf32> -> memref<9xf32>
// CHECK: lab.cast %{{.*}} -> %{{.*}} {in = f6E3M2FN, out = ui4} : memref<7xi8> -> memref<5xi8>
func.func @named(%x: memref<9xf32>, %q: memref<5xi8>, %s: memref<7xi8>, %z: memref<9xf32>) {
  lab.cast %x -> %q {out = f4E2M1FN} : memref<9xf32> -> memref<5xi8>
  lab.cast %s -> %z {in = f6E3M2FN} : memref<7xi8> -> memref<9xf32>
  lab.cast %x -> %z {out = tf32} : memref<9xf32> -> memref<9xf32>
  lab.cast %s -> %q {in = f6E3M2FN, out = ui4} : memref<7xi8> -> memref<5xi8>
  return
}

// The default rounding is not printed.
// CHECK-LABEL: func @rules
// CHECK: lab.cast %{{.*}} -> %{{.*}} {out = f8E5M2} :
// CHECK: lab.cast %{{.*}} -> %{{.*}} {nan = #lab.nan<max>, out = f8E5M2, overflow = #lab.overflow<saturate>, round = #lab.rounding<away>} :
// CHECK: lab.cast %{{.*}} -> %{{.*}} {nan = #lab.nan<propagate>, out = f8E8M0FNU, overflow = #lab.overflow<ieee>, round = #lab.rounding<zero>} :
func.func @rules(%x: memref<9xf32>, %q: memref<9xi8>) {
  lab.cast %x -> %q {out = f8E5M2, round = #lab.rounding<even>} : memref<9xf32> -> memref<9xi8>
  lab.cast %x -> %q {out = f8E5M2, round = #lab.rounding<away>, overflow = #lab.overflow<saturate>,
                     nan = #lab.nan<max>} : memref<9xf32> -> memref<9xi8>
  lab.cast %x -> %q {out = f8E8M0FNU, round = #lab.rounding<zero>, overflow = #lab.overflow<ieee>,
                     nan = #lab.nan<propagate>} : memref<9xf32> -> memref<9xi8>
  return
}

// CHECK-LABEL: func @exps
// CHECK: lab.exp %{{.*}} -> %{{.*}} : memref<9xf32> -> memref<9xf16>
// CHECK: lab.exp %{{.*}} -> %{{.*}} {in = f8E4M3FN, out = f4E2M1FN} : memref<9xi8> -> memref<5xi8>
func.func @exps(%x: memref<9xf32>, %y: memref<9xf16>, %q: memref<9xi8>, %s: memref<5xi8>) {
  lab.exp %x -> %y : memref<9xf32> -> memref<9xf16>
  lab.exp %q -> %s {in = f8E4M3FN, out = f4E2M1FN} : memref<9xi8> -> memref<5xi8>
  return
}

// FOLD-LABEL: func @empty
// FOLD-NOT: lab.
// FOLD: return
func.func @empty(%x: memref<0xf32>, %y: memref<0xf16>, %q: memref<0xi8>) {
  lab.cast %x -> %y : memref<0xf32> -> memref<0xf16>
  lab.cast %x -> %q {out = f4E2M1FN} : memref<0xf32> -> memref<0xi8>
  lab.exp %x -> %y : memref<0xf32> -> memref<0xf16>
  return
}
