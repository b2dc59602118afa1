// Cases.h - which casts are tested, and on which inputs.
#ifndef LABGEN_TEST_CASTS_CASES_H
#define LABGEN_TEST_CASTS_CASES_H

#include "lib/Spec/Convert.h"

#include "gtest/gtest.h"

#include <cstdint>
#include <string>
#include <vector>

namespace labgen {

/// The formats casts have kernels for.
std::vector<Format> castFormats();

/// What may follow `out=F` in a spec: "" (the defaults), ",round=away", ...
/// Every legal combination of rounding and overflow with each NaN rule that
/// makes a difference.
std::vector<std::string> castRules(Format out);

/// The magnitudes of a target where a cast decides: its values, the middles
/// between neighbours and the one beyond the largest, ascending. Of tf32, f32
/// and f64 the values around powers of two and a random sample.
std::vector<double> decisivePoints(Format out);

/// Bits of f32: all f16 and bf16 values, the neighbours of zeros, infinities
/// and NaNs. Ascending, each once.
std::vector<uint32_t> floatProbes();

/// Bits of f32 and of f64 around the decisive points of a target, one ulp of
/// either to each side and both signs; NaNs, infinities, extremes; for f64
/// every power of two and random values.
std::vector<uint64_t> edgeFloats(Format out);
std::vector<uint64_t> edgeDoubles(Format out);

/// i32 around the decisive points of a target and around powers of two, and
/// random ones of every length.
std::vector<uint64_t> edgeIntegers(Format out);

/// Every code of a format of at most 16 bits.
std::vector<uint64_t> allCodes(Format format);

/// A spec or its part as the name of a test.
std::string testName(const testing::TestParamInfo<std::string> &info);

} // namespace labgen

#endif // LABGEN_TEST_CASTS_CASES_H
