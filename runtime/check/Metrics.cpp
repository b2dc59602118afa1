// Metrics.cpp - error sums in fixed lanes and bit comparison of outputs.
#include "runtime/check/Metrics.h"

#include "lib/Spec/Convert.h"
#include "runtime/core/Isa.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

namespace labgen {
namespace {

constexpr int lanes = 16;
struct Lanes {
  double squaredError[lanes], squaredReference[lanes], maxAbs[lanes];
  double counted[lanes], unbounded[lanes];
};

LABGEN_INLINE void addLane(Lanes &sums, int lane, double reference,
                           double result) {
  constexpr double maxFinite = std::numeric_limits<double>::max();
  double error = std::fabs(result - reference);
  bool known = std::fabs(reference) <= maxFinite;
  bool finite = std::fabs(result) <= maxFinite;
  double e = known && finite ? error : 0.0;
  double r = known ? reference : 0.0;
  sums.squaredError[lane] += e * e;
  sums.squaredReference[lane] += r * r;
  sums.maxAbs[lane] = sums.maxAbs[lane] > e ? sums.maxAbs[lane] : e;
  sums.counted[lane] += known ? 1.0 : 0.0;
  sums.unbounded[lane] += known && !finite ? 1.0 : 0.0;
}

LABGEN_CLONES void addPairs(Lanes &sums, const double *reference,
                            const double *result, int64_t count) {
  Lanes local = {};
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (int lane = 0; lane < lanes; ++lane)
      addLane(local, lane, reference[i + lane], result[i + lane]);
  for (int lane = 0; i < count; ++i, ++lane)
    addLane(local, lane, reference[i], result[i]);
  sums = local;
}

/// Codes in the order of their values: sign and magnitude become one integer.
int64_t ordered(Format format, uint64_t bits) {
  const FormatInfo &f = info(format);
  if (f.kind == FormatKind::UnsignedInt || f.kind == FormatKind::Scale)
    return int64_t(bits);
  uint64_t sign = uint64_t(1) << (f.storageBits - 1);
  if (f.kind == FormatKind::SignedInt)
    return int64_t(bits ^ sign) - int64_t(sign);
  auto magnitude = int64_t(bits & (sign - 1));
  return bits & sign ? -magnitude : magnitude;
}

bool isNan(Format format, uint64_t bits) {
  return info(format).hasNaN && std::isnan(decode(format, bits));
}

} // namespace

void ErrorSums::add(const double *reference, const double *result,
                    int64_t count) {
  Lanes sums;
  addPairs(sums, reference, result, count);
  for (int lane = 0; lane < lanes; ++lane) {
    squaredError += sums.squaredError[lane];
    squaredReference += sums.squaredReference[lane];
    maxAbs = std::max(maxAbs, sums.maxAbs[lane]);
    elements += int64_t(sums.counted[lane]);
    unbounded |= sums.unbounded[lane] != 0;
  }
}

void ErrorSums::merge(const ErrorSums &other) {
  squaredError += other.squaredError;
  squaredReference += other.squaredReference;
  maxAbs = std::max(maxAbs, other.maxAbs);
  elements += other.elements;
  unbounded |= other.unbounded;
}

RowError ErrorSums::finish() const {
  RowError error;
  if (unbounded)
    return error;
  auto set = [](std::optional<double> &field, double value) {
    if (std::isfinite(value))
      field = value;
  };
  set(error.maxAbs, maxAbs);
  set(error.rms, elements ? std::sqrt(squaredError / double(elements)) : 0);
  set(error.relFro,
      squaredError == 0 ? 0 : std::sqrt(squaredError / squaredReference));
  if (squaredError > 0)
    set(error.sqnrDb, 10 * std::log10(squaredReference / squaredError));
  return error;
}

void Differences::compare(Format format, const std::byte *gotRow,
                          const std::byte *wantRow, int64_t begin,
                          int64_t number, int64_t flat) {
  int64_t firstByte = packedBytes(format, begin);
  auto bytes = size_t(packedBytes(format, begin + number) - firstByte);
  if (!number || !std::memcmp(gotRow + firstByte, wantRow + firstByte, bytes))
    return;
  int64_t before = count;
  for (int64_t i = 0; i < number; ++i) {
    uint64_t g = codeBits(format, gotRow, begin + i);
    uint64_t w = codeBits(format, wantRow, begin + i);
    if (g == w || (isNan(format, g) && isNan(format, w)))
      continue;
    note(flat + i, g, w);
    maxCode = std::max(maxCode, codeDistance(format, g, w));
  }
  bool ragged = (begin + number) * info(format).storageBits % 8 != 0;
  if (ragged && count == before && padding < 0)
    padding = flat + number - 1;
}

void Differences::note(int64_t flat, uint64_t gotBits, uint64_t wantBits,
                       double tolerance) {
  if (first < 0 || flat < first) {
    first = flat;
    got = gotBits;
    want = wantBits;
    within = tolerance;
  }
  ++count;
}

void Differences::merge(const Differences &other) {
  maxCode = std::max(maxCode, other.maxCode);
  count += other.count;
  if (padding < 0)
    padding = other.padding;
  if (other.first >= 0 && (first < 0 || other.first < first)) {
    first = other.first;
    got = other.got;
    want = other.want;
    within = other.within;
  }
}

std::string Differences::describe(const Argument &argument) const {
  if (count == 0)
    return "the pad bits behind " + elementName(argument, padding) +
           " are not zero";
  std::string text = elementName(argument, first) + " is " +
                     valueAndBits(argument.format, got) + ", want " +
                     valueAndBits(argument.format, want);
  if (within > 0 && std::isfinite(within)) {
    char tolerance[32];
    std::snprintf(tolerance, sizeof tolerance, " within %.3g", within);
    text += tolerance;
  }
  if (argument.elements() > 1)
    text += "; " + std::to_string(count) + " of " +
            std::to_string(argument.elements()) + " elements are wrong";
  return text;
}

int64_t codeDistance(Format format, uint64_t a, uint64_t b) {
  int64_t x = ordered(format, a), y = ordered(format, b), distance;
  if (__builtin_sub_overflow(std::max(x, y), std::min(x, y), &distance))
    return std::numeric_limits<int64_t>::max();
  return distance;
}

std::string elementName(const Argument &argument, int64_t flat) {
  std::string index;
  for (size_t d = argument.shape.size(); d-- > 0;) {
    int64_t extent = std::max<int64_t>(1, argument.shape[d]);
    index = std::to_string(flat % extent) + (index.empty() ? "" : ",") + index;
    flat /= extent;
  }
  return index.empty() ? argument.name : argument.name + "[" + index + "]";
}

std::string valueAndBits(Format format, uint64_t bits) {
  const FormatInfo &f = info(format);
  char text[64];
  std::snprintf(text, sizeof text, "%.*g (0x%0*" PRIx64 ")",
                format == Format::F64 ? 17 : 9, decode(format, bits),
                std::max(1, (f.storageBits + 3) / 4), bits);
  return text;
}

} // namespace labgen
