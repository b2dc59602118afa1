// Abi.cpp - the one pass between "memrefs and foralls" and a GPU's calling
// convention: pointers in, descriptors rebuilt inside, units as blocks, the
// foralls within a unit as threads.
#include "lib/Target/GPU/Passes.h"
#include "lib/Target/Launches/Launches.h"

#include "dialects/Lab/Lab.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AttrTypeSubElements.h"

namespace labgen {
#define GEN_PASS_DEF_LABGPUABI
#include "lib/Target/GPU/Passes.h.inc"
} // namespace labgen

using namespace mlir;
using namespace labgen;

namespace {

int64_t threadsOf(Operation *forall) {
  auto attr = forall->getAttrOfType<IntegerAttr>(lab::threadsAttrName);
  return attr ? attr.getInt() : 1;
}

/// One kernel, made from the part of a lab that is one launch.
class KernelBuilder {
public:
  KernelBuilder(IRRewriter &rewriter, LaunchSource &source,
                gpu::GPUModuleOp module)
      : rewriter(rewriter), source(source), module(module),
        loc(source.func.getLoc()) {}

  LogicalResult build(int64_t launch);

private:
  Value constant(int64_t v) {
    return arith::ConstantIndexOp::create(rewriter, loc, v);
  }
  Value compare(arith::CmpIPredicate p, Value a, int64_t b) {
    return arith::CmpIOp::create(rewriter, loc, p, a, constant(b));
  }
  SmallVector<Value> startKernel(int64_t launch);
  LogicalResult placeBlocks();
  LogicalResult dealToThreads(scf::ForallOp forall);
  LogicalResult placeBuffers();

  IRRewriter &rewriter;
  LaunchSource &source;
  gpu::GPUModuleOp module;
  Location loc;
  gpu::GPUFuncOp kernel;
  int64_t threads = 1, blocks = 1;
};

SmallVector<Value> KernelBuilder::startKernel(int64_t launch) {
  auto pointer = LLVM::LLVMPointerType::get(rewriter.getContext(),
                                            /*addressSpace=*/1);
  SmallVector<Type> inputs(source.memrefs.size(), pointer);
  rewriter.setInsertionPointToEnd(module.getBody());
  kernel = gpu::GPUFuncOp::create(rewriter, loc, source.entryName(launch),
                                  rewriter.getFunctionType(inputs, {}));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                  rewriter.getUnitAttr());
  Block *entry = &kernel.getBody().front();
  rewriter.setInsertionPointToStart(entry);
  SmallVector<Value> values;
  for (auto [i, type] : llvm::enumerate(source.memrefs)) {
    kernel.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                      rewriter.getUnitAttr());
    kernel.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                      rewriter.getI64IntegerAttr(64));
    values.push_back(memrefAround(rewriter, loc, entry->getArgument(i), type));
  }
  return values;
}

LogicalResult KernelBuilder::placeBlocks() {
  Block *entry = &kernel.getBody().front();
  int64_t foralls = 0;
  for (auto forall : entry->getOps<scf::ForallOp>()) {
    threads = std::max(threads, threadsOf(forall));
    ++foralls;
  }
  auto units = placeUnits(
      rewriter, entry, [&](Location loc, int64_t first, int64_t last) -> Value {
        Value block = gpu::BlockIdOp::create(rewriter, loc, gpu::Dimension::x);
        if (foralls > 1) {
          Value inside = arith::AndIOp::create(
              rewriter, loc, compare(arith::CmpIPredicate::sge, block, first),
              compare(arith::CmpIPredicate::slt, block, last));
          auto guard = scf::IfOp::create(rewriter, loc, inside,
                                         /*withElseRegion=*/false);
          rewriter.setInsertionPointToStart(guard.thenBlock());
        }
        return block;
      });
  if (failed(units))
    return failure();
  blocks = *units;
  return success();
}

LogicalResult KernelBuilder::dealToThreads(scf::ForallOp forall) {
  auto count = countIterations(forall);
  if (failed(count))
    return failure();
  int64_t together = threadsOf(forall), atOnce = threads / together;
  if (atOnce == 0)
    return forall.emitOpError("schedule lets ")
           << together << " threads share a tile, its blocks have " << threads
           << "; give the outer forall as many `lab.threads`";
  rewriter.setInsertionPoint(forall);
  Value unit = gpu::ThreadIdOp::create(rewriter, loc, gpu::Dimension::x);
  if (together > 1)
    unit = arith::DivUIOp::create(rewriter, loc, unit, constant(together));
  if (*count < atOnce) {
    auto guard = scf::IfOp::create(
        rewriter, loc, compare(arith::CmpIPredicate::ult, unit, *count),
        /*withElseRegion=*/false);
    rewriter.setInsertionPointToStart(guard.thenBlock());
  } else if (*count > atOnce) {
    auto loop = scf::ForOp::create(rewriter, loc, unit, constant(*count),
                                   constant(atOnce));
    rewriter.setInsertionPointToStart(loop.getBody());
    unit = loop.getInductionVar();
  }
  inlineIteration(rewriter, forall, unit);
  rewriter.eraseOp(forall);
  return success();
}

