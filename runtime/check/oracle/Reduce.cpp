// Reduce.cpp - reductions in the four orders, to the bit.
//
// The order is the whole meaning of these sums, so each stands here as the
// contract words it; the loops over 128 accumulators are what vectorises.
#include "runtime/check/numbers/Arithmetic.h"
#include "runtime/check/numbers/ExactSum.h"
#include "runtime/check/numbers/Spans.h"
#include "runtime/check/oracle/Oracle.h"
#include "runtime/core/Chunks.h"

#include <limits>

namespace labgen::oracle {
namespace {

constexpr int64_t width = 128; ///< accumulators of a block

/// acc[i] += the elements i, i + 128, ... of a span (or their products).
template <typename A, typename T = typename A::Value> LABGEN_INLINE void
addSpan(const A &in, const T *x, const T *y, int64_t count, T *acc) {
  for (int64_t i = 0; i < count; i += width) {
    int64_t n = count - i < width ? count - i : width;
    if (y)
      for (int64_t l = 0; l < n; ++l)
        acc[l] = in.fma(x[i + l], y[i + l], acc[l]);
    else
      for (int64_t l = 0; l < n; ++l)
        acc[l] = in.add(acc[l], x[i + l]);
  }
}

template <typename A, typename T = typename A::Value>
LABGEN_INLINE void kahanAdd(const A &in, T x, T &sum, T &carry) {
  T y = in.add(x, -carry);
  T t = in.add(sum, y);
  carry = in.add(in.add(t, -sum), -y);
  // Inf and overflow end as in the other orders: Inf - Inf would be NaN.
  carry = std::fabs(carry) <= std::numeric_limits<T>::max() ? carry : T(0);
  sum = t;
}

template <typename A, typename T = typename A::Value>
LABGEN_INLINE void kahanSpan(const A &in, const T *x, const T *y, int64_t count,
                             T *sums, T *carries) {
  for (int64_t i = 0; i < count; i += width) {
    int64_t n = count - i < width ? count - i : width;
    for (int64_t l = 0; l < n; ++l) {
      T term = y ? in.multiply(x[i + l], y[i + l]) : x[i + l];
      kahanAdd(in, term, sums[l], carries[l]);
    }
  }
}

LABGEN_CLONES void addWide(const float *x, const float *y, int64_t count,
                           float *acc) {
  addSpan(Native<float>(), x, y, count, acc);
}
LABGEN_CLONES void addWide(const double *x, const double *y, int64_t count,
                           double *acc) {
  addSpan(Native<double>(), x, y, count, acc);
}
LABGEN_CLONES void kahanWide(const float *x, const float *y, int64_t count,
                             float *sums, float *carries) {
  kahanSpan(Native<float>(), x, y, count, sums, carries);
}
LABGEN_CLONES void kahanWide(const double *x, const double *y, int64_t count,
                             double *sums, double *carries) {
  kahanSpan(Native<double>(), x, y, count, sums, carries);
}
LABGEN_CLONES float runWide(const float *x, const float *y, int64_t count,
                            float acc) {
  for (int64_t i = 0; i < count; ++i)
    acc = y ? std::fma(x[i], y[i], acc) : acc + x[i];
  return acc;
}
LABGEN_CLONES double runWide(const double *x, const double *y, int64_t count,
                             double acc) {
  for (int64_t i = 0; i < count; ++i)
    acc = y ? std::fma(x[i], y[i], acc) : acc + x[i];
  return acc;
}

/// The spans above in the arithmetic at hand: machine types take the clones.
template <typename T>
void add(const Native<T> &, const T *x, const T *y, int64_t n, T *acc) {
  addWide(x, y, n, acc);
}
void add(const Narrow &in, const double *x, const double *y, int64_t n,
         double *acc) {
  addSpan(in, x, y, n, acc);
}
template <typename T>
void kahan(const Native<T> &, const T *x, const T *y, int64_t n, T *s, T *c) {
  kahanWide(x, y, n, s, c);
}
void kahan(const Narrow &in, const double *x, const double *y, int64_t n,
           double *s, double *c) {
  kahanSpan(in, x, y, n, s, c);
}
template <typename T>
T run(const Native<T> &, const T *x, const T *y, int64_t n, T acc) {
  return runWide(x, y, n, acc);
}
double run(const Narrow &in, const double *x, const double *y, int64_t n,
           double acc) {
  for (int64_t i = 0; i < n; ++i)
    acc = y ? in.fma(x[i], y[i], acc) : in.add(acc, x[i]);
  return acc;
}

void read(const Tensor &t, int64_t begin, int64_t count, float *out) {
  readFloats(t.argument().format, t.data(), begin, count, out);
}
void read(const Tensor &t, int64_t begin, int64_t count, double *out) {
  readDoubles(t.argument().format, t.data(), begin, count, out);
}

/// Calls body(x, y, count) over [begin, end), in order, in spans of a multiple
/// of 128; y is null for plain sums.
template <typename T, typename Body>
void forSpans(const Tensor &x, const Tensor *y, int64_t begin, int64_t end,
              const Body &body) {
  T xs[chunkElements], ys[chunkElements];
  for (int64_t at = begin; at < end; at += chunkElements) {
    int64_t n = std::min(chunkElements, end - at);
    read(x, at, n, xs);
    if (y && y != &x)
      read(*y, at, n, ys);
    body(xs, y ? (y == &x ? xs : ys) : nullptr, n);
  }
}
/// The same over the block results of a lower level.
template <typename T, typename Body>
void forSpans(const std::vector<T> &x, std::nullptr_t, int64_t begin,
              int64_t end, const Body &body) {
  body(x.data() + begin, static_cast<const T *>(nullptr), end - begin);
}

template <typename A, typename Source, typename Other>
typename A::Value blockedBlock(const A &in, const Source &x, Other y,
                               int64_t begin, int64_t end) {
  using T = typename A::Value;
  T acc[width] = {};
  forSpans<T>(x, y, begin, end, [&](const T *xs, const T *ys, int64_t n) {
    add(in, xs, ys, n, acc);
  });
  for (int64_t half = width / 2; half > 0; half /= 2)
    for (int64_t i = 0; i < half; ++i)
      acc[i] = in.add(acc[i], acc[i + half]);
  return acc[0];
}

template <typename A, typename Source, typename Other>
typename A::Value compensatedBlock(const A &in, const Source &x, Other y,
                                   int64_t begin, int64_t end) {
  using T = typename A::Value;
  T sums[width] = {}, carries[width] = {};
  forSpans<T>(x, y, begin, end, [&](const T *xs, const T *ys, int64_t n) {
    kahan(in, xs, ys, n, sums, carries);
  });
  T sum = sums[0], carry = carries[0];
  for (int64_t i = 1; i < width; ++i) {
    kahanAdd(in, sums[i], sum, carry);
    kahanAdd(in, -carries[i], sum, carry);
  }
  return sum;
}

template <typename A, typename Source, typename Other> typename A::Value
runInOrder(const A &in, const Source &x, Other y, int64_t begin, int64_t end) {
  using T = typename A::Value;
  T acc = 0;
  forSpans<T>(x, y, begin, end, [&](const T *xs, const T *ys, int64_t n) {
    acc = run(in, xs, ys, n, acc);
  });
  return acc;
}

/// One value per run of `block`.
template <typename A, typename Source, typename Other>
std::vector<typename A::Value> blockResults(const A &in, const KernelSpec &spec,
                                            const Source &x, Other y, int64_t n,
                                            const ParallelFor &parallel) {
  std::vector<typename A::Value> results(size_t(ceilDiv(n, spec.block)));
  parallel(int64_t(results.size()), [&](int64_t first, int64_t last) {
    for (int64_t b = first; b < last; ++b) {
      int64_t begin = b * spec.block, end = std::min(n, begin + spec.block);
      results[size_t(b)] = spec.order == SumOrder::Blocked
                               ? blockedBlock(in, x, y, begin, end)
                           : spec.order == SumOrder::Compensated
                               ? compensatedBlock(in, x, y, begin, end)
                               : runInOrder(in, x, y, begin, end);
    }
  });
  return results;
}

template <typename A> double sumIn(const A &in, const KernelSpec &spec,
                                   const Tensor &x, const Tensor *y,
                                   const ParallelFor &parallel) {
  using T = typename A::Value;
  int64_t n = x.columns();
  if (n == 0)
    return 0;
  if (spec.order == SumOrder::Sequential)
    return runInOrder(in, x, y, 0, n);
  std::vector<T> level = blockResults(in, spec, x, y, n, parallel);
  while (level.size() > 1) {
    if (spec.order != SumOrder::Pairwise) {
      level = blockResults(in, spec, level, nullptr, int64_t(level.size()),
                           parallel);
      continue;
    }
    std::vector<T> next;
    for (size_t i = 0; i + 1 < level.size(); i += 2)
      next.push_back(in.add(level[i], level[i + 1]));
    if (level.size() % 2)
      next.push_back(level.back());
    level = std::move(next);
  }
  return level[0];
}

/// IEEE 754-2019 maximum as integers: order the bits of f64 as their values,
/// -0 below +0.
struct Largest {
  int64_t key = std::numeric_limits<int64_t>::min();
  bool nan = false, empty = true;

