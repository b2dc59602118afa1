// Axpy.cpp - axpy: y <- alpha x + y.
#include "lib/Spec/ops/Sums.h"
#include "lib/Spec/ops/Words.h"

namespace labgen {
namespace {

class Axpy final : public OpInfo {
public:
  Axpy() : OpInfo(Op::Axpy, {"n", "type", "acc"}, {"n", "type"}) {}

  Formats formats(std::string_view) const override {
    return {Format::F64, Format::F32, Format::BF16, Format::F16};
  }

  void resolveDefaults(KernelSpec &s,
                       const std::set<std::string_view> &given) const override {
    if (!given.count("acc"))
      s.acc = defaultAccumulator(s.type);
  }

  Status check(const KernelSpec &s) const override {
    return checkAccumulator(s, s.type, false);
  }

  std::vector<Argument> arguments(const KernelSpec &s) const override {
    return {{"alpha", Role::Input, s.type, {}},
            {"x", Role::Input, s.type, {s.n}},
            {"y", Role::InOut, s.type, {s.n}}};
  }

  CheckedCount flops(const KernelSpec &s) const override {
    return CheckedCount(s.n) * 2;
  }

  UnitNeeds units(const KernelSpec &s) const override {
    return vectorUnits(s.acc == Format::F64);
  }

  RelativeBound relativeBound(const KernelSpec &s) const override {
    return {unitRoundoff(s.acc) + (s.acc == s.type ? 0 : unitRoundoff(s.type)),
            "the exact value"};
  }
  std::string boundWords(const KernelSpec &) const override {
    return "the bits match the oracle";
  }

  TieGrid ties(const KernelSpec &s, const Argument &argument) const override {
    TieGrid grid;
    grid.kind = argument.name == "alpha" ? TieGrid::Ones
                : argument.name == "x"   ? TieGrid::Ulps
                                         : TieGrid::Units;
    grid.format = s.type;
    return grid;
  }

  std::string formatsText(const KernelSpec &s) const override {
    return formatText(s.type);
  }
  std::string shapeText(const KernelSpec &s) const override {
    return std::to_string(s.n);
  }

  Facts explain(const KernelSpec &s, const StoredWords &) const override {
    std::string acc = formatText(s.acc), type = formatText(s.type);
    return {{"computes", "y <- alpha x + y"},
            {"rounds", "one fused multiply-add in " + acc + " per element" +
                           (s.acc == s.type ? "" : ", and once into " + type)},
            {"overflow", "to Inf"},
            {"NaN", "propagates; Inf times 0 and Inf - Inf give NaN"}};
  }
};

} // namespace

const OpInfo &opAxpy() {
  static const Axpy op;
  return op;
}

} // namespace labgen
