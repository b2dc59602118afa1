// BuildLab.cpp - see BuildLab.h.
#include "lib/Build/BuildLab.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace labgen;

MemRefType labgen::memrefType(const Argument &argument, MLIRContext &context) {
  Type element = lab::storageOf(argument.format, &context);
  SmallVector<int64_t> shape(argument.shape.begin(), argument.shape.end());
  if (info(argument.format).storageBits < 8)
    shape.back() = argument.rowBytes();
  return MemRefType::get(shape, element);
}

namespace labgen {
namespace {

/// Elements that the bytes of a one-dimensional lab hold on both sides.
int64_t elementsThatFit(const KernelSpec &spec) {
  auto fit = [&](Format f) {
    return packedBytes(f, spec.n) * 8 / info(f).storageBits;
  };
  return std::min(fit(spec.in), fit(spec.out));
}

class LabBuilder {
public:
  LabBuilder(const KernelSpec &spec, MLIRContext &context)
      : spec(spec), b(&context) {}

  Result<OwningOpRef<ModuleOp>> build();

private:
  /// What no op or body exists for yet.
  Status supported() const;
  void addOp(ArrayRef<Value> arguments);
  /// The argument of a kind, where the lab has it.
  Value argument(ArrayRef<Value> values, ArgumentKind kind) const {
    for (auto [value, argument] : llvm::zip(values, arguments(spec)))
      if (argument.kind == kind)
        return value;
    return Value();
  }
  /// `code`, where memory shows bytes in its place.
  IntegerAttr seed() {
    if (spec.round != Rounding::Stochastic)
      return IntegerAttr();
    return b.getIntegerAttr(b.getIntegerType(64, /*isSigned=*/false),
                            APInt(64, spec.seed));
  }
  /// Given where the bytes of both sides hold more elements than there are.
  IntegerAttr count() {
    return elementsThatFit(spec) == spec.n ? IntegerAttr()
                                           : b.getI64IntegerAttr(spec.n);
  }
  TypeAttr code(Format format) {
    Type type = lab::typeOf(format, b.getContext());
    return type == lab::storageOf(format, b.getContext()) ? TypeAttr()
                                                          : TypeAttr::get(type);
  }
  int64_t group() const { return spec.group.number(); }

