// DequantizedTile.cpp - see DequantizedTile.h.
#include "lib/Transforms/DequantizedTile.h"

#include "llvm/ADT/bit.h"

using namespace labgen;

std::optional<int64_t> labgen::dequantizedDepth(lab::GemmOp op) {
  constexpr int64_t rowBytes = 32, least = 16;
  int64_t bits = lab::codeBits(op.getCodeType());
  int64_t multiple = op.getTileMultiple(2);
  if (op.getDepth() * bits % 8)
    return std::nullopt;
  for (int64_t depth = llvm::bit_floor(uint64_t(rowBytes * 8 / bits));
       depth >= least; depth /= 2)
    if (depth % multiple == 0 || lab::arePartsOfGroups(op, 2, depth))
      return depth;
  return std::nullopt;
}
