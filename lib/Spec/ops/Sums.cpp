// Sums.cpp - see Sums.h.
#include "lib/Spec/ops/Sums.h"
#include "lib/Spec/ops/Codes.h"
#include "lib/Spec/ops/Words.h"
#include "lib/Support/Text.h"

#include <algorithm>
#include <cmath>

namespace labgen {

Formats accumulatorFormats() {
  return {Format::F64, Format::F32, Format::BF16, Format::F16, Format::I32};
}

Status checkAccumulator(const KernelSpec &spec, Format type, bool quantized) {
  Formats legal = {Format::F32};
  if (type == Format::F64)
    legal = {Format::F64};
  else if (isInteger(type))
    legal = {Format::I32};
  else if (!quantized && isFloat(type) && !isCode(type) &&
           type != Format::TF32) {
    legal.push_back(Format::F64);
    if (type != Format::F32)
      legal.push_back(type);
  }
  if (contains(legal, spec.acc))
    return Status::ok();
  return Status::badInput("acc=" + formatText(spec.acc) + " does not go with " +
                          formatText(type) + "; use " + orList(names(legal)));
}

Status checkIntegerSum(std::string_view key, int64_t length, double largest) {
  auto longest = int64_t(2147483647.0 / largest);
  if (length <= longest)
    return Status::ok();
  return Status::badInput(text(key) + "=" + std::to_string(length) +
                          " could overflow the i32 accumulator; use " +
                          text(key) + "=" + std::to_string(longest) +
                          " or less");
}

double magnitude(Format format) {
  return std::max(-info(format).min, info(format).max);
}

static double ceilDiv(double a, double b) { return std::ceil(a / b); }
static double ceilLog2(double n) { return n > 1 ? std::ceil(std::log2(n)) : 0; }

double sumDepth(SumOrder order, int64_t count, int64_t block) {
  auto n = double(count), run = double(block);
  if (n <= 1)
    return 0;
  if (order == SumOrder::Sequential)
    return n - 1;
  if (order == SumOrder::Pairwise)
    return std::min(n, run) - 1 + ceilLog2(ceilDiv(n, run));
  // A run of `taken`: an accumulator adds every 128th to +0, then 7 folds.
  double depth = 0;
  for (double left = n; left > 1; left = ceilDiv(left, run)) {
    double taken = std::min(left, run);
    depth += ceilDiv(taken, 128) - 1 + ceilLog2(std::min(taken, 128.0));
  }
  return depth;
}

std::string blockedWords(int64_t block) {
  return "per block of " + std::to_string(block) +
         " elements 128 accumulators, folded by halves; block results by the "
         "same rule";
}

} // namespace labgen
