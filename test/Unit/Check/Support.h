// Support.h - labs with right answers in them, for tests of the checker.
#ifndef LABGEN_TEST_UNIT_CHECK_SUPPORT_H
#define LABGEN_TEST_UNIT_CHECK_SUPPORT_H

#include "lib/Spec/Convert.h"
#include "runtime/check/Check.h"
#include "runtime/data/Data.h"

#include <gtest/gtest.h>

namespace labgen::test {

/// Everything in one call, and cut into many pieces on two threads.
extern const ParallelFor serial;
extern const ParallelFor pieces;

KernelSpec parsed(const std::string &text);
Tensors dataFor(const KernelSpec &spec, Distribution d = Distribution::Normal,
                uint64_t seed = 1);
/// Independent copies.
Tensors copied(const Tensors &tensors);
/// A copy with the outputs the oracle wants (gemm: the nearest f64 product).
Tensors rightOutputs(const KernelSpec &spec, const Tensors &data);

/// A tensor of the given values, each encoded exactly or rounded to nearest.
Tensor tensorOf(const std::string &name, Format format,
                std::vector<int64_t> shape, const std::vector<double> &values);
std::vector<double> valuesOf(const Tensor &tensor);

/// A lab, its data and its right outputs.
struct Lab {
  explicit Lab(const std::string &text, Distribution d = Distribution::Normal)
      : spec(parsed(text)), before(dataFor(spec, d)),
        after(rightOutputs(spec, before)) {}
  Verdict verdict() const { return check(spec, before, after, pieces); }
  Tensor &operator[](const char *name) { return *find(after, name); }

  KernelSpec spec;
  Tensors before, after;
};

} // namespace labgen::test

#endif // LABGEN_TEST_UNIT_CHECK_SUPPORT_H
