// Quantize.cpp - quantize: x [m,k] to codes and their scales.
#include "lib/Spec/ops/Quantize.h"
#include "lib/Spec/ops/Codes.h"
#include "lib/Spec/ops/Words.h"
#include "lib/Support/Text.h"
#include "lib/Support/Units.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace labgen {

constexpr double u32 = 0x1p-24;

//===----------------------------------------------------------------------===//
// Bound
//===----------------------------------------------------------------------===//

/// How far, in steps of the scale, rounding can move a quotient of at most t.
static double codeRounding(const KernelSpec &spec, double t) {
  double half = 0.5;
  if (!isInteger(spec.out)) {
    // Half the spacing of t's binade, 2^floor(log2 t) u, or of the subnormals.
    t = std::min(t, info(spec.out).max);
    double binade = t > 0 ? std::ldexp(1, std::ilogb(t)) : 0;
    half = roundingError(spec.out, binade);
  }
  return isToNearest(spec.round) ? half : 2 * half;
}

/// How far scale (max - min) / Q can have been rounded down, times Q: what the
/// ends of an asymmetric group stand beyond the codes.
static double asymmetricClip(const KernelSpec &spec, double amax,
                             double scale) {
  const FormatInfo &type = info(*spec.scale);
  double steps = info(spec.out).max - info(spec.out).min;
  double clip = steps * (roundingError(*spec.scale, scale) * (1 + 2 * u32) +
                         2 * scale * u32);
  // A saturated scale says nothing about max - min <= 2 amax.
  if (scale >= type.max)
    clip = std::max(clip, 2 * amax - steps * scale);
  return clip;
}

// x is divided by d, the stored scale s or the one before its rounding, and the
// code c is the quotient rounded; the result is s c.
//   |x - s c| <= |x - d c| + |d - s| |c|
//   |x - d c| <= max(d r, amax - d cmax): r the code's rounding in steps, the
//     second where the quotient is clipped (s rounded down or saturated).
// Around it stand a few roundings in f32 of numbers below amax + d r: the
// quotient (two for x * (1/d), the inverse may also be subnormal: 2^-150 d
// relative), zero point, product(s) of dequantizing. Each is relative u plus
// half a subnormal, which weighs d in the quotient.
double quantizeBound(const KernelSpec &spec, double amax, double scale) {
  if (!std::isfinite(amax) || !std::isfinite(scale))
    return std::numeric_limits<double>::quiet_NaN();
  if (amax == 0 || scale == 0)
    return amax;
  CodeGrid grid = codeGrid(spec);
  double divisor = scale, moved = 0;
  if (spec.divisor == Divisor::Unrounded && !spec.zero) {
    divisor = double(float(amax) / float(grid.steps));
    moved = std::fabs(divisor - scale) * (grid.highest + 1);
  } else if (spec.divisor == Divisor::Unrounded) {
    moved = asymmetricClip(spec, amax, scale);
  }
  double step = divisor * codeRounding(spec, amax / divisor * (1 + 4 * u32));
  double clip = spec.zero ? step + asymmetricClip(spec, amax, scale)
                          : amax - divisor * grid.highest;
  double bound = std::max(step, clip) + moved;

  // Where 1/d is beyond f32 codes come from a division.
  bool reciprocal = spec.inverse == Inverse::Reciprocal && divisor > 0x1p-128;
  double roundings = spec.zero ? 10 : 5;
  double relative = roundings * u32 + (reciprocal ? 0x1p-150 * divisor : 0);
  return bound + relative * (amax + bound) + 0x1p-149 * (1 + 2 * divisor);
}