  const KernelSpec &spec;
  OpBuilder b;
};

bool isPlainFloat(Format f) {
  return f == Format::F32 || f == Format::BF16 || f == Format::F16;
}

Status notYet(const std::string &what, const std::string &instead) {
  return Status::badInput(what + " has no kernel yet; use " + instead);
}

Status LabBuilder::supported() const {
  std::string op(name(spec.op));
  switch (spec.op) {
  case Op::Cast:
  case Op::Exp:
  case Op::Softmax:
  case Op::Quantize:
  case Op::Dequantize:
    break;
  case Op::Axpy:
  case Op::Reduce:
    if (!isPlainFloat(spec.type) && spec.type != Format::F64)
      return notYet(op + " type=" + std::string(name(spec.type)),
                    "type=f64, f32, bf16 or f16");
    if (spec.op == Op::Reduce && spec.acc == Format::F16) {
      // Rounding after each of its steps is too much code for one kernel.
      if (isSum(spec.kind) && spec.order == SumOrder::Compensated)
        return notYet("reduce acc=f16,order=compensated",
                      "another order or acc=f32");
      break;
    }
    if (spec.acc != (spec.type == Format::F64 ? Format::F64 : Format::F32))
      return notYet(op + " acc=" + std::string(name(spec.acc)),
                    "the default accumulator");
    break;
  case Op::Gemm: {
    // Sums in bf16 or f16 would round at every step, and f64 sums of narrower
    // operands need bodies of their own.
    Format want = defaultAccumulator(spec.a);
    if (spec.acc != want)
      return notYet("gemm acc=" + std::string(name(spec.acc)) +
                        " with a=" + std::string(name(spec.a)),
                    "acc=" + std::string(name(want)));
    break;
  }
  }
  return Status::ok();
}

void LabBuilder::addOp(ArrayRef<Value> v) {
  Location loc = b.getUnknownLoc();
  switch (spec.op) {
  case Op::Quantize:
    lab::QuantizeOp::create(
        b, loc, v[0], v[1], v[2], argument(v, ArgumentKind::ZeroPoint),
        argument(v, ArgumentKind::Global), group(), code(spec.out),
        static_cast<lab::Rounding>(spec.round),
        static_cast<lab::IntRange>(spec.range),
        static_cast<lab::Inverse>(spec.inverse),
        static_cast<lab::Divisor>(spec.divisor), code(*spec.scale),
        static_cast<lab::ScaleRule>(spec.rule),
        /*global_known=*/false, seed(), ValueRange());
    break;
  case Op::Dequantize:
    lab::DequantizeOp::create(b, loc, v[0], v[1], v.back(),
                              argument(v, ArgumentKind::ZeroPoint),
                              argument(v, ArgumentKind::Global), group(),
                              code(spec.in), code(*spec.scale));
    break;
  case Op::Axpy:
    lab::AxpyOp::create(b, loc, v[0], v[1], v[2]);
    break;
  case Op::Reduce: {
    bool dot = spec.kind == ReduceKind::Dot;
    lab::ReduceOp::create(b, loc, static_cast<lab::ReduceKind>(spec.kind),
                          static_cast<lab::SumOrder>(spec.order), v[0],
                          dot ? v[1] : Value(), v.back(), spec.block,
                          IntegerAttr(), FloatAttr());
    break;
  }
  case Op::Gemm: {
    bool scaled = spec.isQuantized();
    auto compute = TypeAttr();
    if (spec.compute == Format::I8 && scaled)
      compute = TypeAttr::get(b.getI8Type());
    lab::GemmOp::create(
        b, loc, v[0], v[1], Value(), argument(v, ArgumentKind::Scale),
        argument(v, ArgumentKind::ZeroPoint), argument(v, ArgumentKind::Global),
        v.back(), scaled ? b.getI64IntegerAttr(group()) : IntegerAttr(),
        scaled ? TypeAttr() : code(spec.a), code(spec.b), compute,
        spec.accumulate, scaled ? code(*spec.scale) : TypeAttr());
    break;
  }
  case Op::Cast: {
    MLIRContext *context = b.getContext();
    auto overflow = spec.overflow == Overflow::Saturate
                        ? lab::Overflow::Saturate
                        : lab::Overflow::Ieee;
    // nan=error is the checker's business: the bits are those of the default.
    auto nan = spec.nan == NanRule::Max || !info(spec.out).hasNaN
                   ? lab::NanRule::Max
                   : lab::NanRule::Propagate;
    lab::CastOp::create(b, loc, v[0], v[1], code(spec.in), code(spec.out),
                        static_cast<lab::Rounding>(spec.round),
                        lab::OverflowAttr::get(context, overflow),
                        lab::NanRuleAttr::get(context, nan), seed(), count(),
                        ValueRange());
    break;
  }
  case Op::Softmax:
    lab::SoftmaxOp::create(b, loc, v[0], v[1], code(spec.in), code(spec.out),
                           spec.shift, count());
    break;
  case Op::Exp:
    lab::ExpOp::create(b, loc, v[0], v[1], code(spec.in), code(spec.out),
                       count());
    break;
  }
}

Result<OwningOpRef<ModuleOp>> LabBuilder::build() {
  if (Status s = supported(); !s)
    return s;
  SmallVector<Type> types;
  SmallVector<std::string> names;
  for (const Argument &argument : arguments(spec)) {
    types.push_back(memrefType(argument, *b.getContext()));
    names.push_back(argument.name);
  }
  Location loc = b.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(b, loc);
  b.setInsertionPointToStart(module->getBody());
  auto func = func::FuncOp::create(
      b, loc, StringRef(name(spec.op).data(), name(spec.op).size()),
      b.getFunctionType(types, {}));
  func->setAttr("lab.spec", b.getStringAttr(spec.str()));
  b.setInsertionPointToStart(func.addEntryBlock());
  addOp(llvm::to_vector_of<Value>(func.getArguments()));
  func::ReturnOp::create(b, loc);
  return module;
}

} // namespace
} // namespace labgen

Result<OwningOpRef<ModuleOp>> labgen::buildLab(const KernelSpec &spec,
                                               MLIRContext &context) {
  return LabBuilder(spec, context).build();
}
