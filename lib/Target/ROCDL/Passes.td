// Passes.td - the passes of AMD targets.

#ifndef LABGEN_LIB_TARGET_ROCDL_PASSES
#define LABGEN_LIB_TARGET_ROCDL_PASSES

include "mlir/Pass/PassBase.td"

def LabRocdlConversions : Pass<"lab-rocdl-conversions", "::mlir::func::FuncOp"> {
  let summary = "Conversions of small floats by the chip's instructions";
  let description = [{
    `arith.extf` and `arith.truncf` between vectors of f32 and small floats that
    the chip converts, two lanes at a time. A truncation to 8 bits makes NaN or
    Inf of what is too large, as arith's does; one to 4 bits saturates. Others
    stay as they are.

    ```mlir
    %0 = arith.bitcast %codes : vector<2xi8> to vector<2xf8E4M3FN>
    %1 = arith.extf %0 : vector<2xf8E4M3FN> to vector<2xf32>
    // ==>
    %1 = rocdl.cvt.pk.f32.fp8 %word[false] : vector<2xf32>
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"gfx942\"",
           "an AMD chip of the table, such as gfx942">];
  let dependentDialects = [
    "::mlir::ROCDL::ROCDLDialect", "::mlir::arith::ArithDialect",
    "::mlir::vector::VectorDialect"];
}

#endif // LABGEN_LIB_TARGET_ROCDL_PASSES
