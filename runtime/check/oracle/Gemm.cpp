// Gemm.cpp - tiles of reference products: packed panels and a 4 x 8 kernel.
#include "runtime/check/oracle/Gemm.h"

#include "runtime/check/numbers/ExactSum.h"
#include "runtime/core/Isa.h"

#include <algorithm>
#include <cstring>

namespace labgen::oracle {
namespace {

constexpr int64_t panelRows = 4, panelColumns = 8, depth = 512;

/// One row of the kernel's block of c.
using Vector = double __attribute__((vector_size(64)));
using VectorBits = int64_t __attribute__((vector_size(64)));

/// sum and magnitude [4 x 8, rows tileSize apart] += a [n x 4] b [n x 8].
LABGEN_CLONES void multiplyPanels(const double *a, const double *b, int64_t n,
                                  double *sum, double *magnitude) {
  Vector s[panelRows], m[panelRows];
  for (int r = 0; r < panelRows; ++r) {
    std::memcpy(&s[r], sum + r * tileSize, sizeof(Vector));
    std::memcpy(&m[r], magnitude + r * tileSize, sizeof(Vector));
  }
  for (int64_t p = 0; p < n; ++p) {
    Vector column;
    std::memcpy(&column, b + p * panelColumns, sizeof column);
    for (int r = 0; r < panelRows; ++r) {
      Vector product = column * a[p * panelRows + r];
      s[r] += product;
      m[r] += Vector(VectorBits(product) & INT64_MAX);
    }
  }
  for (int r = 0; r < panelRows; ++r) {
    std::memcpy(sum + r * tileSize, &s[r], sizeof(Vector));
    std::memcpy(magnitude + r * tileSize, &m[r], sizeof(Vector));
  }
}

/// The same with the rounding errors of products and sums kept in `low`.
LABGEN_CLONES void multiplyExactly(const double *a, const double *b, int64_t n,
                                   double *high, double *low,
                                   double *magnitude) {
  for (int r = 0; r < panelRows; ++r) {
    double h[panelColumns], l[panelColumns], m[panelColumns];
    std::memcpy(h, high + r * tileSize, sizeof h);
    std::memcpy(l, low + r * tileSize, sizeof l);
    std::memcpy(m, magnitude + r * tileSize, sizeof m);
    for (int64_t p = 0; p < n; ++p)
      for (int c = 0; c < panelColumns; ++c) {
        double x = a[p * panelRows + r], y = b[p * panelColumns + c];
        addProduct(x, y, h[c], l[c]);
        m[c] += std::fabs(x * y);
      }
    std::memcpy(high + r * tileSize, h, sizeof h);
    std::memcpy(low + r * tileSize, l, sizeof l);
    std::memcpy(magnitude + r * tileSize, m, sizeof m);
  }
}

/// Spans of up to 64 rows, interleaved `width` rows at a time; absent rows are
/// zero.
struct Panels {
  int64_t width;
  std::vector<double> data = std::vector<double>(tileSize * depth);

