// ElementFacts.cpp - labgen explain of the labs without codes.
#include "tools/labgen/explain/Facts.h"

#include "runtime/report/SpecParts.h"

namespace labgen {

static std::string reduceWords(const KernelSpec &s) {
  std::string type = text(name(s.type)), acc = text(name(s.acc));
  if (s.kind == ReduceKind::Max || s.kind == ReduceKind::AbsMax)
    return "The " + text(name(s.kind)) +
           " of all elements; exact. NaN "
           "propagates, -0 < +0, no elements give " +
           (s.kind == ReduceKind::Max ? "-Inf." : "0.");
  std::string words = "The " + text(name(s.kind)) + " of all elements in " +
                      acc + ", in the order ";
  switch (s.order) {
  case SumOrder::Sequential:
    words += "of their index.";
    break;
  case SumOrder::Blocked:
    words += "'blocked': per block of " + std::to_string(s.block) +
             " elements 128 accumulators, folded by halves; block results by "
             "the same rule.";
    break;
  case SumOrder::Pairwise:
    words += "'pairwise': runs of " + std::to_string(s.block) +
             " in order, then neighbours pairwise.";
    break;
  case SumOrder::Compensated:
    words += "'compensated': 128 Kahan pairs, folded in order with "
             "compensation.";
    break;
  }
  return words +
         " The same bits for any threads, schedule and target. Rounds "
         "where: every addition" +
         (s.kind == ReduceKind::Sum ? "" : " (products fused into it)") +
         ", and once into " + type + " at the end.";
}

static std::string words(const KernelSpec &s) {
  switch (s.op) {
  case Op::Cast:
    return "Each element once from " + text(name(s.in)) + " to " +
           text(name(s.out)) + " (" + roundingWords(s.round) +
           "), then overflow. Rounds where: there.";
  case Op::Exp:
    return "exp of each element in f32 within 1 ulp, then one cast.";
  case Op::Axpy:
    return "y = alpha x + y. Rounds where: one fused multiply-add in " +
           text(name(s.acc)) + " per element, and once into " +
           text(name(s.type)) + ".";
  default:
    return reduceWords(s);
  }
}

Facts elementFacts(const KernelSpec &spec) {
  return {{"computes", words(spec)}};
}

} // namespace labgen
