// Softmax.cpp - softmax: exp of each element over the sum of its row's.
#include "lib/Spec/ops/Softmax.h"
#include "lib/Spec/ops/Sums.h"
#include "lib/Spec/ops/Words.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace labgen {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double u = 0x1p-24;           ///< unit roundoff of f32
constexpr double ulp = 2 * u + 0x1p-49; ///< relative, and what f64's exp errs
constexpr double tiny = 0x1p-149;       ///< an ulp of a subnormal f32

//===----------------------------------------------------------------------===//
// Bound (docs/measurement.md has the derivation)
//===----------------------------------------------------------------------===//

// x - max is rounded once, which moves exp by a factor of exp(u distance); exp
// itself errs by an ulp. Beyond 128 exp is 0 either way.
double softmaxDrift(const KernelSpec &spec, double distance) {
  double rounded = spec.shift ? std::min(distance, 128.0) * u : 0;
  return (1 + ulp) * std::exp(rounded) - 1;
}

double softmaxBound(const KernelSpec &spec, const SoftmaxRow &row,
                    double distance, double exact) {
  if (std::isnan(exact))
    return exact;
  double growth = gamma(sumDepth(SumOrder::Blocked, spec.n, softmaxBlock), u);
  // Each term may also be off by a subnormal.
  double drift = row.drift + double(spec.n) * tiny / row.sum;
  double least = (1 - drift) * (1 - growth); // of the sum, relative
  double most = row.sum * (1 + drift) * (1 + growth);
  if (!(least > 0) || !(most < 0x1p128))
    return inf;
  double relative = (1 + softmaxDrift(spec, distance)) * (1 + u) / least - 1;
  double error = exact * relative + tiny / row.sum * (1 + u) / least + tiny / 2;
  if (spec.out != Format::F32)
    error += roundingError(spec.out, exact + error);
  return std::min(error, 1.0); // both are between 0 and 1
}

/// For any row, away from overflow and subnormals. The mean distance by weight
/// p is that of -ln(p sum), so at most the entropy, ln n; an element further
/// than 104 below the maximum gives 0.
static double worstBound(const KernelSpec &spec) {
  if (spec.n == 0)
    return 0;
  double growth = gamma(sumDepth(SumOrder::Blocked, spec.n, softmaxBlock), u);
  double mean = spec.shift ? std::log(double(spec.n)) : 0;
  double drift = (ulp + u * mean) * (1 + 0x1p-10); // exp(z) - 1 for small z
  double least = (1 - drift) * (1 - growth);
  if (!(least > 0))
    return inf;
  double relative = (1 + softmaxDrift(spec, 104)) * (1 + u) / least - 1;
  return relative + (spec.out == Format::F32 ? 0 : unitRoundoff(spec.out));
}

//===----------------------------------------------------------------------===//
// The op
//===----------------------------------------------------------------------===//

namespace {

class Softmax final : public OpInfo {
public:
  Softmax()
      : OpInfo(Op::Softmax, {"m", "n", "in", "out", "shift"},
               {"m", "n", "in", "out"}) {}

  // All of it is computed in f32, so f64 has no place on either side.
  Formats formats(std::string_view) const override {
    return formatsThat([](Format f) { return isFloat(f) && f != Format::F64; });
  }

  Status check(const KernelSpec &) const override { return Status::ok(); }

  std::vector<Argument> arguments(const KernelSpec &s) const override {
    return {{"x", Role::Input, s.in, {s.m, s.n}},
            {"y", Role::Output, s.out, {s.m, s.n}}};
  }

  CheckedCount flops(const KernelSpec &s) const override {
    // A maximum and a subtraction where it is shifted; exp, add, divide.
    return CheckedCount(s.m) * s.n * ((s.shift ? 2 : 0) + expFlops + 2);
  }

  UnitNeeds units(const KernelSpec &) const override {
    return vectorUnits(false);
  }

  RelativeBound relativeBound(const KernelSpec &s) const override {
    return {worstBound(s), "the exact value"};
  }
  std::string boundWords(const KernelSpec &s) const override {
    std::string shifted =
        s.shift ? "x - max is rounded once, which moves exp by up to 104 u; "
                : "";
    return shifted +
           "exp is off by up to an ulp, a sum by one rounding per addition, "
           "the quotient by one" +
           (s.out == Format::F32 ? "" : ", and one into " + formatText(s.out));
  }

  TieGrid ties(const KernelSpec &, const Argument &) const override {
    return {};
  }

  std::string formatsText(const KernelSpec &s) const override {
    return conversionText(s);
  }
  std::string shapeText(const KernelSpec &s) const override {
    return std::to_string(s.m) + "x" + std::to_string(s.n);
  }
  std::string arithmeticText(const KernelSpec &s) const override {
    return s.shift ? "" : "no shift";
  }

  Facts explain(const KernelSpec &s, const StoredWords &) const override {
    std::string exponent = s.shift ? "x - the row's maximum" : "x";
    Facts facts = {
        {"computes", "exp(" + exponent + ") over the row's sum of these"},
        {"order", blockedWords(softmaxBlock)},
        {"rounds", std::string(s.shift ? "x - max in f32; " : "") +
                       "exp in f32 within 1 ulp; every addition and one "
                       "division per element in f32; once into " +
                       formatText(s.out)},
        {"overflow", s.shift ? "none: exps are at most 1"
                             : "an exp beyond 88.72, or a sum of them, is Inf; "
                               "its row gives 0 where exp is finite, else NaN; "
                               "a row below -103.97 gives 0 / 0"},
        {"NaN", s.shift ? "a NaN or +Inf in a row gives NaN throughout, and so "
                          "does a row of -Inf"
                        : "a NaN in a row gives NaN throughout, +Inf gives NaN "
                          "there and 0 beside it, a row of -Inf 0 / 0"}};
    if (!info(s.out).hasNaN)
      facts.back().words += "; NaN is stored as the largest value";
    facts.push_back({"no elements", "nothing is written"});
    return facts;
  }
};

} // namespace

const OpInfo &opSoftmax() {
  static const Softmax op;
  return op;
}

} // namespace labgen
