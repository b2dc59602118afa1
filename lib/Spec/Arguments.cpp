// Arguments.cpp - what a kernel is called with: names, formats, shapes, bytes.
#include "lib/Spec/KernelSpec.h"

namespace labgen {

int64_t Argument::elements() const {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

int64_t Argument::rowBytes() const {
  return packedBytes(format, shape.empty() ? 1 : shape.back());
}

int64_t Argument::bytes() const {
  int64_t rows = 1;
  for (size_t i = 0; i + 1 < shape.size(); ++i)
    rows *= shape[i];
  return rows * rowBytes();
}

/// scale, zero and global of codes; `prefix` is "b_" in a gemm.
static void addScales(const KernelSpec &spec, const std::string &prefix,
                      Role role, std::vector<Argument> &out) {
  std::vector<int64_t> shape = {spec.scaleRows(), spec.scaleCols()};
  using Kind = ArgumentKind;
  if (spec.scale)
    out.push_back({prefix + "scale", role, *spec.scale, shape, Kind::Scale});
  if (spec.zero)
    out.push_back({prefix + "zero", role, *spec.zero, shape, Kind::ZeroPoint});
  if (spec.hasGlobal())
    out.push_back({prefix + "global", role, Format::F32, {1}, Kind::Global});
}

std::vector<Argument> arguments(const KernelSpec &s) {
  std::vector<Argument> out;
  switch (s.op) {
  case Op::Quantize:
    out.push_back({"x", Role::Input, s.in, {s.m, s.k}});
    out.push_back({"q", Role::Output, s.out, {s.m, s.k}, ArgumentKind::Codes});
    addScales(s, "", Role::Output, out);
    break;
  case Op::Dequantize:
    out.push_back({"q", Role::Input, s.in, {s.m, s.k}, ArgumentKind::Codes});
    addScales(s, "", Role::Input, out);
    out.push_back({"y", Role::Output, s.out, {s.m, s.k}});
    break;
  case Op::Cast:
  case Op::Exp:
    out.push_back({"x", Role::Input, s.in, {s.n}});
    out.push_back({"y", Role::Output, s.out, {s.n}});
    break;
  case Op::Axpy:
    out.push_back({"alpha", Role::Input, s.type, {}});
    out.push_back({"x", Role::Input, s.type, {s.n}});
    out.push_back({"y", Role::InOut, s.type, {s.n}});
    break;
  case Op::Reduce:
    out.push_back({"x", Role::Input, s.type, {s.n}});
    if (s.kind == ReduceKind::Dot)
      out.push_back({"y", Role::Input, s.type, {s.n}});
    out.push_back({"r", Role::Output, s.acc, {}});
    break;
  case Op::Gemm:
    out.push_back({"a", Role::Input, s.a, {s.m, s.k}});
    out.push_back(
        {"b",
         Role::Input,
         s.b,
         {s.n, s.k},
         s.isQuantized() ? ArgumentKind::Codes : ArgumentKind::Values});
    addScales(s, "b_", Role::Input, out);
    out.push_back(
        {"c", s.accumulate ? Role::InOut : Role::Output, s.out, {s.m, s.n}});
    break;
  }
  return out;
}

} // namespace labgen
