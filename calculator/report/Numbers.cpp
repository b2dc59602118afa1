// Numbers.cpp - grouping and rounding of printed numbers.
#include "calculator/report/Numbers.h"

#include <cstdio>

namespace labgen {

/// Commas between thousands of the digits in front of any point or exponent.
static std::string withCommas(std::string text) {
  size_t first = text[0] == '-';
  size_t end = text.find_first_of(".e");
  if (text.find('e') != std::string::npos)
    return text;
  for (size_t at = end == std::string::npos ? text.size() : end;
       at > first + 3;)
    text.insert(at -= 3, ",");
  return text;
}

static std::string printed(const char *format, int digits, double value) {
  char text[400];
  std::snprintf(text, sizeof text, format, digits, value);
  return text;
}

std::string grouped(int64_t value) { return withCommas(std::to_string(value)); }

std::string fixed(double value, int digits) {
  return withCommas(printed("%.*f", digits, value));
}

std::string general(double value, int digits) {
  return withCommas(printed("%.*g", digits, value));
}

std::string power(double value, int digits) {
  return printed("%.*e", digits - 1, value);
}

std::string gb(double bytes) { return fixed(bytes / 1e9, 3); }
std::string gib(double bytes) { return fixed(bytes / 1073741824.0, 3); }

std::string gigabytes(double bytes) {
  return gb(bytes) + " GB (" + gib(bytes) + " GiB)";
}

std::string yesNo(bool value) { return value ? "yes" : "no"; }

} // namespace labgen
