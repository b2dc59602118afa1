// SpecParts.cpp - see SpecParts.h.
#include "runtime/report/SpecParts.h"

#include "lib/Spec/OpInfo.h"
#include "lib/Support/Text.h"

namespace labgen {

std::string formatsOf(const KernelSpec &s) { return info(s.op).formatsText(s); }

std::string groupOf(const KernelSpec &s) {
  return s.isQuantized() ? s.group.str() : "";
}

std::string scaleOf(const KernelSpec &s) {
  return s.scale ? text(name(*s.scale)) : "";
}

std::string ruleOf(const KernelSpec &s) { return info(s.op).scaleRuleText(s); }

std::string zeroOf(const KernelSpec &s) {
  return s.zero ? text(name(*s.zero)) : "";
}

} // namespace labgen
