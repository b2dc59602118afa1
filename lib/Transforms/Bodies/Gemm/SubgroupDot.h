// SubgroupDot.h - dot products whose k is dealt to neighbouring threads of a
// GPU.
//
// The schedule says what a lane loads of a row of B at once (`width`
// codes: 16 bytes where rows allow it) and how many such loads of a row are
// under way together (`unroll`).
#ifndef LABGEN_LIB_TRANSFORMS_BODIES_GEMM_TEAMDOT_H
#define LABGEN_LIB_TRANSFORMS_BODIES_GEMM_TEAMDOT_H

#include "lib/Transforms/Bodies/Gemm/DotProducts.h"

namespace labgen {

struct LaneChunks {
  int64_t codes, unroll;

  /// What the schedule says, else chunks of `otherwise` one by one. A chunk
  /// has `least` codes at least.
  static mlir::FailureOr<LaneChunks> get(BodyBuilder &e, lab::GemmOp op,
                                         int64_t least, int64_t otherwise);
};

/// A and B are floats, or codes with scales that are dequantized.
mlir::LogicalResult lowerFloatSubgroupDot(BodyBuilder &e, lab::GemmOp op);
/// A and B are i8 (or packed) codes, with or without scales.
mlir::LogicalResult lowerIntegerSubgroupDot(BodyBuilder &e, lab::GemmOp op,
                                            DotProducts dot);

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_BODIES_GEMM_TEAMDOT_H
