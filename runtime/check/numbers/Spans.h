// Spans.h - runs of stored elements as floats, and back.
//
// The bulk form of lib/Spec/Convert.h: same values, but in loops a compiler
// vectorises for the formats that come in millions. A row starts on a byte;
// `begin` and `count` are in elements. Writers need `begin` on a byte and end
// one: the pad bits behind the last code become zero.
#ifndef LABGEN_RUNTIME_CHECK_NUMBERS_SPANS_H
#define LABGEN_RUNTIME_CHECK_NUMBERS_SPANS_H

#include "lib/Spec/Convert.h"
#include "lib/Spec/KernelSpec.h"

#include <cstddef>
#include <cstdint>

namespace labgen::oracle {

/// Elements in f32; exact for every format but f64 and i32, which are rounded
/// to nearest even.
void readFloats(Format format, const std::byte *row, int64_t begin,
                int64_t count, float *out);
/// Elements in f64, exactly.
void readDoubles(Format format, const std::byte *row, int64_t begin,
                 int64_t count, double *out);

/// How results are rounded to `format` where the lab has no key for it.
inline EncodeRules defaultRules(Format format) {
  return {Rounding::Even, defaultOverflow(format), defaultNanRule(format), 0};
}

/// One rounding to nearest even, overflow as defaultOverflow(format).
void writeFloats(Format format, std::byte *row, int64_t begin, int64_t count,
                 const float *values);
void writeDoubles(Format format, std::byte *row, int64_t begin, int64_t count,
                  const double *values);
/// Zeroes the bytes of a span of packed codes, pad bits of a row's end
/// included; nothing for whole-byte formats.
void clearSpan(Format format, std::byte *row, int64_t begin, int64_t count);

/// Codes of at most 8 bits, one per byte, packed, and the way back (4-bit codes
/// from an even element on, 6-bit codes from one in four).
void writeCodes(Format format, std::byte *row, int64_t begin, int64_t count,
                const uint8_t *codes);
void readCodes(Format format, const std::byte *row, int64_t begin,
               int64_t count, uint8_t *codes);
/// Codes of at most 32 bits, one per word.
void writeWords(Format format, std::byte *row, int64_t begin, int64_t count,
                const uint32_t *codes);

} // namespace labgen::oracle

#endif // LABGEN_RUNTIME_CHECK_NUMBERS_SPANS_H
