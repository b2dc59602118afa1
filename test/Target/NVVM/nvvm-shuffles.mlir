// The mask of a shuffle names the lanes around the one that asks: all of the
// warp for width 32, else the segment it lies in.
//
// RUN: labgen-opt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(gpu.module(lab-nvvm-shuffles))' | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @whole_warp
  gpu.func @whole_warp(%v: i32) kernel {
    %d = arith.constant 16 : i32
    %w = arith.constant 32 : i32
    // CHECK: %[[ALL:.*]] = llvm.mlir.constant(-1 : i32)
    // CHECK: %[[CLAMP:.*]] = llvm.mlir.constant(31 : i32)
    // CHECK: nvvm.shfl.sync bfly %[[ALL]], %{{.*}}, %{{.*}}, %[[CLAMP]] : i32 -> i32
    %r, %ok = gpu.shuffle xor %v, %d, %w : i32
    gpu.return
  }

  // CHECK-LABEL: gpu.func @segment
  gpu.func @segment(%v: i32, %i: i32) kernel {
    %w = arith.constant 8 : i32
    // CHECK: %[[LANE:.*]] = nvvm.read.ptx.sreg.laneid
    // CHECK: %[[MASK:.*]] = llvm.mlir.constant(-8 : i32)
    // CHECK: %[[FIRST:.*]] = llvm.and %[[LANE]], %[[MASK]]
    // CHECK: %[[ONES:.*]] = llvm.mlir.constant(255 : i32)
    // CHECK: %[[MEMBERS:.*]] = llvm.shl %[[ONES]], %[[FIRST]]
    // 32 - 8 segments' bits, shifted by 8, and the clamp: 0x181f.
    // CHECK: %[[CLAMP:.*]] = llvm.mlir.constant(6175 : i32)
    // CHECK: nvvm.shfl.sync idx %[[MEMBERS]], %{{.*}}, %{{.*}}, %[[CLAMP]] : i32 -> i32
    %r, %ok = gpu.shuffle idx %v, %i, %w : i32
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @float(%v: f32, %d: i32) kernel {
    %w = arith.constant 32 : i32
    // expected-error @+1 {{shuffles i32 only; bitcast the value}}
    %r, %ok = gpu.shuffle xor %v, %d, %w : f32
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @width(%v: i32, %d: i32) kernel {
    %w = arith.constant 12 : i32
    // expected-error @+1 {{needs a constant power of two up to 32 as width}}
    %r, %ok = gpu.shuffle xor %v, %d, %w : i32
    gpu.return
  }
}
