// RandomOps.cpp - see RandomOps.h.
#include "test/Unit/Dialect/RandomOps.h"

#include "dialects/Lab/Lab.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace labgen;

using Shape = SmallVector<int64_t>;

namespace {

/// Collects operands and attributes by name, then makes the op.
class OpWriter {
public:
  OpWriter(StringRef name, MLIRContext &context)
      : b(&context), loc(b.getUnknownLoc()), state(loc, name),
        block(std::make_unique<Block>()) {}

  /// An operand, or none where an optional one is left out.
  void operand(Type element, ArrayRef<int64_t> shape) {
    state.addOperands(block->addArgument(MemRefType::get(shape, element), loc));
    segments.push_back(1);
  }
  void noOperand() { segments.push_back(0); }
  /// A matrix or vector as its format lies in memory, rows from bytes on.
  void stored(Format format, Shape shape) {
    if (!shape.empty() && info(format).storageBits < 8)
      shape.back() = packedBytes(format, shape.back());
    operand(lab::storageOf(format, context()), shape);
  }
  void attribute(StringRef name, Attribute value) {
    state.addAttribute(name, value);
  }
  void type(StringRef name, Format format) {
    attribute(name, TypeAttr::get(lab::typeOf(format, context())));
  }
  void seed(const KernelSpec &spec) {
    if (spec.round == Rounding::Stochastic || spec.seed)
      attribute("seed", b.getIntegerAttr(b.getIntegerType(64, false),
                                         APInt(64, spec.seed)));
  }
  LooseOp finish(bool hasSegments = false) {
    if (hasSegments)
      attribute("operandSegmentSizes", b.getDenseI32ArrayAttr(segments));
    Operation *op = Operation::create(state);
    block->push_back(op);
    return {std::move(block), op};
  }
  MLIRContext *context() { return b.getContext(); }