/// quantizeBound for amax 1, the worst over the scales the group may get.
static double worstBound(const KernelSpec &spec) {
  const FormatInfo &code = info(spec.out);
  double u = unitRoundoff(*spec.scale) + u32;
  double low = (1 - u) / codeGrid(spec).steps;
  double high = (1 + u) / codeGrid(spec).steps;
  if (spec.zero) { // max - min is at most 2
    low = high = 2 * (1 + u) / (code.max - code.min);
  } else if (*spec.scale == Format::F8E8M0FNU) {
    // By rule, how far above 2^emax an absmax in steps may be; even is between
    // floor and ceil.
    double top = std::ldexp(1, std::ilogb(code.max));
    bool clips = spec.rule == ScaleRule::Floor || spec.rule == ScaleRule::Even;
    low = 1 / (spec.rule == ScaleRule::RCeil ? code.max
               : clips                       ? 2 * top
                                             : top);
    high = spec.rule == ScaleRule::Floor ? 1 / top : 2 * low;
    if (spec.rule == ScaleRule::Even)
      high = 2 / top;
  }
  // Between the ends a code's step is widest where 1/s is a power of two.
  double power = std::ldexp(1, -std::ilogb(1 / low));
  double bound =
      std::max(quantizeBound(spec, 1, low), quantizeBound(spec, 1, high));
  return std::max(bound, quantizeBound(spec, 1, std::min(power, high)));
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// How far one rounding to a code moves a value.
static std::string codeStepWords(const KernelSpec &s) {
  bool nearest = isToNearest(s.round);
  std::string part = nearest ? "half" : "a whole";
  const FormatInfo &code = info(s.out);
  if (isInteger(s.out)) {
    double step = (s.zero ? 2 : 1) / codeGrid(s).steps;
    return "a code is off by " + part + " step, " +
           scientific(nearest ? step / 2 : step) + " of it";
  }
  return "a code is off by " + part + " spacing of " + text(code.name) +
         ", 2^-" + std::to_string(code.mantissaBits + (nearest ? 1 : 0)) +
         " of the value (or of its smallest normal)";
}

static std::string roundsWords(const KernelSpec &s) {
  bool divides = s.inverse == Inverse::Divide;
  bool isPower = s.scale == Format::F8E8M0FNU;
  // (The reciprocal of a power of two in E8M0 is in f32.)
  std::string unless = isPower ? "" : ", x / d where 1 / d is beyond f32";
  std::string scale = isPower ? "no scale (a power of two)"
                              : "the scale in f32" +
                                    (s.scale == Format::F32
                                         ? ""
                                         : ", then to " + formatText(*s.scale));
  return scale + "; " +
         (divides ? "x / d in f32, as one division"
                  : "1 / d and x * (1 / d) in f32" + unless) +
         "; the code (" + roundingWords(s.round) + ")";
}

/// Of scales beyond their type, on either side, and of the codes' ends.
static void addLimits(const KernelSpec &s, Facts &facts) {
  const FormatInfo &scale = info(*s.scale);
  CodeGrid grid = codeGrid(s);
  bool relative = s.hasGlobal();
  std::string whose = relative ? "a relative scale" : "a scale";
  std::string saturates = "codes beyond " + numberText(grid.lowest) + " and " +
                          numberText(grid.highest);
  // (The others have f32's exponents, and a scale is far below absmax.)
  if (s.scale == Format::F16 || relative)
    saturates += "; " + whose + " beyond " + numberText(scale.max) +
                 " is stored as that, counted as sat";
  facts.push_back({"saturates", saturates});
  if (s.scale != Format::F8E8M0FNU)
    facts.push_back({"flushes", whose + " of at most " +
                                    scientific(scale.minSubnormal / 2) +
                                    " is stored as 0 and its codes as those "
                                    "of zeros, counted as flush" +
                                    (relative ? "; so is every one where "
                                                "global rounds to 0"
                                              : "")});
}

//===----------------------------------------------------------------------===//
// The op
//===----------------------------------------------------------------------===//

namespace {

class Quantize final : public OpInfo {
public:
  Quantize()
      : OpInfo(Op::Quantize,
               {"m", "k", "in", "out", "group", "scale", "zero", "rule",
                "range", "round", "inverse", "divisor", "seed"},
               {"m", "k", "in", "out", "group", "scale"}) {}

  Formats formats(std::string_view key) const override {
    return key == "scale"  ? scaleFormats()
           : key == "zero" ? zeroFormats()
           : key == "in"   ? activationFormats()
                           : formatsThat(isCode);
  }

  std::string misplaced(const KernelSpec &s,
                        std::string_view key) const override {
    if (key == "rule" && s.scale != Format::F8E8M0FNU)
      return "rule goes with scale=f8E8M0FNU only; remove rule or use that "
             "scale";
    if (key == "range" && (info(s.out).kind != FormatKind::SignedInt || s.zero))
      return "range goes with symmetric i8 and i4 codes only; remove range";
    return OpInfo::misplaced(s, key);
  }

  Status check(const KernelSpec &s) const override {
    if (Status status = checkCodes(s, s.out); !status)
      return status;
    if (s.scale == Format::F8E8M0FNU && s.divisor == Divisor::Unrounded)
      return Status::badInput(
          "divisor=unrounded does not go with scale=f8E8M0FNU, whose rule "
          "makes the scale; use divisor=stored");
    return Status::ok();
  }

  std::vector<Argument> arguments(const KernelSpec &s) const override {
    std::vector<Argument> out = {
        {"x", Role::Input, s.in, {s.m, s.k}},
        {"q", Role::Output, s.out, {s.m, s.k}, ArgumentKind::Codes}};
    addScales(s, "", Role::Output, out);
    return out;
  }

  std::optional<CodeMatrix> codes(const KernelSpec &s) const override {
    return CodeMatrix{s.out, s.m, s.k};
  }

  CheckedCount flops(const KernelSpec &s) const override {
    // Symmetric: abs, max, divide, round. Asymmetric: min, max, divide, round,
    // add.
    return CheckedCount(s.m) * s.k * (s.zero ? 5 : 4);
  }

  UnitNeeds units(const KernelSpec &s) const override {
    return vectorUnits(s.in == Format::F64);
  }

  RelativeBound relativeBound(const KernelSpec &s) const override {
    return {worstBound(s), "absmax of the group"};
  }

  std::string boundWords(const KernelSpec &s) const override {
    std::string why = codeStepWords(s);
    if (s.scale == Format::F8E8M0FNU) {
      double top = std::ldexp(2, std::ilogb(info(s.out).max));
      if (s.rule == ScaleRule::Floor)
        why += "; values up to " + shortest(top, 4) + " scales clip to " +
               shortest(info(s.out).max, 4);
      else if (s.rule == ScaleRule::Even)
        why += "; the largest may clip by less than its rounding";
    } else if (s.scale != Format::F32) {
      why += "; the scale's rounding to " + formatText(*s.scale) +
             " clips the largest or widens the step by 2^-" +
             std::to_string(info(*s.scale).mantissaBits + 1);
    }
    return why + "; the rest is f32 arithmetic; the bits match the oracle";
  }

  TieGrid ties(const KernelSpec &s, const Argument &) const override {
    return quantizeTies(s, s.out);
  }

  bool encodes() const override { return true; }

  std::string formatsText(const KernelSpec &s) const override {
    return conversionText(s);
  }
  std::string shapeText(const KernelSpec &s) const override {
    return std::to_string(s.m) + "x" + std::to_string(s.k);
  }
  std::string scaleRuleText(const KernelSpec &s) const override {
    if (s.scale == Format::F8E8M0FNU)
      return text(labgen::name(s.rule));
    return (s.zero ? "range/" : "absmax/") + shortest(codeGrid(s).steps, 6);
  }

  Facts explain(const KernelSpec &s, const StoredWords &stored) const override {
    CodeGrid grid = codeGrid(s);
    std::string low = numberText(grid.lowest), high = numberText(grid.highest);
    Facts facts = {{"scale", groupWords(s) + " has one, stored as " +
                                 formatText(*s.scale) + ": " + scaleWords(s)}};
    if (s.hasGlobal())
      facts.push_back(
          {"global", "one f32 for the tensor, its largest finite magnitude "
                     "/ (" +
                         numberText(info(s.out).max) + " * " +
                         numberText(info(*s.scale).max) +
                         "); scales are relative to it"});
    if (s.zero)
      facts.push_back(
          {"zero point", "stored as " + formatText(*s.zero) + ": clamp(rne(" +
                             low + " - min / d), " + low + ", " + high + ")"});
    facts.push_back(
        {"code",
         "clamp(round(" +
             text(s.inverse == Inverse::Divide ? "x / d" : "x * (1 / d)") +
             ")" + (s.zero ? " + zero" : "") + ", " + low + ", " + high +
             "), d " +
             (s.divisor == Divisor::Stored ? "the scale as stored"
                                           : "the scale before it is stored")});
    facts.push_back({"rounds", roundsWords(s)});
    addLimits(s, facts);
    facts.push_back({"group of zeros", stored(s, 0) + "; counted in the row"});
    facts.push_back({"NaN or Inf in a group",
                     stored(s, std::numeric_limits<float>::quiet_NaN()) +
                         "; counted in the row"});
    return facts;
  }
};

} // namespace

const OpInfo &opQuantize() {
  static const Quantize op;
  return op;
}

} // namespace labgen
