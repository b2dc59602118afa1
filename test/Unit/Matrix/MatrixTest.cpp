// MatrixTest.cpp - no kernel ends a matrix, and nothing is measured twice.
#include "runtime/matrix/Matrix.h"

#include "lib/Support/ReadFile.h"
#include "lib/Support/Sha256.h"
#include "runtime/report/RowLog.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>

using namespace labgen;

namespace {

class MatrixTest : public testing::Test {
protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "matrix-XXXXXX";
    folder = mkdtemp(name.data());
    std::filesystem::copy(KERNELS, folder + "/kernels.so");
    sha = *sha256File(folder + "/kernels.so");
    options.run.time = false;
    options.threads = 1;
    options.run.kernelSeconds = 60;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  /// An axpy of `n` that runs `entry`.
  ManifestKernel kernel(int n, const std::string &entry) {
    ManifestKernel kernel;
    kernel.spec =
        *KernelSpec::parse("axpy:n=" + std::to_string(n) + ",type=f32");
    kernel.target = "cpu:native";
    kernel.artifact = "kernels.so";
    kernel.sha256 = sha;
    for (const Argument &argument : arguments(kernel.spec)) {
      ManifestArgument full;
      static_cast<Argument &>(full) = argument;
      full.byteSize = argument.bytes();
      kernel.arguments.push_back(full);
    }
    Launch launch;
    launch.entry = entry;
    launch.units = n;
    kernel.launches = {launch};
    return kernel;
  }

  std::vector<Row> measure(const std::vector<ManifestKernel> &kernels) {
    Result<Measured> measured = measureFolder(folder, kernels, options);
    EXPECT_TRUE(measured) << measured.status().message();
    return measured ? measured->rows : std::vector<Row>();
  }

  std::string log() { return *readFile(folder + "/rows.jsonl"); }

  std::string folder, sha;
  MeasureOptions options;
};

TEST_F(MatrixTest, whateverKernelsDo) {
  std::vector<std::string> seen;
  options.progress = [&](size_t done, size_t total, const std::string &spec) {
    if (spec.find("axpy") != 0 || (!seen.empty() && seen.back() == spec))
      return; // probing, or a crashed kernel once more
    EXPECT_EQ(done, seen.size());
    EXPECT_EQ(total, 6u);
    seen.push_back(spec);
  };
  options.run.kernelSeconds = 20;
  ManifestKernel unsupported = kernel(5, "none");
  unsupported.failure = "no such lab; use another";
  ManifestKernel compilerCrash = kernel(6, "none");
  compilerCrash.failure = "the compiler crashed (signal 6: Aborted); report it";
  std::vector<Row> rows =
      measure({kernel(1, "right"), kernel(2, "crash"), kernel(3, "wrong"),
               unsupported, compilerCrash, kernel(7, "right")});
  ASSERT_EQ(rows.size(), 6u);
  EXPECT_EQ(seen.size(), 6u);
  EXPECT_EQ(rows[0].status, RowStatus::Ok);
  EXPECT_EQ(rows[1].status, RowStatus::Error);
  EXPECT_EQ(rows[1].reason, "the kernel crashed (signal 6: Aborted)");
  EXPECT_EQ(rows[2].status, RowStatus::Wrong);
  EXPECT_EQ(rows[3].status, RowStatus::Skipped);
  EXPECT_EQ(rows[3].reason, unsupported.failure);
  EXPECT_EQ(rows[4].status, RowStatus::Error);
  EXPECT_EQ(rows[5].status, RowStatus::Ok);
  EXPECT_EQ(rows[5].spec, "axpy:n=7,type=f32");
  for (const Row &row : rows) {
    EXPECT_TRUE(row.predictedSeconds) << row.spec; // failed rows have it too
    EXPECT_FALSE(row.time);
    EXPECT_EQ(row.threads, 1);
  }
}

TEST_F(MatrixTest, aHangIsGivenUp) {
  measure({kernel(1, "right")}); // probes the roofs, which takes a while
  options.run.kernelSeconds = 2;
  std::vector<Row> rows = measure({kernel(2, "hang"), kernel(3, "right")});
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[1].status, RowStatus::Error);
  EXPECT_EQ(rows[1].reason, "the kernel did not end within 2 s");
  EXPECT_EQ(rows[2].status, RowStatus::Ok);
}

TEST_F(MatrixTest, goesOnWhereItStopped) {
  std::vector<Row> first = measure({kernel(1, "right")});
  std::string before = log();
  std::vector<ManifestKernel> both = {kernel(1, "right"), kernel(2, "right")};
  EXPECT_EQ(measure(both).size(), 2u);
  std::string after = log();
  EXPECT_EQ(after.compare(0, before.size(), before), 0);
  EXPECT_EQ(measure(both).size(), 2u);
  EXPECT_EQ(log(), after);

  // Other threads are another measurement.
  options.threads = 2;
  EXPECT_EQ(measure(both).size(), 4u);
}

