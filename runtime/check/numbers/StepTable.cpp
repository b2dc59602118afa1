// StepTable.cpp - the steps of each rounding, found once.
#include "runtime/check/numbers/StepTable.h"

#include "runtime/check/numbers/Spans.h"
#include "runtime/core/Chunks.h"
#include "runtime/core/Isa.h"
#include "runtime/core/Tensor.h"

#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

namespace labgen::oracle {
namespace {

int lowBitsOf(Format target) {
  return 23 - std::max(7, info(target).mantissaBits);
}

bool hasTable(Format target) {
  return info(target).bits <= info(Format::TF32).bits;
}

} // namespace

StepTable::StepTable(Format target, const EncodeRules &rules)
    : target(target), rules(rules), lowBits(lowBitsOf(target)),
      storageShift(info(target).storageBits - info(target).bits) {
  uint64_t intervals = uint64_t(1) << (32 - lowBits);
  steps.reserve(intervals);
  for (uint64_t i = 0; i < intervals; ++i)
    steps.push_back(stepOf(uint32_t(i << lowBits)));
}

/// The code of one f32, and above it whether it was clamped.
uint32_t StepTable::codeOf(uint32_t bits) const {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  EncodeEvent event;
  uint64_t code = encode(target, value, rules, &event) >> storageShift;
  return uint32_t(code) |
         (event == EncodeEvent::Saturated ? uint32_t(1) << codeBitsKept : 0);
}

uint64_t StepTable::stepOf(uint32_t first) {
  uint32_t size = uint32_t(1) << lowBits;
  uint32_t below = codeOf(first), above = codeOf(first + size - 1);
  uint32_t step = size; // beyond the interval: none
  if (below != above) {
    uint32_t low = 0;
    for (step = size - 1; step - low > 1;) {
      uint32_t middle = low + (step - low) / 2;
      (codeOf(first + middle) == below ? low : step) = middle;
    }
    isValid &= codeOf(first + step) == above; // else there are two
  }
  return uint64_t(step) << (2 * sideBits) | uint64_t(above) << sideBits | below;
}

const StepTable *StepTable::get(Format target, const EncodeRules &rules) {
  if (!hasTable(target))
    return nullptr;
  using Key = std::tuple<Format, Rounding, Overflow, NanRule, uint32_t>;
  static std::mutex mutex;
  static auto &tables = *new std::map<Key, std::unique_ptr<StepTable>>();
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<StepTable> &table =
      tables[{target, rules.rounding, rules.overflow, rules.nan,
              rules.rounding == Rounding::Stochastic ? rules.random : 0}];
  if (!table)
    table.reset(new StepTable(target, rules));
  return table->isValid ? table.get() : nullptr;
}

int64_t StepTable::worthwhile(Format target) {
  // An entry costs some calls of encode().
  return int64_t(8) << (32 - lowBitsOf(target));
}

int64_t StepTable::round(uint32_t *values, int64_t count) const {
  int64_t clamped = 0;
  for (int64_t i = 0; i < count; ++i) {
    auto [code, isClamped] = at(values[i]);
    values[i] = code;
    clamped += isClamped;
  }
  return clamped;
}

LABGEN_CLONES void roundToOdd(const double *values, int64_t count,
                              uint32_t *bits) {
  for (int64_t i = 0; i < count; ++i) {
    auto nearest = float(values[i]);
    double back = nearest, value = values[i];
    uint32_t b;
    std::memcpy(&b, &nearest, sizeof b);
    // NaN stays as it is: it compares unequal, but not less.
    bool inexact = back < value || back > value;
    bool beyond = std::fabs(back) > std::fabs(value);
    b -= inexact && beyond ? 1 : 0;
    bits[i] = b | (inexact ? 1 : 0);
  }
}

//===----------------------------------------------------------------------===//
// BulkRounder
//===----------------------------------------------------------------------===//

BulkRounder::BulkRounder(Format target, const EncodeRules &rules,
                         int64_t elements)
    : target(target), rules(rules) {
  if (hasTable(target) && elements >= StepTable::worthwhile(target))
    table = StepTable::get(target, rules);
}

template <typename T>
int64_t BulkRounder::writeEach(const T *values, int64_t count, std::byte *row,
                               int64_t begin) const {
  clearSpan(target, row, begin, count);
  int64_t clamped = 0;
  for (int64_t i = 0; i < count; ++i) {
    EncodeEvent event;
    setCodeBits(target, row, begin + i,
                encode(target, double(values[i]), rules, &event));
    clamped += event == EncodeEvent::Saturated;
  }
  return clamped;
}

int64_t BulkRounder::write(const float *values, int64_t count, std::byte *row,
                           int64_t begin) const {
  if (!table)
    return writeEach(values, count, row, begin);
  int64_t clamped = 0;
  uint32_t codes[chunkElements];
  for (int64_t at = 0; at < count; at += chunkElements) {
    int64_t n = std::min(chunkElements, count - at);
    std::memcpy(codes, values + at, size_t(n) * sizeof *codes);
    clamped += table->round(codes, n);
    writeWords(target, row, begin + at, n, codes);
  }
  return clamped;
}

int64_t BulkRounder::write(const double *values, int64_t count, std::byte *row,
                           int64_t begin) const {
  if (!table)
    return writeEach(values, count, row, begin);
  int64_t clamped = 0;
  uint32_t codes[chunkElements];
  for (int64_t at = 0; at < count; at += chunkElements) {
    int64_t n = std::min(chunkElements, count - at);
    roundToOdd(values + at, n, codes);
    clamped += table->round(codes, n);
    writeWords(target, row, begin + at, n, codes);
  }
  return clamped;
}

} // namespace labgen::oracle
