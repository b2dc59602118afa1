// Abi.cpp - the one pass between "memrefs and foralls" and a CPU's calling
// convention: pointers in, descriptors rebuilt inside, work units as a range.
#include "lib/Target/CPU/Passes.h"

#include "dialects/Lab/Lab.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace labgen {
#define GEN_PASS_DEF_LABCPUABI
#include "lib/Target/CPU/Passes.h.inc"
} // namespace labgen

using namespace mlir;

namespace {

constexpr llvm::StringLiteral launchAttrName = "lab.launch";

/// Work units of a forall per dimension; fails on dynamic bounds.
FailureOr<SmallVector<int64_t>> tripCounts(scf::ForallOp forall) {
  SmallVector<int64_t> counts;
  for (auto [lower, upper, step] :
       llvm::zip(forall.getMixedLowerBound(), forall.getMixedUpperBound(),
                 forall.getMixedStep())) {
    auto l = getConstantIntValue(lower), u = getConstantIntValue(upper),
         s = getConstantIntValue(step);
    if (!l || !u || !s)
      return forall.emitOpError("needs constant bounds to count its work "
                                "units; give the lab a static shape");
    counts.push_back(std::max<int64_t>(llvm::divideCeilSigned(*u - *l, *s), 0));
  }
  return counts;
}

/// Numbers the launches: the foralls of one lab op (one phase) are one. Code
/// without phases is one launch as a whole. Returns how many there are.
FailureOr<int64_t> markLaunches(func::FuncOp func) {
  int64_t launches = 0;
  Attribute last;
  Operation *outside = nullptr;
  OpBuilder b(func.getContext());
  for (Operation &op : func.getBody().front().without_terminator()) {
    Attribute phase = op.getAttr(labgen::lab::phaseAttrName);
    if (!phase) {
      auto effects = getEffectsRecursively(&op);
      if (!effects || llvm::any_of(*effects, [](auto &effect) {
            return isa<MemoryEffects::Write>(effect.getEffect());
          }))
        outside = &op;
      continue;
    }
    if (phase != last)
      ++launches;
    last = phase;
    op.setAttr(launchAttrName, b.getI64IntegerAttr(launches - 1));
  }
  if (launches && outside)
    return outside->emitOpError("writes outside the work units of this lab; "
                                "move it into a forall");
  return std::max<int64_t>(launches, 1);
}

/// One launch: a new function made from the part of `source` marked with it.
class LaunchBuilder {
public:
  LaunchBuilder(IRRewriter &rewriter, func::FuncOp source,
                ArrayRef<MemRefType> workspaces)
      : rewriter(rewriter), source(source), workspaces(workspaces) {}

  LogicalResult build(StringRef name, int64_t launch);

private:
  /// A memref of `type` around a bare pointer.
  Value memrefOf(Value pointer, MemRefType type);
  LogicalResult rangeOf(Block *body, Value begin, Value end, int64_t &units);
  void inlineUnit(scf::ForallOp forall, Value unit, ArrayRef<int64_t> counts);