TEST_F(MatrixTest, whatWasOnlyCheckedIsTimedOnDemand) {
  std::vector<ManifestKernel> kernels = {kernel(100, "right"),
                                         kernel(3, "wrong")};
  measure(kernels);
  options.run.time = true;
  std::vector<Row> rows = measure(kernels);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_TRUE(rows[0].time);
  EXPECT_FALSE(rows[1].time);
  // The wrong one is settled: two lines and one more.
  std::string text = log();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
}

TEST_F(MatrixTest, aChangedArtifactIsNotRun) {
  ManifestKernel changed = kernel(1, "crash");
  changed.sha256[0] = changed.sha256[0] == '0' ? '1' : '0';
  std::vector<Row> rows = measure({changed});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].status, RowStatus::Error);
  EXPECT_NE(rows[0].reason.find("sha256"), std::string::npos) << rows[0].reason;
}

TEST_F(MatrixTest, oneKernel) {
  Result<Row> row = measureKernel(kernel(4, "right"), folder, options);
  ASSERT_TRUE(row) << row.status().message();
  EXPECT_EQ(row->status, RowStatus::Ok);
  row = measureKernel(kernel(4, "crash"), folder, options);
  ASSERT_TRUE(row) << row.status().message();
  EXPECT_EQ(row->status, RowStatus::Error);
  EXPECT_EQ(row->reason, "the kernel crashed (signal 6: Aborted)");
  EXPECT_TRUE(row->predictedSeconds);

  options.device = "cuda:0";
  row = measureKernel(kernel(4, "right"), folder, options);
  ASSERT_FALSE(row);
  EXPECT_EQ(row.status().exitCode(), ExitCode::Missing);
}

TEST_F(MatrixTest, aKernelCannotWriteItsOwnRow) {
  ManifestKernel wrong = kernel(4, "wrong");
  Row forged = *measureKernel(kernel(4, "right"), folder, options);
  ASSERT_EQ(forged.status, RowStatus::Ok);
  std::string line = forged.toJson().dump();
  setenv("LABGEN_FORGED_ROW",
         (line + "\n{\"value\": [" + line + ", null]}\n").c_str(), 1);
  Result<Row> row = measureKernel(wrong, folder, options);
  std::vector<Row> rows = measure({wrong});
  unsetenv("LABGEN_FORGED_ROW");
  ASSERT_TRUE(row) << row.status().message();
  EXPECT_EQ(row->status, RowStatus::Wrong);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].status, RowStatus::Wrong);
}

TEST_F(MatrixTest, aRowIsHeldAgainstWhatWasAskedFor) {
  ManifestKernel asked = kernel(4, "right");
  Row row = *measureKernel(asked, folder, options);
  auto accepted = [&](const Row &row) {
    return acceptRow(row.toJson(), asked, options);
  };
  EXPECT_TRUE(accepted(row));
  auto other = [&](auto change) {
    Row changed = row;
    change(changed);
    return accepted(changed);
  };
  EXPECT_FALSE(other([](Row &r) { r.spec = "axpy:n=5,type=f32"; }));
  EXPECT_FALSE(other([](Row &r) { r.target = "cpu:x86-64-v4"; }));
  EXPECT_FALSE(other([](Row &r) { r.device = "cuda:0"; }));
  EXPECT_FALSE(other([](Row &r) { r.threads = 64; }));
  EXPECT_FALSE(other([](Row &r) { r.seed = 7; }));

  Result<Row> fast = other([](Row &r) {
    r.time = TimeStats{1e-9, 1e-12, 10, "time"};
    r.gbps = 200;
    r.roof = RowRoof();
    r.roof->gbps = 100;
  });
  ASSERT_TRUE(fast);
  EXPECT_EQ(fast->status, RowStatus::Suspect);
  EXPECT_NE(fast->reason.find("200% of the roof"), std::string::npos);
}

TEST_F(MatrixTest, isaThisMachineLacksIsSkipped) {
  ManifestKernel foreign = kernel(4, "crash");
  foreign.isa = {"no-such-isa"};
  std::vector<Row> rows = measure({foreign});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].status, RowStatus::Skipped);
  Result<Row> row = measureKernel(foreign, folder, options);
  ASSERT_FALSE(row);
  EXPECT_EQ(row.status().exitCode(), ExitCode::Missing);
}

TEST(LatestRows, theLastOfEachInPlace) {
  Row a, b, c;
  a.spec = "a";
  b.spec = "b";
  c.spec = "a";
  c.status = RowStatus::Ok;
  std::vector<Row> rows = latestRows({a, b, c});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].spec, "a");
  EXPECT_EQ(rows[0].status, RowStatus::Ok);
  EXPECT_EQ(rows[1].spec, "b");
}

} // namespace
