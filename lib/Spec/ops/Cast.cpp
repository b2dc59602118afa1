// Cast.cpp - cast: each element in another format.
#include "lib/Spec/Convert.h"
#include "lib/Spec/ops/Words.h"

namespace labgen {
namespace {

class Cast final : public OpInfo {
public:
  Cast()
      : OpInfo(Op::Cast, {"n", "in", "out", "round", "overflow", "nan", "seed"},
               {"n", "in", "out"}) {}

  Formats formats(std::string_view) const override { return allFormats(); }

  void resolveDefaults(KernelSpec &s,
                       const std::set<std::string_view> &given) const override {
    if (!given.count("overflow"))
      s.overflow = defaultOverflow(s.out);
    if (!given.count("nan"))
      s.nan = defaultNanRule(s.out);
  }

  Status check(const KernelSpec &s) const override {
    const FormatInfo &to = info(s.out);
    if (s.overflow == Overflow::Ieee && !to.hasInf && !to.hasNaN)
      return Status::badInput(
          "overflow=ieee does not go with out=" + formatText(s.out) +
          ", which has neither Inf nor NaN; use overflow=saturate");
    if (s.nan == NanRule::Propagate && !to.hasNaN)
      return Status::badInput(
          "nan=propagate does not go with out=" + formatText(s.out) +
          ", which has no NaN; use nan=max or nan=error");
    return Status::ok();
  }

  std::vector<Argument> arguments(const KernelSpec &s) const override {
    return {{"x", Role::Input, s.in, {s.n}}, {"y", Role::Output, s.out, {s.n}}};
  }

  CheckedCount flops(const KernelSpec &s) const override { return s.n; }

  UnitNeeds units(const KernelSpec &s) const override {
    return vectorUnits(s.in == Format::F64);
  }

  RelativeBound relativeBound(const KernelSpec &s) const override {
    bool nearest = isToNearest(s.round);
    if (isInteger(s.out))
      return {nearest ? 0.5 : 1, "one"};
    double rounding = unitRoundoff(s.out);
    return {nearest ? rounding : 2 * rounding, "the exact value"};
  }
  std::string boundWords(const KernelSpec &) const override {
    return "the bits match the oracle";
  }

  TieGrid ties(const KernelSpec &s, const Argument &) const override {
    TieGrid grid;
    grid.kind = TieGrid::Cast;
    grid.format = s.out;
    return grid;
  }

  bool encodes() const override { return true; }

  std::string formatsText(const KernelSpec &s) const override {
    return conversionText(s);
  }
  std::string shapeText(const KernelSpec &s) const override {
    return std::to_string(s.n);
  }

  Facts explain(const KernelSpec &s, const StoredWords &) const override {
    Facts facts = castFacts(s);
    facts.insert(facts.begin(), {"computes", "each element in another format"});
    return facts;
  }
};

} // namespace

const OpInfo &opCast() {
  static const Cast op;
  return op;
}

} // namespace labgen
