// AllFloatsTest.cpp - all 2^32 inputs of casts from f32 through the kernel.
//
// A cast is monotone over the positive and over the negative numbers, and
// constant over the NaNs. Bits are walked upwards; where the code changes both
// oracles are asked on both sides, so between two changes, where the code does
// not move, it is right as well. They are also asked on every f16 and bf16
// value and at the borders of zeros, infinities and NaNs.
#include "test/Casts/Cases.h"
#include "test/Casts/CastKernel.h"
#include "test/Casts/Oracles.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstring>

using namespace labgen;

namespace {

constexpr uint64_t numInputs = uint64_t(1) << 32;
constexpr int64_t stretch = 256; ///< elements compared at once, on whole bytes

class Walk {
public:
  explicit Walk(CastKernel &kernel)
      : kernel(kernel), judge(kernel.spec()), format(kernel.spec().out),
        probes(floatProbes()), next(probes.begin()) {}

  void all() {
    bool widens = format == Format::F32 || format == Format::F64;
    int64_t n = kernel.size();
    for (uint64_t base = 0; base < numInputs; base += uint64_t(n)) {
      uint32_t *in = kernel.x().as<uint32_t>();
      for (int64_t i = 0; i < n; ++i) // the last chunk goes round
        in[i] = uint32_t(base + uint64_t(i));
      if (!kernel.run())
        return;
      int64_t count = int64_t(std::min(uint64_t(n), numInputs - base));
      if (widens)
        exactChunk(base, count);
      else
        chunk(base, count);
      if (judge.faults() > 1000)
        break;
    }
    judge.finish();
  }

private:
  uint64_t code(int64_t i) { return codeBits(format, kernel.y().data(), i); }

  void chunk(uint64_t base, int64_t count) {
    for (; next != probes.end() && *next < base + uint64_t(count); ++next)
      judge.check(*next, code(int64_t(*next - base)));
    if (base == 0)
      settle(code(0));
    for (int64_t i = 0; i < count; i += stretch) {
      const std::byte *part = kernel.y().data() + packedBytes(format, i);
      bool whole = i + stretch <= count;
      if (!whole || std::memcmp(part, same.data(), same.size()) != 0)
        changes(base, i, std::min(i + stretch, count));
    }
  }

  void changes(uint64_t base, int64_t begin, int64_t end) {
    uint64_t before = last;
    for (int64_t i = begin; i < end; ++i) {
      uint64_t now = code(i);
      if (now == last)
        continue;
      uint64_t bits = base + uint64_t(i);
      judge.check(bits - 1, last);
      judge.check(bits, now);
      last = now;
    }
    if (last != before)
      settle(last);
  }

  /// What a stretch without a change looks like from here on.
  void settle(uint64_t now) {
    last = now;
    same.resize(size_t(packedBytes(format, stretch)));
    for (int64_t i = 0; i < stretch; ++i)
      setCodeBits(format, same.data(), i, now);
  }

  /// f32 and f64 hold every f32, so that every code differs from the last.
  void exactChunk(uint64_t base, int64_t count) {
    const auto *floats = kernel.y().as<uint32_t>();
    const auto *doubles = kernel.y().as<uint64_t>();
    const float *in = kernel.x().as<float>();
    for (int64_t i = 0; i < count; ++i) {
      uint32_t bits = uint32_t(base + uint64_t(i));
      double wide = in[i];
      uint64_t wideBits;
      std::memcpy(&wideBits, &wide, sizeof wide);
      bool exact =
          format == Format::F32 ? floats[i] == bits : doubles[i] == wideBits;
      if (!exact || (bits & 0x7f800000) == 0x7f800000 || bits % 65536 == 0)
        judge.check(bits, code(i));
    }
  }

  CastKernel &kernel;
  CastJudge judge;
  Format format;
  std::vector<uint32_t> probes;
  std::vector<uint32_t>::iterator next;
  uint64_t last = 0;
  std::vector<std::byte> same;
};

class AllFloats : public testing::TestWithParam<std::string> {};

/// A length that leaves vectors one by one and a tail behind the last block.
constexpr int64_t chunkLength = (1 << 17) + 45;

TEST_P(AllFloats, AreRight) {
  auto kernel = CastKernel::make("cast:n=" + std::to_string(chunkLength) +
                                 ",in=f32,out=" + GetParam());
  if (kernel)
    Walk(*kernel).all();
}

/// What `make test` runs.
const std::vector<std::string> common = {"f8E4M3FN", "f8E5M2", "f4E2M1FN",
                                         "f16"};

/// All others. The NaN rule concerns none but the NaNs: half of the rules are
/// walked with each, instead of all with both (EdgesTest has those).
std::vector<std::string> others() {
  std::vector<std::string> all;
  for (Format format : castFormats()) {
    std::vector<std::string> rules = castRules(format);
    bool both = info(format).kind == FormatKind::Float && info(format).hasNaN;
    for (size_t i = 0; i < rules.size(); ++i) {
      std::string text = std::string(name(format)) + rules[i];
      bool done = std::find(common.begin(), common.end(), text) != common.end();
      bool turn = !both || i % 2 == (i / 2) % 2;
      if (turn && !done)
        all.push_back(text);
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Common, AllFloats, testing::ValuesIn(common),
                         testName);
INSTANTIATE_TEST_SUITE_P(Others, AllFloats, testing::ValuesIn(others()),
                         testName);

} // namespace