/// Memrefs without a space are global from here on; buffers in shared memory
/// belong to the kernel.
LogicalResult KernelBuilder::placeBuffers() {
  WalkResult spaces = kernel.walk([](memref::AllocaOp buffer) -> WalkResult {
    if (isa_and_present<gpu::AddressSpaceAttr>(
            buffer.getType().getMemorySpace()))
      return WalkResult::advance();
    return buffer.emitOpError("says not which threads of a block share it; "
                              "give its memref #gpu.address_space<private> or "
                              "#gpu.address_space<workgroup>");
  });
  if (spaces.wasInterrupted())
    return failure();
  AttrTypeReplacer replacer;
  MLIRContext *context = rewriter.getContext();
  replacer.addReplacement([&](MemRefType type) -> std::optional<Type> {
    if (type.getMemorySpace())
      return std::nullopt;
    return MemRefType::get(
        type.getShape(), type.getElementType(), type.getLayout(),
        gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Global));
  });
  replacer.recursivelyReplaceElementsIn(kernel, /*replaceAttrs=*/false,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  for (auto buffer :
       llvm::to_vector(kernel.getBody().front().getOps<memref::AllocaOp>())) {
    auto space =
        dyn_cast<gpu::AddressSpaceAttr>(buffer.getType().getMemorySpace());
    if (!space || space.getValue() != gpu::AddressSpace::Workgroup)
      continue;
    if (buffer->use_empty()) {
      rewriter.eraseOp(buffer);
      continue;
    }
    Value shared = kernel.addWorkgroupAttribution(buffer.getType(), loc);
    if (auto alignment = buffer.getAlignmentAttr())
      kernel.setWorkgroupAttributionAttr(
          kernel.getNumWorkgroupAttributions() - 1,
          LLVM::LLVMDialect::getAlignAttrName(), alignment);
    rewriter.replaceOp(buffer, shared);
  }
  return success();
}

LogicalResult KernelBuilder::build(int64_t launch) {
  SmallVector<Value> memrefs = startKernel(launch);
  source.clone(rewriter, launch, memrefs);
  gpu::ReturnOp::create(rewriter, loc);
  if (failed(placeBlocks()))
    return failure();
  SmallVector<scf::ForallOp> inner;
  kernel.walk([&](scf::ForallOp forall) { inner.push_back(forall); });
  for (scf::ForallOp forall : inner)
    if (failed(dealToThreads(forall)))
      return failure();
  if (failed(placeBuffers()))
    return failure();
  kernel.setKnownBlockSizeAttr(
      rewriter.getDenseI32ArrayAttr({static_cast<int32_t>(threads), 1, 1}));
  kernel->setAttr(
      "passthrough",
      passthrough(rewriter, {{"labgen-units", std::to_string(blocks)},
                             {"labgen-threads", std::to_string(threads)},
                             {"labgen-workspace", source.workspaceBytes()}}));
  return success();
}

struct AbiPass : labgen::impl::LabGpuAbiBase<AbiPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    IRRewriter rewriter(&getContext());
    gpu::GPUModuleOp kernels;
    for (auto func : llvm::to_vector(module.getOps<func::FuncOp>())) {
      if (func.isPrivate() || func.isExternal())
        continue;
      if (!kernels) {
        module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                        rewriter.getUnitAttr());
        rewriter.setInsertionPointToEnd(module.getBody());
        kernels = gpu::GPUModuleOp::create(rewriter, func.getLoc(), "kernels");
      }
      if (failed(lower(rewriter, func, kernels)))
        return signalPassFailure();
    }
  }

  LogicalResult lower(IRRewriter &rewriter, func::FuncOp func,
                      gpu::GPUModuleOp kernels) {
    FailureOr<LaunchSource> source = LaunchSource::find(func);
    if (failed(source))
      return failure();
    if (source->takesRange())
      return func.emitOpError("takes a range of work units, as CPU kernels do; "
                              "leave it out for a GPU");
    for (int64_t i = 0; i < source->launches; ++i)
      if (failed(KernelBuilder(rewriter, *source, kernels).build(i)))
        return failure();
    rewriter.eraseOp(func);
    return success();
  }
};

} // namespace
