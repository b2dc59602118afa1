// Passes.td - the passes of NVIDIA targets.

#ifndef LABGEN_LIB_TARGET_NVVM_PASSES
#define LABGEN_LIB_TARGET_NVVM_PASSES

include "mlir/Pass/PassBase.td"

def LabNvvmShuffles : Pass<"lab-nvvm-shuffles"> {
  let summary = "Shuffles whose mask names the lanes that take part";
  let description = [{
    `gpu.shuffle` of width w goes between w neighbouring lanes. The upstream
    lowering names the first w lanes of the warp in its mask whichever lanes
    shuffle; here the mask is made of the w lanes around the one that asks, so
    that other lanes of the warp need not take part.

    ```mlir
    %r, %ok = gpu.shuffle xor %v, %c1, %c8 : i32
    // ==>
    %r = nvvm.shfl.sync bfly %mask, %v, %c1, %c31 : i32 -> i32
    ```
  }];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

#endif // LABGEN_LIB_TARGET_NVVM_PASSES
