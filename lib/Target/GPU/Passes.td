// Passes.td - the passes of GPU targets, NVIDIA and AMD alike.

#ifndef LABGEN_LIB_TARGET_GPU_PASSES
#define LABGEN_LIB_TARGET_GPU_PASSES

include "mlir/Pass/PassBase.td"

def LabGpuSchedule : Pass<"lab-gpu-schedule", "::mlir::func::FuncOp"> {
  let summary = "Give every lab op a schedule for a GPU";
  let description = [{
    Blocks of a few thousand elements, threads that load 16 neighbouring bytes,
    lanes that share a group or a row. An op that has a schedule keeps it.

    ```mlir
    lab.axpy %alpha, %x, %y : memref<f32>, memref<100000xf32>, memref<100000xf32>
    // ==>
    lab.axpy %alpha, %x, %y {schedule = #lab.schedule<
        block [4096] threads 256, loop [1024], thread [4]>} : ...
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"nvvm:sm_80\"",
           "nvvm:CHIP or rocdl:CHIP">];
}

def LabGpuAbi : Pass<"lab-gpu-abi", "::mlir::ModuleOp"> {
  let summary = "From memrefs and foralls to GPU kernels";
  let description = [{
    Every launch becomes a kernel in the module `@kernels`. It takes one pointer
    to global memory per memref argument and workspace (aligned to 64 bytes, not
    aliased). The outermost foralls of one lab op are one launch: a block runs
    one iteration. Foralls inside are dealt to the threads of the block; local
    buffers become shared or private memory. Blocks, threads and the bytes of
    the workspaces are written into the kernel's `passthrough` attributes
    `labgen-units`, `labgen-threads` and `labgen-workspace`.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::scf::SCFDialect"];
}

def LabGpuMath : Pass<"lab-gpu-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Math ops as intrinsics that every back end selects";
  let description = [{
    Upstream's conversions call the vendors' math libraries, which are not
    there, even for what is one instruction.

    ```mlir
    %r = math.roundeven %x : vector<4xf32>
    // ==>
    %r = llvm.call_intrinsic "llvm.roundeven"(%x)
        : (vector<4xf32>) -> vector<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // LABGEN_LIB_TARGET_GPU_PASSES
