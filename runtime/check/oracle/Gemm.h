// Gemm.h - reference products of matrix rows, with the sums of magnitudes their
// error bounds need.
//
// One blocked loop in f64 serves every gemm: products of integers are exact in
// it, floats are read exactly, and f64 gemms carry their rounding errors along.
#ifndef LABGEN_RUNTIME_CHECK_ORACLE_GEMM_H
#define LABGEN_RUNTIME_CHECK_ORACLE_GEMM_H

#include <cstdint>
#include <functional>
#include <vector>

namespace labgen::oracle {

/// Elements [begin, begin + count) of a row, in f64.
using DoubleSource =
    std::function<void(int64_t row, int64_t begin, int64_t count, double *out)>;

/// Rows and columns of one tile.
constexpr int64_t tileSize = 64;

/// Results of one tile, row-major with tileSize columns.
struct TileSums {
  std::vector<double> sum, magnitude; ///< sum of a b; of |a b|
  TileSums() : sum(tileSize * tileSize), magnitude(tileSize * tileSize) {}
  void clear();
};

/// sum_k a[i,k] b[j,k] for rows `aRows` of a against rows [j0, j0 + columns) of
/// b; at most tileSize of each.
class TileProduct {
public:
  TileProduct(DoubleSource a, DoubleSource b, int64_t k)
      : a(std::move(a)), b(std::move(b)), k(k) {}
  void run(const int64_t *aRows, int64_t rows, int64_t j0, int64_t columns,
           TileSums &out) const;
  /// The same to twice f64's precision, rounded to f64.
  void runExactly(const int64_t *aRows, int64_t rows, int64_t j0,
                  int64_t columns, TileSums &out) const;

private:
  DoubleSource a, b;
  int64_t k;
};

/// Products of codes group by group: sum_g s_a s_b (sum_{k in g} a b).
class GroupedProduct {
public:
  using ScaleAt = std::function<double(int64_t row, int64_t group)>;
  GroupedProduct(DoubleSource a, ScaleAt aScale, DoubleSource b, ScaleAt bScale,
                 int64_t k, int64_t groupLength)
      : a(std::move(a)), b(std::move(b)), aScale(std::move(aScale)),
        bScale(std::move(bScale)), k(k), groupLength(groupLength) {}
  /// `sums.magnitude` is sum_g |s_a s_b dot_g|, `products` has in magnitude
  /// sum_g |s_a s_b| sum_k |a b| and in sum the sum_g |dot_g|.
  void run(const int64_t *aRows, int64_t rows, int64_t j0, int64_t columns,
           TileSums &sums, TileSums &products) const;

private:
  DoubleSource a, b;
  ScaleAt aScale, bScale;
  int64_t k, groupLength;
};

} // namespace labgen::oracle

#endif // LABGEN_RUNTIME_CHECK_ORACLE_GEMM_H
