// SmallFloats.h - conversions of floats of at most 8 bits in words that every
// target understands: arith.extf and arith.truncf, on codes that lie in i8.
//
// A body writes them where the schedule says that the target has instructions;
// the target's pass makes those, and lab-expand-floats what is left.
#ifndef LABGEN_LIB_TRANSFORMS_NUMERICS_SMALLFLOATS_H
#define LABGEN_LIB_TRANSFORMS_NUMERICS_SMALLFLOATS_H

#include "lib/Spec/Format.h"
#include "lib/Transforms/Vector/BodyBuilder.h"

namespace labgen {

/// f32 of codes, an i8 each, of the small float `type`.
mlir::Value extendCodes(BodyBuilder &e, mlir::Value codes, mlir::Type type);

/// Codes, zero extended in i8, of f32 rounded to nearest even. Beyond the
/// largest value comes Inf, or NaN where there is no Inf, or the largest value
/// where there is neither; NaN gives NaN, or the largest value.
mlir::Value truncateToCodes(BodyBuilder &e, mlir::Value x, mlir::Type type);

/// Visits the conversions of vectors between f32 and small floats under `root`.
/// A visitor may erase what it is given.
void forEachConversion(
    mlir::Operation *root,
    llvm::function_ref<void(mlir::arith::ExtFOp, Format)> extend,
    llvm::function_ref<void(mlir::arith::TruncFOp, Format)> truncate);

/// The codes that an extension reads, in i8 lanes whose bits above the code may
/// be anything.
mlir::Value codesOf(BodyBuilder &e, mlir::arith::ExtFOp op);

/// Puts codes, zero extended in i8, in the place of what `op` gives, and erases
/// it.
void replaceByCodes(BodyBuilder &e, mlir::arith::TruncFOp op,
                    mlir::Value codes);

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_NUMERICS_SMALLFLOATS_H
