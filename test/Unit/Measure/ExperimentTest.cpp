// ExperimentTest.cpp - from a kernel to a row: right kernels get a time and a
// roof, wrong ones get neither.
#include "runtime/experiment/Experiment.h"
#include "TestKernel.h"
#include "runtime/data/Npy.h"

#include <cstdio>
#include <filesystem>
#include <sys/mman.h>

using namespace labgen;

namespace {

constexpr const char *axpySpec = "axpy:n=967,type=f32";
constexpr const char *quantizeSpec =
    "quantize:m=4,k=96,in=f32,out=i8,group=32,scale=f32";

ManifestKernel axpyKernel(const std::string &artifact) {
  return testKernel(axpySpec, artifact,
                    {launch("axpy", 15), launch("axpy_rest", 7)});
}

RunOptions quick() {
  RunOptions options;
  options.timeLimitSeconds = 0.02;
  return options;
}

Result<Row> runOn(int threads, const ManifestKernel &kernel,
                  const RunOptions &options) {
  auto device = openDevice({"cpu", threads, {}});
  EXPECT_TRUE(device);
  return runExperiment(kernel, kernelFolder, **device, options);
}

Row rowOf(const ManifestKernel &kernel, const RunOptions &options) {
  Result<Row> row = runOn(1, kernel, options);
  EXPECT_TRUE(row) << row.status().message();
  return row ? *row : Row();
}

TEST(Experiment, ARightKernelGetsATimeAndARoof) {
  for (auto kernel :
       {axpyKernel("Axpy"),
        testKernel(quantizeSpec, "Quantize", {launch("quantize", 4)})}) {
    SCOPED_TRACE(kernel.spec.str());
    Row row = rowOf(kernel, quick());
    EXPECT_EQ(row.status, RowStatus::Ok) << row.reason;
    EXPECT_EQ(row.reason, "");
    EXPECT_EQ(row.spec, kernel.spec.str());
    EXPECT_EQ(row.device, "cpu");
    EXPECT_EQ(row.threads, 1);
    EXPECT_EQ(row.checked, "all");
    EXPECT_TRUE(row.error && row.counts);
    EXPECT_FALSE(row.version.empty());
    ASSERT_TRUE(row.time);
    EXPECT_GT(row.time->median, 0);
    EXPECT_GT(row.time->n, 0);
    EXPECT_EQ(row.cache, "llc");
    ASSERT_TRUE(row.gbps && row.gflops && row.roof);
    EXPECT_NEAR(*row.gbps * row.time->median * 1e9, double(row.cost->bytes()),
                1);
    EXPECT_NEAR(*row.gflops * row.time->median * 1e9, double(row.cost->flops),
                1);
    EXPECT_EQ(row.roof->source, "measured");
    EXPECT_EQ(row.roof->codeIsa, "sse2");
    EXPECT_GT(row.roof->codeGflops.value_or(0), 0);
    EXPECT_GE(row.roof->gflops.value_or(0), *row.roof->codeGflops);
  }
}

TEST(Experiment, PredictsBeforeItRuns) {
  ManifestKernel kernel = axpyKernel("Axpy");
  auto device = openDevice({"cpu", 1, {}});
  ASSERT_TRUE(device);
  Row planned = plannedRow(kernel, **device, quick());
  ASSERT_TRUE(planned.predictedSeconds);
  EXPECT_GT(*planned.predictedSeconds, 0);
  EXPECT_EQ(planned.regime, "cache");
  EXPECT_FALSE(planned.time || planned.error);
  EXPECT_EQ(planned.cost->bytesWritten, 967 * 4);
}

TEST(Experiment, AWrongKernelGetsNoTime) {
  for (auto kernel :
       {axpyKernel("AxpyWrong"),
        testKernel(quantizeSpec, "QuantizeWrong", {launch("quantize", 4)})}) {
    SCOPED_TRACE(kernel.spec.str());
    Row row = rowOf(kernel, quick());
    EXPECT_EQ(row.status, RowStatus::Wrong);
    EXPECT_NE(row.reason, "");
    EXPECT_FALSE(row.time || row.gbps || row.gflops || row.roof);
    EXPECT_EQ(row.cache, "");
    EXPECT_TRUE(row.predictedSeconds);
  }
}

TEST(Experiment, AKernelThatLeavesItsRestOutIsWrong) {
  ManifestKernel kernel = axpyKernel("Axpy");
  kernel.launches.pop_back();
  EXPECT_EQ(rowOf(kernel, quick()).status, RowStatus::Wrong);
}

TEST(Experiment, SamplesFarApartAreAFinding) {
  ManifestKernel kernel =
      testKernel(axpySpec, "AxpyUneven", {launch("axpy", 1)});
  Row row = rowOf(kernel, quick());
  EXPECT_EQ(row.status, RowStatus::Ok) << row.reason;
  ASSERT_TRUE(row.time);
  EXPECT_GT(row.time->iqr, 0.15 * row.time->median);
  ASSERT_EQ(row.findings.size(), 1u);
  EXPECT_EQ(row.findings[0].find("spread: "), 0u) << row.findings[0];
  EXPECT_FALSE(row.countsInSummary());
}

TEST(Experiment, WithoutTimingItOnlyChecks) {
  RunOptions options = quick();
  options.time = false;
  Row row = rowOf(axpyKernel("Axpy"), options);
  EXPECT_EQ(row.status, RowStatus::Ok);
  EXPECT_FALSE(row.time || row.gbps || row.roof);
}

TEST(Experiment, AKernelFasterThanMemoryIsSuspect) {
  RunOptions options = quick();
  options.dist = Distribution::Ones;
  Row row = rowOf(testKernel("reduce:n=1000000,type=f32,kind=max", "MaxOfOnes",
                             {launch("max", 1)}),
                  options);
  EXPECT_EQ(row.status, RowStatus::Suspect);
  EXPECT_NE(row.reason.find("% of the roof"), std::string::npos) << row.reason;
  EXPECT_TRUE(row.time && row.roof);
}

TEST(Experiment, WhatIsUpdatedInPlaceStaysBounded) {
  ManifestKernel kernel = axpyKernel("Axpy");
  void *memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  auto *largest = static_cast<float *>(memory);
  char address[32];
  std::snprintf(address, sizeof address, "%llx",
                (unsigned long long)uintptr_t(memory));
  setenv("LABGEN_LARGEST", address, 1);
  RunOptions options = quick();
  options.dist = Distribution::Ones;
  Row row = rowOf(kernel, options);
  ASSERT_TRUE(row.time);
  // y is 1 and grows by one a run: the checked one, then a thousand timed ones
  // before it starts again.
  EXPECT_GT(*largest, 100);
  EXPECT_LE(*largest, 1 + 1 + 1000);
  unsetenv("LABGEN_LARGEST");
  munmap(memory, 4096);
}

TEST(Experiment, SeedAndDistributionMakeTheData) {
  RunOptions options = quick();
  options.time = false;
  options.seed = 7;
  options.dist = Distribution::Ones;
  Row row = rowOf(axpyKernel("Axpy"), options);
  EXPECT_EQ(row.status, RowStatus::Ok) << row.reason;
  EXPECT_EQ(row.seed, 7u);
  EXPECT_EQ(row.dist, "ones");
}

TEST(Experiment, AnArtifactThatWasNotMadeIsSkippedWithItsReason) {
  ManifestKernel kernel = axpyKernel("Axpy");
  kernel.failure = "no such instruction; choose another target";
  Row row = rowOf(kernel, quick());
  EXPECT_EQ(row.status, RowStatus::Skipped);
  EXPECT_EQ(row.reason, kernel.failure);
}

TEST(Experiment, BadInputIsAStatus) {
  ManifestKernel kernel = axpyKernel("Axpy");
  kernel.isa = {"avx1024f"};
  EXPECT_EQ(runOn(1, kernel, quick()).status().exitCode(), ExitCode::Missing);

  kernel = axpyKernel("Axpy");
  kernel.arguments[1].byteSize += 4;
  Status status = runOn(1, kernel, quick()).status();
  EXPECT_EQ(status.exitCode(), ExitCode::BadInput);
  EXPECT_NE(status.message().find("'x'"), std::string::npos);

  RunOptions options = quick();
  options.inputs["z"] = "z.npy";
  status = runOn(1, axpyKernel("Axpy"), options).status();
  EXPECT_EQ(status.exitCode(), ExitCode::BadInput);
  EXPECT_NE(status.message().find("alpha, x, y"), std::string::npos);

  options = quick();
  options.outputs["x"] = "x.npy";
  EXPECT_EQ(runOn(1, axpyKernel("Axpy"), options).status().exitCode(),
            ExitCode::BadInput);

  options = quick();
  options.inputs["x"] = "/nowhere/x.npy";
  EXPECT_EQ(runOn(1, axpyKernel("Axpy"), options).status().exitCode(),
            ExitCode::BadInput);
}

TEST(Experiment, ReadsInputsAndWritesTheFirstRunsOutputs) {
  std::string folder = testing::TempDir() + "labgen-experiment";
  std::filesystem::create_directories(folder);
  std::vector<Argument> args = arguments(*KernelSpec::parse(axpySpec));
  Tensors data;
  for (const Argument &argument : args) {
    Result<Tensor> tensor = Tensor::allocate(argument);
    ASSERT_TRUE(tensor);
    for (int64_t i = 0; i < argument.elements(); ++i)
      tensor->as<float>()[i] = argument.name == "alpha" ? 2 : float(i);
    ASSERT_TRUE(writeNpy(folder + "/" + argument.name + ".npy", *tensor));
    data.push_back(*tensor);
  }
  RunOptions options = quick();
  for (const Argument &argument : args)
    options.inputs[argument.name] = folder + "/" + argument.name + ".npy";
  options.outputs["y"] = folder + "/out.npy";
  Row row = rowOf(axpyKernel("Axpy"), options);
  EXPECT_EQ(row.status, RowStatus::Ok) << row.reason;
  // It was timed, in place; what is written is the first result.
  ASSERT_TRUE(row.time);
  ASSERT_TRUE(readNpy(folder + "/out.npy", data[2]));
  for (int64_t i = 0; i < 967; ++i)
    ASSERT_EQ(data[2].as<float>()[i], 3 * float(i));
}

TEST(Experiment, ThreadsDoNotChangeTheVerdict) {
  for (int threads : {2, 5}) {
    Result<Row> row = runOn(threads, axpyKernel("Axpy"), quick());
    ASSERT_TRUE(row);
    EXPECT_EQ(row->status, RowStatus::Ok) << row->reason;
    EXPECT_EQ(row->threads, threads);
  }
}

} // namespace
