// Cost.cpp - each lab op as a kernel spec, so that lib/Spec's cost model is the
// only one there is.
#include "dialects/Lab/Lab.h"
#include "lib/Spec/Convert.h"

using namespace mlir;
using namespace labgen::lab;
using labgen::Format;
using labgen::KernelSpec;

/// A static shape's dimension; fails the lookup when any dimension is dynamic.
static bool isStatic(Operation *op) {
  return llvm::all_of(memrefTypes(op),
                      [](MemRefType t) { return t.hasStaticShape(); });
}
static int64_t dim(Value v, unsigned i) {
  return cast<MemRefType>(v.getType()).getDimSize(i);
}
static std::optional<Format> format(Type type) { return formatOf(type); }
static std::optional<Format> element(Value v) {
  return format(cast<MemRefType>(v.getType()).getElementType());
}
static labgen::Group group(int64_t g) {
  if (g == groupChannel)
    return {labgen::Group::Channel, 0};
  if (g == groupTensor)
    return {labgen::Group::Tensor, 0};
  return {labgen::Group::Size, g};
}
/// The accumulator the contract gives a type.
static Format accumulator(Format f) {
  if (f == Format::F64)
    return Format::F64;
  return labgen::isInteger(f) ? Format::I32 : Format::F32;
}

FailureOr<KernelSpec> QuantizeOp::getSpec() {
  auto in = element(getX()), out = format(getCodeType()),
       s = format(getScaleFormat());
  if (!isStatic(*this) || !in || !out || !s)
    return failure();
  KernelSpec spec;
  spec.op = labgen::Op::Quantize;
  spec.m = dim(getX(), 0), spec.k = dim(getX(), 1);
  spec.in = *in, spec.out = *out, spec.scale = *s;
  if (getZero())
    spec.zero = *out;
  spec.group = group(getGroup());
  spec.round = static_cast<labgen::Rounding>(getRound());
  spec.seed = getSeed().value_or(0);
  spec.range = static_cast<labgen::IntRange>(getRange());
  spec.inverse = static_cast<labgen::Inverse>(getInverse());
  spec.divisor = static_cast<labgen::Divisor>(getDivisor());
  spec.rule = static_cast<labgen::ScaleRule>(getRule());
  return spec;
}

FailureOr<KernelSpec> DequantizeOp::getSpec() {
  auto in = format(getCodeType()), out = element(getY()),
       s = format(getScaleFormat());
  if (!isStatic(*this) || !in || !out || !s)
    return failure();
  KernelSpec spec;
  spec.op = labgen::Op::Dequantize;
  spec.m = dim(getY(), 0), spec.k = dim(getY(), 1);
  spec.in = *in, spec.out = *out, spec.scale = *s;
  if (getZero())
    spec.zero = *in;
  spec.group = group(getGroup());
  return spec;
}

/// What cast and exp have in common: length and formats.
template <typename OpTy>
static FailureOr<KernelSpec> elementSpec(OpTy op, labgen::Op kind) {
  auto in = format(op.getInType()), out = format(op.getOutType());
  if (!in || !out || !isStatic(op))
    return failure();
  KernelSpec spec;
  spec.op = kind;
  spec.n = elementCount(op), spec.in = *in, spec.out = *out;
  return spec;
}

FailureOr<KernelSpec> CastOp::getSpec() {
  FailureOr<KernelSpec> spec = elementSpec(*this, labgen::Op::Cast);
  if (failed(spec))
    return failure();
  spec->round = static_cast<labgen::Rounding>(getRound());
  spec->seed = getSeed().value_or(0);
  spec->overflow = getOverflow() ? static_cast<labgen::Overflow>(*getOverflow())
                                 : labgen::defaultOverflow(spec->out);
  spec->nan = getNan() ? static_cast<labgen::NanRule>(*getNan())
                       : labgen::defaultNanRule(spec->out);
  return spec;
}

FailureOr<KernelSpec> ExpOp::getSpec() {
  return elementSpec(*this, labgen::Op::Exp);
}

FailureOr<KernelSpec> AxpyOp::getSpec() {
  auto type = element(getX());
  if (!isStatic(*this) || !type)
    return failure();
  KernelSpec spec;
  spec.op = labgen::Op::Axpy;
  spec.n = dim(getX(), 0);
  spec.type = *type, spec.acc = accumulator(*type);
  return spec;
}

FailureOr<KernelSpec> ReduceOp::getSpec() {
  auto type = element(getX());
  // Specs know no kinds that only decompositions need.
  bool known = getKind() <= ReduceKind::SumSq;
  if (!isStatic(*this) || !type || isPartial() || !known)
    return failure();
  KernelSpec spec;
  spec.op = labgen::Op::Reduce;
  spec.n = dim(getX(), 0);
  spec.type = *type;
  spec.acc = element(getR()).value_or(accumulator(*type));
  spec.kind = static_cast<labgen::ReduceKind>(getKind());
  spec.order = static_cast<labgen::SumOrder>(getOrder());
  spec.block = getBlock();
  return spec;
}

FailureOr<KernelSpec> GemmOp::getSpec() {
  auto a = format(getACodeType()), b = format(getCodeType()),
       c = element(getC());
  if (!isStatic(*this) || !a || !b || !c || getAScale())
    return failure();
  KernelSpec spec;
  spec.op = labgen::Op::Gemm;
  spec.m = dim(getC(), 0), spec.n = dim(getC(), 1), spec.k = getDepth();
  spec.a = *a, spec.b = *b, spec.out = *c, spec.acc = accumulator(*a);
  spec.accumulate = getAccumulate();
  if (getBScale()) {
    auto s = format(getScaleFormat());
    if (!s)
      return failure();
    spec.scale = *s;
    if (getBZero())
      spec.zero = *b;
    spec.group = group(*getGroup());
    spec.compute = quantizesA() ? Format::I8 : Format::F32;
  }
  return spec;
}
