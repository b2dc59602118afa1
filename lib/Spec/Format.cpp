// Format.cpp - the table behind info().
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

constexpr FormatInfo floating(Format format, std::string_view name,
                              std::string_view aliases, int exponentBits,
                              int mantissaBits, int bias, Specials specials,
                              int storageBits = 0) {
  FormatInfo row{};
  row.format = format;
  row.name = name;
  row.aliases = aliases;
  row.kind = FormatKind::Float;
  row.bits = 1 + exponentBits + mantissaBits;
  row.storageBits = storageBits ? storageBits : row.bits;
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

constexpr FormatInfo integer(Format format, std::string_view name,
                             std::string_view aliases, bool isSigned,
                             int bits) {
  FormatInfo row{};
  row.format = format;
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
constexpr FormatInfo exponentOnly(Format format, std::string_view name,
                                  std::string_view aliases) {
  FormatInfo row{};
  row.format = format;
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

constexpr std::array<FormatInfo, numFormats> table = {
    floating(Format::F64, "f64", "double,float64,fp64", 11, 52, 1023,
             Specials::Ieee),
    floating(Format::F32, "f32", "float,float32,fp32", 8, 23, 127,
             Specials::Ieee),
    floating(Format::TF32, "tf32", "tensorfloat32", 8, 10, 127, Specials::Ieee,
             32),
    floating(Format::BF16, "bf16", "bfloat16", 8, 7, 127, Specials::Ieee),
    floating(Format::F16, "f16", "half,float16,fp16", 5, 10, 15,
             Specials::Ieee),
    floating(Format::F8E5M2, "f8E5M2", "e5m2,fp8e5,fp8e5m2,float8_e5m2", 5, 2,
             15, Specials::Ieee),
    floating(Format::F8E4M3FN, "f8E4M3FN",
             "e4m3fn,e4m3,fp8e4nv,fp8e4m3,fp8e4m3fn,float8_e4m3fn", 4, 3, 7,
             Specials::NanFn),
    floating(Format::F8E4M3, "f8E4M3", "", 4, 3, 7, Specials::Ieee),
    floating(Format::F8E5M2FNUZ, "f8E5M2FNUZ",
             "e5m2fnuz,fp8e5b16,float8_e5m2fnuz", 5, 2, 16, Specials::Fnuz),
    floating(Format::F8E4M3FNUZ, "f8E4M3FNUZ",
             "e4m3fnuz,fp8e4b8,float8_e4m3fnuz", 4, 3, 8, Specials::Fnuz),
    floating(Format::F6E2M3FN, "f6E2M3FN", "e2m3,e2m3fn,fp6e2m3,float6_e2m3fn",
             2, 3, 1, Specials::None),
    floating(Format::F6E3M2FN, "f6E3M2FN", "e3m2,e3m2fn,fp6e3m2,float6_e3m2fn",
             3, 2, 3, Specials::None),
    floating(Format::F4E2M1FN, "f4E2M1FN", "e2m1,e2m1fn,fp4e2m1,float4_e2m1fn",
             2, 1, 1, Specials::None),
    exponentOnly(Format::F8E8M0FNU, "f8E8M0FNU",
                 "e8m0,e8m0fnu,ue8m0,float8_e8m0fnu"),
    integer(Format::I32, "i32", "int32,si32,s32", true, 32),
    integer(Format::I8, "i8", "int8,si8,s8", true, 8),
    integer(Format::I4, "i4", "int4,si4,s4", true, 4),
    integer(Format::U8, "u8", "uint8,ui8", false, 8),
    integer(Format::U4, "u4", "uint4,ui4", false, 4),
};

} // namespace

const FormatInfo &info(Format format) { return table[size_t(format)]; }

bool isCode(Format format) {
  const FormatInfo &row = info(format);
  return row.kind != FormatKind::Scale && row.bits <= 8;
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
