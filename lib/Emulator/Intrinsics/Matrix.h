// Matrix.h - the part of matrix instructions that vendors share: elements of
// operand registers as numbers, and the product.
#ifndef LABGEN_EMULATOR_INTRINSICS_MATRIX_H
#define LABGEN_EMULATOR_INTRINSICS_MATRIX_H

#include "lib/Emulator/Runtime/Intrinsic.h"
#include "lib/Spec/Convert.h"

namespace labgen::emu {

/// Element `index` of packed bits at `data`.
double elementAt(const void *data, unsigned index, Format format);

/// A row-major D = A B + C of up to 32 x 32 x 128.
class MatrixProduct {
public:
  MatrixProduct(unsigned m, unsigned n, unsigned k)
      : m(m), n(n), k(k), as(m * k), bs(k * n), cs(m * n) {}
  double &a(unsigned i, unsigned l) { return as[i * k + l]; }
  double &b(unsigned l, unsigned j) { return bs[l * n + j]; }
  double &c(unsigned i, unsigned j) { return cs[i * n + j]; }
  /// Adds A B to C in f64, where products of up to f16 are exact; how hardware
  /// rounds partial sums is not specified. Counts itself.
  void multiply(Counters &counters);

private:
  unsigned m, n, k;
  std::vector<double> as, bs, cs;
};

/// An accumulator element in its format: rounded once; integers wrap, or
/// saturate.
void storeElement(void *data, unsigned index, Format format, double value,
                  bool saturate = false);

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_INTRINSICS_MATRIX_H
