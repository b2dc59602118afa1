// Words.cpp - see Words.h.
#include "lib/Spec/ops/Words.h"
#include "lib/Spec/Convert.h"
#include "lib/Support/Units.h"

#include <cmath>

namespace labgen {

std::string numberText(double value) {
  double magnitude = std::fabs(value);
  return magnitude != 0 && (magnitude >= 1e7 || magnitude < 1e-3)
             ? scientific(value)
             : shortest(value, 6);
}

std::string conversionText(const KernelSpec &spec) {
  return formatText(spec.in) + " -> " + formatText(spec.out);
}

std::string roundingWords(Rounding rounding) {
  switch (rounding) {
  case Rounding::Even:
    return "to nearest, ties to even";
  case Rounding::Away:
    return "to nearest, ties away from zero";
  case Rounding::Zero:
    return "towards zero";
  case Rounding::Stochastic:
    return "up or down by chance, in proportion";
  }
  return "";
}

/// What becomes of values beyond the largest.
static std::string overflowWords(const KernelSpec &s) {
  const FormatInfo &to = info(s.out);
  std::string largest = shortest(to.max, 6);
  std::string sign = to.kind == FormatKind::Scale ? "" : "+-";
  if (s.overflow == Overflow::Saturate)
    return "a rounded value beyond " + largest + " and Inf give " +
           (isInteger(s.out) ? shortest(to.min, 10) + " or " : sign) + largest;
  if (s.round == Rounding::Zero)
    return "a finite value beyond " + largest + " gives " + sign + largest +
           "; Inf " + (to.hasInf ? "stays Inf" : "gives NaN");
  if (to.hasInf)
    return "a rounded value beyond " + largest + " gives Inf; Inf stays Inf";
  return "a rounded value beyond " + largest + " and Inf give NaN";
}

Facts castFacts(const KernelSpec &s) {
  const FormatInfo &to = info(s.out);
  std::string out = formatText(s.out);
  bool exact = s.in == s.out || s.out == Format::F64;
  Facts facts = {
      {"rounds",
       exact ? "nowhere: " + out + " holds every value of " + formatText(s.in)
             : "once, from the value of " + formatText(s.in) + " to " + out +
                   ", " + roundingWords(s.round)}};
  if (s.round == Rounding::Stochastic)
    facts.push_back(
        {"chance", "element i goes away from zero where the first word of "
                   "Philox4x32-10, key " +
                       std::to_string(s.seed) +
                       ", counter i, is below 2^32 times the fraction dropped; "
                       "exact values stay; the same bits on every target"});
  facts.push_back({"overflow", overflowWords(s)});
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
  std::string max = "gives +" + shortest(to.max, 6);
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

Facts resultFacts(Format out) {
  KernelSpec cast;
  cast.out = out;
  cast.overflow = defaultOverflow(out);
  cast.nan = defaultNanRule(out);
  Facts facts;
  for (const Fact &fact : castFacts(cast))
    if (fact.label == "overflow" || fact.label == "NaN")
      facts.push_back(fact);
  return facts;
}

} // namespace labgen
