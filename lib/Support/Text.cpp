// Text.cpp - edit distance and quoting for error lines.
#include "lib/Support/Text.h"

#include <algorithm>
#include <cctype>

namespace labgen {

std::string Quoted::operator()(std::string_view text) const {
  constexpr size_t longest = 60;
  const char *digits = "0123456789abcdef";
  std::string out = "'";
  for (unsigned char c : text.substr(0, longest)) {
    if (c >= 0x20 && c < 0x7f)
      out += char(c);
    else
      (out += "\\x") += {digits[c >> 4], digits[c & 15]};
  }
  if (text.size() > longest)
    out += "...";
  return out += "'";
}

/// Optimal string alignment distance in half letters: insert, delete, replace
/// and swap of neighbours cost 2, another case 1.
static int distance(std::string_view a, std::string_view b) {
  std::vector<int> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    last[j] = int(2 * j);
  auto lower = [](char c) {
    return std::tolower(static_cast<unsigned char>(c));
  };
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = int(2 * i);
    for (size_t j = 1; j <= b.size(); ++j) {
      char x = a[i - 1], y = b[j - 1];
      int replace = x == y ? 0 : lower(x) == lower(y) ? 1 : 2;
      row[j] = std::min({last[j] + 2, row[j - 1] + 2, last[j - 1] + replace});
      if (i > 1 && j > 1 && x == b[j - 2] && a[i - 2] == y)
        row[j] = std::min(row[j], before[j - 2] + 2);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

std::string_view nearest(std::string_view text,
                         const std::vector<std::string_view> &choices) {
  // No legal name is near so long a text, and the distance is quadratic.
  text = text.substr(0, 64);
  std::string_view best;
  int least = 0;
  for (std::string_view choice : choices) {
    // Of equals, one that only needs an end: 'sm_90' is 'sm_90a', not 'sm_80'.
    bool isStart = choice.substr(0, text.size()) == text;
    int d = 2 * distance(text, choice) - isStart;
    if (best.empty() || d < least) {
      best = choice;
      least = d;
    }
  }
  return best;
}

std::string orList(const std::vector<std::string_view> &names) {
  std::string out;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i)
      out += i + 1 == names.size() ? " or " : ", ";
    out += names[i];
  }
  return out;
}

bool endsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() &&
         text.substr(text.size() - end.size()) == end;
}

std::optional<uint64_t> parseDecimal(std::string_view text) {
  if (text.empty() || (text.size() > 1 && text[0] == '0'))
    return std::nullopt;
  uint64_t value = 0;
  for (char c : text) {
    if (c < '0' || c > '9' || __builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, uint64_t(c - '0'), &value))
      return std::nullopt;
  }
  return value;
}

} // namespace labgen
