// Convert.h - one value between a format's bits and f64, exactly.
//
// The scalar statement of the contract's casts, in integer arithmetic on the
// bits of an f64 (never a narrower host type): every format's values are exact
// in f64, so a cast from any of them is one decode and one encode, one rounding
// in all. Kernels do not use this; the oracle, the bounds and the tests do.
#ifndef LABGEN_SPEC_CONVERT_H
#define LABGEN_SPEC_CONVERT_H

#include "lib/Spec/KernelSpec.h"

#include <cstdint>

namespace labgen {

/// The value of a code. Bits above the format's are ignored (tf32 is read as
/// the f32 it is stored in). NaN codes give a quiet NaN.
double decode(Format format, uint64_t bits);

/// How an encode decides. `random` is used by Rounding::Stochastic alone.
struct EncodeRules {
  Rounding rounding = Rounding::Even;
  Overflow overflow = Overflow::Ieee;
  NanRule nan = NanRule::Propagate;
  uint32_t random = 0;
};

/// What an encode did to a value, for the row's counts.
enum class EncodeEvent {
  None,
  Saturated, ///< clamped to the largest or lowest value
  Flushed,   ///< non-zero in, zero out
  Overflowed ///< finite in, Inf or NaN out
};

/// The code of `value` after one rounding:
/// - even, away: to nearest, ties to the even code or away from zero; zero:
///   towards zero; stochastic: away from zero when `random` < floor(f 2^32),
///   f the dropped fraction of the last place kept.
/// - then overflow, with the rounded value beyond the largest: saturate gives
///   the largest (Inf too); ieee gives Inf, or NaN where the format has no Inf,
///   but the largest for a finite value rounded towards zero.
///   Integers and formats with neither always saturate, whatever the rounding.
/// - NaN gives the quiet NaN without sign (rule `propagate`; `error` is for the
///   caller to notice), or the largest value (`max`, or no NaN); integers 0.
/// - -0 keeps its sign except in FNUZ and integers.
/// - E8M0: ties go to the even byte, positive values below 2^-127 give 2^-127;
///   zeros, negatives, NaN and Inf give 0xFF.
/// f64 to f64 is the identity but for NaN payloads.
uint64_t encode(Format format, double value, const EncodeRules &rules = {},
                EncodeEvent *event = nullptr);

/// The value nearest to `value` in `format`: decode(encode()).
double roundTo(Format format, double value, const EncodeRules &rules = {});

/// What a cast to `target` does unless the spec says otherwise: saturate for
/// integers and formats with neither Inf nor NaN, else ieee.
Overflow defaultOverflow(Format target);
/// Propagate where the target has a NaN, else max.
NanRule defaultNanRule(Format target);

} // namespace labgen

#endif // LABGEN_SPEC_CONVERT_H
