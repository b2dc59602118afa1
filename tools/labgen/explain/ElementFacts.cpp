// ElementFacts.cpp - labgen explain of the labs without codes.
#include "tools/labgen/explain/Facts.h"

#include "lib/Spec/Convert.h"
#include "runtime/report/SpecParts.h"
#include "runtime/report/Units.h"

namespace labgen {

static Facts reduceFacts(const KernelSpec &s) {
  std::string acc = text(name(s.acc)), kind = text(name(s.kind));
  Facts facts = {{"computes", "the " + kind + " of all elements"}};
  if (!isSum(s.kind)) {
    bool isMax = s.kind == ReduceKind::Max;
    facts.push_back({"rounds", "nowhere: exact"});
    if (!isInteger(s.type))
      facts.push_back({"NaN", "propagates; -0 < +0"});
    facts.push_back({"no elements", !isMax              ? "0"
                                    : isInteger(s.type) ? "the lowest value"
                                                        : "-Inf"});
    return facts;
  }
  if (isInteger(s.type)) {
    facts.push_back({"rounds", "nowhere: integers are exact in any order"});
    facts.push_back({"overflow", "none: an n whose sum could leave " + acc +
                                     " is refused"});
    facts.push_back({"no elements", "0"});
    return facts;
  }
  std::string block = std::to_string(s.block), order;
  switch (s.order) {
  case SumOrder::Sequential:
    order = "by index";
    break;
  case SumOrder::Blocked:
    order = "per block of " + block +
            " elements 128 accumulators, folded by halves; block results by "
            "the same rule";
    break;
  case SumOrder::Pairwise:
    order = "runs of " + block +
            " in order, then neighbours pairwise, an odd last one moves up";
    break;
  case SumOrder::Compensated:
    order = "per block of " + block +
            " elements 128 Kahan pairs, folded in order with compensation (a "
            "correction that is not finite is dropped); block results by the "
            "same rule";
    break;
  }
  facts.push_back({"order", order + "; the same bits for any threads, schedule "
                                    "and target"});
  bool fused = s.kind != ReduceKind::Sum;
  facts.push_back({"rounds", "every addition in " + acc +
                                 (!fused ? ""
                                  : s.order == SumOrder::Compensated
                                      ? ", products before it"
                                      : ", products fused "
                                        "into it")});
  facts.push_back({"overflow", "to Inf"});
  facts.push_back({"NaN", "propagates, as does Inf - Inf"});
  facts.push_back({"no elements", "0"});
  return facts;
}

/// What one rounding to a format does, from its row of the format table.
static Facts castFacts(const KernelSpec &s) {
  const FormatInfo &to = info(s.out);
  std::string out = text(to.name), largest = shortest(to.max, 6);
  bool exact = s.in == s.out || s.out == Format::F64;
  std::string where =
      exact ? "nowhere: " + out + " holds every value of " + text(name(s.in))
            : "once, from the value of " + text(name(s.in)) + " to " + out +
                  ", " + roundingWords(s.round);
  Facts facts = {{"rounds", where}};
  if (s.round == Rounding::Stochastic)
    facts.push_back(
        {"chance", "element i goes away from zero where the first word of "
                   "Philox4x32-10, key " +
                       std::to_string(s.seed) +
                       ", counter i, is below 2^32 times the fraction dropped; "
                       "exact values stay; the same bits on every target"});
  std::string beyond;
  if (s.overflow == Overflow::Saturate)
    beyond = "a rounded value beyond " + largest + " and Inf give " +
             (to.kind == FormatKind::Scale ? largest
              : isInteger(s.out) ? shortest(to.min, 10) + " or " + largest
                                 : "+-" + largest);
  else if (s.round == Rounding::Zero)
    beyond = "a finite value beyond " + largest + " gives " +
             (to.kind == FormatKind::Scale ? "" : "+-") + largest + "; Inf " +
             (to.hasInf ? "stays Inf" : "gives NaN");
  else if (to.hasInf)
    beyond = "a rounded value beyond " + largest + " gives Inf; Inf stays Inf";
  else
    beyond = "a rounded value beyond " + largest + " and Inf give NaN";
  facts.push_back({"overflow", beyond});
  if (to.kind == FormatKind::Scale) {
    facts.push_back({"small values",
                     "0 and negatives give NaN, positive values "
                     "below 2^-127 give 2^-127"});
    facts.push_back({"NaN", "stays NaN, 0xFF"});
    return facts;
  }
  if (isInteger(s.out)) {
    facts.push_back({"NaN", "gives 0, counted in the row"});
    facts.push_back({"-0", "gives 0"});
    return facts;
  }
  facts.push_back(
      {"subnormals", "read and made, down to " + scientific(to.minSubnormal)});
  std::string max = "gives +" + largest;
  facts.push_back({"NaN", s.nan == NanRule::Max || !to.hasNaN
                              ? max + ", counted in the row"
                          : s.nan == NanRule::Error ? "is an error of the row"
                                                    : "stays NaN, quiet"});
  facts.push_back({"-0", to.hasNegativeZero
                             ? "stays -0, as do negative values that round to 0"
                             : "gives +0, as do negative values that round to "
                               "0: its code is the NaN"});
  return facts;
}

static Facts expFacts(const KernelSpec &s) {
  Facts facts = {{"rounds", "exp in f32 within 1 ulp, and once into " +
                                text(name(s.out)) + " (" +
                                roundingWords(Rounding::Even) + ")"},
                 {"range", "beyond 88.72 Inf, below -103.97 0 in f32; -Inf "
                           "gives 0, +Inf gives Inf"}};
  KernelSpec cast = s;
  cast.in = Format::F32;
  cast.round = Rounding::Even;
  cast.overflow = defaultOverflow(s.out);
  cast.nan = defaultNanRule(s.out);
  for (const Fact &fact : castFacts(cast))
    if (fact.label == "overflow" || fact.label == "NaN")
      facts.push_back(fact);
  return facts;
}

static Facts axpyFacts(const KernelSpec &s) {
  std::string acc = text(name(s.acc)), type = text(name(s.type));
  return {{"computes", "y <- alpha x + y"},
          {"rounds", "one fused multiply-add in " + acc + " per element" +
                         (s.acc == s.type ? "" : ", and once into " + type)},
          {"overflow", "to Inf"},
          {"NaN", "propagates; Inf times 0 and Inf - Inf give NaN"}};
}

Facts elementFacts(const KernelSpec &s) {
  if (s.op == Op::Axpy)
    return axpyFacts(s);
  if (s.op == Op::Reduce)
    return reduceFacts(s);
  Facts facts = {{"computes", text(s.op == Op::Exp ? "exp of each element"
                                                   : "each element in another "
                                                     "format")}};
  for (const Fact &fact : s.op == Op::Exp ? expFacts(s) : castFacts(s))
    facts.push_back(fact);
  return facts;
}

} // namespace labgen
