// Passes.td - the passes that know no target.

#ifndef LABGEN_LIB_TRANSFORMS_PASSES
#define LABGEN_LIB_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def LabDecompose : Pass<"lab-decompose", "::mlir::func::FuncOp"> {
  let summary = "Split labs that need several launches into one lab a launch";
  let description = [{
    A work unit of a launch cannot wait for another one. What needs such a wait
    becomes several lab ops, in order, with workspaces (`memref.alloc`) between
    them; each later becomes a launch of its own:

    * a reduction to one element: partial results, level by level;
    * a per-tensor quantize: absmax, scale, codes;
    * a gemm that quantizes A on the fly: quantize, then a gemm on codes;
    * where `dequantize-above` is given, a gemm of more rows than that on weights
      with scales that cannot be dequantized as tiles of them are copied (groups
      of other lengths than powers of two, rows that end within a byte):
      dequantize, then a gemm of floats.

    ```mlir
    lab.reduce sum blocked %x -> %r block = 16384
        : memref<40000xf32> -> memref<f32>
    // ==>
    %w = memref.alloc() : memref<3xf32>
    lab.reduce sum blocked %x -> %w block = 16384
        : memref<40000xf32> -> memref<3xf32>
    lab.reduce sum blocked %w -> %r1 block = 16384
        : memref<3xf32> -> memref<1xf32>
    ```
  }];
  let options = [
    Option<"dequantizeAbove", "dequantize-above", "int64_t", /*default=*/"-1",
           "rows of A above which weights that tiles cannot dequantize are "
           "dequantized by a launch of their own; -1: never">];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def LabTile : Pass<"lab-tile", "::mlir::func::FuncOp"> {
  let summary = "Tile lab ops by their schedules";
  let description = [{
    Level by level: the domain is split so that every tile is whole (whole
    tiles, then whole groups of the rest, then the ragged rest), each part gets
    its loops (`block`: scf.forall, `loop`: scf.for), and the operands a level
    packs or stages are copied to a local buffer, codes dequantized on the way.
    Tiles are static wherever the sizes are, with no affine.min left. What
    remains are lab ops on the smallest tiles, each with the schedule's `kernel`
    part.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"];
}

def LabLowerTiles : Pass<"lab-lower-tiles", "::mlir::func::FuncOp"> {
  let summary = "Replace lab ops on static tiles by vector code";
  let description = [{
    The bodies: the only hand-written code per op. They know the vector length
    and what the schedule's `kernel` part says, nothing else of a target. After
    this pass no lab op is left.
  }];
  let options = [
    Option<"vectorBytes", "vector-bytes", "unsigned", /*default=*/"32",
           "bytes in a vector register: 16, 32 or 64">];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
}

def LabExpandFloats : Pass<"lab-expand-floats", "::mlir::func::FuncOp"> {
  let summary = "Convert small floats by integer and f32 operations";
  let description = [{
    `arith.extf` to f32 and `arith.truncf` from f32, for vectors of floats of at
    most 8 bits: those that no pass of a target has made instructions of. LLVM
    has none of these types. Extensions are exact. Truncations round to nearest
    even; beyond the largest value they give Inf, or NaN where the format has no
    Inf, or the largest value where it has neither; NaN gives NaN, or the
    largest value.

    ```mlir
    %0 = arith.bitcast %codes : vector<8xi8> to vector<8xf8E5M2>
    %1 = arith.extf %0 : vector<8xf8E5M2> to vector<8xf32>
    // ==>
    %0 = vector.bitcast %words : vector<16xi8> to vector<8xf16>
    %1 = arith.extf %0 : vector<8xf16> to vector<8xf32>
    ```
  }];
  let options = [
    Option<"vectorBytes", "vector-bytes", "unsigned", /*default=*/"32",
           "bytes in a vector register: 16, 32 or 64">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect"];
}

def LabPrintCost : Pass<"lab-print-cost", "::mlir::func::FuncOp"> {
  let summary = "Say what every lab op costs, as remarks";
  let description = [{
    The spec each op amounts to, and the bytes and FLOPs `lib/Spec` counts for
    it. Ops that no spec describes (dynamic shapes, partial results) say so.
    The IR stays as it is.

    ```mlir
    lab.axpy %alpha, %x, %y : memref<f32>, memref<1000xf32>, memref<1000xf32>
    // remark: axpy:n=1000,type=f32 reads 8004 bytes, writes 4000 bytes,
    //         2000 flops
    ```
  }];
}

#endif // LABGEN_LIB_TRANSFORMS_PASSES
