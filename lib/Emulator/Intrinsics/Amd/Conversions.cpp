// Conversions.cpp - v_cvt_* between f32 and packed fp8, bf8, fp4 and f16, to
// the bit (AMD's CDNA 3 and 4 and RDNA 4 ISA documents). fp8 and bf8 are the
// FNUZ formats on gfx942, OCP's on later chips; overflow gives NaN or Inf, as
// with the mode register a kernel starts with.
#include "lib/Emulator/Runtime/Intrinsic.h"
#include "lib/Spec/Convert.h"

#include <cmath>
#include <limits>

namespace labgen::emu {

enum Small { Fp8, Bf8, Fp4 };

static Format formatOf(const LocalCall &call, int small) {
  bool fnuz = call.thread.worker->module.fnuz;
  switch (small) {
  case Fp8:
    return fnuz ? Format::F8E4M3FNUZ : Format::F8E4M3FN;
  case Bf8:
    return fnuz ? Format::F8E5M2FNUZ : Format::F8E5M2;
  default:
    return Format::F4E2M1FN;
  }
}

static uint32_t insert(uint32_t old, uint32_t bits, unsigned width,
                       unsigned index) {
  uint32_t mask = (width == 32 ? 0 : uint32_t(1) << width) - 1;
  return (old & ~(mask << (width * index))) | (bits & mask) << (width * index);
}

/// cvt.pk.fp8.f32(a, b, old, high word?): a to the lower byte.
static void packTwo(const LocalCall &call) {
  Format format = formatOf(call, call.code);
  uint32_t low = uint32_t(encode(format, call.argument<float>(0))),
           high = uint32_t(encode(format, call.argument<float>(1)));
  call.setResult(insert(call.argument<uint32_t>(2), high << 8 | low, 16,
                        call.argument<uint8_t>(3)));
}

/// f32 with random bits added below the format's mantissa, to be cut off: the
/// upper 20 of the 32 for 3 bits of mantissa, the upper 21 for 2. Inf where
/// that is a place or more above the largest value: it overflows, cut or not.
static double perturbed(float value, uint32_t random, Format format) {
  if (!std::isfinite(value))
    return value;
  const FormatInfo &row = info(format);
  unsigned dropped = 23 - unsigned(row.mantissaBits);
  uint32_t bits = bitsAs<uint32_t>(value);
  // A carry into the exponent is the next binade, as rounding up is.
  double sum = bitsAs<float>(bits + (random >> (32 - dropped)));
  double place = std::ldexp(1, std::ilogb(row.max) - row.mantissaBits);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return std::fabs(sum) < row.max + place ? sum : std::copysign(infinity, sum);
}

/// cvt.sr.fp8.f32(value, random, old, byte).
static void packStochastic(const LocalCall &call) {
  Format format = formatOf(call, call.code);
  double value =
      perturbed(call.argument<float>(0), call.argument<uint32_t>(1), format);
  EncodeRules rules;
  rules.rounding = Rounding::Zero;
  uint32_t code = uint32_t(encode(format, value, rules));
  call.setResult(
      insert(call.argument<uint32_t>(2), code, 8, call.argument<uint32_t>(3)));
}

static float valueAt(const LocalCall &call, unsigned byte, int small) {
  uint32_t code = call.argument<uint32_t>(0) >> (8 * byte) & 0xFF;
  return float(decode(formatOf(call, small), code));
}

/// cvt.f32.fp8(word, byte).
static void unpackOne(const LocalCall &call) {
  call.setResult(valueAt(call, call.argument<uint32_t>(1), call.code));
}

struct TwoFloats {
  float low, high;
};

/// cvt.pk.f32.fp8(word, high word?).
static void unpackTwo(const LocalCall &call) {
  unsigned first = call.argument<uint8_t>(1) ? 2 : 0;
  call.setResult(TwoFloats{valueAt(call, first, call.code),
                           valueAt(call, first + 1, call.code)});
}

/// Scales are f32 whose exponent alone counts.
static double scaleAt(const LocalCall &call, unsigned argument) {
  uint32_t exponent = call.argument<uint32_t>(argument) >> 23 & 0xFF;
  return exponent == 0xFF ? std::nan("") : std::ldexp(1.0, int(exponent) - 127);
}

/// cvt.scalef32.pk.fp8.f32(old, a, b, scale, high word?): value / scale.
static void packTwoScaled(const LocalCall &call) {
  Format format = formatOf(call, call.code);
  double scale = scaleAt(call, 3);
  uint32_t low = uint32_t(encode(format, call.argument<float>(1) / scale)),
           high = uint32_t(encode(format, call.argument<float>(2) / scale));
  call.setResult(insert(call.argument<uint32_t>(0), high << 8 | low, 16,
                        call.argument<uint8_t>(4)));
}

/// Has no Inf and no NaN: both give the largest value, with the sign.
static uint32_t encodeFp4(float value, double scale) {
  double scaled = value / scale;
  if (std::isnan(scaled))
    scaled = std::copysign(info(Format::F4E2M1FN).max, value);
  EncodeRules rules;
  rules.overflow = Overflow::Saturate;
  return uint32_t(encode(Format::F4E2M1FN, scaled, rules));
}

/// cvt.scalef32.pk.fp4.f32(old, a, b, scale, byte).
static void packTwoFp4(const LocalCall &call) {
  double scale = scaleAt(call, 3);
  uint32_t low = encodeFp4(call.argument<float>(1), scale),
           high = encodeFp4(call.argument<float>(2), scale);
  call.setResult(insert(call.argument<uint32_t>(0), high << 4 | low, 8,
                        call.argument<uint32_t>(4)));
}

/// cvt.scalef32.f32.fp8(word, scale, byte).
static void unpackOneScaled(const LocalCall &call) {
  unsigned byte = call.argument<uint32_t>(2);
  call.setResult(
      float(double(valueAt(call, byte, call.code)) * scaleAt(call, 1)));
}

/// cvt.scalef32.pk.f32.fp8(word, scale, high word?).
static void unpackTwoScaled(const LocalCall &call) {
  unsigned first = call.argument<uint8_t>(2) ? 2 : 0;
  double scale = scaleAt(call, 1);
  call.setResult(
      TwoFloats{float(double(valueAt(call, first, call.code)) * scale),
                float(double(valueAt(call, first + 1, call.code)) * scale)});
}

/// cvt.scalef32.pk.{f32,f16,bf16}.fp4(word, scale, byte); code = the result's
/// format.
static void unpackTwoFp4(const LocalCall &call) {
  uint32_t byte =
      call.argument<uint32_t>(0) >> (8 * call.argument<uint32_t>(2)) & 0xFF;
  double scale = scaleAt(call, 1);
  double low = decode(Format::F4E2M1FN, byte & 15) * scale,
         high = decode(Format::F4E2M1FN, byte >> 4) * scale;
  Format to = Format(call.code);
  if (to == Format::F32)
    return call.setResult(TwoFloats{float(low), float(high)});
  call.setResult(uint32_t(encode(to, high) << 16 | encode(to, low)));
}

/// cvt.pkrtz: two f32 to f16, towards zero.
static void packTwoHalves(const LocalCall &call) {
  auto half = [&](unsigned argument) {
    float value = call.argument<float>(argument);
    EncodeRules rules;
    rules.rounding = Rounding::Zero;
    return uint32_t(encode(Format::F16, value, rules));
  };
  call.setResult(half(1) << 16 | half(0));
}

void addAmdConversions(Table &table) {
  auto add = [&](const std::string &name, IntrinsicRow::LocalFunction function,
                 int code) {
    table.push_back(
        IntrinsicRow::perThread("llvm.amdgcn.cvt." + name, function, code));
  };
  for (auto [name, small] : {std::pair("fp8", Fp8), std::pair("bf8", Bf8)}) {
    std::string type = name;
    add("pk." + type + ".f32", packTwo, small);
    add("sr." + type + ".f32", packStochastic, small);
    add("f32." + type, unpackOne, small);
    add("pk.f32." + type, unpackTwo, small);
    add("scalef32.pk." + type + ".f32", packTwoScaled, small);
    add("scalef32.f32." + type, unpackOneScaled, small);
    add("scalef32.pk.f32." + type, unpackTwoScaled, small);
  }
  add("scalef32.pk.fp4.f32", packTwoFp4, Fp4);
  add("scalef32.pk.f32.fp4", unpackTwoFp4, int(Format::F32));
  add("scalef32.pk.f16.fp4", unpackTwoFp4, int(Format::F16));
  add("scalef32.pk.bf16.fp4", unpackTwoFp4, int(Format::BF16));
  add("pkrtz", packTwoHalves, 0);
}

} // namespace labgen::emu
