// Printable.h - text from outside, made fit for a terminal.
//
// File names, headers of files and names of functions are other people's: a
// newline in one would forge a second line, an escape would steer the terminal,
// a bidirectional override would show other words than there are. All that
// labgen prints for people goes through here; JSON has escapes of its own.
#ifndef LABGEN_SUPPORT_PRINTABLE_H
#define LABGEN_SUPPORT_PRINTABLE_H

#include <cstddef>
#include <string>
#include <string_view>

namespace labgen {

/// How much of a message is shown.
constexpr size_t longestMessage = 500;

/// `text` on one line: \n, \r and \t are written so, other control characters
/// (C0, DEL, C1), line separators, bidirectional controls, invisible characters
/// and bytes that are no UTF-8 as \xNN byte by byte. All else stays.
std::string printable(std::string_view text);

/// `text` with "..." in place of its middle where it is longer than `longest`
/// bytes: an error begins with what is wrong and ends with what to do.
std::string shortened(std::string text, size_t longest = longestMessage);

} // namespace labgen

#endif // LABGEN_SUPPORT_PRINTABLE_H
