// Format.h - the one table of number formats.
//
// Everything labgen knows about a dtype (its bits, bias, extremes, specials and
// names) stands in the table behind info(); parsing, packing, casts, bounds and
// the printed format table all read it. Adding a dtype starts with a row there.
#ifndef LABGEN_SPEC_FORMAT_H
#define LABGEN_SPEC_FORMAT_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace labgen {

enum class Format : uint8_t {
  F64,
  F32,
  TF32,
  BF16,
  F16,
  F8E5M2,
  F8E4M3FN,
  F8E4M3,
  F8E5M2FNUZ,
  F8E4M3FNUZ,
  F6E2M3FN,
  F6E3M2FN,
  F4E2M1FN,
  F8E8M0FNU,
  I32,
  I8,
  I4,
  U8,
  U4
};
constexpr int numFormats = 19;

enum class FormatKind : uint8_t { Float, Scale, SignedInt, UnsignedInt };

/// One row of the table. Exponent fields are 0 for integers.
struct FormatInfo {
  Format format;
  std::string_view name;    ///< MLIR's name, printed everywhere
  std::string_view aliases; ///< other spellings that parse, comma separated
  FormatKind kind;
  int bits;        ///< of one code
  int storageBits; ///< of one code in memory (tf32: 32, f6: 6)
  int exponentBits, mantissaBits, bias;
  double max;          ///< largest finite value
  double min;          ///< lowest finite value
  double minNormal;    ///< smallest positive normal value (integers: 1)
  double minSubnormal; ///< smallest positive value
  bool hasInf, hasNaN, hasNegativeZero;
};

const FormatInfo &info(Format format);
inline std::string_view name(Format format) { return info(format).name; }
inline bool isFloat(Format f) { return info(f).kind == FormatKind::Float; }
inline bool isInteger(Format f) {
  return info(f).kind == FormatKind::SignedInt ||
         info(f).kind == FormatKind::UnsignedInt;
}
/// Codes of a quantized tensor: integers of at most 8 bits, f8, f6, f4.
bool isCode(Format format);

/// All formats, in table order.
const std::vector<Format> &allFormats();
/// The name and every alias.
std::vector<std::string_view> spellings(Format format);
/// By MLIR name or alias; nothing if unknown.
std::optional<Format> parseFormat(std::string_view text);

/// Bytes of `count` codes that start on a byte: ceil(count * storageBits / 8).
int64_t packedBytes(Format format, int64_t count);

} // namespace labgen

#endif // LABGEN_SPEC_FORMAT_H
