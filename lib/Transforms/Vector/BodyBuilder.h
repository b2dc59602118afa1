// BodyBuilder.h - the small vocabulary that tile bodies are written in.
//
// Vectors only: a tail of fewer elements than a register is cut into
// power-of-two pieces, down to vectors of one element.
#ifndef LABGEN_LIB_TRANSFORMS_VECTOR_BODYBUILDER_H
#define LABGEN_LIB_TRANSFORMS_VECTOR_BODYBUILDER_H

#include "dialects/Lab/Lab.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

namespace labgen {

class BodyBuilder {
public:
  BodyBuilder(mlir::Operation *op, int64_t vectorBytes);

  mlir::OpBuilder b;
  mlir::Location loc;
  const int64_t vectorBytes;
  /// Whether the tile belongs to one of many threads in step: its vectors are
  /// then scalar registers, so shuffles are free and lanes any number, and
  /// what counts is that neighbours touch neighbouring bytes. Else vectors are
  /// a machine's registers (SIMD).
  const bool isSimt;
  const lab::KernelParameters kernel; ///< what the schedule tells the body

  template <typename Op, typename... Args> auto create(Args &&...args) {
    return Op::create(b, loc, std::forward<Args>(args)...);
  }
  template <typename Op, typename... Args> mlir::Value make(Args &&...args) {
    return Op::create(b, loc, std::forward<Args>(args)...)->getResult(0);
  }

  // Types, constants, indices.
  int64_t lanes(mlir::Type element) const {
    return vectorBytes * 8 / element.getIntOrFloatBitWidth();
  }
  mlir::VectorType vec(int64_t n, mlir::Type element) {
    return mlir::VectorType::get({n}, element);
  }
  mlir::Value index(int64_t i) { return make<mlir::arith::ConstantIndexOp>(i); }
  mlir::Value add(mlir::Value i, int64_t offset) {
    return offset ? make<mlir::arith::AddIOp>(i, index(offset)) : i;
  }
  mlir::Value add(mlir::Value i, mlir::Value j) {
    return make<mlir::arith::AddIOp>(i, j);
  }
  mlir::Value mul(mlir::Value i, int64_t factor) {
    return factor == 1 ? i : make<mlir::arith::MulIOp>(i, index(factor));
  }
  mlir::Value floatSplat(int64_t n, double value, mlir::Type element);
  mlir::Value intSplat(int64_t n, int64_t value, unsigned bits);
  mlir::Value zeros(mlir::VectorType type);
  /// i1 lanes of which the first `count` are set.
  mlir::Value firstLanes(int64_t count, int64_t lanes);
  /// A vector<1> or scalar repeated n times.
  mlir::Value broadcast(mlir::Value value, int64_t n);

  // Memory.
  mlir::Value load(mlir::Value memref, int64_t n, mlir::ValueRange at);
  void store(mlir::Value vector, mlir::Value memref, mlir::ValueRange at,
             bool nontemporal = false);
  /// Reads ahead of `column` by the schedule's `prefetch` bytes, if it says so:
  /// the cache lines of some elements, or one.
  void prefetch(mlir::Value memref, mlir::Value row, mlir::Value column,
                int64_t elements = 0);

  /// n elements of thread-local memory, allocated once per function.
  mlir::Value localBuffer(int64_t n, mlir::Type element);
  /// A vector of `lanes` whose first `count` come in pieces from `load` (offset
  /// and length); the others are 0.
  mlir::Value padded(int64_t count, int64_t lanes, mlir::Type element,
                     llvm::function_ref<mlir::Value(int64_t, int64_t)> load,
                     int64_t granule = 1);

  // Element types.
  /// f32 of bf16, f16 and f32 (exact); f64 stays.
  mlir::Value widen(mlir::Value vector);
  /// Which NaNs may come: any, or only those that operations make of numbers,
  /// with no bit set below the quiet one.
  enum class NaNs { Any, Default };
  /// One rounding (to nearest even) of f32 to bf16 or f16, subnormals kept.
  mlir::Value narrow(mlir::Value vector, mlir::Type element,
                     NaNs nan = NaNs::Any);

  // Shuffles.
  mlir::Value shuffle(mlir::Value x, mlir::Value y,
                      llvm::ArrayRef<int64_t> lanes) {
    return make<mlir::vector::ShuffleOp>(x, y, lanes);
  }
  mlir::Value slice(mlir::Value vector, int64_t first, int64_t n);
  /// The lanes of a vector and zeros up to n.
  mlir::Value extended(mlir::Value vector, int64_t n);
  /// One vector after the other.
  mlir::Value concat(llvm::ArrayRef<mlir::Value> vectors);
  /// Of every integer lane the bits [piece * bits, (piece + 1) * bits), as
  /// lanes of that width.
  mlir::Value lanePieces(mlir::Value vector, unsigned bits, int64_t piece);
  mlir::Value extract(mlir::Value vector, int64_t lane) {
    return make<mlir::vector::ExtractOp>(vector, lane);
  }
  /// n vectors of n elements (a power of two), transposed.
  llvm::SmallVector<mlir::Value> transpose(llvm::ArrayRef<mlir::Value> rows);

  // Loops.
  /// for i in [from, to) step by, without carried values; nothing when empty,
  /// no loop around a single trip.
  void forLoop(int64_t from, int64_t to, int64_t step,
               llvm::function_ref<void(mlir::Value)> body);
  /// The same with carried values.
  llvm::SmallVector<mlir::Value>
  forLoop(int64_t from, int64_t to, int64_t step,
          llvm::ArrayRef<mlir::Value> carried,
          llvm::function_ref<llvm::SmallVector<mlir::Value>(
              mlir::Value, llvm::ArrayRef<mlir::Value>)>
              body);
};

/// n as whole registers of `lanes` and power-of-two pieces; what is left of a
/// `granule` (elements that share bytes) stays together.
llvm::SmallVector<int64_t> pieces(int64_t n, int64_t lanes,
                                  int64_t granule = 1);

inline int64_t dimension(mlir::Value v, unsigned i) {
  return llvm::cast<mlir::MemRefType>(v.getType()).getDimSize(i);
}
inline mlir::Type elementType(mlir::Value v) {
  return mlir::getElementTypeOrSelf(v.getType());
}
/// Lanes of a vector.
inline int64_t laneCount(mlir::Value v) {
  return llvm::cast<mlir::VectorType>(v.getType()).getDimSize(0);
}
/// Whether every operand of a tile has a static shape; else an error.
mlir::LogicalResult requireStatic(mlir::Operation *op);

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_VECTOR_BODYBUILDER_H
