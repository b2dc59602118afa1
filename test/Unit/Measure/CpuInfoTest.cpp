// CpuInfoTest.cpp - detection against what the system and the compiler say.
#include "lib/Host/CpuInfo.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sched.h>
#include <set>
#include <sstream>

using namespace labgen;

namespace {

TEST(CpuInfo, AgreesWithTheCompilersDetection) {
  const CpuInfo &cpu = hostCpu();
  EXPECT_EQ(cpu.has("avx2"), bool(__builtin_cpu_supports("avx2")));
  EXPECT_EQ(cpu.has("fma"), bool(__builtin_cpu_supports("fma")));
  EXPECT_EQ(cpu.has("avx512f"), bool(__builtin_cpu_supports("avx512f")));
  EXPECT_EQ(cpu.has("avx512bw"), bool(__builtin_cpu_supports("avx512bw")));
  EXPECT_EQ(cpu.has("avx512vbmi"), bool(__builtin_cpu_supports("avx512vbmi")));
  EXPECT_EQ(cpu.has("avx512vnni"), bool(__builtin_cpu_supports("avx512vnni")));
  EXPECT_TRUE(cpu.has("sse2"));
  EXPECT_FALSE(cpu.has("neon"));
  EXPECT_FALSE(cpu.has(""));
}

TEST(CpuInfo, AgreesWithTheKernelsFlags) {
  std::ifstream file("/proc/cpuinfo");
  std::set<std::string> flags;
  for (std::string line; flags.empty() && std::getline(file, line);)
    if (line.compare(0, 5, "flags") == 0) {
      std::istringstream words(line.substr(line.find(':') + 1));
      for (std::string word; words >> word;)
        flags.insert(word);
    }
  if (flags.empty())
    GTEST_SKIP() << "no /proc/cpuinfo";
  for (auto [feature, flag] : {std::pair("avx512bf16", "avx512_bf16"),
                               {"f16c", "f16c"},
                               {"avx512fp16", "avx512_fp16"},
                               {"avxvnni", "avx_vnni"},
                               {"avx512dq", "avx512dq"},
                               {"avx512vl", "avx512vl"},
                               {"bmi2", "bmi2"},
                               {"sse4.2", "sse4_2"},
                               {"lzcnt", "abm"}})
    EXPECT_EQ(hostCpu().has(feature), flags.count(flag) == 1) << feature;
}

TEST(CpuInfo, SpellingsOfAFeatureAreOne) {
  CpuInfo cpu;
  cpu.features = {"amx-int8", "avx512vnni", "sse4.1"};
  for (const char *name : {"amx-int8", "amx_int8", "AMX_INT8", "avx512_vnni",
                           "+avx512vnni", "sse4_1", "sse4.1"})
    EXPECT_TRUE(cpu.has(name)) << name;
  EXPECT_FALSE(cpu.has("avx512"));
  EXPECT_FALSE(cpu.has("amx-bf16"));
}

TEST(CpuInfo, WidestVectorIsa) {
  EXPECT_EQ(vectorIsa({}), "sse2");
  EXPECT_EQ(vectorIsa({"avx", "sse2"}), "sse2");
  EXPECT_EQ(vectorIsa({"avx2", "avx"}), "avx2");
  EXPECT_EQ(vectorIsa({"avx2", "avx512f", "avx512vl"}), "avx512");
}

TEST(CpuInfo, CachesGrowOutwards) {
  const CpuInfo &cpu = hostCpu();
  EXPECT_GE(cpu.l1Bytes, 8 << 10);
  EXPECT_GE(cpu.l2Bytes, cpu.l1Bytes);
  EXPECT_GE(cpu.llcBytes, cpu.l2Bytes);
  EXPECT_FALSE(cpu.model.empty());
}

TEST(CpuInfo, CoresAreWithinTheAffinityMask) {
  std::vector<int> allowed = threadCores();
  std::set<int> mask(allowed.begin(), allowed.end());
  ASSERT_FALSE(hostCpu().cores.empty());
  std::set<int> seen;
  for (int core : hostCpu().cores) {
    EXPECT_TRUE(mask.count(core)) << core;
    EXPECT_TRUE(seen.insert(core).second) << core;
  }
}

TEST(CpuInfo, ThreadCoresCanBeSetAndRead) {
  std::vector<int> before = threadCores();
  ASSERT_TRUE(setThreadCores({before.back()}));
  EXPECT_EQ(threadCores(), std::vector<int>{before.back()});
  EXPECT_EQ(sched_getcpu(), before.back());
  ASSERT_TRUE(setThreadCores(before));
  EXPECT_EQ(threadCores(), before);
  EXPECT_FALSE(setThreadCores({}));
}

} // namespace
