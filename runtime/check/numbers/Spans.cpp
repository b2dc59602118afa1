// Spans.cpp - bulk conversions between stored elements and floats.
//
// f32, bf16, f16 and whole-byte integers have bit-level loops; other codes of
// at most 8 bits go through a table made from the reference decoder; the rest
// through the reference decoder itself.
#include "runtime/check/numbers/Spans.h"

#include "runtime/core/Isa.h"
#include "runtime/core/Tensor.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace labgen::oracle {
namespace {

LABGEN_INLINE float asFloat(uint32_t bits) {
  float f;
  std::memcpy(&f, &bits, sizeof f);
  return f;
}
LABGEN_INLINE uint32_t asBits(float f) {
  uint32_t bits;
  std::memcpy(&bits, &f, sizeof bits);
  return bits;
}

LABGEN_CLONES void bf16ToFloat(const uint16_t *in, int64_t count, float *out) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = asFloat(uint32_t(in[i]) << 16);
}

/// The exponent field moves to f32's place and is rebiased by a product, which
/// is exact and normalises subnormals too.
LABGEN_CLONES void f16ToFloat(const uint16_t *in, int64_t count, float *out) {
  for (int64_t i = 0; i < count; ++i) {
    uint32_t magnitude = in[i] & 0x7fffu, sign = uint32_t(in[i] & 0x8000) << 16;
    uint32_t finite = asBits(asFloat(magnitude << 13) * 0x1p112f);
    uint32_t special = 0x7f800000u | magnitude << 13;
    out[i] = asFloat(sign | (magnitude >= 0x7c00u ? special : finite));
  }
}

LABGEN_CLONES void floatToBf16(const float *in, int64_t count, uint16_t *out) {
  for (int64_t i = 0; i < count; ++i) {
    uint32_t bits = asBits(in[i]);
    uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
    bool isNan = (bits & 0x7fffffffu) > 0x7f800000u;
    out[i] = uint16_t(isNan ? (bits >> 16 | 0x40) : rounded);
  }
}

/// Normal results round by an integer add that carries into the exponent;
/// subnormal ones by a float add whose ulp is f16's smallest subnormal.
LABGEN_CLONES void floatToF16(const float *in, int64_t count, uint16_t *out) {
  for (int64_t i = 0; i < count; ++i) {
    uint32_t bits = asBits(in[i]), magnitude = bits & 0x7fffffffu;
    uint32_t normal =
        (magnitude + 0xfffu + (magnitude >> 13 & 1) - (112u << 23)) >> 13;
    uint32_t subnormal = asBits(asFloat(magnitude) + 0.5f) - asBits(0.5f);
    uint32_t result = magnitude < 0x38800000u ? subnormal : normal;
    result = result > 0x7c00u ? 0x7c00u : result;
    result = magnitude > 0x7f800000u ? 0x7e00u : result;
    out[i] = uint16_t(result | (bits >> 16 & 0x8000u));
  }
}

LABGEN_CLONES void i8ToFloat(const int8_t *in, int64_t count, float *out) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = float(in[i]);
}

/// Two codes of each byte; `in` starts at an even element.
LABGEN_CLONES void i4ToFloat(const uint8_t *in, int64_t count, float *out) {
  for (int64_t i = 0; i < count / 2; ++i) {
    out[2 * i] = float(int8_t(uint8_t(in[i] << 4)) >> 4);
    out[2 * i + 1] = float(int8_t(in[i]) >> 4);
  }
  if (count % 2)
    out[count - 1] = float(int8_t(uint8_t(in[count / 2] << 4)) >> 4);
}

LABGEN_CLONES void floatToDouble(const float *in, int64_t count, double *out) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = in[i];
}

