// Matrix.cpp - elements and products.
#include "lib/Emulator/Intrinsics/Matrix.h"

namespace labgen::emu {

double elementAt(const void *data, unsigned index, Format format) {
  auto *bytes = static_cast<const uint8_t *>(data);
  switch (info(format).storageBits) {
  case 4:
    return decode(format, bytes[index / 2] >> (4 * (index & 1)) & 15);
  case 8:
    return decode(format, bytes[index]);
  case 16: {
    uint16_t bits;
    std::memcpy(&bits, bytes + 2 * index, sizeof bits);
    if (format == Format::BF16)
      return bitsAs<float>(uint32_t(bits) << 16);
    return decode(format, bits);
  }
  default: {
    uint32_t bits;
    std::memcpy(&bits, bytes + 4 * index, sizeof bits);
    if (format == Format::F32)
      return bitsAs<float>(bits);
    if (format == Format::I32)
      return int32_t(bits);
    return decode(format, bits);
  }
  }
}

void MatrixProduct::multiply(Counters &counters) {
  for (unsigned i = 0; i < m; ++i)
    for (unsigned l = 0; l < k; ++l)
      for (unsigned j = 0; j < n; ++j)
        cs[i * n + j] += as[i * k + l] * bs[l * n + j];
  ++counters.matrixInstructions;
  counters.flops += 2 * uint64_t(m) * n * k;
}

void storeElement(void *data, unsigned index, Format format, double value,
                  bool saturate) {
  auto *bytes = static_cast<char *>(data);
  if (format == Format::F32) {
    float rounded = float(value);
    std::memcpy(bytes + 4 * index, &rounded, sizeof rounded);
  } else if (format == Format::I32) {
    int64_t exact = int64_t(value);
    if (saturate)
      exact = std::min<int64_t>(std::max<int64_t>(exact, INT32_MIN), INT32_MAX);
    auto wrapped = uint32_t(exact);
    std::memcpy(bytes + 4 * index, &wrapped, sizeof wrapped);
  } else {
    auto bits = uint16_t(encode(format, value));
    std::memcpy(bytes + 2 * index, &bits, sizeof bits);
  }
}

} // namespace labgen::emu
