// Launches.h - what the calling conventions of all targets share.
//
// A tiled lab is memrefs and foralls. Every lab op becomes a launch: a function
// of its own that takes pointers and runs work units, the iterations of the
// op's outermost foralls one after the other. How a unit finds its number (a
// range on a CPU, a block id on a GPU) is the target's.
#ifndef LABGEN_LIB_TARGET_LAUNCHES_LAUNCHES_H
#define LABGEN_LIB_TARGET_LAUNCHES_LAUNCHES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace labgen {

class LaunchSource {
public:
  /// Checks a lab's function (static contiguous memrefs, then perhaps a range
  /// of units; one block; writes only in foralls) and numbers its launches.
  static mlir::FailureOr<LaunchSource> find(mlir::func::FuncOp func);

  mlir::func::FuncOp func;
  int64_t launches = 1;
  /// Memref arguments, then workspaces: the pointers of every entry.
  llvm::SmallVector<mlir::MemRefType> memrefs;
  size_t workspaces = 0;

  std::string entryName(int64_t launch);
  bool takesRange() {
    return func.getNumArguments() > memrefs.size() - workspaces;
  }
  /// Clones launch `launch` before the insertion point, memrefs replaced; a
  /// function that takes the range itself gets `begin` and `end`.
  void clone(mlir::IRRewriter &rewriter, int64_t launch,
             llvm::ArrayRef<mlir::Value> memrefValues, mlir::Value begin = {},
             mlir::Value end = {});
  /// The bytes of every workspace, separated by commas.
  std::string workspaceBytes() const;
};

/// A memref of `type` around a bare pointer.
mlir::Value memrefAround(mlir::IRRewriter &rewriter, mlir::Location loc,
                         mlir::Value pointer, mlir::MemRefType type);

/// Iterations of a forall; fails where bounds are not constants.
mlir::FailureOr<int64_t> countIterations(mlir::scf::ForallOp forall);

/// Puts the body of iteration `linear` at the insertion point; the forall is
/// left empty.
void inlineIteration(mlir::IRRewriter &rewriter, mlir::scf::ForallOp forall,
                     mlir::Value linear);

/// Concatenates the outermost foralls of a launch: the first has units
/// [0, n0), the next [n0, n0 + n1), ... `enter` is called where each stood with
/// its range; it sets the insertion point to where a unit runs and returns the
/// unit. Returns how many units there are (code without foralls is one).
mlir::FailureOr<int64_t> placeUnits(
    mlir::IRRewriter &rewriter, mlir::Block *body,
    llvm::function_ref<mlir::Value(mlir::Location, int64_t, int64_t)> enter);

/// Pairs of names and values, for the `passthrough` attribute that becomes
/// attributes of the LLVM function.
mlir::ArrayAttr
passthrough(mlir::Builder &b,
            llvm::ArrayRef<std::pair<llvm::StringRef, std::string>> attributes);

} // namespace labgen

#endif // LABGEN_LIB_TARGET_LAUNCHES_LAUNCHES_H
