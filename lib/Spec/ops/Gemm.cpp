// Gemm.cpp - gemm: A [m,k] times B [n,k], B possibly of codes.
#include "lib/Spec/ops/Gemm.h"
#include "lib/Spec/ops/Codes.h"
#include "lib/Spec/ops/Sums.h"
#include "lib/Spec/ops/Words.h"
#include "lib/Support/Text.h"
#include "lib/Support/Units.h"

#include <cmath>
#include <limits>

namespace labgen {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double u32 = 0x1p-24;

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

// Any order of K fused multiply-adds gives gamma(K) (Higham 3.5); dequantizing
// b rounds at most twice (times global, times scale), adding c once.
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
// Units
//===----------------------------------------------------------------------===//

/// Whether every value of `narrow`, its specials too, is one of `wide`.
static bool holds(Format wide, Format narrow) {
  const FormatInfo &w = info(wide), &n = info(narrow);
  return w.mantissaBits >= n.mantissaBits && w.max >= n.max &&
         w.minSubnormal <= n.minSubnormal && w.hasInf >= n.hasInf &&
         w.hasNaN >= n.hasNaN;
}

/// Units of small floats; those with two kinds take one on each side.
constexpr std::pair<Format, Format> smallUnits[] = {
    {Format::F4E2M1FN, Format::F4E2M1FN},
    {Format::F6E2M3FN, Format::F6E3M2FN},
    {Format::F8E4M3FN, Format::F8E5M2},
    {Format::F8E4M3FNUZ, Format::F8E5M2FNUZ},
    {Format::F16, Format::F16},
    {Format::BF16, Format::BF16},
    {Format::F32, Format::F32}};

static Formats unitsOfSmallFloats(Format a, Format b) {
  Formats formats;
  for (auto [one, two] : smallUnits)
    if ((holds(one, a) || holds(two, a)) && (holds(one, b) || holds(two, b)))
      formats.push_back(one);
  return formats;
}

/// A gemm of bf16 by codes of few bits dequantizes them to bf16, so it may run
/// on bf16 matrix units or on f32 FMAs. Products of f8, f6 and f4 codes are
/// exact in every unit whose type holds both operands.
static Formats factorFormats(const KernelSpec &spec) {
  if (spec.quantizesA())
    return {Format::I8};
  if (isInteger(spec.a) && isInteger(spec.b)) {
    bool narrow = info(spec.a).bits == 4 && info(spec.b).bits == 4;
    return narrow ? Formats{Format::I4, Format::I8} : Formats{Format::I8};
  }
  if (spec.acc == Format::F64)
    return {Format::F64};
  if (spec.a == Format::F32)
    return {Format::F32};
  if (info(spec.a).bits <= 8)
    return unitsOfSmallFloats(spec.a, spec.b);
  // bf16, f16 or tf32, whatever the codes beside it.
  return {spec.a, Format::F32};
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

static bool isSmallFloat(Format f) { return isFloat(f) && isCode(f); }
static bool isWideFloat(Format f) { return isFloat(f) && !isCode(f); }

/// What b may be for this a.
static Formats partners(Format a) {
  bool quantizes = contains(activationFormats(), a);
  Formats some;
  for (Format f : allFormats())
    if (isWideFloat(a) ? f == a || (quantizes && isCode(f))
        : isInteger(a) ? isInteger(f) && isCode(f)
                       : isSmallFloat(f))
      some.push_back(f);
  return some;
}

/// What may come out of this accumulator.
static Formats results(const KernelSpec &spec) {
  if (spec.acc == Format::I32)
    return {Format::I32};
  if (spec.acc != Format::F64)
    return {Format::F32, Format::BF16, Format::F16};
  if (spec.a == Format::F64)
    return {Format::F64};
  return {Format::F64, Format::F32, Format::BF16, Format::F16};
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// How sums go and where they round: with A quantized on the fly.
static void addQuantizedSums(const KernelSpec &s, const std::string &end,
                             const StoredWords &stored, Facts &facts) {
  KernelSpec a;
  a.op = Op::Quantize;
  a.in = s.a;
  a.out = Format::I8;
  a.group = s.group;
  a.scale = Format::F32;
  auto nan = std::numeric_limits<float>::quiet_NaN();
  const Facts all = {
      {"A", "quantized on the fly to i8 in the same groups, scale " +
                scaleWords(a) + " in f32, codes to nearest, ties to even"},
      {"sums",
       "a group's products are exact integers in i32" +
           text(s.zero ? ", less zero times the sum of A's codes" : "") +
           "; then times both scales, in f32 across groups"},
      {"rounds", "A's scale and codes; the product of scales, each group's "
                 "fused multiply-add" +
                     end},
      {"group of zeros in A", stored(a, 0)},
      {"NaN or Inf in A", stored(a, nan)}};
  facts.insert(facts.end(), all.begin(), all.end());
}

//===----------------------------------------------------------------------===//
// The op
//===----------------------------------------------------------------------===//

namespace {

class Gemm final : public OpInfo {
public:
  Gemm()
      : OpInfo(Op::Gemm,
               {"m", "n", "k", "a", "b", "group", "scale", "zero", "compute",
                "acc", "out", "accumulate"},
               {"m", "n", "k", "a", "b"}) {}

  Formats formats(std::string_view key) const override {
    if (key == "scale")
      return scaleFormats();
    if (key == "zero")
      return zeroFormats();
    if (key == "compute")
      return {Format::F32, Format::I8};
    if (key == "acc" || key == "out")
      return accumulatorFormats();
    return formatsThat([](Format f) { return isFloat(f) || isCode(f); });
  }

  void resolveDefaults(KernelSpec &s,
                       const std::set<std::string_view> &given) const override {
    // It counts as one of integers only when both operands are.
    bool mixed = isInteger(s.a) && !isInteger(s.b);
    Format wide = defaultAccumulator(mixed ? Format::F32 : s.a);
    if (!given.count("acc"))
      s.acc = wide;
    if (!given.count("out"))
      s.out = wide;
  }

  std::string misplaced(const KernelSpec &s,
                        std::string_view key) const override {
    bool isSet = (key == "group" && s.isQuantized()) ||
                 (key == "scale" && s.scale) || (key == "zero" && s.zero) ||
                 key == "compute";
    if (codes(s) || !isSet)
      return OpInfo::misplaced(s, key);
    return text(key) +
           " goes where codes meet floats only, not a=" + formatText(s.a) +
           " with b=" + formatText(s.b) + "; remove " + text(key);
  }

  Status check(const KernelSpec &s) const override {
    Formats others = partners(s.a);
    if (!contains(others, s.b))
      return Status::badInput("b=" + formatText(s.b) +
                              " does not go with a=" + formatText(s.a) +
                              "; use b=" + orList(names(others)));
    bool coded = codes(s).has_value();
    if (coded) {
      if (Status status = checkCodes(s, s.b); !status)
        return status;
      if (s.compute == Format::I8 && !isInteger(s.b))
        return Status::badInput("compute=i8 needs integer codes, not b=" +
                                formatText(s.b) + "; use compute=f32 or b=i8");
    }
    if (Status status = checkAccumulator(s, s.a, coded); !status)
      return status;
    Formats outs = results(s);
    if (!contains(outs, s.out))
      return Status::badInput("out=" + formatText(s.out) +
                              " does not go with acc=" + formatText(s.acc) +
                              "; use out=" + orList(names(outs)));
    if (s.acc == Format::I32)
      return checkIntegerSum("k", s.k, magnitude(s.a) * magnitude(s.b));
    return Status::ok();
  }

  std::vector<Argument> arguments(const KernelSpec &s) const override {
    using Kind = ArgumentKind;
    Kind kind = s.isQuantized() ? Kind::Codes : Kind::Values;
    Role c = s.accumulate ? Role::InOut : Role::Output;
    std::vector<Argument> out = {{"a", Role::Input, s.a, {s.m, s.k}},
                                 {"b", Role::Input, s.b, {s.n, s.k}, kind}};
    addScales(s, "b_", Role::Input, out);
    out.push_back({"c", c, s.out, {s.m, s.n}});
    return out;
  }

  std::optional<CodeMatrix> codes(const KernelSpec &s) const override {
    if (isWideFloat(s.a) && isCode(s.b))
      return CodeMatrix{s.b, s.n, s.k};
    return std::nullopt;
  }

  CheckedCount flops(const KernelSpec &s) const override {
    // Quantizing a or scaling codes is not counted.
    return CheckedCount(s.m) * s.n * s.k * 2;
  }

  UnitNeeds units(const KernelSpec &s) const override {
    return {factorFormats(s), s.quantizesA() ? Format::I32 : s.acc, true};
  }

  RelativeBound relativeBound(const KernelSpec &s) const override {
    KernelSpec plain = s;
    plain.accumulate = false;
    return {gemmBound(plain, 1, 1, s.quantizesA() ? 0.5 / 127 : 0),
            s.quantizesA() ? "the sum of |b| times absmax of a's group"
                           : "the sum of |a| |b|"};
  }
  std::string boundWords(const KernelSpec &s) const override {
    if (s.quantizesA())
      return "half a step of A per term; per group a conversion and two "
             "scalings in f32, then sums over " +
             std::to_string(s.scaleCols()) + " groups";
    if (isInteger(s.acc))
      return "integers are exact";
    return std::to_string(s.k) + " fused multiply-adds in " +
           formatText(s.acc) +
           (s.isQuantized() ? " and two roundings of a weight" : "") +
           ", each at most u = " + scientific(unitRoundoff(s.acc)) +
           ": k u / (1 - k u)";
  }

  TieGrid ties(const KernelSpec &s, const Argument &argument) const override {
    bool isA = argument.name == "a";
    if (!s.isQuantized() || (isA && !s.quantizesA()))
      return {};
    TieGrid grid = quantizeTies(s, isA ? Format::I8 : s.b);
    if (isA)
      grid.asymmetric = false;
    return grid;
  }

  std::string formatsText(const KernelSpec &s) const override {
    return formatText(s.a) + " x " + formatText(s.b) + " -> " +
           formatText(s.out);
  }
  std::string shapeText(const KernelSpec &s) const override {
    return std::to_string(s.m) + "x" + std::to_string(s.n) + "x" +
           std::to_string(s.k);
  }
  std::string arithmeticText(const KernelSpec &s) const override {
    return s.isQuantized() ? formatText(s.compute) : "";
  }

  Facts explain(const KernelSpec &s, const StoredWords &stored) const override {
    Facts facts = {{"computes", "C[m,n] " + text(s.accumulate ? "+" : "") +
                                    "= sum over k of A[m,k] B[n,k], in " +
                                    formatText(s.acc)}};
    if (s.isQuantized())
      facts.push_back({"B", "codes of " + formatText(s.b) + "; " +
                                groupWords(s) + " shares a scale" +
                                (s.zero ? " and a zero point" : "") +
                                "; a weight is " + decodeWords(s)});
    std::string end = s.out == s.acc ? "" : "; once into " + formatText(s.out);
    if (s.quantizesA())
      addQuantizedSums(s, end, stored, facts);
    else if (isInteger(s.acc))
      facts.push_back({"rounds", "nowhere: integers are exact, and a K whose "
                                 "sum could leave i32 is refused"});
    else
      facts.push_back(
          {"rounds", text(s.isQuantized() ? "the weight in f32; " : "") +
                         "each fused multiply-add, in an order that is free" +
                         end});
    if (s.isQuantized())
      facts.push_back(
          {"NaN", "a NaN scale makes every sum that meets its group NaN"});
    return facts;
  }
};

} // namespace

const OpInfo &opGemm() {
  static const Gemm op;
  return op;
}

} // namespace labgen
