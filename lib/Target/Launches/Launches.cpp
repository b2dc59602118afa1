// Launches.cpp - see Launches.h.
#include "lib/Target/Launches/Launches.h"

#include "dialects/Lab/Lab.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace labgen;

static constexpr llvm::StringLiteral launchAttrName = "lab.launch";

/// Iterations per dimension; fails on dynamic bounds.
static FailureOr<SmallVector<int64_t>> tripCounts(scf::ForallOp forall) {
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

FailureOr<int64_t> labgen::countIterations(scf::ForallOp forall) {
  auto counts = tripCounts(forall);
  if (failed(counts))
    return failure();
  int64_t count = 1;
  for (int64_t n : *counts)
    count *= n;
  return count;
}

/// Arguments are static memrefs, perhaps followed by a range.
static LogicalResult checkArguments(func::FuncOp func) {
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
  if (!func.getBody().hasOneBlock())
    return func.emitOpError("must have one block; use structured loops");
  return success();
}

/// Numbers the launches: the foralls of one lab op (one phase) are one. Code
/// without phases is one launch as a whole. Returns how many there are.
static FailureOr<int64_t> markLaunches(func::FuncOp func) {
  int64_t launches = 0;
  Attribute last;
  Operation *outside = nullptr;
  OpBuilder b(func.getContext());
  for (Operation &op : func.getBody().front().without_terminator()) {
    Attribute phase = op.getAttr(lab::phaseAttrName);
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

FailureOr<LaunchSource> LaunchSource::find(func::FuncOp func) {
  if (failed(checkArguments(func)))
    return failure();
  LaunchSource source;
  source.func = func;
  for (Type t : func.getArgumentTypes())
    if (auto memref = dyn_cast<MemRefType>(t))
      source.memrefs.push_back(memref);
  for (auto alloc : func.getBody().front().getOps<memref::AllocOp>()) {
    if (!alloc.getType().hasStaticShape())
      return alloc.emitOpError("a workspace needs a static shape");
    source.memrefs.push_back(alloc.getType());
    ++source.workspaces;
  }
  auto launches = markLaunches(func);
  if (failed(launches))
    return failure();
  source.launches = *launches;
  return source;
}

std::string LaunchSource::entryName(int64_t launch) {
  std::string name = func.getName().str();
  return launches == 1 ? name : name + "_" + std::to_string(launch);
}

void LaunchSource::clone(IRRewriter &rewriter, int64_t launch,
                         ArrayRef<Value> memrefValues, Value begin, Value end) {
  IRMapping mapping;
  size_t numArguments = memrefs.size() - workspaces;
  for (auto [argument, type] :
       llvm::zip(func.getArguments(), func.getArgumentTypes())) {
    if (isa<MemRefType>(type)) {
      mapping.map(argument, memrefValues[argument.getArgNumber()]);
      continue;
    }
    Value bound = argument.getArgNumber() == numArguments ? begin : end;
    if (type.isInteger(64))
      bound = arith::IndexCastOp::create(rewriter, func.getLoc(), type, bound);
    mapping.map(argument, bound);
  }
  size_t nextWorkspace = numArguments;
  for (Operation &op : func.getBody().front().without_terminator()) {
    if (isa<memref::AllocOp>(op)) {
      mapping.map(op.getResult(0), memrefValues[nextWorkspace++]);
      continue;
    }
    auto mark = op.getAttrOfType<IntegerAttr>(launchAttrName);
    if (!mark || mark.getInt() == launch)
      rewriter.clone(op, mapping)->removeAttr(launchAttrName);
  }
}

std::string LaunchSource::workspaceBytes() const {
  std::string bytes;
  for (MemRefType w : ArrayRef(memrefs).take_back(workspaces)) {
    bytes += bytes.empty() ? "" : ",";
    bytes +=
        std::to_string(w.getNumElements() *
                       static_cast<int64_t>(w.getElementTypeBitWidth()) / 8);
  }
  return bytes;
}

Value labgen::memrefAround(IRRewriter &rewriter, Location loc, Value pointer,
                           MemRefType type) {
  LLVMTypeConverter converter(rewriter.getContext());
  MemRefType viewed = type;
  auto space = cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace();
  if (space)
    viewed =
        MemRefType::get(type.getShape(), type.getElementType(),
                        type.getLayout(), rewriter.getI64IntegerAttr(space));
  auto descriptor = MemRefDescriptor::fromStaticShape(rewriter, loc, converter,
                                                      viewed, pointer);
  return UnrealizedConversionCastOp::create(rewriter, loc, type,
                                            Value(descriptor))
      .getResult(0);
}

void labgen::inlineIteration(IRRewriter &rewriter, scf::ForallOp forall,
                             Value linear) {
  Location loc = forall.getLoc();
  SmallVector<int64_t> counts = *tripCounts(forall);
  SmallVector<Value> ivs = {linear};
  if (counts.size() > 1) {
    auto split =
        affine::AffineDelinearizeIndexOp::create(rewriter, loc, linear, counts);
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

FailureOr<int64_t>
labgen::placeUnits(IRRewriter &rewriter, Block *body,
                   function_ref<Value(Location, int64_t, int64_t)> enter) {
  int64_t units = 0;
  AffineExpr s = rewriter.getAffineSymbolExpr(0);
  for (auto forall : llvm::to_vector(body->getOps<scf::ForallOp>())) {
    if (!forall->hasAttr(lab::phaseAttrName))
      continue;
    auto count = countIterations(forall);
    if (failed(count))
      return failure();
    rewriter.setInsertionPoint(forall);
    Value unit = enter(forall.getLoc(), units, units + *count);
    unit = affine::makeComposedAffineApply(rewriter, forall.getLoc(), s - units,
                                           {OpFoldResult(unit)});
    inlineIteration(rewriter, forall, unit);
    rewriter.eraseOp(forall);
    units += *count;
  }
  return units ? units : 1; // code without work units runs once
}

ArrayAttr
labgen::passthrough(Builder &b,
                    ArrayRef<std::pair<StringRef, std::string>> attributes) {
  SmallVector<Attribute> pairs;
  for (const auto &[name, value] : attributes)
    pairs.push_back(b.getStrArrayAttr({name, value}));
  return b.getArrayAttr(pairs);
}
