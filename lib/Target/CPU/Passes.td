// Passes.td - the passes of CPU targets.

#ifndef LABGEN_LIB_TARGET_CPU_PASSES
#define LABGEN_LIB_TARGET_CPU_PASSES

include "mlir/Pass/PassBase.td"

def LabCpuSchedule : Pass<"lab-cpu-schedule", "::mlir::func::FuncOp"> {
  let summary = "Give every lab op a schedule for a CPU";
  let description = [{
    Tile sizes from the caches, register tiles and bodies from the ISA of the
    target. An op that has a schedule keeps it.

    ```mlir
    lab.axpy %alpha, %x, %y : memref<f32>, memref<100000xf32>, memref<100000xf32>
    // ==>
    lab.axpy %alpha, %x, %y {schedule = #lab.schedule<block [16384]>} : ...
    ```
  }];
  let options = [
    Option<"cpu", "cpu", "std::string", /*default=*/"\"native\"",
           "native, or an LLVM CPU name such as x86-64-v4 or znver5">];
}

def LabCpuAbi : Pass<"lab-cpu-abi", "::mlir::ModuleOp"> {
  let summary = "From memrefs and foralls to entry points over work units";
  let description = [{
    Every launch becomes a function of its own, which takes one pointer per
    memref argument and workspace (aligned to 64 bytes, not aliased) and a
    half-open range of work units. The outermost foralls of one lab op are one
    launch, their iterations its units. Units and the bytes of the workspaces
    are written into the function's `passthrough` attributes `labgen-units` and
    `labgen-workspace`.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect"];
}

#endif // LABGEN_LIB_TARGET_CPU_PASSES
