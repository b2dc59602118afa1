// GroupScale.h - from the extremes of a group to its stored scale.
//
// The part of quantize that decides: which scale is stored, which number codes
// are divided by, and what becomes of groups of zeros, NaN or Inf.
#ifndef LABGEN_RUNTIME_CHECK_ORACLE_GROUPSCALE_H
#define LABGEN_RUNTIME_CHECK_ORACLE_GROUPSCALE_H

#include "runtime/check/oracle/Oracle.h"

namespace labgen::oracle {

/// What quantize needs to know of a group's values.
struct GroupStats {
  uint32_t amaxBits = 0;   ///< largest |x|, as f32 bits: NaN > Inf > finite
  float low = 0, high = 0; ///< extremes, 0 included

  void merge(const GroupStats &other);
};
GroupStats statsOf(const float *x, int64_t count);
/// Largest finite |x|.
float finiteAmax(const float *x, int64_t count);

/// The fixed facts of one quantizer.
struct QuantizePlan {
  explicit QuantizePlan(const KernelSpec &spec);

  const KernelSpec &spec;
  Format scale;
  bool integer, asymmetric;
  float low = 0, high = 0; ///< clamp of integer codes
  float top = 1;           ///< absmax / top (range / top) is the scale
  float global = 1;        ///< set once the tensor's amax is known; may be 0
};

/// amax of the tensor / (max of the codes * max of the scale's type).
float globalScale(const KernelSpec &spec, float amax);

/// What is stored for a group and how its codes come about.
struct GroupScale {
  uint64_t bits = 0;     ///< of the stored scale
  float divisor = 0;     ///< codes are round(x / divisor)
  bool divides = true;   ///< or round(x * (1 / divisor)), where that is in f32
  int zero = 0;          ///< zero point
  bool constant = false; ///< all codes are `zero`
};
GroupScale scaleOfGroup(const QuantizePlan &plan, const GroupStats &stats,
                        QuantizeCounts &counts);

} // namespace labgen::oracle

#endif // LABGEN_RUNTIME_CHECK_ORACLE_GROUPSCALE_H