  void merge(const Largest &other) {
    key = std::max(key, other.key);
    nan |= other.nan;
    empty &= other.empty;
  }
  /// Of no values: -Inf.
  double value() const {
    if (nan)
      return std::numeric_limits<double>::quiet_NaN();
    if (empty)
      return -std::numeric_limits<double>::infinity();
    return fromBits(key ^ (key >> 63 & INT64_MAX));
  }
  static double fromBits(int64_t bits) {
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
};

LABGEN_CLONES void scanLargest(const double *x, int64_t count, bool absolute,
                               Largest &part) {
  constexpr int64_t infBits = 0x7ff0000000000000;
  int64_t key = part.key, anyNan = 0;
  for (int64_t i = 0; i < count; ++i) {
    int64_t bits;
    std::memcpy(&bits, &x[i], sizeof bits);
    int64_t magnitude = bits & INT64_MAX;
    int64_t signedKey = bits ^ (bits >> 63 & INT64_MAX);
    int64_t candidate = absolute ? magnitude : signedKey;
    key = candidate > key ? candidate : key;
    anyNan |= magnitude > infBits;
  }
  part.key = key;
  part.nan |= anyNan != 0;
  part.empty &= count == 0;
}

double largest(const KernelSpec &spec, const Tensor &x,
               const ParallelFor &parallel) {
  bool absolute = spec.kind == ReduceKind::AbsMax;
  Largest most = mapChunks<Largest>(
      parallel, 1, x.columns(), chunkElements,
      [&](int64_t, int64_t begin, int64_t count, Largest &part) {
        double values[chunkElements];
        read(x, begin, count, values);
        scanLargest(values, count, absolute, part);
      });
  return absolute && most.empty ? 0 : most.value();
}

} // namespace

float blockedSum(std::vector<float> terms, int64_t block) {
  const ParallelFor inPlace = [](int64_t n, const auto &body) { body(0, n); };
  KernelSpec spec;
  spec.block = block;
  while (terms.size() > 1)
    terms = blockResults(Native<float>(), spec, terms, nullptr,
                         int64_t(terms.size()), inPlace);
  return terms.empty() ? 0 : terms[0];
}

Reduction reduce(const KernelSpec &spec, const Tensor &x, const Tensor *y,
                 const ParallelFor &parallel) {
  Reduction result;
  if (!isSum(spec.kind)) {
    result.value = result.exact = largest(spec, x, parallel);
    return result;
  }
  if (spec.kind == ReduceKind::SumSq)
    y = &x;
  ExactSum exact = mapChunks<ExactSum>(
      parallel, 1, x.columns(), chunkElements,
      [&](int64_t, int64_t begin, int64_t count, ExactSum &part) {
        double xs[chunkElements], ys[chunkElements];
        read(x, begin, count, xs);
        if (y)
          read(*y, begin, count, ys);
        part.add(xs, y ? ys : nullptr, count);
      });
  result.exact = exact.value();
  result.magnitudeSum = exact.magnitude;
  if (spec.acc == Format::F32)
    result.value = sumIn(Native<float>(), spec, x, y, parallel);
  else if (spec.acc == Format::BF16 || spec.acc == Format::F16)
    result.value = sumIn(Narrow{spec.acc}, spec, x, y, parallel);
  else // integers are exact in f64: a longer sum is refused with the spec
    result.value = sumIn(Native<double>(), spec, x, y, parallel);
  return result;
}

} // namespace labgen::oracle
