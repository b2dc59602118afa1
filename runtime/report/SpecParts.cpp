// SpecParts.cpp - see SpecParts.h.
#include "runtime/report/SpecParts.h"

#include "runtime/report/Units.h"

namespace labgen {

std::string formatsOf(const KernelSpec &s) {
  switch (s.op) {
  case Op::Quantize:
  case Op::Dequantize:
  case Op::Cast:
  case Op::Exp:
    return text(name(s.in)) + " -> " + text(name(s.out));
  case Op::Axpy:
    return text(name(s.type));
  case Op::Reduce:
    return text(name(s.kind)) + " " + text(name(s.type));
  case Op::Gemm:
    return text(name(s.a)) + " x " + text(name(s.b)) + " -> " +
           text(name(s.out));
  }
  return "";
}

std::string groupOf(const KernelSpec &s) {
  return s.isQuantized() ? s.group.str() : "";
}

std::string scaleOf(const KernelSpec &s) {
  return s.scale ? text(name(*s.scale)) : "";
}

std::string ruleOf(const KernelSpec &s) {
  if (s.op != Op::Quantize)
    return "";
  if (s.scale == Format::F8E8M0FNU)
    return text(name(s.rule));
  return (s.zero ? "range/" : "absmax/") + shortest(codeGrid(s).steps, 6);
}

std::string zeroOf(const KernelSpec &s) {
  return s.zero ? text(name(*s.zero)) : "";
}

} // namespace labgen
