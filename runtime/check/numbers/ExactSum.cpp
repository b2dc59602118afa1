// ExactSum.cpp - error-free sums in fixed lanes.
#include "runtime/check/numbers/ExactSum.h"

namespace labgen::oracle {
namespace {

constexpr int lanes = 16;
struct Lanes {
  double high[lanes], low[lanes], magnitude[lanes];
};

LABGEN_INLINE void addLane(Lanes &sums, int lane, const double *x,
                           const double *y, int64_t i) {
  if (y) {
    addProduct(x[i], y[i], sums.high[lane], sums.low[lane]);
    sums.magnitude[lane] += std::fabs(x[i] * y[i]);
  } else {
    addExactly(x[i], sums.high[lane], sums.low[lane]);
    sums.magnitude[lane] += std::fabs(x[i]);
  }
}

LABGEN_CLONES void addSpan(Lanes &out, const double *x, const double *y,
                           int64_t count) {
  Lanes sums = {};
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (int lane = 0; lane < lanes; ++lane)
      addLane(sums, lane, x, y, i + lane);
  for (int lane = 0; i < count; ++i, ++lane)
    addLane(sums, lane, x, y, i);
  out = sums;
}

} // namespace

void ExactSum::add(const double *x, const double *y, int64_t count) {
  Lanes sums;
  addSpan(sums, x, y, count);
  for (int lane = 0; lane < lanes; ++lane) {
    addExactly(sums.high[lane], high, low);
    low += sums.low[lane];
    plain += sums.high[lane];
    magnitude += sums.magnitude[lane];
  }
}

void ExactSum::merge(const ExactSum &other) {
  addExactly(other.high, high, low);
  low += other.low;
  plain += other.plain;
  magnitude += other.magnitude;
}

} // namespace labgen::oracle
