// RoofFileTest.cpp - where roofs are kept and what is read back.
#include "runtime/measure/RoofFile.h"
#include "lib/Support/AtomicFile.h"
#include "lib/Support/ReadFile.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

using namespace labgen;

namespace {

/// Sets an environment variable for one test.
class Environment {
public:
  Environment(const char *name, const std::string &value) : name(name) {
    if (const char *old = std::getenv(name))
      before = old;
    setenv(name, value.c_str(), 1);
  }
  ~Environment() {
    if (before)
      setenv(name, before->c_str(), 1);
    else
      unsetenv(name);
  }

private:
  const char *name;
  std::optional<std::string> before;
};

std::string freshFolder(const std::string &name) {
  std::string folder = testing::TempDir() + "labgen-roofs-" + name;
  std::filesystem::remove_all(folder);
  return folder;
}

MachineRoofs someRoofs() {
  MachineRoofs roofs;
  roofs.chip = "a chip";
  roofs.source = "measured";
  roofs.peaks.push_back({Format::F32, "avx2", 1, 123});
  roofs.peaks.push_back({Format::F32, "avx512", 1, 456});
  roofs.peaks.push_back({Format::I8, "avx512_vnni", 1, 789});
  roofs.bandwidths.push_back({Mix::Read, 1 << 20, 1, 10, false, "avx2"});
  return roofs;
}

TEST(RoofFile, LiesInTheCacheFolder) {
  Environment cache("XDG_CACHE_HOME", "/somewhere");
  EXPECT_EQ(roofFilePath().find("/somewhere/labgen/roofs-"), 0u);
  Environment relative("XDG_CACHE_HOME", "not/absolute");
  Environment home("HOME", "/home/someone");
  EXPECT_EQ(roofFilePath().find("/home/someone/.cache/labgen/roofs-"), 0u);
  Environment nowhere("HOME", "");
  EXPECT_EQ(roofFilePath(), "");
  EXPECT_FALSE(storeRoofs(someRoofs()));
}

TEST(RoofFile, StoresAndIsLoadedWithoutAProbe) {
  std::string folder = freshFolder("store");
  Environment cache("XDG_CACHE_HOME", folder);
  ASSERT_TRUE(storeRoofs(someRoofs()));
  Result<std::string> text = readFile(roofFilePath());
  ASSERT_TRUE(text);
  Result<Json> json = Json::parse(*text);
  ASSERT_TRUE(json);
  Result<MachineRoofs> roofs = MachineRoofs::fromJson(*json);
  ASSERT_TRUE(roofs);
  EXPECT_EQ(roofs->peaks.size(), 3u);
  EXPECT_EQ(roofs->conditions.count("machine"), 1u);

  bool probed = false;
  Result<MachineRoofs> loaded = loadOrProbe([&](int, int) { probed = true; });
  ASSERT_TRUE(loaded);
  EXPECT_FALSE(probed);
  EXPECT_EQ(loaded->chip, "a chip");
}

TEST(RoofFile, UnwritableFolderIsAnError) {
  std::string folder = freshFolder("unwritable");
  std::filesystem::create_directories(folder);
  ASSERT_TRUE(writeFile(folder + "/file", "x"));
  Environment cache("XDG_CACHE_HOME", folder + "/file");
  Status status = storeRoofs(someRoofs());
  EXPECT_EQ(status.exitCode(), ExitCode::BadInput);
}

TEST(RoofFile, ReachableKeepsThePeaksOfAKernelsOwnIsa) {
  auto isas = [](const std::vector<std::string> &features) {
    std::vector<std::string> list;
    for (const Peak &peak : reachable(someRoofs(), features).peaks)
      list.push_back(peak.isa);
    return list;
  };
  using List = std::vector<std::string>;
  EXPECT_EQ(isas({}), List());
  EXPECT_EQ(isas({"avx2", "fma"}), List{"avx2"});
  EXPECT_EQ(isas({"avx2", "fma", "avx512f"}), (List{"avx2", "avx512"}));
  EXPECT_EQ(isas({"avx512f", "avx512vnni"}), (List{"avx512", "avx512_vnni"}));
  EXPECT_EQ(reachable(someRoofs(), {}).bandwidths.size(), 1u);
}

} // namespace
