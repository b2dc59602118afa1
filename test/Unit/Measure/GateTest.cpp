// GateTest.cpp - kernels that cheat, stray or hang get no time, and the row
// says which argument it was.
#include "TestKernel.h"
#include "runtime/experiment/Experiment.h"

#include <cstdio>
#include <fstream>
#include <sys/mman.h>
#include <unistd.h>

using namespace labgen;

namespace {

constexpr const char *axpySpec = "axpy:n=967,type=f32";

Row run(const std::string &entry, RunOptions options,
        const std::string &spec = axpySpec) {
  options.timeLimitSeconds = 0.02;
  auto device = openDevice({"cpu", 1, {}});
  EXPECT_TRUE(device);
  Result<Row> row =
      runExperiment(testKernel(spec, "Cheats", {launch(entry, 967)}),
                    kernelFolder, **device, options);
  EXPECT_TRUE(row) << row.status().message();
  return row ? *row : Row();
}

/// Whether a row says `status` and `reason` (in part) and has no time.
void expectNoTime(const Row &row, RowStatus status, const std::string &reason) {
  EXPECT_EQ(row.status, status) << row.reason;
  EXPECT_NE(row.reason.find(reason), std::string::npos) << row.reason;
  EXPECT_FALSE(row.time || row.gbps || row.gflops || row.roof);
  EXPECT_EQ(row.cache, "");
}

TEST(Gate, WhatIsRightOnceGetsNoTime) {
  for (const char *entry : {"rightOnce", "halfLater", "keepsItsAnswer"}) {
    SCOPED_TRACE(entry);
    expectNoTime(run(entry, {}), RowStatus::Wrong,
                 "in a run after the timed ones, y[");
  }
  EXPECT_EQ(run("honest", {}).status, RowStatus::Ok);
}

TEST(Gate, AKeptMaximumIsSeen) {
  expectNoTime(run("maxKept", {}, "reduce:n=967,type=f32,kind=max"),
               RowStatus::Wrong, "in a run after the timed ones, r is ");
}

TEST(Gate, StrayWritesAreNamed) {
  expectNoTime(run("writesBefore", {}), RowStatus::Wrong,
               "the guard before the first byte of y was overwritten");
  expectNoTime(run("writesBehind", {}), RowStatus::Wrong,
               "the guard behind the last byte of y was overwritten");
  expectNoTime(run("writesBehindLater", {}), RowStatus::Wrong,
               "in a run after the timed ones, the guard behind the last byte "
               "of y was overwritten");
}

TEST(Gate, FaultsAreNamed) {
  const std::string crashed =
      "the kernel crashed (signal 11: Segmentation fault): it ";
  expectNoTime(run("writesFarBefore", {}), RowStatus::Error,
               crashed + "wrote 4096 bytes before the first one of y");
  expectNoTime(run("writesFarBehind", {}), RowStatus::Error,
               crashed + "wrote 4097 bytes behind the last one of y");
  expectNoTime(run("readsFarBehind", {}), RowStatus::Error,
               crashed + "read 4097 bytes behind the last one of x");
  for (const char *entry : {"changesItsInput", "changesItsInputLater"})
    expectNoTime(run(entry, {}), RowStatus::Error,
                 crashed + "wrote byte 12 of the input x");
}

TEST(Gate, FaultsNearWorkspacesAreNamed) {
  ManifestKernel kernel =
      testKernel(axpySpec, "Cheats", {launch("strayInWorkspace", 967)});
  ManifestArgument workspace;
  workspace.name = "products";
  workspace.role = Role::Workspace;
  workspace.shape = {100};
  workspace.byteSize = 400;
  kernel.arguments.push_back(workspace);
  auto device = openDevice({"cpu", 1, {}});
  ASSERT_TRUE(device);
  Result<Row> row = runExperiment(kernel, kernelFolder, **device, {});
  ASSERT_TRUE(row) << row.status().message();
  expectNoTime(*row, RowStatus::Error,
               "it wrote 5000 bytes before the first one of products");
}

TEST(Gate, WhatClosesItsDescriptorsAndSleepsIsEnded) {
  RunOptions options;
  options.kernelSeconds = 1;
  expectNoTime(run("sleeps", options), RowStatus::Error,
               "the kernel did not end within 1 s");
}

bool isRunning(int process) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  std::string word, state;
  return (stat >> word >> word >> state) && state != "Z" && state != "X";
}

/// Whether a process is gone, or dead and not waited for, within ten seconds.
bool goes(int process) {
  for (int i = 0; i < 1000 && isRunning(process); ++i)
    usleep(10000);
  return !isRunning(process);
}

TEST(Gate, WhatAKernelStartsEndsWithIt) {
  void *memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  char text[64];
  std::snprintf(text, sizeof text, "fork %llx",
                (unsigned long long)uintptr_t(memory));
  setenv("LABGEN_CHEAT", text, 1);
  RunOptions options;
  options.kernelSeconds = 1;
  for (const char *entry : {"honest", "rightOnce", "sleeps"}) {
    *static_cast<volatile int *>(memory) = 0;
    run(entry, options);
    int process = *static_cast<volatile int *>(memory);
    EXPECT_GT(process, 0);
    EXPECT_TRUE(goes(process)) << entry;
  }
  unsetenv("LABGEN_CHEAT");
  munmap(memory, 4096);
}

TEST(Gate, AKernelMayNotStartProcesses) {
  std::string unconfined;
  RunOptions options;
  options.sandboxMissing = [&](const std::string &why) { unconfined = why; };
  Row row = run("starts", options);
  if (!unconfined.empty())
    GTEST_SKIP() << unconfined;
  expectNoTime(row, RowStatus::Error, "the sandbox ended it");
}

} // namespace
