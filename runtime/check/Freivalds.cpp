// Freivalds.cpp - b v for 64 vectors at a time, then a (b v) row by row.
#include "runtime/check/Freivalds.h"

#include "lib/Spec/Bound.h"
#include "runtime/check/GemmRows.h"
#include "runtime/core/Chunks.h"
#include "runtime/core/Philox.h"

#include <chrono>
#include <cmath>
#include <sys/random.h>

namespace labgen {
namespace {

using oracle::tileSize;

constexpr double leastEntry = 1025;
constexpr int64_t maxColumns = 64;
constexpr double u64 = 0x1p-53;

double entry(uint64_t key, int64_t column) {
  uint32_t word = philox(key, uint64_t(column), 0).w0;
  double magnitude = leastEntry + 2 * double(word >> 1 & 511);
  return word & 1 ? magnitude : -magnitude;
}

struct Nothing {
  void merge(const Nothing &) {}
};

struct Found {
  FreivaldsResult result;
  void merge(const Found &other) {
    result.detects = std::max(result.detects, other.result.detects);
    result.doubts.insert(result.doubts.end(), other.result.doubts.begin(),
                         other.result.doubts.end());
  }
};

class Test {
public:
  Test(const ProductToTest &product, int64_t begin, uint64_t key)
      : product(product), spec(product.spec), key(key), begin(begin),
        width(columnsPerVector(product.spec)),
        vectors(std::min(tileSize, ceilDiv(spec.n - begin, width))),
        bound(gemmLinearBound(spec)), combined(size_t(vectors * spec.k)),
        magnitudes(combined.size()) {}

  FreivaldsResult run(const ParallelFor &parallel) {
    mapItems<Nothing>(parallel, vectors,
                      [&](int64_t v, Nothing &) { combine(v); });
    return mapItems<Found>(
               parallel, ceilDiv(spec.m, tileSize),
               [&](int64_t i, Found &found) { testRows(i * tileSize, found); })
        .result;
  }

private:
  int64_t firstColumn(int64_t v) const { return begin + v * width; }
  int64_t columnsOf(int64_t v) const {
    return std::min(width, spec.n - firstColumn(v));
  }

  /// b v and |b| |v|.
  void combine(int64_t v) {
    double *sum = &combined[size_t(v * spec.k)];
    double *magnitude = &magnitudes[size_t(v * spec.k)];
    double values[chunkElements];
    for (int64_t j = 0; j < columnsOf(v); ++j) {
      double factor = entry(key, firstColumn(v) + j);
      for (int64_t k = 0; k < spec.k; k += chunkElements) {
        int64_t count = std::min(chunkElements, spec.k - k);
        product.b(firstColumn(v) + j, k, count, values);
        for (int64_t i = 0; i < count; ++i) {
          sum[k + i] += factor * values[i];
          magnitude[k + i] += std::fabs(factor * values[i]);
        }
      }
    }
  }

  oracle::DoubleSource rowsOf(const std::vector<double> &matrix) const {
    return [&matrix, k = spec.k](int64_t row, int64_t first, int64_t count,
                                 double *out) {
      const double *from = &matrix[size_t(row * k + first)];
      std::copy(from, from + count, out);
    };
  }

  void testRows(int64_t first, Found &found) const {
    int64_t rows[tileSize], count = std::min(tileSize, spec.m - first);
    for (int64_t i = 0; i < count; ++i)
      rows[i] = first + i;
    oracle::TileSums sums, reach;
    oracle::TileProduct(product.a, rowsOf(combined), spec.k)
        .run(rows, count, 0, vectors, sums);
    oracle::TileProduct(product.a, rowsOf(magnitudes), spec.k)
        .run(rows, count, 0, vectors, reach);
    for (int64_t i = 0; i < count; ++i)
      for (int64_t v = 0; v < vectors; ++v) {
        auto at = size_t(i * tileSize + v);
        double detects = testSum(rows[i], v, sums.sum[at], reach.magnitude[at]);
        if (detects < 0)
          found.result.doubts.push_back(
              {rows[i], firstColumn(v), columnsOf(v)});
        else
          found.result.detects = std::max(found.result.detects, detects);
      }
  }

  /// The single error that would have shown; negative where c v is not proven
  /// to be `want`, whose terms' magnitudes add up to `magnitude`.
  double testSum(int64_t row, int64_t v, double want, double magnitude) const {
    double c[maxColumns], added[maxColumns] = {};
    int64_t count = columnsOf(v);
    product.c(row, firstColumn(v), count, c);
    if (product.added)
      product.added(row, firstColumn(v), count, added);
    double got = 0, results = 0, before = 0, factors = 0;
    for (int64_t j = 0; j < count; ++j) {
      double factor = entry(key, firstColumn(v) + j);
      got += factor * (c[j] - added[j]);
      results += std::fabs(factor * c[j]);
      before += std::fabs(factor * added[j]);
      factors += std::fabs(factor);
    }
    double all = magnitude + before + results;
    if (isInteger(spec.out)) {
      bool exact = all < 0x1p53;
      return exact && std::fmod(got - want, 0x1p32) == 0 ? 1 : -1;
    }
    double allowed = bound.growth * (magnitude + before) +
                     bound.each * factors + bound.relative * results +
                     gamma(double(spec.k + 2 * maxColumns), u64) * all;
    // No single element's terms may leave the accumulator's range.
    bool bounded = (magnitude + before) / leastEntry <= bound.reach;
    if (!bounded || !(std::fabs(got - want) <= allowed))
      return -1;
    return 2 * allowed / leastEntry;
  }

  const ProductToTest &product;
  const KernelSpec &spec;
  uint64_t key;
  int64_t begin, width, vectors;
  LinearBound bound;
  std::vector<double> combined, magnitudes; ///< [vectors, k]
};

} // namespace

int64_t columnsPerVector(const KernelSpec &spec) {
  return std::clamp<int64_t>(spec.m / sampledRows, 1, maxColumns);
}

FreivaldsResult freivalds(const ProductToTest &product, int64_t begin,
                          uint64_t key, const ParallelFor &parallel) {
  return Test(product, begin, key).run(parallel);
}

uint64_t freshKey(uint64_t seed) {
  uint64_t fresh = 0;
  if (getrandom(&fresh, sizeof fresh, GRND_NONBLOCK) != sizeof fresh)
    fresh =
        uint64_t(std::chrono::steady_clock::now().time_since_epoch().count());
  PhiloxWords words = philox(seed, fresh, 0);
  return uint64_t(words.w0) << 32 | words.w1;
}

} // namespace labgen
