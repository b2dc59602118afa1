// Distribution.cpp - a distribution by its name.
#include "runtime/data/Data.h"

#include "lib/Support/Text.h"

namespace labgen {

Result<Distribution> parseDistribution(std::string_view text) {
  if (std::optional<Distribution> d = parseWord<Distribution>(text))
    return *d;
  std::vector<std::string_view> names = wordsOf<Distribution>();
  return Status::badInput("unknown distribution " + quoted(text) +
                          "; did you mean " + quoted(nearest(text, names)) +
                          "? (" + orList(names) + ")");
}

} // namespace labgen