  Builder b;

private:
  Location loc;
  OperationState state;
  SmallVector<int32_t> segments;
  std::unique_ptr<Block> block;
};

Shape scaleShape(const KernelSpec &spec, int64_t rows) {
  if (spec.group.kind == Group::Tensor)
    return {1, 1};
  if (spec.group.kind == Group::Channel || spec.group.size < 1)
    return {rows, 1};
  return {rows, (spec.k + spec.group.size - 1) / spec.group.size};
}

IntegerAttr groupOf(const KernelSpec &spec, Builder &b) {
  return b.getI64IntegerAttr(spec.group.kind == Group::Channel ? -1
                             : spec.group.kind == Group::Tensor
                                 ? 0
                                 : spec.group.size);
}

void zeroAndGlobal(OpWriter &w, const KernelSpec &spec, int64_t rows) {
  if (spec.zero)
    w.stored(*spec.zero, scaleShape(spec, rows));
  else
    w.noOperand();
  if (spec.scale == Format::F8E4M3FN)
    w.operand(w.b.getF32Type(), {1});
  else
    w.noOperand();
}

LooseOp quantize(OpWriter w, const KernelSpec &spec) {
  w.operand(lab::typeOf(spec.in, w.context()), {spec.m, spec.k});
  w.stored(spec.out, {spec.m, spec.k});
  w.stored(*spec.scale, scaleShape(spec, spec.m));
  zeroAndGlobal(w, spec, spec.m);
  w.noOperand(); // its position
  MLIRContext *c = w.context();
  w.attribute("group", groupOf(spec, w.b));
  w.type("code", spec.out);
  w.type("scale_type", *spec.scale);
  w.attribute("round", lab::RoundingAttr::get(
                           c, static_cast<lab::Rounding>(spec.round)));
  w.attribute("range", lab::IntRangeAttr::get(
                           c, static_cast<lab::IntRange>(spec.range)));
  w.attribute("inverse", lab::InverseAttr::get(
                             c, static_cast<lab::Inverse>(spec.inverse)));
  w.attribute("divisor", lab::DivisorAttr::get(
                             c, static_cast<lab::Divisor>(spec.divisor)));
  w.attribute("rule", lab::ScaleRuleAttr::get(
                          c, static_cast<lab::ScaleRule>(spec.rule)));
  w.seed(spec);
  return w.finish(/*hasSegments=*/true);
}

LooseOp dequantize(OpWriter w, const KernelSpec &spec) {
  w.stored(spec.in, {spec.m, spec.k});
  w.stored(*spec.scale, scaleShape(spec, spec.m));
  w.operand(lab::typeOf(spec.out, w.context()), {spec.m, spec.k});
  zeroAndGlobal(w, spec, spec.m);
  w.attribute("group", groupOf(spec, w.b));
  w.type("code", spec.in);
  w.type("scale_type", *spec.scale);
  return w.finish(/*hasSegments=*/true);
}

LooseOp elementwise(OpWriter w, const KernelSpec &spec) {
  w.stored(spec.in, {spec.n});
  w.stored(spec.out, {spec.n});
  w.type("in", spec.in);
  w.type("out", spec.out);
  if (info(spec.in).storageBits < 8 && info(spec.out).storageBits < 8)
    w.attribute("count", w.b.getI64IntegerAttr(spec.n));
  if (spec.op == labgen::Op::Exp)
    return w.finish();
  MLIRContext *c = w.context();
  w.attribute("round", lab::RoundingAttr::get(
                           c, static_cast<lab::Rounding>(spec.round)));
  w.attribute("overflow", lab::OverflowAttr::get(
                              c, static_cast<lab::Overflow>(spec.overflow)));
  w.attribute("nan",
              lab::NanRuleAttr::get(c, static_cast<lab::NanRule>(spec.nan)));
  w.seed(spec);
  return w.finish();
}

LooseOp softmax(OpWriter w, const KernelSpec &spec) {
  w.stored(spec.in, {spec.m, spec.n});
  w.stored(spec.out, {spec.m, spec.n});
  w.type("in", spec.in);
  w.type("out", spec.out);
  w.attribute("shift", w.b.getBoolAttr(spec.shift));
  if (info(spec.in).storageBits < 8 && info(spec.out).storageBits < 8)
    w.attribute("count", w.b.getI64IntegerAttr(spec.n));
  return w.finish();
}

LooseOp axpy(OpWriter w, const KernelSpec &spec) {
  Type type = lab::typeOf(spec.type, w.context());
  for (const Shape &shape : {Shape(), Shape{spec.n}, Shape{spec.n}})
    w.operand(type, shape);
  return w.finish();
}

LooseOp reduce(OpWriter w, const KernelSpec &spec) {
  MLIRContext *c = w.context();
  Type type = lab::typeOf(spec.type, c);
  w.operand(type, {spec.n});
  if (spec.kind == ReduceKind::Dot)
    w.operand(type, {spec.n});
  w.operand(lab::typeOf(spec.acc, c), {});
  w.attribute("kind", lab::ReduceKindAttr::get(
                          c, static_cast<lab::ReduceKind>(spec.kind)));
  w.attribute("order", lab::SumOrderAttr::get(
                           c, static_cast<lab::SumOrder>(spec.order)));
  w.attribute("block", w.b.getI64IntegerAttr(spec.block));
  return w.finish();
}

LooseOp gemm(OpWriter w, const KernelSpec &spec) {
  bool isScaled = spec.isQuantized();
  if (isScaled)
    w.operand(lab::typeOf(spec.a, w.context()), {spec.m, spec.k});
  else
    w.stored(spec.a, {spec.m, spec.k});
  w.stored(spec.b, {spec.n, spec.k});
  w.noOperand(); // a_scale
  if (isScaled)
    w.stored(*spec.scale, scaleShape(spec, spec.n));
  else
    w.noOperand();
  zeroAndGlobal(w, spec, spec.n);
  w.operand(lab::typeOf(spec.out, w.context()), {spec.m, spec.n});
  w.type("code", spec.b);
  if (spec.accumulate)
    w.attribute("accumulate", w.b.getUnitAttr());
  if (!isScaled) {
    w.type("a_code", spec.a);
    return w.finish(/*hasSegments=*/true);
  }
  w.attribute("group", groupOf(spec, w.b));
  w.type("scale_type", *spec.scale);
  w.type("compute", spec.compute);
  return w.finish(/*hasSegments=*/true);
}

} // namespace

