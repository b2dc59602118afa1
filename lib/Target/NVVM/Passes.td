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

def LabNvvmConversions : Pass<"lab-nvvm-conversions", "::mlir::func::FuncOp"> {
  let summary = "Conversions of small floats by the chip's instructions";
  let description = [{
    `arith.extf` and `arith.truncf` between vectors of f32 and small floats that
    the chip converts, two lanes at a time. The instructions saturate. So a clamp
    to the largest value before a truncation is left out, and what is too large
    becomes NaN before where nothing clamps it. Truncations that may give Inf
    stay as they are, and so does what has no instruction.

    ```mlir
    %0 = arith.bitcast %codes : vector<2xi8> to vector<2xf8E4M3FN>
    %1 = arith.extf %0 : vector<2xf8E4M3FN> to vector<2xf32>
    // ==>
    %0 = nvvm.convert.f8x2.to.f16x2 %codes : vector<2xi8> (f8E4M3FN) -> vector<2xf16>
    %1 = arith.extf %0 : vector<2xf16> to vector<2xf32>
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"",
           "an NVIDIA chip of the table, such as sm_90a">];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect"];
}

#endif // LABGEN_LIB_TARGET_NVVM_PASSES
