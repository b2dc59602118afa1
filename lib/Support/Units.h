// Units.h - numbers the way tables and explanations print them.
#ifndef LABGEN_SUPPORT_UNITS_H
#define LABGEN_SUPPORT_UNITS_H

#include <optional>
#include <string>

namespace labgen {

/// `digits` significant digits: "0.0123", "12.3", "1230".
std::string significant(double value, int digits = 3);
/// The same without zeros at the end: "8.125", "4.25", "9".
std::string shortest(double value, int digits);
/// Seconds as "1.23 s", "12.3 ms", "456 us", "78 ns".
std::string duration(double seconds);
/// printf's "%.2e".
std::string scientific(double value);
/// Empty when there is no value.
template <typename Print>
std::string orEmpty(const std::optional<double> &value, Print print) {
  return value ? print(*value) : std::string();
}

} // namespace labgen

#endif // LABGEN_SUPPORT_UNITS_H
