// ForeignTest.cpp - kernels nobody wrote for the emulator: CUDA C++ and HIP
// that clang compiles at test time with no toolkit. They run right, and without
// their barriers the races are found.
#include "Device.h"

#include <cstdlib>

namespace labgen::emu {
namespace {

class Foreign : public testing::TestWithParam<bool> {
protected:
  /// Device IR of the kernels for the language of the test.
  static std::string compile(bool hip, bool barriers) {
    std::string output = testing::TempDir() + "labgen-foreign-" +
                         std::to_string(getpid()) + ".ll";
    std::string source = EMULATOR_FOREIGN;
    std::string command = std::string(EMULATOR_CLANG) + " -O2 -S -emit-llvm " +
                          (barriers ? "" : "-DNO_BARRIER ");
    command += hip ? "-x hip --cuda-device-only --offload-arch=gfx942 "
                     "-nogpuinc -nogpulib " +
                         source + "/kernels.hip"
                   : "-x cuda --cuda-device-only --cuda-gpu-arch=sm_90 "
                     "-nocudainc -nocudalib --cuda-path=/no-toolkit "
                     "--cuda-feature=+ptx80 " +
                         source + "/kernels.cu";
    EXPECT_EQ(std::system((command + " -o " + output).c_str()), 0) << command;
    std::string text = readFile(output);
    std::remove(output.c_str());
    return text;
  }
  static std::vector<float> numbers(size_t count) {
    std::vector<float> values(count);
    for (size_t i = 0; i < count; ++i)
      values[i] = float(i % 97) - 48;
    return values;
  }
};

TEST_P(Foreign, RunRight) {
  Device device(compile(GetParam(), true));
  std::vector<float> in = numbers(1024);
  unsigned bi = device.buffer("in", in, Role::Input),
           reversed = device.output<float>("reversed", 1024),
           transposed = device.output<float>("transposed", 1024),
           sums = device.output<float>("sums", 4);
  for (auto seed : {std::optional<uint64_t>(), std::optional<uint64_t>(1)}) {
    device.options.orderSeed = seed;
    expectClean(device.run("reverse", {4, 1, 1}, {256, 1, 1},
                           {pointer(bi), pointer(reversed)}));
    Report report =
        device.run("transpose", {1, 1, 1}, {32, 8, 1},
                   {pointer(bi), pointer(transposed), scalar(int32_t(32))});
    expectClean(report);
    EXPECT_EQ(report.counters.bankConflicts, 0u);
    EXPECT_EQ(report.counters.sectorsRead, 128u);
    expectClean(device.run("blockSum", {4, 1, 1}, {256, 1, 1},
                           {pointer(bi), pointer(sums)}));
    std::vector<float> r = device.read<float>(reversed),
                       t = device.read<float>(transposed),
                       s = device.read<float>(sums);
    for (unsigned i = 0; i < 1024; ++i) {
      ASSERT_EQ(r[i], in[i / 256 * 256 + 255 - i % 256]);
      ASSERT_EQ(t[i], in[i % 32 * 32 + i / 32]);
    }
    for (unsigned b = 0; b < 4; ++b) {
      float sum = 0;
      for (unsigned i = 0; i < 256; ++i)
        sum += in[b * 256 + i];
      EXPECT_EQ(s[b], sum);
    }
  }
}

TEST_P(Foreign, WithoutBarriersRacesAreFound) {
  Device device(compile(GetParam(), false));
  unsigned bi = device.buffer("in", numbers(1024), Role::Input),
           out = device.output<float>("out", 1024);
  auto expectRace = [&](const char *entry, Dim3 block, bool sized) {
    std::vector<Argument> arguments{pointer(bi), pointer(out)};
    if (sized)
      arguments.push_back(scalar(int32_t(32)));
    Report report = device.run(entry, {1, 1, 1}, block, arguments);
    bool race = false;
    for (const Finding &finding : report.findings)
      race |= finding.check == Check::Racecheck;
    EXPECT_TRUE(race) << entry << "\n" << allText(report);
  };
  expectRace("reverse", {256, 1, 1}, false);
  expectRace("transpose", {32, 8, 1}, true);
  expectRace("blockSum", {256, 1, 1}, false);
}

INSTANTIATE_TEST_SUITE_P(Languages, Foreign, testing::Values(false, true),
                         [](const auto &info) {
                           return info.param ? "Hip" : "Cuda";
                         });

} // namespace
} // namespace labgen::emu