  IRRewriter &rewriter;
  func::FuncOp source;
  ArrayRef<MemRefType> workspaces;
};

Value LaunchBuilder::memrefOf(Value pointer, MemRefType type) {
  Location loc = source.getLoc();
  LLVMTypeConverter converter(rewriter.getContext());
  auto descriptor = MemRefDescriptor::fromStaticShape(rewriter, loc, converter,
                                                      type, pointer);
  return UnrealizedConversionCastOp::create(rewriter, loc, type,
                                            Value(descriptor))
      .getResult(0);
}

void LaunchBuilder::inlineUnit(scf::ForallOp forall, Value unit,
                               ArrayRef<int64_t> counts) {
  Location loc = forall.getLoc();
  SmallVector<Value> ivs = {unit};
  if (counts.size() > 1) {
    auto split =
        affine::AffineDelinearizeIndexOp::create(rewriter, loc, unit, counts);
    ivs = SmallVector<Value>(split.getResults());
  }
  AffineExpr i, lower, step;
  bindSymbols(rewriter.getContext(), i, lower, step);
  for (auto [iv, l, s] :
       llvm::zip(ivs, forall.getMixedLowerBound(), forall.getMixedStep()))
    iv = getValueOrCreateConstantIndexOp(
        rewriter, loc,
        affine::makeComposedFoldedAffineApply(rewriter, loc, lower + i * step,
                                              {iv, l, s}));
  Block *body = forall.getBody();
  rewriter.eraseOp(body->getTerminator());
  rewriter.inlineBlockBefore(body, rewriter.getInsertionBlock(),
                             rewriter.getInsertionPoint(), ivs);
}

/// Concatenates the foralls: the first has units [0, n0), the next [n0, ...).
LogicalResult LaunchBuilder::rangeOf(Block *body, Value begin, Value end,
                                     int64_t &units) {
  units = 0;
  AffineExpr s = rewriter.getAffineSymbolExpr(0);
  for (auto forall : llvm::to_vector(body->getOps<scf::ForallOp>())) {
    if (!forall->hasAttr(labgen::lab::phaseAttrName))
      continue;
    auto counts = tripCounts(forall);
    if (failed(counts))
      return failure();
    int64_t count = 1;
    for (int64_t n : *counts)
      count *= n;
    rewriter.setInsertionPoint(forall);
    Location loc = forall.getLoc();
    auto constant = [&](int64_t v) -> Value {
      return arith::ConstantIndexOp::create(rewriter, loc, v);
    };
    Value from = arith::MaxSIOp::create(rewriter, loc, begin, constant(units));
    Value to =
        arith::MinSIOp::create(rewriter, loc, end, constant(units + count));
    auto loop = scf::ForOp::create(rewriter, loc, from, to, constant(1));
    rewriter.setInsertionPointToStart(loop.getBody());
    Value unit = affine::makeComposedAffineApply(
        rewriter, loc, s - units, {OpFoldResult(loop.getInductionVar())});
    inlineUnit(forall, unit, *counts);
    rewriter.eraseOp(forall);
    units += count;
  }
  if (units == 0)
    units = 1; // code without work units runs once
  return success();
}

LogicalResult LaunchBuilder::build(StringRef name, int64_t launch) {
  Location loc = source.getLoc();
  MLIRContext *context = rewriter.getContext();
  Type i64 = rewriter.getI64Type();
  SmallVector<MemRefType> memrefs;
  for (Type t : source.getArgumentTypes())
    if (auto memref = dyn_cast<MemRefType>(t))
      memrefs.push_back(memref);
  memrefs.append(workspaces.begin(), workspaces.end());
  SmallVector<Type> inputs(memrefs.size(), LLVM::LLVMPointerType::get(context));
  inputs.append(2, i64);
  rewriter.setInsertionPoint(source);
  auto func = func::FuncOp::create(rewriter, loc, name,
                                   rewriter.getFunctionType(inputs, {}));
  Block *entry = func.addEntryBlock();
  rewriter.setInsertionPointToStart(entry);
  SmallVector<Value> values;
  for (auto [i, type] : llvm::enumerate(memrefs)) {
    func.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                    rewriter.getUnitAttr());
    func.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                    rewriter.getI64IntegerAttr(64));
    values.push_back(memrefOf(entry->getArgument(i), type));
  }
  auto rangeArgument = [&](unsigned fromEnd) -> Value {
    return arith::IndexCastOp::create(
        rewriter, loc, rewriter.getIndexType(),
        entry->getArgument(entry->getNumArguments() - fromEnd));
  };
  Value begin = rangeArgument(2), end = rangeArgument(1);

  IRMapping mapping;
  size_t numArguments = memrefs.size() - workspaces.size();
  for (auto [argument, type] :
       llvm::zip(source.getArguments(), source.getArgumentTypes())) {
    if (isa<MemRefType>(type)) {
      mapping.map(argument, values[argument.getArgNumber()]);
      continue;
    }
    // A file may take the range itself.
    Value bound = argument.getArgNumber() == numArguments ? begin : end;
    if (type.isInteger(64))
      bound = arith::IndexCastOp::create(rewriter, loc, i64, bound);
    mapping.map(argument, bound);
  }
  size_t nextWorkspace = numArguments;
  for (Operation &op : source.getBody().front().without_terminator()) {
    if (isa<memref::AllocOp>(op)) {
      mapping.map(op.getResult(0), values[nextWorkspace++]);
      continue;
    }
    auto mark = op.getAttrOfType<IntegerAttr>(launchAttrName);
    if (!mark || mark.getInt() == launch)
      rewriter.clone(op, mapping)->removeAttr(launchAttrName);
  }
  func::ReturnOp::create(rewriter, loc);
  int64_t units = 0;
  if (failed(rangeOf(entry, begin, end, units)))
    return failure();

  std::string bytes;
  for (MemRefType w : workspaces) {
    bytes += bytes.empty() ? "" : ",";
    bytes +=
        std::to_string(w.getNumElements() *
                       static_cast<int64_t>(w.getElementTypeBitWidth()) / 8);
  }
  auto pair = [&](StringRef key, const Twine &value) -> Attribute {
    return rewriter.getStrArrayAttr({key, value.str()});
  };
  func->setAttr("passthrough",
                rewriter.getArrayAttr({pair("labgen-units", Twine(units)),
                                       pair("labgen-workspace", bytes)}));
  return success();
}

/// Arguments are static memrefs, perhaps followed by a range.
LogicalResult checkArguments(func::FuncOp func) {
  ArrayRef<Type> types = func.getArgumentTypes();
  auto isBound = [](Type t) { return t.isIndex() || t.isSignlessInteger(64); };
  if (types.size() >= 2 && llvm::all_of(types.take_back(2), isBound))
    types = types.drop_back(2);
  for (auto [i, t] : llvm::enumerate(types)) {
    auto memref = dyn_cast<MemRefType>(t);
    if (!memref || !memref.hasStaticShape() || !memref.getLayout().isIdentity())
      return func.emitOpError("argument ")
             << i << " must be a contiguous memref of static shape, got " << t;
  }
  if (func.getNumResults())
    return func.emitOpError("must return nothing; a lab writes to its "
                            "arguments");
  return success();
}

struct AbiPass : labgen::impl::LabCpuAbiBase<AbiPass> {
  void runOnOperation() override {
    for (auto func : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (!func.isPrivate() && !func.isExternal() && failed(lower(func)))
        return signalPassFailure();
  }

  LogicalResult lower(func::FuncOp func) {
    if (failed(checkArguments(func)))
      return failure();
    if (!func.getBody().hasOneBlock())
      return func.emitOpError("must have one block; use structured loops");
    SmallVector<MemRefType> workspaces;
    for (auto alloc : func.getBody().front().getOps<memref::AllocOp>()) {
      if (!alloc.getType().hasStaticShape())
        return alloc.emitOpError("a workspace needs a static shape");
      workspaces.push_back(alloc.getType());
    }
    auto launches = markLaunches(func);
    if (failed(launches))
      return failure();
    IRRewriter rewriter(&getContext());
    std::string name = func.getName().str();
    func.setName(name + ".source");
    for (int64_t i = 0; i < *launches; ++i) {
      std::string entry =
          *launches == 1 ? name : name + "_" + std::to_string(i);
      if (failed(LaunchBuilder(rewriter, func, workspaces).build(entry, i)))
        return failure();
    }
    rewriter.eraseOp(func);
    return success();
  }
};

} // namespace
