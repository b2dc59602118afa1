// RandomSpecs.cpp - see RandomSpecs.h.
#include "test/Unit/Dialect/RandomSpecs.h"

using namespace labgen;

using F = Format;

/// Mostly one of `likely`, which are legal more often than not.
static Format drawFormat(Dice &dice, const std::vector<Format> &likely) {
  return dice.pick(dice.oneIn(8) ? allFormats() : likely);
}

static const std::vector<Format> activations = {F::F32, F::BF16, F::F16};
static const std::vector<Format> codes = {
    F::I8,       F::I4,       F::U8,         F::U4,       F::F8E4M3FN,
    F::F8E5M2,   F::F8E4M3,   F::F8E4M3FNUZ, F::F6E2M3FN, F::F6E3M2FN,
    F::F4E2M1FN, F::F4E2M1FN, F::I8};
static const std::vector<Format> scales = {F::F32, F::F16, F::BF16,
                                           F::F8E8M0FNU, F::F8E4M3FN};

/// Sizes around bytes, groups and nothing at all.
static int64_t drawSize(Dice &dice) {
  return dice.pick<int64_t>({0, 1, 2, 3, 7, 8, 31, 32, 33, 64, 67});
}

static Group drawGroup(Dice &dice) {
  if (dice.oneIn(5))
    return {Group::Channel, 0};
  if (dice.oneIn(5))
    return {Group::Tensor, 0};
  return {Group::Size, dice.pick<int64_t>({32, 32, 32, 16, 1, 5, 64, -5})};
}

/// Codes with their scales and zero points; `key` is the field of the codes.
static void drawCodes(Dice &dice, KernelSpec &spec, Format code) {
  spec.group = drawGroup(dice);
  spec.scale = drawFormat(dice, scales);
  bool isUnsigned = info(code).kind == FormatKind::UnsignedInt;
  if (isUnsigned ? !dice.oneIn(4) : dice.oneIn(5))
    spec.zero = code;
}

static Rounding drawRounding(Dice &dice, KernelSpec &spec) {
  auto rounding = static_cast<Rounding>(dice.roll(4));
  if (rounding == Rounding::Stochastic ? !dice.oneIn(4) : dice.oneIn(16))
    spec.seed = dice.roll(1000);
  return rounding;
}

static void drawReduce(Dice &dice, KernelSpec &spec) {
  spec.type = drawFormat(dice, {F::F64, F::F32, F::BF16, F::F16});
  spec.acc = dice.oneIn(4)         ? dice.pick(allFormats())
             : spec.type == F::F64 ? F::F64
                                   : F::F32;
  spec.kind = static_cast<ReduceKind>(dice.roll(5));
  if (spec.kind == ReduceKind::Max || spec.kind == ReduceKind::AbsMax)
    return;
  spec.order = static_cast<SumOrder>(dice.roll(4));
  if (spec.order == SumOrder::Pairwise)
    spec.block = 128;
  if (spec.order != SumOrder::Sequential && dice.oneIn(3))
    spec.block = dice.pick<int64_t>({0, 1, 2, 128, 1000, -7});
}

static void drawGemm(Dice &dice, KernelSpec &spec) {
  spec.n = drawSize(dice);
  bool isScaled = dice.oneIn(2);
  spec.a = drawFormat(dice, isScaled ? activations : codes);
  spec.b = drawFormat(dice, codes);
  if (!isScaled && dice.oneIn(2))
    spec.a = spec.b =
        drawFormat(dice, {F::F64, F::F32, F::BF16, F::F16, F::TF32});
  if (isScaled) {
    drawCodes(dice, spec, spec.b);
    spec.compute = dice.oneIn(4) ? F::I8 : drawFormat(dice, {F::F32});
  }
  spec.acc = spec.a == F::F64 ? F::F64 : isInteger(spec.a) ? F::I32 : F::F32;
  spec.out = dice.oneIn(4) ? dice.pick(allFormats()) : spec.acc;
  spec.accumulate = dice.oneIn(2);
  if (dice.oneIn(20))
    spec.k = int64_t(1) << (16 + dice.roll(20));
  // Bytes do not tell how many codes there are where both sides are packed.
  if (info(spec.a).storageBits < 8 && info(spec.b).storageBits < 8)
    spec.k -= spec.k % 8;
}

KernelSpec randomSpec(Dice &dice) {
  KernelSpec spec;
  spec.op = static_cast<Op>(dice.roll(enumCount<Op>));
  switch (spec.op) {
  case Op::Quantize:
    spec.m = drawSize(dice), spec.k = drawSize(dice);
    spec.in = drawFormat(dice, activations);
    spec.out = drawFormat(dice, codes);
    drawCodes(dice, spec, spec.out);
    spec.round = drawRounding(dice, spec);
    if (dice.oneIn(6))
      spec.rule = static_cast<ScaleRule>(dice.roll(4));
    if (dice.oneIn(6))
      spec.range = IntRange::Full;
    spec.inverse = static_cast<Inverse>(dice.roll(2));
    spec.divisor = static_cast<Divisor>(dice.roll(2));
    break;
  case Op::Dequantize:
    spec.m = drawSize(dice), spec.k = drawSize(dice);
    spec.in = drawFormat(dice, codes);
    spec.out = drawFormat(dice, activations);
    drawCodes(dice, spec, spec.in);
    break;
  case Op::Cast:
    spec.n = drawSize(dice);
    spec.in = dice.pick(allFormats()), spec.out = dice.pick(allFormats());
    spec.round = drawRounding(dice, spec);
    spec.overflow = static_cast<Overflow>(dice.roll(2));
    spec.nan = static_cast<NanRule>(dice.roll(2));
    break;
  case Op::Exp:
    spec.n = drawSize(dice);
    spec.in = dice.pick(allFormats()), spec.out = dice.pick(allFormats());
    break;
  case Op::Softmax:
    spec.m = drawSize(dice), spec.n = drawSize(dice);
    spec.in = dice.pick(allFormats()), spec.out = dice.pick(allFormats());
    spec.shift = dice.oneIn(2);
    break;
  case Op::Axpy:
    spec.n = drawSize(dice);
    spec.type = drawFormat(dice, {F::F64, F::F32, F::BF16, F::F16});
    spec.acc = spec.type == F::F64    ? F::F64
               : isInteger(spec.type) ? F::I32
                                      : F::F32;
    break;
  case Op::Reduce:
    spec.n = drawSize(dice);
    drawReduce(dice, spec);
    break;
  case Op::Gemm:
    spec.m = drawSize(dice), spec.k = drawSize(dice);
    drawGemm(dice, spec);
    break;
  }
  return spec;
}
