// StochasticRounder.cpp - words, fractions and two look-ups.
#include "runtime/check/numbers/StochasticRounder.h"

#include "runtime/check/numbers/Spans.h"
#include "runtime/core/Chunks.h"
#include "runtime/core/Isa.h"
#include "runtime/core/Philox.h"

#include <cstring>

namespace labgen::oracle {
namespace {

LABGEN_CLONES void wordsOf(uint64_t seed, int64_t first, int64_t count,
                           uint32_t *words) {
  for (int64_t i = 0; i < count; ++i)
    words[i] = philox(seed, uint64_t(first + i), 0).w0;
}

/// The fraction of each value that rounding drops, times 2^32, rounded down.
LABGEN_CLONES void fractionsOf(const float *values, int64_t count,
                               int64_t least, int64_t whole,
                               uint32_t *fractions) {
  for (int64_t i = 0; i < count; ++i) {
    double value = values[i]; // no f32 is a subnormal f64
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    int64_t exponent = int64_t(bits >> 52 & 0x7ff) - 1023;
    uint64_t significand = (bits & ((uint64_t(1) << 52) - 1)) | uint64_t(1)
                                                                    << 52;
    int64_t more = whole - exponent;
    int64_t drop = least + (more > 0 ? more : 0);
    int64_t below = drop < 63 ? drop : 63; // all of 53 bits
    int64_t shift = drop - 32 < 63 ? drop - 32 : 63;
    uint64_t rest = significand & ((uint64_t(1) << below) - 1);
    uint64_t fraction = shift >= 0 ? rest >> (shift & 63) : 0;
    fractions[i] = exponent == -1023 ? 0 : uint32_t(fraction);
  }
}

} // namespace

StochasticRounder::StochasticRounder(Format target, const StepTable &never,
                                     const StepTable &always, uint64_t seed)
    : target(target), never(&never), always(&always), seed(seed) {
  const FormatInfo &row = info(target);
  switch (row.kind) {
  case FormatKind::Float:
    least = 52 - row.mantissaBits;
    whole = 1 - row.bias;
    return;
  case FormatKind::Scale: // a power of two, which keeps no mantissa
    least = 52;
    whole = -2048;
    return;
  case FormatKind::SignedInt:
  case FormatKind::UnsignedInt:
    // From 2^20 on no target holds the value, and the fraction is no matter.
    least = 0;
    whole = 52;
    return;
  }
}

std::optional<StochasticRounder>
StochasticRounder::make(Format target, const EncodeRules &rules, uint64_t seed,
                        int64_t elements) {
  if (elements < 2 * StepTable::worthwhile(target))
    return std::nullopt;
  EncodeRules never = rules, always = rules;
  never.random = 0xffffffff;
  always.random = 0;
  const StepTable *below = StepTable::get(target, never);
  const StepTable *above = StepTable::get(target, always);
  if (!below || !above)
    return std::nullopt;
  return StochasticRounder(target, *below, *above, seed);
}

int64_t StochasticRounder::write(const float *values, int64_t first,
                                 int64_t count, std::byte *row,
                                 int64_t begin) const {
  int64_t clamped = 0;
  uint32_t words[chunkElements], fractions[chunkElements];
  for (int64_t at = 0; at < count; at += chunkElements) {
    int64_t n = std::min(chunkElements, count - at);
    wordsOf(seed, first + at, n, words);
    fractionsOf(values + at, n, least, whole, fractions);
    for (int64_t i = 0; i < n; ++i) {
      uint32_t bits;
      std::memcpy(&bits, values + at + i, sizeof bits);
      auto [code, isClamped] =
          (words[i] < fractions[i] ? always : never)->at(bits);
      words[i] = code;
      clamped += isClamped;
    }
    writeWords(target, row, begin + at, n, words);
  }
  return clamped;
}

} // namespace labgen::oracle
