// Bound.cpp - a-priori error bounds, derived once per op.
//
// Notation: u is the unit roundoff, gamma(n) = n u / (1 - n u). [H] is Higham,
// Accuracy and Stability of Numerical Algorithms, 2nd ed. Rounding is to
// nearest unless a spec says otherwise. Sums of subnormals are exact, products
// are not: they add half a smallest subnormal each.
#include "lib/Spec/Bound.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace labgen {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double u32 = 0x1p-24;

double unitRoundoff(Format format) {
  return isInteger(format) ? 0 : std::ldexp(1, -info(format).mantissaBits - 1);
}

double gamma(double n, double u) {
  return n * u < 1 ? n * u / (1 - n * u) : inf;
}

double roundingError(Format format, double value) {
  double relative = std::fabs(value) * unitRoundoff(format);
  double least = info(format).minSubnormal / 2;
  return relative < least ? least : relative; // NaN stays NaN
}

//===----------------------------------------------------------------------===//
// quantize
//===----------------------------------------------------------------------===//

namespace {

/// How far, in steps of the scale, rounding can move a quotient of at most t.
double codeRounding(const KernelSpec &spec, double t) {
  double half = 0.5;
  if (!isInteger(spec.out)) {
    // Half the spacing of t's binade, 2^floor(log2 t) u, or of the subnormals.
    t = std::min(t, info(spec.out).max);
    double binade = t > 0 ? std::ldexp(1, std::ilogb(t)) : 0;
    half = roundingError(spec.out, binade);
  }
  bool nearest = spec.round == Rounding::Even || spec.round == Rounding::Away;
  return nearest ? half : 2 * half;
}

/// How far scale (max - min) / Q can have been rounded down, times Q: what the
/// ends of an asymmetric group stand beyond the codes.
double asymmetricClip(const KernelSpec &spec, double amax, double scale) {
  const FormatInfo &type = info(*spec.scale);
  double steps = info(spec.out).max - info(spec.out).min;
  double clip = steps * (roundingError(*spec.scale, scale) * (1 + 2 * u32) +
                         2 * scale * u32);
  // A saturated scale says nothing about max - min <= 2 amax.
  if (scale >= type.max)
    clip = std::max(clip, 2 * amax - steps * scale);
  return clip;
}

} // namespace

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

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

static double ceilDiv(double a, double b) { return std::ceil(a / b); }
static double ceilLog2(double n) { return n > 1 ? std::ceil(std::log2(n)) : 0; }

/// Additions on the longest way from an element to the result ([H] 4.2).
static double sumDepth(const KernelSpec &spec) {
  double n = double(spec.n), block = double(spec.block);
  if (n <= 1)
    return 0;
  switch (spec.order) {
  case SumOrder::Sequential:
    return n - 1;
  case SumOrder::Pairwise:
    return std::min(n, block) - 1 + ceilLog2(ceilDiv(n, block));
  case SumOrder::Blocked:
  case SumOrder::Compensated:
    break;
  }
  // A run of `taken`: an accumulator adds every 128th to +0, then 7 folds.
  double depth = 0;
  for (double left = n; left > 1; left = ceilDiv(left, block)) {
    double taken = std::min(left, block);
    depth += ceilDiv(taken, 128) - 1 + ceilLog2(std::min(taken, 128.0));
  }
  return depth;
}

/// Relative growth of a compensated sum. Kahan: the sum of (1 + e_i) x_i with
/// |e_i| <= 2u + O(n u^2) ([H] 4.8). Per level there are two such sums, of each
/// accumulator and of the fold; O(n u^2) is taken as 8 n u^2 with n counting
/// the 256 numbers folded.
static double compensatedGrowth(const KernelSpec &spec, double u) {
  double growth = 1;
  for (double left = double(spec.n); left > 1;
       left = ceilDiv(left, double(spec.block))) {
    double taken = std::min(left, double(spec.block));
    growth *= 1 + 4 * u + 8 * (ceilDiv(taken, 128) + 256) * u * u;
  }
  return growth - 1;
}

double reduceBound(const KernelSpec &spec, double magnitudeSum, double exact) {
  bool hasProducts = addsProducts(spec.kind);
  if (isInteger(spec.type) || !isSum(spec.kind) || spec.n == 0)
    return 0;
  if (std::isnan(magnitudeSum) || std::isnan(exact))
    return std::numeric_limits<double>::quiet_NaN();
  double u = unitRoundoff(spec.acc);
  // A fused multiply-add rounds once per term, the first one too; compensated
  // sums round the product first: one more either way.
  double growth = spec.order == SumOrder::Compensated
                      ? compensatedGrowth(spec, u)
                      : gamma(sumDepth(spec) + hasProducts, u);
  if (spec.order == SumOrder::Compensated && hasProducts)
    growth = (1 + growth) * (1 + u) - 1;
  // What partial sums may reach; beyond the largest number they are Inf.
  double reach = std::max(magnitudeSum, std::fabs(exact)) * (1 + growth);
  if (reach > info(spec.acc).max)
    return inf;
  double underflow =
      hasProducts
          ? double(spec.n) * info(spec.acc).minSubnormal / 2 * (1 + growth)
          : 0;
  return growth * magnitudeSum + underflow;
}

