// Conversions.cpp - PTX cvt between f32, f16, bf16, tf32 and the 8-, 6-
// and 4-bit formats, to the bit (PTX ISA, "cvt"). The first source of a packed
// conversion goes to the upper part.
#include "lib/Emulator/Runtime/Intrinsic.h"
#include "lib/Spec/Convert.h"

#include <cmath>

namespace labgen::emu {

/// How a row converts, packed into its code.
struct Cvt {
  Format format;
  Rounding rounding = Rounding::Even;
  bool saturate = false, relu = false;

  int code() const {
    return int(format) | int(rounding) << 8 | saturate << 16 | relu << 17;
  }
  static Cvt of(int code) {
    return {Format(code & 0xFF), Rounding(code >> 8 & 0xFF),
            bool(code >> 16 & 1), bool(code >> 17 & 1)};
  }
};

/// The NaNs of PTX are canonical: all ones below the sign.
static uint64_t canonicalNan(Format format) {
  switch (format) {
  case Format::F16:
  case Format::BF16:
    return 0x7FFF;
  case Format::TF32:
  case Format::F32:
    return 0x7FFFFFFF;
  case Format::F8E4M3FN:
  case Format::F8E5M2:
    return 0x7F;
  default: // no NaN: the largest value
    return encode(format, info(format).max);
  }
}

static uint64_t convert(double value, const Cvt &cvt, uint32_t random = 0) {
  if (std::isnan(value))
    return canonicalNan(cvt.format);
  if (cvt.relu && std::signbit(value))
    value = 0;
  EncodeRules rules;
  rules.rounding = cvt.rounding;
  rules.overflow = cvt.saturate ? Overflow::Saturate : Overflow::Ieee;
  rules.random = random;
  return encode(cvt.format, value, rules);
}

/// Bits one value takes in a packed result: 6-bit ones have a byte each.
static unsigned stride(Format format) {
  unsigned bits = unsigned(info(format).bits);
  return bits == 6 ? 8 : bits;
}

static void setPacked(const LocalCall &call, uint64_t bits) {
  std::memcpy(call.thread.result, &bits, call.site.resultBytes);
}

static void fromOneFloat(const LocalCall &call) {
  setPacked(call, convert(call.argument<float>(0), Cvt::of(call.code)));
}

static void fromTwoFloats(const LocalCall &call) {
  Cvt cvt = Cvt::of(call.code);
  uint64_t high = convert(call.argument<float>(0), cvt),
           low = convert(call.argument<float>(1), cvt);
  setPacked(call, high << stride(cvt.format) | low);
}

static void fromTwoHalves(const LocalCall &call) {
  Cvt cvt = Cvt::of(call.code);
  uint32_t both = call.argument<uint32_t>(0);
  uint64_t high = convert(decode(Format::F16, both >> 16), cvt),
           low = convert(decode(Format::F16, both & 0xFFFF), cvt);
  setPacked(call, high << stride(cvt.format) | low);
}

/// Two codes to two f16.
static void toTwoHalves(const LocalCall &call) {
  Cvt from = Cvt::of(call.code);
  unsigned bits = stride(from.format);
  uint32_t codes = call.argument<uint16_t>(0), result = 0;
  Cvt half{Format::F16, Rounding::Even, false, from.relu};
  for (unsigned i = 0; i < 2; ++i) {
    uint64_t code = codes >> (i * bits) & ((1u << bits) - 1);
    result |= uint32_t(convert(decode(from.format, code), half)) << (16 * i);
  }
  call.setResult(result);
}

enum Scale { TowardZero, Up, Saturating };

/// The exponent of |value|, rounded down or up; beyond the largest, NaN or,
/// saturating, the largest.
static uint32_t scaleOf(double value, int code) {
  if (std::isnan(value))
    return 0xFF;
  if (std::isinf(value))
    return code & Saturating ? 0xFE : 0xFF;
  if (value == 0)
    return 0;
  int exponent;
  double fraction = std::frexp(std::fabs(value), &exponent); // in [1/2, 1)
  int power = exponent - 1 + (code & Up && fraction > 0.5);
  if (power > 127)
    return code & Saturating ? 0xFE : 0xFF;
  return uint32_t(std::max(power, -127) + 127);
}

static void scalesOfTwoFloats(const LocalCall &call) {
  uint32_t high = scaleOf(call.argument<float>(0), call.code),
           low = scaleOf(call.argument<float>(1), call.code);
  call.setResult(uint16_t(high << 8 | low));
}

static void scalesOfTwoBFloats(const LocalCall &call) {
  uint32_t both = call.argument<uint32_t>(0);
  uint32_t high = scaleOf(decode(Format::BF16, both >> 16), call.code),
           low = scaleOf(decode(Format::BF16, both & 0xFFFF), call.code);
  call.setResult(uint16_t(high << 8 | low));
}

static void scalesToTwoBFloats(const LocalCall &call) {
  uint32_t codes = call.argument<uint16_t>(0), result = 0;
  Cvt cvt{Format::BF16};
  for (unsigned i = 0; i < 2; ++i) {
    double value = decode(Format::F8E8M0FNU, codes >> (8 * i) & 0xFF);
    result |= uint32_t(convert(value, cvt)) << (16 * i);
  }
  call.setResult(result);
}

namespace {
struct Suffix {
  const char *text;
  bool relu, saturate;
};
} // namespace

void addNvidiaConversions(Table &table) {
  const std::string nvvm = "llvm.nvvm.";
  auto add = [&](const std::string &name, IntrinsicRow::LocalFunction function,
                 int code) {
    table.push_back(IntrinsicRow::perThread(nvvm + name, function, code));
  };
  const Suffix suffixes[] = {{"", false, false},
                             {".relu", true, false},
                             {".satfinite", false, true},
                             {".relu.satfinite", true, true}};
  const std::pair<const char *, Rounding> roundings[] = {
      {"rn", Rounding::Even}, {"rz", Rounding::Zero}};
  for (auto [mode, rounding] : roundings)
    for (const Suffix &suffix : suffixes) {
      std::string tail = std::string(".") + mode + suffix.text;
      auto code = [&, rounding = rounding](Format format) {
        return Cvt{format, rounding, suffix.saturate, suffix.relu}.code();
      };
      add("f2bf16" + tail, fromOneFloat, code(Format::BF16));
      add("f2f16" + tail, fromOneFloat, code(Format::F16));
      add("f2tf32" + tail, fromOneFloat, code(Format::TF32));
      add("ff2bf16x2" + tail, fromTwoFloats, code(Format::BF16));
      add("ff2f16x2" + tail, fromTwoFloats, code(Format::F16));
    }
  for (bool saturate : {false, true})
    add(std::string("f2tf32.rna") + (saturate ? ".satfinite" : ""),
        fromOneFloat,
        Cvt{Format::TF32, Rounding::Away, saturate, false}.code());

  // 8-bit conversions always saturate; the smaller ones say so.
  const std::tuple<const char *, Format, const char *> small[] = {
      {"e4m3x2", Format::F8E4M3FN, ""},
      {"e5m2x2", Format::F8E5M2, ""},
      {"e2m3x2", Format::F6E2M3FN, ".satfinite"},
      {"e3m2x2", Format::F6E3M2FN, ".satfinite"},
      {"e2m1x2", Format::F4E2M1FN, ".satfinite"}};
  for (auto [name, format, tail] : small)
    for (bool relu : {false, true}) {
      int code = Cvt{format, Rounding::Even, true, relu}.code();
      std::string rn = std::string(".rn") + (relu ? ".relu" : "");
      add(std::string("ff.to.") + name + rn + tail, fromTwoFloats, code);
      add(std::string("f16x2.to.") + name + rn, fromTwoHalves, code);
      add(std::string(name) + ".to.f16x2" + rn, toTwoHalves, code);
    }
  for (int code : {0, int(Up)})
    for (int saturating : {0, int(Saturating)}) {
      std::string tail =
          std::string(code ? ".rp" : ".rz") + (saturating ? ".satfinite" : "");
      add("ff.to.ue8m0x2" + tail, scalesOfTwoFloats, code | saturating);
      add("bf16x2.to.ue8m0x2" + tail, scalesOfTwoBFloats, code | saturating);
    }
  add("ue8m0x2.to.bf16x2", scalesToTwoBFloats, 0);
}

} // namespace labgen::emu
