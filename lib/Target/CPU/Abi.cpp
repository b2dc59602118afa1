// Abi.cpp - the one pass between "memrefs and foralls" and a CPU's calling
// convention: pointers in, descriptors rebuilt inside, work units as a range.
#include "lib/Target/CPU/Passes.h"
#include "lib/Target/Launches/Launches.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace labgen {
#define GEN_PASS_DEF_LABCPUABI
#include "lib/Target/CPU/Passes.h.inc"
} // namespace labgen

using namespace mlir;
using namespace labgen;

namespace {

LogicalResult buildLaunch(IRRewriter &rewriter, LaunchSource &source,
                          int64_t launch) {
  Location loc = source.func.getLoc();
  SmallVector<Type> inputs(source.memrefs.size(),
                           LLVM::LLVMPointerType::get(rewriter.getContext()));
  inputs.append(2, rewriter.getI64Type());
  rewriter.setInsertionPoint(source.func);
  auto func = func::FuncOp::create(rewriter, loc, source.entryName(launch),
                                   rewriter.getFunctionType(inputs, {}));
  Block *entry = func.addEntryBlock();
  rewriter.setInsertionPointToStart(entry);
  SmallVector<Value> values;
  for (auto [i, type] : llvm::enumerate(source.memrefs)) {
    func.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                    rewriter.getUnitAttr());
    func.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                    rewriter.getI64IntegerAttr(64));
    values.push_back(memrefAround(rewriter, loc, entry->getArgument(i), type));
  }
  auto bound = [&](unsigned fromEnd) -> Value {
    return arith::IndexCastOp::create(
        rewriter, loc, rewriter.getIndexType(),
        entry->getArgument(entry->getNumArguments() - fromEnd));
  };
  Value begin = bound(2), end = bound(1);
  source.clone(rewriter, launch, values, begin, end);
  func::ReturnOp::create(rewriter, loc);
  auto units = placeUnits(
      rewriter, entry, [&](Location loc, int64_t first, int64_t last) {
        auto constant = [&](int64_t v) -> Value {
          return arith::ConstantIndexOp::create(rewriter, loc, v);
        };
        Value from =
            arith::MaxSIOp::create(rewriter, loc, begin, constant(first));
        Value to = arith::MinSIOp::create(rewriter, loc, end, constant(last));
        auto loop = scf::ForOp::create(rewriter, loc, from, to, constant(1));
        rewriter.setInsertionPointToStart(loop.getBody());
        return loop.getInductionVar();
      });
  if (failed(units))
    return failure();
  func->setAttr(
      "passthrough",
      passthrough(rewriter, {{"labgen-units", std::to_string(*units)},
                             {"labgen-workspace", source.workspaceBytes()}}));
  return success();
}

struct AbiPass : labgen::impl::LabCpuAbiBase<AbiPass> {
  void runOnOperation() override {
    for (auto func : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (!func.isPrivate() && !func.isExternal() && failed(lower(func)))
        return signalPassFailure();
  }

  LogicalResult lower(func::FuncOp func) {
    FailureOr<LaunchSource> source = LaunchSource::find(func);
    if (failed(source))
      return failure();
    IRRewriter rewriter(&getContext());
    for (int64_t i = 0; i < source->launches; ++i)
      if (failed(buildLaunch(rewriter, *source, i)))
        return failure();
    rewriter.eraseOp(func);
    return success();
  }
};

} // namespace
