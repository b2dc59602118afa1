// Distribution.cpp - names of the distributions.
#include "runtime/check/Data.h"

#include <array>

namespace labgen {

static constexpr std::array<std::string_view, 7> names = {
    "normal", "uniform", "ones", "zeros", "ties", "outliers", "extremes"};

std::string_view name(Distribution d) { return names[size_t(d)]; }

Result<Distribution> parseDistribution(std::string_view text) {
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == text)
      return Distribution(i);
  return Status::badInput("unknown distribution '" + std::string(text) +
                          "'; use normal, uniform, ones, zeros, ties, outliers "
                          "or extremes");
}

} // namespace labgen
