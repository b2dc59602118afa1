// Given schedules that ask for what the chip does not have.
// RUN: labgen-opt %s --split-input-file --lab-gpu-schedule=target=rocdl:gfx1100 -o /dev/null --verify-diagnostics
// RUN: not labgen-opt %s --split-input-file --lab-gpu-schedule=target=rocdl:gfx942 -o /dev/null 2>&1 | FileCheck %s --check-prefix=FNUZ
// RUN: not labgen-opt %s --split-input-file --lab-gpu-schedule=target=nvvm:sm_120a -o /dev/null 2>&1 | FileCheck %s --check-prefix=NVVM
// FNUZ: schedule has truncate = ['f8E4M3FN'], for which gfx942 has no instruction; legal: f8E4M3FNUZ, f8E5M2FNUZ
// FNUZ: schedule has truncate = ['f8E8M0FNU'], for which gfx942
// FNUZ-NOT: error: 'lab.{{.*}}truncate
// NVVM: schedule has truncate = ['f8E8M0FNU'], for which sm_120a has no instruction; legal: f8E4M3FN, f8E5M2, f6E2M3FN, f6E3M2FN, f4E2M1FN
// NVVM: schedule level 2 (warp [1, 1, 0]) lets 64 lanes share a tile, a wave of sm_120a has 32; nearest legal: 32

func.func @converter(%x: memref<64xf32>, %y: memref<64xi8>) {
  // expected-error @+1 {{'lab.cast' op schedule has truncate = ['f8E4M3FN'], for which gfx1100 has no instruction; legal: none}}
  lab.cast %x -> %y {out = f8E4M3FN, schedule = #lab.schedule<block [64] threads 16, thread [4], kernel<truncate = [f8E4M3FN]>>} : memref<64xf32> -> memref<64xi8>
  return
}

// -----

func.func @scale(%x: memref<64xf32>, %y: memref<64xi8>) {
  // expected-error @+1 {{'lab.cast' op schedule has truncate = ['f8E8M0FNU'], for which gfx1100 has no instruction; legal: none}}
  lab.cast %x -> %y {out = f8E8M0FNU, schedule = #lab.schedule<block [64] threads 16, thread [4], kernel<truncate = [f8E8M0FNU]>>} : memref<64xf32> -> memref<64xi8>
  return
}

// -----

func.func @no_converter(%x: memref<64xf32>, %y: memref<64xi8>) {
  lab.cast %x -> %y {out = f8E4M3FN, schedule = #lab.schedule<block [64] threads 16, thread [4], kernel<>>} : memref<64xf32> -> memref<64xi8>
  return
}

// -----

func.func @wave(%a: memref<1x256xf32>, %b: memref<4x256xf32>, %c: memref<1x4xf32>) {
  // expected-error @+1 {{'lab.gemm' op schedule level 2 (warp [1, 1, 0]) lets 64 lanes share a tile, a wave of gfx1100 has 32; nearest legal: 32}}
  lab.gemm %a, %b -> %c {schedule = #lab.schedule<block [1, 4, 0] threads 256, warp [1, 1, 0] lanes 64, kernel<dot>>}
      : memref<1x256xf32>, memref<4x256xf32> -> memref<1x4xf32>
  return
}

// -----

func.func @no_threads(%x: memref<64xf32>, %y: memref<64xf32>) {
  // expected-error @+1 {{'lab.exp' op schedule has no warp or thread level, so a block of gfx1100 would run as one thread; end with `thread [...]`}}
  lab.exp %x -> %y {schedule = #lab.schedule<block [64]>} : memref<64xf32> -> memref<64xf32>
  return
}

// -----

func.func @dot(%a: memref<4x64xi8>, %c: memref<4x4xi32>) {
  // expected-error @+1 {{'lab.gemm' op schedule asks for integer_dot = pairs, which gfx1100 does not have; legal: generic}}
  lab.gemm %a, %a -> %c {schedule = #lab.schedule<block [4, 4, 0] threads 16, thread [1, 1, 0], kernel<integer_dot = pairs>>}
      : memref<4x64xi8>, memref<4x64xi8> -> memref<4x4xi32>
  return
}
