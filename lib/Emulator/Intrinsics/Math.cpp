// Math.cpp - arithmetic that the host's own instructions and libm do, as other
// IR. Results of approximate instructions are the libm's, which are closer;
// denormals are kept where a GPU would flush them (.ftz).
#include "lib/Emulator/Runtime/Intrinsic.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace labgen::emu {

using Builder = IRBuilder<>;

static Value *operation(Builder &builder, CallInst &call, int code) {
  return builder.CreateBinOp(Instruction::BinaryOps(code),
                             call.getArgOperand(0), call.getArgOperand(1));
}

static Value *unary(Builder &builder, CallInst &call, int code) {
  return builder.CreateUnaryIntrinsic(Intrinsic::ID(code),
                                      call.getArgOperand(0));
}

static Value *binary(Builder &builder, CallInst &call, int code) {
  return builder.CreateBinaryIntrinsic(
      Intrinsic::ID(code), call.getArgOperand(0), call.getArgOperand(1));
}

static Value *fusedMultiplyAdd(Builder &builder, CallInst &call, int) {
  return builder.CreateIntrinsic(
      call.getType(), Intrinsic::fma,
      {call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2)});
}

static Value *reciprocal(Builder &builder, CallInst &call, int) {
  return builder.CreateFDiv(ConstantFP::get(call.getType(), 1.0),
                            call.getArgOperand(0));
}

static Value *reciprocalRoot(Builder &builder, CallInst &call, int) {
  Value *root =
      builder.CreateUnaryIntrinsic(Intrinsic::sqrt, call.getArgOperand(0));
  return builder.CreateFDiv(ConstantFP::get(call.getType(), 1.0), root);
}

/// Of x revolutions (AMD's v_sin and v_cos).
static Value *ofTurns(Builder &builder, CallInst &call, int code) {
  constexpr double turn = 6.283185307179586476925286766559;
  Value *radians = builder.CreateFMul(call.getArgOperand(0),
                                      ConstantFP::get(call.getType(), turn));
  return builder.CreateUnaryIntrinsic(Intrinsic::ID(code), radians);
}

static Value *negate(Builder &builder, CallInst &call, int) {
  return builder.CreateFNeg(call.getArgOperand(0));
}

/// To [0, 1]; NaN gives 0.
static Value *saturate(Builder &builder, CallInst &call, int) {
  Value *low = builder.CreateBinaryIntrinsic(
      Intrinsic::maximumnum, call.getArgOperand(0),
      ConstantFP::getZero(call.getType()));
  return builder.CreateBinaryIntrinsic(Intrinsic::minimumnum, low,
                                       ConstantFP::get(call.getType(), 1.0));
}

/// The middle of three: max(min(a, b), min(max(a, b), c)).
static Value *median(Builder &builder, CallInst &call, int) {
  Value *a = call.getArgOperand(0), *b = call.getArgOperand(1),
        *c = call.getArgOperand(2);
  auto least = [&](Value *x, Value *y) {
    return builder.CreateBinaryIntrinsic(Intrinsic::minimumnum, x, y);
  };
  auto most = [&](Value *x, Value *y) {
    return builder.CreateBinaryIntrinsic(Intrinsic::maximumnum, x, y);
  };
  return most(least(a, b), least(most(a, b), c));
}

/// x - floor(x), below 1.
static Value *fraction(Builder &builder, CallInst &call, int) {
  Value *x = call.getArgOperand(0);
  Value *floor = builder.CreateUnaryIntrinsic(Intrinsic::floor, x);
  Type *type = call.getType();
  double below = type->getScalarType()->isDoubleTy()  ? 0x1.fffffffffffffp-1
                 : type->getScalarType()->isFloatTy() ? 0x1.fffffep-1
                                                      : 0x1.ffcp-1;
  return builder.CreateBinaryIntrinsic(Intrinsic::minnum,
                                       builder.CreateFSub(x, floor),
                                       ConstantFP::get(type, below));
}

static Value *frexpPart(Builder &builder, CallInst &call, int part) {
  Type *type = call.getArgOperand(0)->getType();
  Value *both = builder.CreateIntrinsic(
      Intrinsic::frexp, {type, builder.getInt32Ty()}, {call.getArgOperand(0)});
  Value *value = builder.CreateExtractValue(both, unsigned(part));
  return part ? builder.CreateSExtOrTrunc(value, call.getType()) : value;
}

/// Two f16 products added to an f32, rounded once per operation.
static Value *dotOfTwo(Builder &builder, CallInst &call, int) {
  Value *sum = call.getArgOperand(2);
  Type *type = sum->getType();
  for (uint64_t i : {0, 1}) {
    Value *a = builder.CreateExtractElement(call.getArgOperand(0), i);
    Value *b = builder.CreateExtractElement(call.getArgOperand(1), i);
    sum = builder.CreateIntrinsic(
        type, Intrinsic::fma,
        {builder.CreateFPExt(a, type), builder.CreateFPExt(b, type), sum});
  }
  return sum;
}

