// Printable.cpp - decodes UTF-8 and escapes what must not reach a terminal.
#include "lib/Support/Printable.h"

#include <cstdint>

namespace labgen {

namespace {

struct Character {
  uint32_t code;
  size_t size; ///< bytes; 0 when they are no UTF-8
};

/// The first character (Unicode 15, table 3-7: shortest forms, no surrogates).
Character firstOf(std::string_view text) {
  unsigned char lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80)
    return {lead, 1};
  size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < size)
    return {0, 0};
  uint32_t code = lead & (0x7fu >> size);
  for (size_t i = 1; i < size; ++i) {
    unsigned char next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0) != 0x80)
      return {0, 0};
    code = code << 6 | (next & 0x3f);
  }
  constexpr uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  bool isSurrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < least[size] || code > 0x10ffff || isSurrogate)
    return {0, 0};
  return {code, size};
}

bool isHarmless(uint32_t code) {
  bool isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
  // Zero widths, direction marks, separators, overrides, isolates, BOM, tags.
  bool isInvisible = code == 0xad || code == 0x61c ||
                     (code >= 0x200b && code <= 0x200f) ||
                     (code >= 0x2028 && code <= 0x202e) ||
                     (code >= 0x2060 && code <= 0x206f) || code == 0xfeff ||
                     (code >= 0xe0000 && code <= 0xe007f);
  return !isControl && !isInvisible;
}

void escape(std::string_view bytes, std::string &out) {
  const char *digits = "0123456789abcdef";
  for (unsigned char byte : bytes) {
    if (byte == '\n')
      out += "\\n";
    else if (byte == '\r')
      out += "\\r";
    else if (byte == '\t')
      out += "\\t";
    else
      (out += "\\x") += {digits[byte >> 4], digits[byte & 15]};
  }
}

/// Whether the byte goes on with a character that began before it.
bool isInside(char byte) { return (byte & 0xc0) == 0x80; }

} // namespace

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    Character first = firstOf(text);
    size_t size = first.size ? first.size : 1;
    if (first.size && isHarmless(first.code))
      out += text.substr(0, size);
    else
      escape(text.substr(0, size), out);
    text.remove_prefix(size);
  }
  return out;
}

std::string shortened(std::string text, size_t longest) {
  constexpr std::string_view mark = "...";
  if (text.size() <= longest || longest < 8)
    return text;
  // Two thirds of what is kept are the beginning.
  size_t kept = longest - mark.size(), head = kept * 2 / 3;
  size_t tail = text.size() - (kept - head);
  while (head > 0 && isInside(text[head]))
    --head;
  while (tail < text.size() && isInside(text[tail]))
    ++tail;
  return text.replace(head, tail - head, mark);
}

} // namespace labgen
