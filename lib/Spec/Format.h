// Format.h - the one table of number formats.
//
// Everything labgen knows about a dtype (its bits, bias, extremes, specials and
// names) stands in its line of Format.def, of which the enum and the table
// behind info() are made; parsing, packing, casts, bounds and the printed
// format table all read it. Adding a dtype starts with a line there.
#ifndef LABGEN_SPEC_FORMAT_H
#define LABGEN_SPEC_FORMAT_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace labgen {

enum class Format : uint8_t {
#define LABGEN_FORMAT(NAME, ROW) NAME,
#include "lib/Spec/Format.def"
};
constexpr int numFormats = 0
#define LABGEN_FORMAT(NAME, ROW) +1
#include "lib/Spec/Format.def"
    ;

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

/// The type that sums of values of `type` are taken in unless a spec says
/// otherwise: f64 for f64, i32 for integers, else f32.
Format defaultAccumulator(Format type);

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
