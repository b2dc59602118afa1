// Numbers.h - how the calculator prints numbers (internal to report/).
#ifndef LABGEN_CALCULATOR_REPORT_NUMBERS_H
#define LABGEN_CALCULATOR_REPORT_NUMBERS_H

#include <cstdint>
#include <optional>
#include <string>

namespace labgen {

/// "8,030,261,248"
std::string grouped(int64_t value);
/// `digits` behind the point, thousands grouped: "5,300.0".
std::string fixed(double value, int digits);
/// At least `digits` significant digits, no trailing zeros, grouped.
std::string general(double value, int digits = 6);
/// "5.605e+14"
std::string power(double value, int digits = 4);
/// "16.061 GB (14.958 GiB)"
std::string gigabytes(double bytes);
std::string gb(double bytes);  ///< "16.061", 10^9 B
std::string gib(double bytes); ///< "14.958", 2^30 B
std::string yesNo(bool value);
template <typename Print>
std::string orNa(const std::optional<double> &value, Print print) {
  return value ? print(*value) : std::string("n/a");
}

} // namespace labgen

#endif // LABGEN_CALCULATOR_REPORT_NUMBERS_H
