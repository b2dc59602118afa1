// Dots.cpp - see Passes.td. The bodies know no instruction; this is the one
// place that knows the CPU's for integer dot products.
#include "lib/Target/CPU/CpuTarget.h"
#include "lib/Target/CPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace labgen {
#define GEN_PASS_DEF_LABCPUDOTS
#include "lib/Target/CPU/Passes.h.inc"
} // namespace labgen

using namespace mlir;
using namespace labgen;

namespace {

/// The factors of a step's products; no second one stands for ones, which fold
/// away.
struct Factors {
  Value a, b;
};

class DotStep final : public OpRewritePattern<vector::MultiDimReductionOp> {
public:
  DotStep(MLIRContext *context, const CpuTarget &target)
      : OpRewritePattern(context), target(target) {}

  LogicalResult matchAndRewrite(vector::MultiDimReductionOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getDestType());
    if (op.getKind() != vector::CombiningKind::ADD ||
        op.getReductionDims() != ArrayRef<int64_t>{1} || !type ||
        !type.getElementType().isInteger(32))
      return failure();
    int64_t bytes = type.getNumElements() * 4;
    auto products = op.getSource().getDefiningOp<vector::ShapeCastOp>();
    if ((bytes != 32 && bytes != 64) || bytes > target.vectorBytes ||
        !products || products.getSourceVectorType().getRank() != 1)
      return failure();
    Factors factors{products.getSource(), Value()};
    if (auto mul = factors.a.getDefiningOp<arith::MulIOp>())
      factors = {mul.getLhs(), mul.getRhs()};
    bool isWide = bytes == 64;
    switch (op.getSourceVectorType().getDimSize(1)) {
    case 4:
      return bytesByFours(op, factors, isWide, rewriter);
    case 2:
      return wordsByTwos(op, factors, isWide, rewriter);
    default:
      return failure();
    }
  }

private:
  /// acc + sum of four products, unsigned by signed.
  LogicalResult bytesByFours(vector::MultiDimReductionOp op, Factors factors,
                             bool isWide, PatternRewriter &rewriter) const {
    if (target.dot != lab::IntegerDot::Quads)
      return failure();
    for (auto [u, s] :
         {std::pair(factors.b, factors.a), std::pair(factors.a, factors.b)}) {
      if (!isCode(u, /*isSigned=*/false) || !isCode(s, /*isSigned=*/true))
        continue;
      VectorType codes = op.getSourceVectorType();
      codes = VectorType::get(codes.getNumElements(), rewriter.getI8Type());
      Value operands[] = {op.getAcc(), narrow(u, op, codes, rewriter),
                          narrow(s, op, codes, rewriter)};
      rewriter.replaceOp(op, call(op,
                                  isWide ? "llvm.x86.avx512.vpdpbusd.512"
                                         : "llvm.x86.avx512.vpdpbusd.256",
                                  operands, rewriter));
      return success();
    }
    return failure();
  }

  /// acc + (sum of two products of 16 bits), which 8-bit codes of any sign fit.
  LogicalResult wordsByTwos(vector::MultiDimReductionOp op, Factors factors,
                            bool isWide, PatternRewriter &rewriter) const {
    for (Value v : {factors.a, factors.b})
      if (!isCode(v, true) && !isCode(v, false))
        return failure();
    VectorType words = op.getSourceVectorType();
    words = VectorType::get(words.getNumElements(), rewriter.getI16Type());
    Value operands[] = {narrow(factors.a, op, words, rewriter),
                        narrow(factors.b, op, words, rewriter)};
    Value sums = call(
        op, isWide ? "llvm.x86.avx512.pmaddw.d.512" : "llvm.x86.avx2.pmadd.wd",
        operands, rewriter);
    rewriter.replaceOpWithNewOp<arith::AddIOp>(op, op.getAcc(), sums);
    return success();
  }

  /// Whether i32 lanes were 8-bit codes of that sign, or are a constant that
  /// fits one. No value stands for 1.
  static bool isCode(Value v, bool isSigned) {
    APInt splat;
    if (!v)
      return true;
    if (matchPattern(v, m_ConstantInt(&splat)))
      return isSigned ? splat.isSignedIntN(8) : splat.isIntN(8);
    Operation *op = v.getDefiningOp();
    bool extends = isSigned ? isa_and_nonnull<arith::ExtSIOp>(op)
                            : isa_and_nonnull<arith::ExtUIOp>(op);
    return extends &&
           getElementTypeOrSelf(op->getOperand(0).getType()).isInteger(8);
  }

  /// The same lanes with fewer bits, made where the wide ones are.
  static Value narrow(Value v, vector::MultiDimReductionOp op, VectorType type,
                      PatternRewriter &rewriter) {
    APInt splat(32, 1);
    if (!v || matchPattern(v, m_ConstantInt(&splat)))
      return arith::ConstantOp::create(
          rewriter, op.getLoc(),
          DenseElementsAttr::get(type,
                                 splat.trunc(type.getElementTypeBitWidth())));
    Operation *extension = v.getDefiningOp();
    Value codes = extension->getOperand(0);
    if (codes.getType() == type)
      return codes;
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(extension);
    if (isa<arith::ExtSIOp>(extension))
      return arith::ExtSIOp::create(rewriter, v.getLoc(), type, codes);
    return arith::ExtUIOp::create(rewriter, v.getLoc(), type, codes);
  }

  static Value call(vector::MultiDimReductionOp op, StringRef name,
                    ArrayRef<Value> operands, PatternRewriter &rewriter) {
    return LLVM::CallIntrinsicOp::create(
               rewriter, op.getLoc(), op.getDestType(),
               rewriter.getStringAttr(name), ValueRange(operands))
        .getResult(0);
  }

  const CpuTarget &target;
};

struct DotsPass : labgen::impl::LabCpuDotsBase<DotsPass> {
  using LabCpuDotsBase::LabCpuDotsBase;

  void runOnOperation() override {
    Result<CpuTarget> target = resolveCpu(cpu);
    if (!target) {
      getOperation().emitError(target.status().message());
      return signalPassFailure();
    }
    RewritePatternSet patterns(&getContext());
    patterns.add<DotStep>(&getContext(), *target);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
