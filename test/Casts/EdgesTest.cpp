// EdgesTest.cpp - casts of chosen inputs: every code of the small formats to
// every format, f32 and f64 around all places where a cast decides, all rules,
// lengths that take the vector, the single-register and the tail path.
#include "test/Casts/Cases.h"
#include "test/Casts/CastKernel.h"
#include "test/Casts/Oracles.h"

#include "gtest/gtest.h"

using namespace labgen;

namespace {

using Inputs = std::vector<uint64_t>;

/// Four registers at once, single registers and a tail.
constexpr int64_t mixedLength = 4 * 64 + 16 + 5;

std::string specOf(Format in, const std::string &out, int64_t n) {
  return "cast:n=" + std::to_string(n) + ",in=" + std::string(name(in)) +
         ",out=" + out;
}

/// All inputs, in pieces of the kernel's length; the last goes round.
void checkInputs(const std::string &spec, const Inputs &inputs,
                 const std::string &target = "cpu:native") {
  auto kernel = CastKernel::make(spec, target);
  if (!kernel)
    return;
  CastJudge judge(kernel->spec());
  size_t n = size_t(kernel->size());
  for (size_t begin = 0; begin < inputs.size(); begin += n) {
    auto input = [&](size_t i) { return inputs[(begin + i) % inputs.size()]; };
    for (size_t i = 0; i < n; ++i)
      kernel->x().setBits(0, int64_t(i), input(i));
    if (!kernel->run())
      return;
    for (size_t i = 0; i < n; ++i)
      judge.check(input(i), kernel->y().bits(0, int64_t(i)));
  }
  judge.finish();
}

Inputs inputsOf(Format in, Format out) {
  if (in == Format::F64)
    return edgeDoubles(out);
  if (in == Format::I32)
    return edgeIntegers(out);
  return info(in).bits > 16 ? edgeFloats(out) : allCodes(in);
}

class Edges : public testing::TestWithParam<Format> {};

std::string formatName(const testing::TestParamInfo<Format> &info) {
  return std::string(name(info.param));
}

TEST_P(Edges, FromAnyFormat) {
  Format in = GetParam();
  for (Format out : castFormats())
    checkInputs(specOf(in, std::string(name(out)), mixedLength),
                inputsOf(in, out));
}

TEST_P(Edges, FromAnyFormatForAvx2) {
  Format in = GetParam();
  for (Format out : castFormats())
    checkInputs(specOf(in, std::string(name(out)), mixedLength),
                inputsOf(in, out), "cpu:x86-64-v3");
}

TEST_P(Edges, EveryRule) {
  Format in = GetParam();
  for (Format out : castFormats())
    for (const std::string &rules : castRules(out))
      if (!rules.empty())
        checkInputs(specOf(in, std::string(name(out)) + rules, mixedLength),
                    inputsOf(in, out));
}

INSTANTIATE_TEST_SUITE_P(All, Edges, testing::ValuesIn(castFormats()),
                         formatName);

/// Lengths up to more than one block of the widest vectors, from every width.
class ShortRuns : public testing::TestWithParam<Format> {};

Inputs shortInputs(Format in, Format out) {
  Inputs all = inputsOf(in, out), some;
  size_t step = std::max<size_t>(all.size() / 200, 1) | 1;
  for (size_t i = 0; i < all.size(); i += step)
    some.push_back(all[i]);
  return some;
}

void checkLengths(Format in, Format out, const std::vector<int64_t> &lengths) {
  for (int64_t n : lengths)
    checkInputs(specOf(in, std::string(name(out)), n), shortInputs(in, out));
}

TEST_P(ShortRuns, SomeLengths) {
  Format out = GetParam();
  for (Format in : {Format::F32, Format::F4E2M1FN})
    checkLengths(in, out, {1, 2, 7, 9, 16, 31, 65, 70});
}

TEST_P(ShortRuns, EveryLength) {
  std::vector<int64_t> lengths;
  for (int64_t n = 1; n <= 70; ++n)
    lengths.push_back(n);
  for (Format in : {Format::F64, Format::F32, Format::F16, Format::F8E4M3FN,
                    Format::F6E3M2FN, Format::F4E2M1FN, Format::I8})
    checkLengths(in, GetParam(), lengths);
}

INSTANTIATE_TEST_SUITE_P(All, ShortRuns, testing::ValuesIn(castFormats()),
                         formatName);

TEST(EmptyRuns, WriteNothing) {
  for (const char *out : {"f8E4M3FN", "f4E2M1FN", "f64"}) {
    auto kernel = CastKernel::make(specOf(Format::F32, out, 0));
    ASSERT_TRUE(kernel);
    EXPECT_TRUE(kernel->run());
  }
}

} // namespace