  /// rowAt(i) is the source's row of the i-th of `rows` rows.
  template <typename RowAt> void fill(const DoubleSource &source, int64_t rows,
                                      int64_t begin, int64_t count,
                                      const RowAt &rowAt) {
    double span[depth];
    for (int64_t i = 0; i < tileSize; ++i) {
      double *out = panel(i / width) + i % width;
      if (i < rows)
        source(rowAt(i), begin, count, span);
      else if (i < (rows + width - 1) / width * width)
        std::fill_n(span, count, 0.0);
      else
        break;
      for (int64_t p = 0; p < count; ++p)
        out[p * width] = span[p];
    }
  }
  double *panel(int64_t i) { return data.data() + i * width * depth; }
};

/// Walks k in panels; body(row panel, column panel, begin, count, a, b).
template <typename Body>
void forPanels(const DoubleSource &a, const DoubleSource &b, int64_t k,
               const int64_t *aRows, int64_t rows, int64_t j0, int64_t columns,
               const Body &body) {
  Panels as{panelRows}, bs{panelColumns};
  for (int64_t begin = 0; begin < k; begin += depth) {
    int64_t count = std::min(depth, k - begin);
    as.fill(a, rows, begin, count, [&](int64_t i) { return aRows[i]; });
    bs.fill(b, columns, begin, count, [&](int64_t j) { return j0 + j; });
    for (int64_t j = 0; j * panelColumns < columns; ++j)
      for (int64_t i = 0; i * panelRows < rows; ++i)
        body(i, j, begin, count, as.panel(i), bs.panel(j));
  }
}

int64_t offsetOf(int64_t i, int64_t j) {
  return i * panelRows * tileSize + j * panelColumns;
}

} // namespace

void TileSums::clear() {
  std::fill(sum.begin(), sum.end(), 0.0);
  std::fill(magnitude.begin(), magnitude.end(), 0.0);
}

void TileProduct::run(const int64_t *aRows, int64_t rows, int64_t j0,
                      int64_t columns, TileSums &out) const {
  out.clear();
  forPanels(a, b, k, aRows, rows, j0, columns,
            [&](int64_t i, int64_t j, int64_t, int64_t count, const double *x,
                const double *y) {
              multiplyPanels(x, y, count, &out.sum[size_t(offsetOf(i, j))],
                             &out.magnitude[size_t(offsetOf(i, j))]);
            });
}

void TileProduct::runExactly(const int64_t *aRows, int64_t rows, int64_t j0,
                             int64_t columns, TileSums &out) const {
  out.clear();
  std::vector<double> low(tileSize * tileSize);
  forPanels(a, b, k, aRows, rows, j0, columns,
            [&](int64_t i, int64_t j, int64_t, int64_t count, const double *x,
                const double *y) {
              multiplyExactly(x, y, count, &out.sum[size_t(offsetOf(i, j))],
                              &low[size_t(offsetOf(i, j))],
                              &out.magnitude[size_t(offsetOf(i, j))]);
            });
  for (size_t i = 0; i < low.size(); ++i)
    if (std::isfinite(low[i])) // Inf and NaN stand in the plain sum
      out.sum[i] += low[i];
}

void GroupedProduct::run(const int64_t *aRows, int64_t rows, int64_t j0,
                         int64_t columns, TileSums &sums,
                         TileSums &products) const {
  sums.clear();
  products.clear();
  TileSums dots;
  dots.clear();
  int64_t groups = (k + groupLength - 1) / groupLength;
  std::vector<double> as(size_t(tileSize * groups)), bs(as.size());
  for (int64_t g = 0; g < groups; ++g) {
    for (int64_t i = 0; i < rows; ++i)
      as[size_t(g * tileSize + i)] = aScale(aRows[i], g);
    for (int64_t j = 0; j < columns; ++j)
      bs[size_t(g * tileSize + j)] = bScale(j0 + j, g);
  }
  auto endGroup = [&](int64_t group, int64_t i, int64_t j) {
    const double *s = &as[size_t(group * tileSize + i * panelRows)];
    const double *t = &bs[size_t(group * tileSize + j * panelColumns)];
    for (int64_t r = 0; r < panelRows; ++r) {
      for (int64_t c = 0; c < panelColumns; ++c) {
        auto at = size_t(offsetOf(i, j) + r * tileSize + c);
        double scale = s[r] * t[c], dot = dots.sum[at];
        sums.sum[at] += scale * dot;
        sums.magnitude[at] += std::fabs(scale * dot);
        products.sum[at] += std::fabs(dot);
        products.magnitude[at] += std::fabs(scale) * dots.magnitude[at];
        dots.sum[at] = dots.magnitude[at] = 0;
      }
    }
  };
  forPanels(a, b, k, aRows, rows, j0, columns,
            [&](int64_t i, int64_t j, int64_t begin, int64_t count,
                const double *x, const double *y) {
              for (int64_t p = 0; p < count;) {
                int64_t group = (begin + p) / groupLength;
                int64_t end = std::min(k, (group + 1) * groupLength);
                int64_t n = std::min(count - p, end - begin - p);
                auto at = size_t(offsetOf(i, j));
                multiplyPanels(x + p * panelRows, y + p * panelColumns, n,
                               &dots.sum[at], &dots.magnitude[at]);
                p += n;
                if (begin + p == end)
                  endGroup(group, i, j);
              }
            });
}

} // namespace labgen::oracle
