// Text.h - how error lines speak of names.
//
// Every tool answers a misspelt word with the nearest legal one; the distance,
// the quoting (one line, printable, short) and the lists are made here.
#ifndef LABGEN_SUPPORT_TEXT_H
#define LABGEN_SUPPORT_TEXT_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace labgen {

struct Quoted {
  std::string operator()(std::string_view text) const;
};
/// 'text' in single quotes; what isn't printable ASCII becomes \xNN, and after
/// 60 characters it is cut, so that the error stays one short line. (An object,
/// so that a std::string argument does not bring in std::quoted.)
inline constexpr Quoted quoted;

/// The choice at the least edit distance; of equals one that begins with
/// `text`, else the first. Case counts half a letter. Empty when there are no
/// choices.
std::string_view nearest(std::string_view text,
                         const std::vector<std::string_view> &choices);

/// "a", "a or b", "a, b or c".
std::string orList(const std::vector<std::string_view> &names);

/// A copy, where a string is wanted.
inline std::string text(std::string_view view) { return std::string(view); }

bool endsWith(std::string_view text, std::string_view end);

/// A plain decimal integer: digits only, no sign, no leading zero, within
/// 64 bits; nothing otherwise.
std::optional<uint64_t> parseDecimal(std::string_view text);

} // namespace labgen

#endif // LABGEN_SUPPORT_TEXT_H
