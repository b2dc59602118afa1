// Format.cpp - the table behind info(), made of the lines of Format.def.
//
// Sources: IEEE 754-2019 (f64, f32, f16), the OCP 8-bit and Microscaling
// specifications as ml_dtypes and MLIR implement them (f8, f6, f4, E8M0).
// Extremes follow from the three field widths, so a row states each fact once.
#include "lib/Spec/Format.h"

#include <array>
#include <cmath>

namespace labgen {

namespace {

/// How the codes beyond the finite numbers are used.
enum class Specials {
  Ieee,  ///< the top exponent is Inf and NaN
  NanFn, ///< only all ones is NaN, no Inf
  Fnuz,  ///< only the code of -0 is NaN, no Inf, no -0
  None   ///< every code is a finite number
};

constexpr FormatInfo floating(std::string_view name, std::string_view aliases,
                              int exponentBits, int mantissaBits, int bias,
                              Specials specials) {
  FormatInfo row{};
  row.name = name;
  row.aliases = aliases;
  row.kind = FormatKind::Float;
  row.bits = 1 + exponentBits + mantissaBits;
  row.storageBits = row.bits;
  row.exponentBits = exponentBits;
  row.mantissaBits = mantissaBits;
  row.bias = bias;
  auto pow2 = [](int e) {
    double p = 1;
    for (; e > 0; --e)
      p *= 2;
    for (; e < 0; ++e)
      p /= 2;
    return p;
  };
  // IEEE gives the top exponent away, NanFn one mantissa of it.
  int top = (1 << exponentBits) - 1 - (specials == Specials::Ieee) - bias;
  int lostCodes = specials == Specials::NanFn ? 2 : 1;
  row.max = (2 - lostCodes * pow2(-mantissaBits)) * pow2(top);
  row.min = -row.max;
  row.minNormal = pow2(1 - bias);
  row.minSubnormal = pow2(1 - bias - mantissaBits);
  row.hasInf = specials == Specials::Ieee;
  row.hasNaN = specials != Specials::None;
  row.hasNegativeZero = specials != Specials::Fnuz;
  return row;
}

/// Codes of `row` in the high bits of wider words.
constexpr FormatInfo storedIn(int storageBits, FormatInfo row) {
  row.storageBits = storageBits;
  return row;
}

constexpr FormatInfo integer(std::string_view name, std::string_view aliases,
                             bool isSigned, int bits) {
  FormatInfo row{};
  row.name = name;
  row.aliases = aliases;
  row.kind = isSigned ? FormatKind::SignedInt : FormatKind::UnsignedInt;
  row.bits = row.storageBits = bits;
  row.max = double((int64_t(1) << (bits - isSigned)) - 1);
  row.min = isSigned ? -double(int64_t(1) << (bits - 1)) : 0;
  row.minNormal = row.minSubnormal = 1;
  return row;
}

/// A power of two with no sign and no zero; 0xFF is NaN.
constexpr FormatInfo exponentOnly(std::string_view name,
                                  std::string_view aliases) {
  FormatInfo row{};
  row.name = name;
  row.aliases = aliases;
  row.kind = FormatKind::Scale;
  row.bits = row.storageBits = row.exponentBits = 8;
  row.bias = 127;
  row.max = 0x1p127;
  row.min = row.minNormal = row.minSubnormal = 0x1p-127;
  row.hasNaN = true;
  return row;
}

constexpr FormatInfo ofFormat(Format format, FormatInfo row) {
  row.format = format;
  return row;
}

constexpr std::array<FormatInfo, numFormats> table = {
#define LABGEN_FORMAT(NAME, ROW) ofFormat(Format::NAME, ROW),
#include "lib/Spec/Format.def"
};

constexpr bool answersByFormat() {
  for (size_t i = 0; i < table.size(); ++i)
    if (table[i].format != Format(i) || table[i].bits == 0)
      return false;
  return true;
}
static_assert(answersByFormat(), "info(format) must be the row of that format");

} // namespace

const FormatInfo &info(Format format) { return table[size_t(format)]; }

bool isCode(Format format) {
  const FormatInfo &row = info(format);
  return row.kind != FormatKind::Scale && row.bits <= 8;
}

Format defaultAccumulator(Format type) {
  if (type == Format::F64)
    return Format::F64;
  return isInteger(type) ? Format::I32 : Format::F32;
}

const std::vector<Format> &allFormats() {
  static const std::vector<Format> all = [] {
    std::vector<Format> formats;
    for (const FormatInfo &row : table)
      formats.push_back(row.format);
    return formats;
  }();
  return all;
}

std::vector<std::string_view> spellings(Format format) {
  const FormatInfo &row = info(format);
  std::vector<std::string_view> all = {row.name};
  std::string_view rest = row.aliases;
  while (!rest.empty()) {
    size_t comma = rest.find(',');
    all.push_back(rest.substr(0, comma));
    rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 1);
  }
  return all;
}

std::optional<Format> parseFormat(std::string_view text) {
  for (const FormatInfo &row : table)
    for (std::string_view spelling : spellings(row.format))
      if (spelling == text)
        return row.format;
  return std::nullopt;
}

int64_t packedBytes(Format format, int64_t count) {
  int64_t bits = info(format).storageBits;
  if (bits % 8 == 0)
    return count * (bits / 8);
  // Eight codes fill `bits` bytes; so no product passes count * bits / 8.
  return count / 8 * bits + (count % 8 * bits + 7) / 8;
}

} // namespace labgen
