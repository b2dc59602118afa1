// Exp.h - e^x in f32, within 1 ulp and with the same bits on every target.
#ifndef LABGEN_LIB_TRANSFORMS_NUMERICS_EXP_H
#define LABGEN_LIB_TRANSFORMS_NUMERICS_EXP_H

#include "lib/Transforms/Vector/BodyBuilder.h"

namespace labgen {

/// e^x of f32 lanes. Overflow gives Inf; NaN stays the NaN it is.
mlir::Value expFloat(BodyBuilder &e, mlir::Value x);

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_NUMERICS_EXP_H
