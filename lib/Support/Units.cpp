// Units.cpp - three significant digits, and the unit that suits.
#include "lib/Support/Units.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace labgen {

std::string significant(double value, int digits) {
  char text[64];
  // Digits behind the point, from the value after it has been rounded.
  std::snprintf(text, sizeof(text), "%.*e", digits - 1, value);
  int exponent = std::isfinite(value) && value != 0
                     ? std::atoi(std::strchr(text, 'e') + 1)
                     : 0;
  int decimals = digits - 1 - exponent;
  if (decimals > 9)
    return text;
  std::snprintf(text, sizeof(text), "%.*f", decimals < 0 ? 0 : decimals, value);
  return text;
}

std::string shortest(double value, int digits) {
  std::string text = significant(value, digits);
  if (text.find('.') == std::string::npos ||
      text.find('e') != std::string::npos)
    return text;
  text.erase(text.find_last_not_of('0') + 1);
  return text.back() == '.' ? text.substr(0, text.size() - 1) : text;
}

std::string duration(double seconds) {
  struct Unit {
    double size;
    const char *name;
  };
  for (Unit unit : {Unit{1, " s"}, Unit{1e-3, " ms"}, Unit{1e-6, " us"}})
    if (seconds >= 0.9995 * unit.size)
      return significant(seconds / unit.size) + unit.name;
  return significant(seconds * 1e9) + " ns";
}

std::string scientific(double value) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.2e", value);
  return text;
}

} // namespace labgen
