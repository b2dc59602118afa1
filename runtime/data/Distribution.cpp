// Distribution.cpp - names of the distributions.
#include "runtime/data/Data.h"

#include "lib/Support/Text.h"

#include <vector>

namespace labgen {

static const std::vector<std::string_view> &names() {
  static const std::vector<std::string_view> all = {
      "normal", "uniform", "ones", "zeros", "ties", "outliers", "extremes"};
  return all;
}

std::string_view name(Distribution d) { return names()[size_t(d)]; }

Result<Distribution> parseDistribution(std::string_view text) {
  for (size_t i = 0; i < names().size(); ++i)
    if (names()[i] == text)
      return Distribution(i);
  return Status::badInput("unknown distribution " + quoted(text) +
                          "; did you mean " + quoted(nearest(text, names())) +
                          "? (" + orList(names()) + ")");
}

} // namespace labgen
