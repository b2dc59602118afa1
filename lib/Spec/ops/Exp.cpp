// Exp.cpp - exp: e to the power of each element, in f32, and one cast.
#include "lib/Spec/ops/Words.h"

namespace labgen {
namespace {

class Exp final : public OpInfo {
public:
  Exp() : OpInfo(Op::Exp, {"n", "in", "out"}, {"n", "in", "out"}) {}

  // exp is computed in f32, so f64 has no place on either side of it.
  Formats formats(std::string_view) const override {
    return formatsThat([](Format f) { return isFloat(f) && f != Format::F64; });
  }

  Status check(const KernelSpec &) const override { return Status::ok(); }

  std::vector<Argument> arguments(const KernelSpec &s) const override {
    return {{"x", Role::Input, s.in, {s.n}}, {"y", Role::Output, s.out, {s.n}}};
  }

  CheckedCount flops(const KernelSpec &s) const override {
    return CheckedCount(s.n) * expFlops;
  }

  UnitNeeds units(const KernelSpec &) const override {
    return vectorUnits(false);
  }

  RelativeBound relativeBound(const KernelSpec &s) const override {
    return {2 * unitRoundoff(Format::F32) + unitRoundoff(s.out),
            "the exact value"};
  }
  std::string boundWords(const KernelSpec &s) const override {
    return "exp in f32 is off by up to an ulp, one rounding into " +
           formatText(s.out) + " by half a spacing";
  }

  TieGrid ties(const KernelSpec &, const Argument &) const override {
    return {};
  }

  std::string formatsText(const KernelSpec &s) const override {
    return conversionText(s);
  }
  std::string shapeText(const KernelSpec &s) const override {
    return std::to_string(s.n);
  }

  Facts explain(const KernelSpec &s, const StoredWords &) const override {
    Facts facts = {{"computes", "exp of each element"},
                   {"rounds", "exp in f32 within 1 ulp, and once into " +
                                  formatText(s.out) + " (" +
                                  roundingWords(Rounding::Even) + ")"},
                   {"range", "beyond 88.72 Inf, below -103.97 0 in f32; -Inf "
                             "gives 0, +Inf gives Inf"}};
    for (const Fact &fact : resultFacts(s.out))
      facts.push_back(fact);
    return facts;
  }
};

} // namespace

const OpInfo &opExp() {
  static const Exp op;
  return op;
}

} // namespace labgen
