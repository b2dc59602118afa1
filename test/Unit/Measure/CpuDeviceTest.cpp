// CpuDeviceTest.cpp - loading artifacts, refusing bad ones, running launches.
#include "TestKernel.h"
#include "lib/Host/CpuInfo.h"
#include "runtime/core/Device.h"

#include <fstream>
#include <numeric>

using namespace labgen;

namespace {

std::unique_ptr<Device> cpu(int threads) {
  Result<std::unique_ptr<Device>> device = openDevice({"cpu", threads, {}});
  EXPECT_TRUE(device);
  return std::move(*device);
}

ManifestKernel axpyKernel() {
  return testKernel("axpy:n=967,type=f32", "Axpy",
                    {launch("axpy", 15), launch("axpy_rest", 7)});
}

Status loadStatus(const ManifestKernel &kernel) {
  return cpu(1)->load(kernel, kernelFolder).status();
}

/// The arguments of an axpy whose results are exact integers.
struct Axpy {
  explicit Axpy(int64_t n) : x(n), y(n, 3) {
    std::iota(x.begin(), x.end(), 0.0f);
  }
  std::vector<void *> pointers() { return {&alpha, x.data(), y.data()}; }
  void expectRuns(int runs) {
    for (size_t i = 0; i < y.size(); ++i)
      ASSERT_EQ(y[i], 3 + 2.0f * float(runs) * float(i)) << i;
  }
  float alpha = 2;
  std::vector<float> x, y;
};

TEST(CpuDevice, RunsAllLaunchesOverAllUnits) {
  for (int threads : {1, 2, 3}) {
    auto device = cpu(threads);
    EXPECT_EQ(device->name(), "cpu");
    EXPECT_EQ(device->chip(), hostCpu().model);
    EXPECT_EQ(device->threads(), threads);
    auto kernel = device->load(axpyKernel(), kernelFolder);
    ASSERT_TRUE(kernel) << kernel.status().message();
    Axpy data(967);
    for (int run = 1; run <= 3; ++run) {
      ASSERT_TRUE((*kernel)->run(data.pointers()));
      data.expectRuns(run);
    }
  }
}

TEST(CpuDevice, DefaultsToEveryCore) {
  EXPECT_EQ(size_t(cpu(0)->threads()), hostCpu().cores.size());
}

TEST(CpuDevice, PutsAffinityBackWhenAKernelIsUnloaded) {
  std::vector<int> before = threadCores();
  {
    auto kernel = cpu(1)->load(axpyKernel(), kernelFolder);
    ASSERT_TRUE(kernel);
    EXPECT_EQ(threadCores(), std::vector<int>{hostCpu().cores.front()});
  }
  EXPECT_EQ(threadCores(), before);
}

TEST(CpuDevice, OwnsWorkspaces) {
  ManifestKernel manifest =
      testKernel("axpy:n=1000000,type=f32", "Workspace",
                 {launch("products", 1000000), launch("sums", 1000000)});
  ManifestArgument workspace;
  workspace.name = "products";
  workspace.role = Role::Workspace;
  workspace.shape = {1000003}; // ends 52 bytes before memory that faults
  workspace.byteSize = 4000012;
  manifest.arguments.push_back(workspace);

  auto kernel = cpu(2)->load(manifest, kernelFolder);
  ASSERT_TRUE(kernel) << kernel.status().message();
  Axpy data(1000000);
  ASSERT_TRUE((*kernel)->run(data.pointers()));
  data.expectRuns(1);

  // The workspace is no argument of run().
  std::vector<void *> tooMany = data.pointers();
  tooMany.push_back(nullptr);
  EXPECT_EQ((*kernel)->run(tooMany).exitCode(), ExitCode::BadInput);

  manifest.launches = {launch("overrun", 1000003)};
  auto overrun = cpu(1)->load(manifest, kernelFolder);
  ASSERT_TRUE(overrun);
  Status status = (*overrun)->run(data.pointers());
  EXPECT_FALSE(status);
  EXPECT_NE(status.message().find("workspace 'products'"), std::string::npos);
}

TEST(CpuDevice, MissingEntryIsNamed) {
  ManifestKernel kernel = axpyKernel();
  kernel.launches[1].entry = "axpy_tail";
  Status status = loadStatus(kernel);
  EXPECT_EQ(status.exitCode(), ExitCode::BadInput);
  EXPECT_NE(status.message().find("'axpy_tail'"), std::string::npos);

  kernel.launches.clear();
  EXPECT_EQ(loadStatus(kernel).exitCode(), ExitCode::BadInput);
}

TEST(CpuDevice, WrongChecksumIsRefused) {
  ManifestKernel kernel = axpyKernel();
  kernel.sha256[5] = kernel.sha256[5] == '0' ? '1' : '0';
  Status status = loadStatus(kernel);
  EXPECT_EQ(status.exitCode(), ExitCode::BadInput);
  EXPECT_NE(status.message().find("sha256"), std::string::npos);
}

TEST(CpuDevice, MissingArtifactIsRefused) {
  ManifestKernel kernel = axpyKernel();
  kernel.artifact = "absent.so";
  EXPECT_EQ(loadStatus(kernel).exitCode(), ExitCode::BadInput);
  kernel.artifact = "";
  EXPECT_EQ(loadStatus(kernel).exitCode(), ExitCode::BadInput);
}

TEST(CpuDevice, AFileThatIsNoSharedObjectIsRefused) {
  std::string folder = testing::TempDir();
  std::ofstream(folder + "/text.so") << "not an ELF file";
  ManifestKernel kernel = axpyKernel();
  kernel.artifact = "text.so";
  kernel.sha256 = sha256("not an ELF file");
  Status status = cpu(1)->load(kernel, folder).status();
  EXPECT_EQ(status.exitCode(), ExitCode::BadInput);
  EXPECT_EQ(status.message().find('\n'), std::string::npos);
}

TEST(CpuDevice, MissingIsaIsNamedAndExitsWithTwo) {
  ManifestKernel kernel = axpyKernel();
  kernel.isa = {"sse2", "avx1024f"};
  Status status = loadStatus(kernel);
  EXPECT_EQ(status.exitCode(), ExitCode::Missing);
  EXPECT_NE(status.message().find("'avx1024f'"), std::string::npos);

  kernel.isa = hostCpu().features;
  EXPECT_TRUE(cpu(1)->load(kernel, kernelFolder));
}

TEST(Registry, TellsMissingFromMisspelt) {
  for (const char *name : {"cuda:0", "hip:3", "emu"})
    EXPECT_EQ(openDevice({name, 1, {}}).status().exitCode(), ExitCode::Missing)
        << name;
  for (const char *name : {"", "gpu", "cpu:0"}) {
    Status status = openDevice({name, 1, {}}).status();
    EXPECT_EQ(status.exitCode(), ExitCode::BadInput) << name;
    EXPECT_NE(status.message().find("cpu"), std::string::npos);
  }
  EXPECT_EQ(openDevice({"cpu", 100000, {}}).status().exitCode(),
            ExitCode::BadInput);
}

} // namespace