/// Values of all codes of a format of at most 8 bits.
const std::array<float, 256> &codeTable(Format format) {
  static const std::array<std::array<float, 256>, numFormats> tables = [] {
    std::array<std::array<float, 256>, numFormats> made{};
    for (Format f : allFormats())
      for (int code = 0; info(f).bits <= 8 && code < 1 << info(f).bits; ++code)
        made[size_t(f)][size_t(code)] = float(decode(f, uint64_t(code)));
    return made;
  }();
  return tables[size_t(format)];
}

void tableToFloat(Format format, const std::byte *row, int64_t begin,
                  int64_t count, float *out) {
  const std::array<float, 256> &table = codeTable(format);
  int width = info(format).storageBits;
  if (width == 8) {
    for (int64_t i = 0; i < count; ++i)
      out[i] = table[size_t(row[begin + i])];
    return;
  }
  constexpr int64_t step = 512; // keeps packed codes on a byte
  uint8_t codes[step];
  int64_t perByte = width == 4 ? 2 : 4;
  for (; count && begin % perByte; ++begin, --count)
    *out++ = table[codeBits(format, row, begin)];
  for (int64_t done = 0; done < count; done += step) {
    int64_t n = std::min(step, count - done);
    readCodes(format, row, begin + done, n, codes);
    for (int64_t i = 0; i < n; ++i)
      out[done + i] = table[codes[i]];
  }
}

template <typename T> const T *elements(const std::byte *row, int64_t begin) {
  return reinterpret_cast<const T *>(row) + begin;
}
template <typename T> T *elements(std::byte *row, int64_t begin) {
  return reinterpret_cast<T *>(row) + begin;
}

} // namespace

void readFloats(Format format, const std::byte *row, int64_t begin,
                int64_t count, float *out) {
  switch (format) {
  case Format::F32:
  case Format::TF32: // read as the f32 it is stored in
    if (count)
      std::memcpy(out, elements<float>(row, begin), size_t(count) * 4);
    return;
  case Format::BF16:
    return bf16ToFloat(elements<uint16_t>(row, begin), count, out);
  case Format::F16:
    return f16ToFloat(elements<uint16_t>(row, begin), count, out);
  case Format::I8:
    return i8ToFloat(elements<int8_t>(row, begin), count, out);
  case Format::I4:
    if (begin % 2 == 0)
      return i4ToFloat(elements<uint8_t>(row, begin / 2), count, out);
    break;
  default:
    break;
  }
  if (info(format).bits <= 8)
    return tableToFloat(format, row, begin, count, out);
  for (int64_t i = 0; i < count; ++i)
    out[i] = float(decode(format, codeBits(format, row, begin + i)));
}

void readDoubles(Format format, const std::byte *row, int64_t begin,
                 int64_t count, double *out) {
  if (format == Format::F64) {
    if (count)
      std::memcpy(out, elements<double>(row, begin), size_t(count) * 8);
    return;
  }
  if (format == Format::I32) {
    for (int64_t i = 0; i < count; ++i)
      out[i] = elements<int32_t>(row, begin)[i];
    return;
  }
  constexpr int64_t step = 512; // even, so 4-bit spans stay on a byte
  float floats[step];
  for (int64_t done = 0; done < count; done += step) {
    int64_t n = count - done < step ? count - done : step;
    readFloats(format, row, begin + done, n, floats);
    floatToDouble(floats, n, out + done);
  }
}

void clearSpan(Format format, std::byte *row, int64_t begin, int64_t count) {
  if (info(format).storageBits >= 8)
    return;
  std::byte *first = row + packedBytes(format, begin);
  std::fill(first, row + packedBytes(format, begin + count), std::byte(0));
}

void writeFloats(Format format, std::byte *row, int64_t begin, int64_t count,
                 const float *values) {
  switch (format) {
  case Format::F32:
    if (count)
      std::memcpy(elements<float>(row, begin), values, size_t(count) * 4);
    return;
  case Format::BF16:
    return floatToBf16(values, count, elements<uint16_t>(row, begin));
  case Format::F16:
    return floatToF16(values, count, elements<uint16_t>(row, begin));
  default:
    break;
  }
  clearSpan(format, row, begin, count);
  for (int64_t i = 0; i < count; ++i)
    setCodeBits(format, row, begin + i,
                encode(format, values[i], defaultRules(format)));
}