LooseOp makeOp(const KernelSpec &spec, MLIRContext &context) {
  OpWriter writer("lab." + std::string(name(spec.op)), context);
  switch (spec.op) {
  case labgen::Op::Quantize:
    return quantize(std::move(writer), spec);
  case labgen::Op::Dequantize:
    return dequantize(std::move(writer), spec);
  case labgen::Op::Cast:
  case labgen::Op::Exp:
    return elementwise(std::move(writer), spec);
  case labgen::Op::Softmax:
    return softmax(std::move(writer), spec);
  case labgen::Op::Axpy:
    return axpy(std::move(writer), spec);
  case labgen::Op::Reduce:
    return reduce(std::move(writer), spec);
  case labgen::Op::Gemm:
    break;
  }
  return gemm(std::move(writer), spec);
}

/// Number formats, and types that are none.
static Type drawType(Dice &dice, MLIRContext *context) {
  Builder b(context);
  if (dice.oneIn(4))
    return dice.pick<Type>({b.getIndexType(), b.getI16Type(), b.getI64Type(),
                            b.getIntegerType(7), b.getI1Type(),
                            Float8E3M4Type::get(context),
                            b.getIntegerType(16, false)});
  return lab::typeOf(dice.pick(allFormats()), context);
}

static Attribute drawAttribute(Dice &dice, MLIRContext *c) {
  Builder b(c);
  switch (dice.roll(5)) {
  case 0:
    return TypeAttr::get(drawType(dice, c));
  case 1:
    return b.getI64IntegerAttr(
        dice.pick<int64_t>({0, 1, 32, -1, -2, 7, INT64_MAX, INT64_MIN}));
  case 2:
    return b.getUnitAttr();
  case 3:
    return b.getIntegerAttr(b.getIntegerType(64, false), dice.roll(100));
  default:
    return dice.pick<Attribute>(
        {lab::RoundingAttr::get(c, lab::Rounding::Stochastic),
         lab::RoundingAttr::get(c, lab::Rounding::Zero),
         lab::IntRangeAttr::get(c, lab::IntRange::Full),
         lab::DivisorAttr::get(c, lab::Divisor::Unrounded),
         lab::ScaleRuleAttr::get(c, lab::ScaleRule::Even),
         lab::OverflowAttr::get(c, lab::Overflow::Ieee),
         lab::NanRuleAttr::get(c, lab::NanRule::Propagate),
         lab::ReduceKindAttr::get(c, lab::ReduceKind::Min),
         lab::SumOrderAttr::get(c, lab::SumOrder::Compensated),
         b.getF32FloatAttr(3.0f)});
  }
}

void spoil(LooseOp &loose, Dice &dice) {
  Operation *op = loose.op;
  MLIRContext *context = op->getContext();
  if (dice.oneIn(2)) {
    BlockArgument argument =
        loose.block->getArgument(dice.roll(loose.block->getNumArguments()));
    auto type = cast<MemRefType>(argument.getType());
    Shape shape(type.getShape());
    Type element = type.getElementType();
    if (dice.oneIn(2) || shape.empty())
      element = drawType(dice, context);
    else
      shape[dice.roll(shape.size())] =
          dice.pick<int64_t>({ShapedType::kDynamic, 0, 1, 5, 32});
    if (MemRefType::isValidElementType(element))
      argument.setType(MemRefType::get(shape, element));
    return;
  }
  ArrayRef<StringAttr> names = op->getName().getAttributeNames();
  if (names.empty())
    return;
  StringAttr name = names[dice.roll(names.size())];
  if (name == "operandSegmentSizes")
    return;
  if (dice.oneIn(4))
    op->removeAttr(name);
  else
    op->setAttr(name, drawAttribute(dice, context));
  // As where an op is made: what it has not been told has its default.
  op->getName().populateDefaultProperties(op->getPropertiesStorage());
}
