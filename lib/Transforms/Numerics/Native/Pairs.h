// Pairs.h - vectors through conversion instructions of a GPU, which take two
// values at a time: how each vendor packs them into words.
#ifndef LABGEN_LIB_TRANSFORMS_NUMERICS_NATIVE_PAIRS_H
#define LABGEN_LIB_TRANSFORMS_NUMERICS_NATIVE_PAIRS_H

#include "lib/Transforms/Vector/BodyBuilder.h"
#include "lib/Transforms/Vector/Conversions.h"

namespace labgen {

/// Codes as i8 of f32 lanes, as the instruction rounds them.
mlir::Value encodePairs(BodyBuilder &e, const NativeConversion &native,
                        mlir::Value x);
/// The values of codes (i8), exactly: f16, bf16 or f32 lanes.
mlir::Value decodePairs(BodyBuilder &e, const NativeConversion &native,
                        mlir::Value codes);

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_NUMERICS_NATIVE_PAIRS_H
