// Dequantize.cpp - codes and their scales back to numbers.
#include "runtime/check/numbers/Spans.h"
#include "runtime/check/oracle/Oracle.h"
#include "runtime/core/Chunks.h"

namespace labgen::oracle {

Dequantizer::Dequantizer(const Group &group, int64_t k, const Tensor &q,
                         const Tensor &scale, const Tensor *zero,
                         const Tensor *global)
    : group(group), along(group.along(k)), q(q), scale(scale), zero(zero) {
  if (global)
    this->global = global->as<float>()[0];
}

float Dequantizer::scaleOf(int64_t row, int64_t g) const {
  if (group.kind == Group::Tensor)
    row = 0;
  const Argument &argument = scale.argument();
  float value;
  readFloats(argument.format, scale.data() + row * argument.rowBytes(), g, 1,
             &value);
  return global ? value * *global : value;
}

int Dequantizer::zeroOf(int64_t row, int64_t g) const {
  if (!zero)
    return 0;
  return int(zero->value(group.kind == Group::Tensor ? 0 : row, g));
}

/// body(group, offset, count) for each piece of a group in a span.
template <typename Body> static void
forGroups(int64_t along, int64_t begin, int64_t count, const Body &body) {
  for (int64_t i = 0; i < count;) {
    int64_t g = (begin + i) / along;
    int64_t n = std::min(count - i, (g + 1) * along - begin - i);
    body(g, i, n);
    i += n;
  }
}

void Dequantizer::floats(int64_t row, int64_t begin, int64_t count,
                         float *out) const {
  const Argument &codes = q.argument();
  readFloats(codes.format, q.data() + row * codes.rowBytes(), begin, count,
             out);
  forGroups(along, begin, count, [&](int64_t g, int64_t at, int64_t n) {
    float s = scaleOf(row, g), z = float(zeroOf(row, g));
    for (int64_t i = at; i < at + n; ++i) // the difference is exact
      out[i] = (zero ? out[i] - z : out[i]) * s;
  });
}

void Dequantizer::doubles(int64_t row, int64_t begin, int64_t count,
                          double *out) const {
  const Argument &codes = q.argument();
  readDoubles(codes.format, q.data() + row * codes.rowBytes(), begin, count,
              out);
  double whole = global ? *global : 1;
  const Argument &scales = scale.argument();
  forGroups(along, begin, count, [&](int64_t g, int64_t at, int64_t n) {
    int64_t scaleRow = group.kind == Group::Tensor ? 0 : row;
    double s;
    readDoubles(scales.format, scale.data() + scaleRow * scales.rowBytes(), g,
                1, &s);
    s *= whole;
    double z = zeroOf(row, g);
    for (int64_t i = at; i < at + n; ++i)
      out[i] = (zero ? out[i] - z : out[i]) * s;
  });
}

} // namespace labgen::oracle
