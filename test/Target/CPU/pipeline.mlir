// The passes of --labgen-cpu, in order, and what its options do to them.
// RUN: labgen-opt %s --labgen-cpu=cpu=x86-64-v3 --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s
// RUN: labgen-opt %s --labgen-cpu=cpu=x86-64-v4 --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=V4
// RUN: labgen-opt %s --labgen-cpu="cpu=x86-64-v4 vector-bytes=32" --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=BYTES
// RUN: labgen-opt %s --labgen-cpu="cpu=x86-64-v3 stop-after=lab" --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=LAB
// RUN: labgen-opt %s --labgen-cpu="cpu=x86-64-v3 stop-after=scheduled" --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=SCHEDULED
// RUN: labgen-opt %s --labgen-cpu="cpu=x86-64-v3 stop-after=tiled" --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=TILED
// RUN: labgen-opt %s --labgen-cpu="cpu=x86-64-v3 stop-after=vector" --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=VECTOR

// CHECK: builtin.module(
// CHECK-NEXT: func.func(
// CHECK-NEXT: canonicalize
// CHECK-NEXT: lab-decompose
// CHECK-NEXT: lab-cpu-schedule{cpu=x86-64-v3}
// CHECK-NEXT: ),
// CHECK-NEXT: func.func(
// CHECK-NEXT: lab-tile
// CHECK-NEXT: canonicalize
// CHECK-NEXT: cse
// CHECK-NEXT: ),
// CHECK-NEXT: func.func(
// CHECK-NEXT: lab-lower-tiles{vector-bytes=32}
// CHECK-NEXT: fold-memref-alias-ops
// CHECK-NEXT: canonicalize
// CHECK-NEXT: cse
// CHECK-NEXT: ),
// CHECK-NEXT: func.func(
// CHECK-NEXT: lab-cpu-dots{cpu=x86-64-v3}
// CHECK-NEXT: lab-cpu-tables{cpu=x86-64-v3}
// CHECK-NEXT: lab-expand-floats{vector-bytes=32}
// CHECK-NEXT: lower-vector-multi-reduction{lowering-strategy=inner-parallel}
// CHECK-NEXT: ),
// CHECK-NEXT: lab-cpu-abi
// CHECK-NEXT: scf-forall-to-for
// CHECK-NEXT: canonicalize
// CHECK-NEXT: expand-strided-metadata
// CHECK-NEXT: affine-expand-index-ops
// CHECK-NEXT: lower-affine
// CHECK-NEXT: convert-scf-to-cf
// CHECK-NEXT: convert-vector-to-llvm
// CHECK-NEXT: finalize-memref-to-llvm
// CHECK-NEXT: convert-func-to-llvm
// CHECK-NEXT: convert-math-to-llvm
// CHECK-NEXT: convert-index-to-llvm
// CHECK-NEXT: convert-arith-to-llvm
// CHECK-NEXT: convert-cf-to-llvm
// CHECK-NEXT: convert-ub-to-llvm
// CHECK-NEXT: reconcile-unrealized-casts
// CHECK-NEXT: canonicalize
// CHECK-NEXT: cse
// CHECK-NEXT: )

// V4: lab-cpu-schedule{cpu=x86-64-v4}
// V4: lab-lower-tiles{vector-bytes=64}

// BYTES: lab-lower-tiles{vector-bytes=32}

// LAB: builtin.module(
// LAB-EMPTY:
// LAB-NEXT: )

// SCHEDULED: lab-cpu-schedule
// SCHEDULED-NEXT: )
// SCHEDULED-NEXT: )

// TILED: lab-tile
// TILED-NOT: lab-lower-tiles
// TILED: cse
// TILED-NEXT: )
// TILED-NEXT: )

// VECTOR: lab-lower-tiles
// VECTOR-NOT: lab-cpu-dots
// VECTOR: cse
// VECTOR-NEXT: )
// VECTOR-NEXT: )

func.func @nothing() {
  return
}