static void addNvidia(Table &table) {
  const std::string nvvm = "llvm.nvvm.";
  auto add = [&](const std::string &name,
                 IntrinsicRow::RewriteFunction function, int code,
                 unsigned flops) {
    table.push_back(
        IntrinsicRow::rewrittenFlops(nvvm + name, function, code, flops));
  };
  for (std::string ftz : {"", ".ftz"}) {
    add("ex2.approx" + ftz, unary, Intrinsic::exp2, 1);
    add("lg2.approx" + ftz + ".f", unary, Intrinsic::log2, 1);
    add("sin.approx" + ftz + ".f", unary, Intrinsic::sin, 1);
    add("cos.approx" + ftz + ".f", unary, Intrinsic::cos, 1);
    add("sqrt.approx" + ftz + ".f", unary, Intrinsic::sqrt, 1);
    add("sqrt.rn" + ftz + ".f", unary, Intrinsic::sqrt, 1);
    add("rcp.rn" + ftz + ".f", reciprocal, 0, 1);
    add("rsqrt.approx" + ftz + ".f", reciprocalRoot, 0, 1);
    add("rsqrt.approx" + ftz + ".d", reciprocalRoot, 0, 1);
    add("div.approx" + ftz + ".f", operation, Instruction::FDiv, 1);
    add("div.rn" + ftz + ".f", operation, Instruction::FDiv, 1);
    add("div.full" + ftz, operation, Instruction::FDiv, 1);
    add("add.rn" + ftz + ".f", operation, Instruction::FAdd, 1);
    add("mul.rn" + ftz + ".f", operation, Instruction::FMul, 1);
    add("fma.rn" + ftz + ".f", fusedMultiplyAdd, 0, 2);
    add("floor" + ftz + ".f", unary, Intrinsic::floor, 0);
    add("ceil" + ftz + ".f", unary, Intrinsic::ceil, 0);
    add("trunc" + ftz + ".f", unary, Intrinsic::trunc, 0);
    add("round" + ftz + ".f", unary, Intrinsic::roundeven, 0);
    add("saturate" + ftz + ".f", saturate, 0, 0);
    add("fabs" + ftz, unary, Intrinsic::fabs, 0);
    for (const char *type : {"f", "f16", "f16x2", "bf16", "bf16x2"}) {
      add("fmin" + ftz + "." + type, binary, Intrinsic::minimumnum, 0);
      add("fmax" + ftz + "." + type, binary, Intrinsic::maximumnum, 0);
      add("fmin" + ftz + ".nan." + type, binary, Intrinsic::minimum, 0);
      add("fmax" + ftz + ".nan." + type, binary, Intrinsic::maximum, 0);
    }
  }
  add("rcp.approx.ftz.f", reciprocal, 0, 1);
  add("rcp.approx.ftz.d", reciprocal, 0, 1);
  add("sqrt.f", unary, Intrinsic::sqrt, 1);
  add("rcp.rn.d", reciprocal, 0, 1);
  add("sqrt.rn.d", unary, Intrinsic::sqrt, 1);
  add("div.rn.d", operation, Instruction::FDiv, 1);
  add("add.rn.d", operation, Instruction::FAdd, 1);
  add("mul.rn.d", operation, Instruction::FMul, 1);
  add("fma.rn.d", fusedMultiplyAdd, 0, 2);
  add("lg2.approx.d", unary, Intrinsic::log2, 1);
  add("floor.d", unary, Intrinsic::floor, 0);
  add("ceil.d", unary, Intrinsic::ceil, 0);
  add("trunc.d", unary, Intrinsic::trunc, 0);
  add("round.d", unary, Intrinsic::roundeven, 0);
  add("saturate.d", saturate, 0, 0);
  add("fmin.d", binary, Intrinsic::minimumnum, 0);
  add("fmax.d", binary, Intrinsic::maximumnum, 0);
  add("neg.bf16", negate, 0, 0);
  add("neg.bf16x2", negate, 0, 0);
}

static void addAmd(Table &table) {
  const std::string amdgcn = "llvm.amdgcn.";
  auto add = [&](const std::string &name,
                 IntrinsicRow::RewriteFunction function, int code,
                 unsigned flops) {
    table.push_back(
        IntrinsicRow::rewrittenFlops(amdgcn + name, function, code, flops));
  };
  add("exp2", unary, Intrinsic::exp2, 1);
  add("log", unary, Intrinsic::log2, 1);
  add("sqrt", unary, Intrinsic::sqrt, 1);
  add("tanh", unary, Intrinsic::tanh, 1);
  add("sin", ofTurns, Intrinsic::sin, 1);
  add("cos", ofTurns, Intrinsic::cos, 1);
  add("rcp", reciprocal, 0, 1);
  add("rsq", reciprocalRoot, 0, 1);
  add("fract", fraction, 0, 1);
  add("fmed3", median, 0, 0);
  add("frexp.mant", frexpPart, 0, 0);
  add("frexp.exp", frexpPart, 1, 0);
  add("fdot2", dotOfTwo, 0, 4);
  add("fdot2.f32.bf16", dotOfTwo, 0, 4);
}

void addMath(Table &table) {
  addNvidia(table);
  addAmd(table);
}

} // namespace labgen::emu
