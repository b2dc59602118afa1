// Accesses.cpp - see Accesses.h.
#include "dialects/Lab/Rules/Accesses.h"

using namespace mlir;
using namespace labgen::lab;

AccessDim labgen::lab::codesAlong(unsigned dim, Type code) {
  unsigned bits = codeBits(code);
  if (bits % 8 == 0)
    return {dim};
  int64_t common = std::gcd(bits, 8u);
  return {dim, static_cast<int64_t>(bits / common),
          static_cast<int64_t>(8 / common)};
}

SmallVector<AccessDim, 2> labgen::lab::scaleDims(unsigned row, unsigned k,
                                                 int64_t group) {
  if (group == groupTensor)
    return {{AccessDim::whole}, {AccessDim::whole}};
  if (group == groupChannel)
    return {{row}, {AccessDim::whole}};
  return {{row}, {k, 1, group}};
}

SmallVector<AccessDim, 2> labgen::lab::zeroDims(unsigned row, unsigned k,
                                                int64_t group, Type code) {
  SmallVector<AccessDim, 2> dims = scaleDims(row, k, group);
  if (group > 0) {
    AccessDim packed = codesAlong(k, code);
    dims[1] = {k, packed.mul, packed.div * group};
  }
  return dims;
}

int64_t labgen::lab::startMultiple(int64_t group, Type code, bool hasZero) {
  int64_t perByte = codesAlong(0, code).div;
  if (group <= 0)
    return perByte;
  return std::lcm(hasZero ? group * perByte : group, perByte);
}

int64_t labgen::lab::partsOf(int64_t group, Type code, bool hasZero) {
  int64_t perByte = codesAlong(0, code).div;
  bool hasParts = group > perByte && group % perByte == 0;
  return hasParts && !(hasZero && perByte > 1) ? group : 0;
}
