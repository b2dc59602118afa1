// Stored.cpp - see Stored.h.
#include "tools/labgen/explain/Stored.h"

#include "lib/Spec/ops/Words.h"
#include "runtime/check/oracle/Oracle.h"

namespace labgen {

namespace {

/// What the oracle stores of a group that begins with `x`.
struct Stored {
  std::string scale, zero, code, value;
};
Stored store(const KernelSpec &like, float x) {
  KernelSpec spec = like;
  spec.m = 1;
  spec.k = 1;
  Tensors tensors;
  for (const Argument &argument : arguments(spec))
    if (Result<Tensor> tensor = Tensor::allocate(argument))
      tensors.push_back(*tensor);
  oracle::FloatSource source = [&](int64_t, int64_t, int64_t count,
                                   float *out) {
    std::fill(out, out + count, x);
  };
  Tensor *q = find(tensors, "q"), *scale = find(tensors, "scale"),
         *zero = find(tensors, "zero"), *global = find(tensors, "global");
  if (!q || !scale)
    return {};
  oracle::quantize(spec, 1, 1, source, {q, scale, zero, global},
                   [](int64_t n, const auto &body) { body(0, n); });
  float value;
  oracle::Dequantizer(spec.group, 1, *q, *scale, zero, global)
      .floats(0, 0, 1, &value);
  std::string bits = std::to_string(scale->bits(0, 0));
  return {spec.scale == Format::F8E8M0FNU ? "byte " + bits
                                          : numberText(scale->value(0, 0)),
          zero ? numberText(zero->value(0, 0)) : "", numberText(q->value(0, 0)),
          numberText(double(value))};
}

} // namespace

std::string storedWords(const KernelSpec &s, float x) {
  Stored stored = store(s, x);
  return "scale " + stored.scale +
         (s.zero ? ", zero point " + stored.zero : "") + ", codes " +
         stored.code + "; all of it dequantizes to " + stored.value;
}

} // namespace labgen
