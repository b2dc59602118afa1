// Check.h - is what a kernel computed right, and how far from exact is it?
//
// One oracle per op states the contract in plain scalar C++, apart from the
// code generator, and f64 gives the error. Codes, scales, axpy and reductions
// are compared bit for bit; gemm elementwise against its a-priori bound. A gemm
// above 2^31 multiply-adds is checked exactly on 64 rows and by Freivalds' test
// on all of them, everything else on all elements.
#ifndef LABGEN_RUNTIME_CHECK_CHECK_H
#define LABGEN_RUNTIME_CHECK_CHECK_H

#include "lib/Spec/Row.h"
#include "runtime/core/ParallelFor.h"
#include "runtime/core/Tensor.h"

#include <functional>
#include <string>

namespace labgen {

struct Verdict {
  bool right = false;
  std::string reason; ///< first element that differs: where, got, want
  RowError error;
  std::optional<double> bound; ///< the largest elementwise bound
  std::string checked;         ///< all | rows+freivalds
  /// With Freivalds' test: a single element off by more than this would have
  /// shown.
  std::optional<double> detects;
  /// quantize counts groups: with a NaN, with an Inf, whose scale saturated,
  /// whose scale rounded to 0, of zeros. cast counts elements: NaN or Inf in
  /// input or output, clamped to an extreme, non-zero become 0. The other ops
  /// count the NaN and Inf of their output.
  RowCounts counts;
};

/// What a check of a part of the elements depends on.
struct CheckOptions {
  std::string schedule; ///< whose tile edges are looked at; may be empty
  uint64_t seed = 1;
};

/// `before` holds all arguments as they were before the run, `after` as they
/// are now (inputs must not have changed, guards must be intact).
Verdict check(const KernelSpec &spec, const Tensors &before,
              const Tensors &after, const ParallelFor &parallel,
              const CheckOptions &options = {});

} // namespace labgen

#endif // LABGEN_RUNTIME_CHECK_CHECK_H
