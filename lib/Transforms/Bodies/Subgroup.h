// Subgroup.h - neighbouring lanes of a warp or wave that share a tile: which
// elements each takes, and what they tell one another.
//
// A `warp` level of the schedule gives the number: a power of two up to 32,
// lanes that run in step on every chip, so a part of the hardware's subgroup or
// all of it.
#ifndef LABGEN_LIB_TRANSFORMS_BODIES_TEAM_H
#define LABGEN_LIB_TRANSFORMS_BODIES_TEAM_H

#include "lib/Transforms/Vector/BodyBuilder.h"

namespace labgen {

class Subgroup {
public:
  explicit Subgroup(BodyBuilder &e) : Subgroup(e, e.kernel.lanes.value_or(1)) {}
  /// Each lane by itself, doing what the others do.
  static Subgroup alone(BodyBuilder &e) { return Subgroup(e, 1); }

  int64_t size() const { return threads; }
  /// This lane's number, as index.
  mlir::Value lane();
  /// Runs `body` on one thread only.
  void onLane(int64_t which, llvm::function_ref<void()> body);

  /// The value that the thread `distance` (a power of two) away in the
  /// butterfly holds; vectors of any 32- or 64-bit elements.
  mlir::Value across(mlir::Value vector, int64_t distance);
  /// The value that thread `which` (an index) holds.
  mlir::Value from(mlir::Value vector, mlir::Value which);
  /// The values of all threads combined; every thread gets the same bits,
  /// since the order of a butterfly is the same for all of a commutative op.
  mlir::Value
  reduce(mlir::Value vector,
         llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> combine);

  /// Registers of all lanes folded by halves, as the contract's order `blocked`
  /// has it: over the registers, the lanes of the subgroup, those of a vector.
  /// One element, the same on every lane.
  mlir::Value
  foldHalves(llvm::ArrayRef<mlir::Value> registers,
             llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> combine);

  using Chunk = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::Value at, int64_t count, llvm::ArrayRef<mlir::Value> carried)>;
  /// Deals elements [0, n) in chunks of `width` to the threads, neighbouring
  /// chunks to neighbouring threads; the last chunk may be shorter. Up to
  /// `unrolled` chunks of a thread are straight code.
  llvm::SmallVector<mlir::Value> deal(int64_t n, int64_t width,
                                      llvm::ArrayRef<mlir::Value> carried,
                                      Chunk chunk, int64_t unrolled = 8);
  /// The same, `batch` chunks of a thread at once, so that it can ask for all
  /// of them before it uses the first; batches of the end have fewer.
  using Batch = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      llvm::ArrayRef<mlir::Value> at, int64_t count,
      llvm::ArrayRef<mlir::Value> carried)>;
  llvm::SmallVector<mlir::Value>
  dealBatches(int64_t n, int64_t width, int64_t batch,
              llvm::ArrayRef<mlir::Value> carried, Batch body);
  /// deal() without carried values.
  void deal(int64_t n, int64_t width,
            llvm::function_ref<void(mlir::Value at, int64_t count)> chunk);

private:
  Subgroup(BodyBuilder &e, int64_t threads) : e(e), threads(threads) {}
  /// What the thread `distance` (i32) away in the butterfly holds.
  mlir::Value shuffle(mlir::Value vector, mlir::Value distance);
  /// chunk() where `condition` holds, else `carried`.
  llvm::SmallVector<mlir::Value> guarded(mlir::Value condition, mlir::Value at,
                                         int64_t count,
                                         llvm::ArrayRef<mlir::Value> carried,
                                         Chunk chunk);
  /// Elements [from, n), fewer than a chunk of every thread.
  llvm::SmallVector<mlir::Value> dealRest(int64_t from, int64_t n,
                                          int64_t width,
                                          llvm::ArrayRef<mlir::Value> carried,
                                          Chunk chunk);
  /// Where this thread's first chunk starts.
  mlir::Value firstOf(int64_t width) {
    return threads == 1 ? e.index(0) : e.mul(lane(), width);
  }

  BodyBuilder &e;
  int64_t threads;
};

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_BODIES_TEAM_H