void writeDoubles(Format format, std::byte *row, int64_t begin, int64_t count,
                  const double *values) {
  if (format == Format::F64) {
    if (count)
      std::memcpy(elements<double>(row, begin), values, size_t(count) * 8);
    return;
  }
  clearSpan(format, row, begin, count);
  for (int64_t i = 0; i < count; ++i)
    setCodeBits(format, row, begin + i,
                encode(format, values[i], defaultRules(format)));
}

void writeCodes(Format format, std::byte *row, int64_t begin, int64_t count,
                const uint8_t *codes) {
  int width = info(format).storageBits;
  if (width == 8) {
    if (count)
      std::memcpy(row + begin, codes, size_t(count));
    return;
  }
  if (width == 4) {
    auto *out = elements<uint8_t>(row, begin / 2);
    for (int64_t i = 0; i < count / 2; ++i)
      out[i] = uint8_t((codes[2 * i] & 15) | codes[2 * i + 1] << 4);
    if (count % 2)
      out[count / 2] = codes[count - 1] & 15;
    return;
  }
  // Four codes in three bytes.
  clearSpan(format, row, begin, count);
  auto *out = elements<uint8_t>(row, packedBytes(format, begin));
  int64_t whole = begin % 4 == 0 ? count / 4 * 4 : 0;
  for (int64_t i = 0; i < whole; i += 4, out += 3) {
    uint32_t bits = codes[i] | codes[i + 1] << 6 | codes[i + 2] << 12 |
                    uint32_t(codes[i + 3]) << 18;
    out[0] = uint8_t(bits);
    out[1] = uint8_t(bits >> 8);
    out[2] = uint8_t(bits >> 16);
  }
  for (int64_t i = whole; i < count; ++i)
    setCodeBits(format, row, begin + i, codes[i]);
}

void readCodes(Format format, const std::byte *row, int64_t begin,
               int64_t count, uint8_t *codes) {
  auto *in = elements<uint8_t>(row, packedBytes(format, begin));
  int64_t whole = 0;
  switch (info(format).storageBits) {
  case 8:
    whole = count;
    std::copy(in, in + count, codes);
    break;
  case 4:
    whole = count / 2 * 2;
    for (int64_t i = 0; i < whole; i += 2, ++in) {
      codes[i] = *in & 15;
      codes[i + 1] = *in >> 4;
    }
    break;
  default:
    whole = count / 4 * 4;
    for (int64_t i = 0; i < whole; i += 4, in += 3) {
      uint32_t bits = in[0] | in[1] << 8 | uint32_t(in[2]) << 16;
      for (int j = 0; j < 4; ++j)
        codes[i + j] = bits >> (6 * j) & 63;
    }
  }
  for (int64_t i = whole; i < count; ++i)
    codes[i] = uint8_t(codeBits(format, row, begin + i));
}

void writeWords(Format format, std::byte *row, int64_t begin, int64_t count,
                const uint32_t *codes) {
  int width = info(format).storageBits;
  if (width == 32) {
    if (count)
      std::memcpy(elements<uint32_t>(row, begin), codes, size_t(count) * 4);
    return;
  }
  if (width == 16) {
    std::copy(codes, codes + count, elements<uint16_t>(row, begin));
    return;
  }
  constexpr int64_t step = 512;
  uint8_t bytes[step];
  for (int64_t done = 0; done < count; done += step) {
    int64_t n = std::min(step, count - done);
    std::copy(codes + done, codes + done + n, bytes);
    writeCodes(format, row, begin + done, n, bytes);
  }
}

} // namespace labgen::oracle
