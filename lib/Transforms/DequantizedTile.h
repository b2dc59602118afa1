// DequantizedTile.h - whether a gemm's weights can be dequantized as tiles of
// them are copied.
#ifndef LABGEN_LIB_TRANSFORMS_DEQUANTIZEDTILE_H
#define LABGEN_LIB_TRANSFORMS_DEQUANTIZEDTILE_H

#include "dialects/Lab/Lab.h"

namespace labgen {

/// Codes along k of such a tile: 32 bytes of a row, or fewer, that are whole
/// groups or a part of one. Nothing where no such tile exists or where a row
/// ends within a byte.
std::optional<int64_t> dequantizedDepth(lab::GemmOp op);

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_DEQUANTIZEDTILE_H