//===----------------------------------------------------------------------===//
// gemm
//===----------------------------------------------------------------------===//

// Any order of K fused multiply-adds gives gamma(K) ([H] 3.5); dequantizing b
// rounds at most twice (times global, times scale), adding c once.
// compute=i8: within a group integers are exact, and across G groups the sum
// is converted, scaled twice and added: gamma(G + 8), the 8 also covering a K
// that is split. Quantizing a moves each term by |b| s/2 (activationStep), plus
// the rounding of scale and quotient: 3u |a| |b|.
double gemmBound(const KernelSpec &spec, double magnitudeSum, double exact,
                 double activationStep) {
  if (std::isnan(magnitudeSum) || std::isnan(exact) ||
      std::isnan(activationStep))
    return std::numeric_limits<double>::quiet_NaN();
  if (isInteger(spec.acc))
    return isInteger(spec.out) ? 0 : roundingError(spec.out, exact);
  const FormatInfo &acc = info(spec.acc);
  double u = unitRoundoff(spec.acc), k = double(spec.k);
  double operands = magnitudeSum, moved = 0;
  double growth = gamma(k + 2 + spec.accumulate, u);
  if (spec.quantizesA()) {
    moved = activationStep * (1 + 8 * u32) + 3 * u32 * magnitudeSum;
    operands += moved;
    growth = gamma(double(spec.scaleCols()) + 8 + spec.accumulate, u);
  }
  // c is what exact has beyond the products.
  if (spec.accumulate)
    operands += std::fabs(exact) + magnitudeSum;
  // Matrix units flush subnormals in f32: each product may lose one.
  double least = spec.acc == Format::F32 ? acc.minNormal : acc.minSubnormal;
  double error =
      growth * operands + moved + (k + spec.accumulate) * least * (1 + growth);
  if (operands + error > acc.max)
    return inf;
  if (unitRoundoff(spec.out) > u) {
    double result = std::fabs(exact) + error;
    if (result > info(spec.out).max)
      return inf;
    error += roundingError(spec.out, result);
  }
  return error;
}

LinearBound gemmLinearBound(const KernelSpec &spec) {
  LinearBound bound;
  bound.reach = info(spec.acc).max;
  double u = unitRoundoff(spec.acc), k = double(spec.k);
  if (spec.quantizesA()) {
    // Per group a conversion, two scalings and an addition in f32; scaled
    // partial dots of codes may fall below the normal numbers.
    double groups = double(spec.scaleCols());
    bound.growth = gamma(groups + 8 + spec.accumulate, u32) + 2 * u32;
    bound.each = (k * 128 * 256 + groups) * 0x1p-149;
  } else if (!isInteger(spec.acc)) {
    const FormatInfo &acc = info(spec.acc);
    double least = spec.acc == Format::F32 ? acc.minNormal : acc.minSubnormal;
    bound.growth = gamma(k + 2 + spec.accumulate, u);
    bound.each = (k + spec.accumulate) * least * (1 + bound.growth);
  }
  if (!isInteger(spec.out) && unitRoundoff(spec.out) > u) {
    // The rounded sum is within |c| / (1 - u) of zero.
    double last = unitRoundoff(spec.out);
    bound.relative = last / (1 - last);
    bound.each += info(spec.out).minSubnormal;
  }
  return bound;
}

//===----------------------------------------------------------------------===//
// Without data
//===----------------------------------------------------------------------===//

/// quantizeBound for amax 1, the worst over the scales the group may get.
static double relativeQuantizeBound(const KernelSpec &spec) {
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

RelativeBound relativeBound(const KernelSpec &spec) {
  double rounding = unitRoundoff(spec.out);
  switch (spec.op) {
  case Op::Quantize:
    return {relativeQuantizeBound(spec), "absmax of the group"};
  case Op::Dequantize:
    return {gamma(2, u32) + rounding, "the exact value"};
  case Op::Cast: {
    bool nearest = spec.round == Rounding::Even || spec.round == Rounding::Away;
    if (isInteger(spec.out))
      return {nearest ? 0.5 : 1, "one"};
    return {nearest ? rounding : 2 * rounding, "the exact value"};
  }
  case Op::Exp:
    return {2 * u32 + rounding, "the exact value"};
  case Op::Axpy:
    return {unitRoundoff(spec.acc) +
                (spec.acc == spec.type ? 0 : unitRoundoff(spec.type)),
            "the exact value"};
  case Op::Reduce:
    return {reduceBound(spec, 1, 1), "the sum of magnitudes"};
  case Op::Gemm:
    break;
  }
  KernelSpec plain = spec;
  plain.accumulate = false;
  return {gemmBound(plain, 1, 1, spec.quantizesA() ? 0.5 / 127 : 0),
          spec.quantizesA() ? "the sum of |b| times absmax of a's group"
                            : "the sum of |a| |b|"};
}

} // namespace labgen
