// BoundFacts.cpp - the a-priori bound of a lab, and the roundings it is made
// of.
#include "tools/labgen/explain/Facts.h"

#include "lib/Spec/Bound.h"
#include "runtime/report/SpecParts.h"
#include "runtime/report/Units.h"

#include <cmath>

namespace labgen {

namespace {

/// How far one rounding to a code moves a value, in words.
std::string codeStep(const KernelSpec &s) {
  bool nearest = s.round == Rounding::Even || s.round == Rounding::Away;
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

std::string quantizeWhy(const KernelSpec &s) {
  std::string why = codeStep(s);
  if (s.scale == Format::F8E8M0FNU) {
    double top = std::ldexp(2, std::ilogb(info(s.out).max));
    if (s.rule == ScaleRule::Floor)
      why += "; values up to " + shortest(top, 4) + " scales clip to " +
             shortest(info(s.out).max, 4);
    else if (s.rule == ScaleRule::Even)
      why += "; the largest may clip by less than its rounding";
  } else if (s.scale != Format::F32) {
    why += "; the scale's rounding to " + text(name(*s.scale)) +
           " clips the largest or widens the step by 2^-" +
           std::to_string(info(*s.scale).mantissaBits + 1);
  }
  return why + "; the rest is f32 arithmetic";
}

std::string gemmWhy(const KernelSpec &s) {
  if (s.quantizesA())
    return "half a step of A per term; per group a conversion and two scalings "
           "in f32, then sums over " +
           std::to_string(s.scaleCols()) + " groups";
  if (isInteger(s.acc))
    return "integers are exact";
  return std::to_string(s.k) + " fused multiply-adds in " + text(name(s.acc)) +
         (s.isQuantized() ? " and two roundings of a weight" : "") +
         ", each at most u = " + scientific(unitRoundoff(s.acc)) +
         ": k u / (1 - k u)";
}

std::string why(const KernelSpec &s) {
  switch (s.op) {
  case Op::Quantize:
    return quantizeWhy(s) + "; the bits match the oracle";
  case Op::Dequantize:
    return text(s.hasGlobal() ? "two products" : "one product") +
           " in f32, one rounding into " + text(name(s.out));
  case Op::Gemm:
    return gemmWhy(s);
  case Op::Exp:
    return "exp in f32 is off by up to an ulp, one rounding into " +
           text(name(s.out)) + " by half a spacing";
  default:
    return "the bits match the oracle";
  }
}

} // namespace

Fact boundFact(const KernelSpec &s) {
  RelativeBound bound = relativeBound(s);
  std::string words = bound.relative == 0
                          ? "0: exact"
                          : scientific(bound.relative) + " times " +
                                text(bound.to) + "; " + why(s);
  return {"error bound", words};
}

} // namespace labgen
