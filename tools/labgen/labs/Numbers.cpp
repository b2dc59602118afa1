// Numbers.cpp - see Numbers.h.
#include "tools/labgen/labs/Numbers.h"

#include "lib/Spec/Convert.h"
#include "runtime/data/Draw.h"

#include <cmath>

namespace labgen {

Values drawValues(Distribution distribution, int64_t count, int stream) {
  Values values(static_cast<size_t>(count));
  Draw(distribution, /*seed=*/1, stream, Format::F32, count,
       TieGrid())(0, 0, count, values.data());
  return rounded(Format::F32, std::move(values));
}

Values rounded(Format format, Values values) {
  for (double &value : values)
    value = roundTo(format, value);
  return values;
}

double relativeError(const Values &x, const Values &y) {
  double difference = 0, norm = 0;
  for (size_t i = 0; i < y.size(); ++i) {
    difference += (x[i] - y[i]) * (x[i] - y[i]);
    norm += y[i] * y[i];
  }
  return std::sqrt(difference / norm);
}

Values productOf(const Values &x, const Values &y, int64_t m, int64_t n,
                 int64_t k) {
  Values product;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t l = 0; l < k; ++l)
        sum += x[size_t(i * k + l)] * y[size_t(j * k + l)];
      product.push_back(sum);
    }
  return product;
}

} // namespace labgen
