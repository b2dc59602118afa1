// GoldenTest.cpp - the oracle and the data against numpy and ml_dtypes.
//
// Golden.inc holds checksums of what make_golden.py computes for the same labs
// without labgen: inputs too, so the generator is fixed for every machine.
#include "Support.h"

#include <sstream>

using namespace labgen;
using namespace labgen::test;

namespace {

struct Golden {
  const char *spec, *distribution, *checksums;
};
const Golden table[] = {
#include "Golden.inc"
};

/// CRC-32 of zlib, bit by bit.
uint32_t crc32(const std::byte *bytes, int64_t count) {
  uint32_t crc = ~0u;
  for (int64_t i = 0; i < count; ++i) {
    crc ^= uint32_t(bytes[i]);
    for (int bit = 0; bit < 8; ++bit)
      crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
  }
  return ~crc;
}

TEST(Golden, OracleAgreesWithNumpy) {
  for (const Golden &golden : table) {
    SCOPED_TRACE(std::string(golden.spec) + " " + golden.distribution);
    Lab lab(golden.spec, *parseDistribution(golden.distribution));
    std::istringstream text(golden.checksums);
    for (std::string item; text >> item;) {
      size_t equals = item.find('=');
      std::string argument = item.substr(0, equals);
      // axpy's x is listed before the run, its y after.
      const Tensor &tensor = *find(lab.after, argument);
      char crc[16];
      std::snprintf(crc, sizeof crc, "%08x",
                    crc32(tensor.data(), tensor.byteSize()));
      EXPECT_EQ(item.substr(equals + 1), crc) << argument;
    }
    Verdict verdict = lab.verdict();
    EXPECT_TRUE(verdict.right) << verdict.reason;
  }
}

} // namespace
