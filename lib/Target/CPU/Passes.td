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

def LabCpuDots : Pass<"lab-cpu-dots", "::mlir::func::FuncOp"> {
  let summary = "Integer dot products by the CPU's instructions";
  let description = [{
    The `vector` stage writes a step of an integer dot product as a
    multi_reduction of widened products, which any target can run. Steps of four
    neighbours, unsigned by signed 8-bit codes, become one `vpdpbusd` where the
    CPU has it; steps of two become one `vpmaddwd` and an addition. What has no
    instruction stays as it is.

    ```mlir
    %0 = arith.extsi %a : vector<32xi8> to vector<32xi32>
    %1 = arith.extui %b : vector<32xi8> to vector<32xi32>
    %2 = arith.muli %0, %1 : vector<32xi32>
    %3 = vector.shape_cast %2 : vector<32xi32> to vector<8x4xi32>
    %4 = vector.multi_reduction <add>, %3, %acc [1]
        : vector<8x4xi32> to vector<8xi32>
    // ==>
    %4 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(%acc, %b, %a)
        : (vector<8xi32>, vector<32xi8>, vector<32xi8>) -> vector<8xi32>
    ```
  }];
  let options = [
    Option<"cpu", "cpu", "std::string", /*default=*/"\"native\"",
           "native, or an LLVM CPU name such as x86-64-v4 or znver5">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect"];
}

def LabCpuTables : Pass<"lab-cpu-tables", "::mlir::func::FuncOp"> {
  let summary = "Read 4-bit floats by a table in a register";
  let description = [{
    `arith.extf` from 4-bit floats to f32, 16 lanes at a time, by the permute
    that CPUs with 64-byte registers have. What has none stays as it is.

    ```mlir
    %0 = arith.trunci %codes : vector<16xi8> to vector<16xi4>
    %1 = arith.bitcast %0 : vector<16xi4> to vector<16xf4E2M1FN>
    %2 = arith.extf %1 : vector<16xf4E2M1FN> to vector<16xf32>
    // ==>
    %0 = arith.extui %codes : vector<16xi8> to vector<16xi32>
    %2 = llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"(%table, %0)
        : (vector<16xf32>, vector<16xi32>) -> vector<16xf32>
    ```
  }];
  let options = [
    Option<"cpu", "cpu", "std::string", /*default=*/"\"native\"",
           "native, or an LLVM CPU name such as x86-64-v4 or znver5">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::vector::VectorDialect"];
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
