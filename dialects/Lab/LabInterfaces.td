// LabInterfaces.td - what an op states once, so that tiling, promotion,
// scheduling and cost can be shared by all of them.

#ifndef LABGEN_DIALECTS_LAB_LABINTERFACES
#define LABGEN_DIALECTS_LAB_LABINTERFACES

include "mlir/IR/OpBase.td"

def Lab_AccessInterface : OpInterface<"LabAccess"> {
  let description = [{
    Which iteration dimension each operand dimension follows, and by what
    ratio: element `i` of iteration dimension `d` lies at `i * mul / div` of the
    operand (scales follow k / group; packed 4-bit codes k / 2).
  }];
  let cppNamespace = "::labgen::lab";
  let methods = [
    InterfaceMethod<"Iterator type of every iteration dimension.",
      "::llvm::SmallVector<::mlir::utils::IteratorType>", "getIterators">,
    InterfaceMethod<"One entry per operand that is sliced with the tile.",
      "::llvm::SmallVector<::labgen::lab::Access>", "getAccesses">,
    InterfaceMethod<[{
        Tiles of dimension `dim` must start at a multiple of this: the group,
        and whatever makes packed codes start on a byte. 1 when any start will
        do, 0 when the dimension cannot be cut at all.
      }], "int64_t", "getTileMultiple", (ins "unsigned":$dim), "", "return 1;">,
    InterfaceMethod<[{
        Tiles of dimension `dim` may also be a part of a group, whose size this
        is: within one group, starting on a byte of packed codes. 0 where they
        may not.
      }], "int64_t", "getTileWithin", (ins "unsigned":$dim), "", "return 0;">,
    InterfaceMethod<[{
        Called on the clone made for one tile: may change it (a gemm tile that
        does not start at k = 0 accumulates, one that rounds stochastically
        knows where in the lab it lies) or refuse with a diagnostic.
      }], "::llvm::LogicalResult", "adjustTile",
      (ins "::mlir::Operation *":$tile,
           "::llvm::ArrayRef<::mlir::OpFoldResult>":$offsets,
           "::llvm::ArrayRef<::mlir::OpFoldResult>":$sizes),
      "", "return ::mlir::success();">
  ];
}

def Lab_CostInterface : OpInterface<"LabCost"> {
  let description = [{
    The lab as a kernel spec of `lib/Spec`, which holds the only rules and the
    only cost model. Verifiers end in `checkSpec`, which holds an op against the
    rules.
  }];
  let cppNamespace = "::labgen::lab";
  let methods = [
    InterfaceMethod<[{
        The spec, with 1 for each size that is not known. Fails for what no spec
        describes: partial results, operands that were widened on the way.
      }], "::llvm::FailureOr<::labgen::KernelSpec>", "getRules">,
    InterfaceMethod<"The spec of this op; fails on dynamic shapes, too.",
      "::llvm::FailureOr<::labgen::KernelSpec>", "getSpec", (ins), "", [{
        if (!::labgen::lab::isStatic($_op))
          return ::mlir::failure();
        return $_op.getRules();
      }]>
  ];
}

def Lab_BodyInterface : OpInterface<"LabBody"> {
  let description = [{
    The op on a static tile as vector code. The dialect knows no vectors: a
    model beside each body, in `lib/Transforms/Bodies`, implements it.
  }];
  let cppNamespace = "::labgen::lab";
  let methods = [
    InterfaceMethod<[{
        Replaces the op by its body, or says why it cannot. Vectors have at most
        `vectorBytes` bytes.
      }], "::llvm::LogicalResult", "lower", (ins "int64_t":$vectorBytes)>,
    InterfaceMethod<[{
        Whether the body deals its tile to the threads that share it. If not, a
        tile is for one thread.
      }], "bool", "dealsToThreads", (ins), "", "return false;">
  ];
}

#endif // LABGEN_DIALECTS_LAB_LABINTERFACES
