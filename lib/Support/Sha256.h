// Sha256.h - the hash a manifest names its artifacts by.
//
// FIPS 180-4. Own code so that the run side needs no crypto library; it guards
// against damaged and mixed-up files, not against forgers.
#ifndef LABGEN_SUPPORT_SHA256_H
#define LABGEN_SUPPORT_SHA256_H

#include "lib/Support/Status.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace labgen {

class Sha256 {
public:
  void update(std::string_view data);
  /// 64 lower-case hex digits; the object is spent.
  std::string finish();

private:
  void compress(const uint8_t *block);

  std::array<uint32_t, 8> state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372,
                                   0xa54ff53a, 0x510e527f, 0x9b05688c,
                                   0x1f83d9ab, 0x5be0cd19};
  std::array<uint8_t, 64> pending{};
  uint64_t length = 0; ///< bytes seen
};

std::string sha256(std::string_view data);
/// Of a file's bytes.
Result<std::string> sha256File(const std::string &path);

} // namespace labgen

#endif // LABGEN_SUPPORT_SHA256_H
