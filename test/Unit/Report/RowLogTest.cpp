// RowLogTest.cpp - a kill loses at most one row, a full disk none.
#include "runtime/report/RowLog.h"
#include "test/Unit/Report/Rows.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace labgen;

namespace {

class RowLogTest : public testing::Test {
protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "rowlog-XXXXXX";
    folder = mkdtemp(name.data());
    path = folder + "/rows.jsonl";
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  void appendText(const std::string &text) {
    std::ofstream(path, std::ios::app) << text;
  }
  std::string text() {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::string folder, path;
};

TEST_F(RowLogTest, appendsAndReadsBack) {
  {
    Result<RowLog> log = RowLog::open(path);
    ASSERT_TRUE(log) << log.status().message();
    EXPECT_TRUE(log->rows().empty());
    ASSERT_TRUE(log->append(quantizeRow()));
    ASSERT_TRUE(log->append(wrongRow()));
  }
  Result<RowLog> log = RowLog::open(path);
  ASSERT_TRUE(log);
  ASSERT_EQ(log->rows().size(), 2u);
  EXPECT_EQ(log->rows()[0].toJson().dump(), quantizeRow().toJson().dump());
  EXPECT_EQ(log->rows()[1].reason, wrongRow().reason);
}

TEST_F(RowLogTest, dropsALineCutByAKill) {
  std::string whole = quantizeRow().toJson().dump() + "\n";
  for (size_t length = 1; length < whole.size() - 1; ++length) {
    std::filesystem::remove(path);
    appendText(whole + whole.substr(0, length));
    {
      Result<RowLog> log = RowLog::open(path);
      ASSERT_TRUE(log) << log.status().message();
      EXPECT_EQ(log->rows().size(), 1u);
      ASSERT_TRUE(log->append(wrongRow()));
    }
    EXPECT_EQ(text(), whole + wrongRow().toJson().dump() + "\n");
  }
}

TEST_F(RowLogTest, keepsARowWhoseNewlineIsMissing) {
  std::string row = quantizeRow().toJson().dump();
  appendText(row);
  ASSERT_EQ(readRows(path)->size(), 1u);
  {
    Result<RowLog> log = RowLog::open(path);
    ASSERT_TRUE(log) << log.status().message();
    EXPECT_EQ(log->rows().size(), 1u);
    ASSERT_TRUE(log->append(wrongRow()));
  }
  EXPECT_EQ(text(), row + "\n" + wrongRow().toJson().dump() + "\n");
}

TEST_F(RowLogTest, keepsTextThatIsNoRow) {
  for (const char *theirs :
       {"my notes", "{", "{\"spec\": 1", "{\"other\": \"x", "\n"}) {
    bool isCut = std::string(theirs) == "{"; // a row may begin so
    std::filesystem::remove(path);
    appendText(theirs);
    Result<RowLog> log = RowLog::open(path);
    EXPECT_EQ(bool(log), isCut) << theirs;
    if (isCut)
      continue;
    EXPECT_NE(log.status().message().find(path), std::string::npos);
    EXPECT_EQ(text(), theirs);
  }
}

TEST_F(RowLogTest, refusesASymbolicLink) {
  std::string real = folder + "/real";
  std::ofstream(real) << "text of somebody";
  std::filesystem::create_symlink(real, path);
  Result<RowLog> log = RowLog::open(path);
  ASSERT_FALSE(log);
  EXPECT_NE(log.status().message().find("symbolic link"), std::string::npos);
  EXPECT_EQ(text(), "text of somebody");
  std::filesystem::remove(real);
  EXPECT_FALSE(RowLog::open(path)); // and makes no file where it points
  EXPECT_FALSE(std::filesystem::exists(real));
}

TEST_F(RowLogTest, refusesWhatIsNoLog) {
  appendText(quantizeRow().toJson().dump() + "\nrubbish\n");
  Result<RowLog> log = RowLog::open(path);
  ASSERT_FALSE(log);
  EXPECT_NE(log.status().message().find("line 2 is not a row"),
            std::string::npos)
      << log.status().message();
  EXPECT_NE(text().find("rubbish"), std::string::npos); // left as it was

  EXPECT_FALSE(RowLog::open(folder));
  EXPECT_FALSE(RowLog::open("/dev/null"));
  EXPECT_FALSE(RowLog::open(folder + "/no/such/rows.jsonl"));
  std::string pipe = folder + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(RowLog::open(pipe)); // must not wait for a writer
  EXPECT_FALSE(readRows(pipe));
}

TEST_F(RowLogTest, oneWriterAtATime) {
  Result<RowLog> first = RowLog::open(path);
  ASSERT_TRUE(first);
  Result<RowLog> second = RowLog::open(path);
  ASSERT_FALSE(second);
  EXPECT_NE(second.status().message().find("another process"),
            std::string::npos);
}

TEST_F(RowLogTest, aFullDiskLeavesWholeLines) {
  Result<RowLog> log = RowLog::open(path);
  ASSERT_TRUE(log);
  ASSERT_TRUE(log->append(quantizeRow()));
  std::string before = text();

  signal(SIGXFSZ, SIG_IGN);
  rlimit old;
  getrlimit(RLIMIT_FSIZE, &old);
  rlimit small = {before.size() + 10, old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  Status status = log->append(wrongRow());
  setrlimit(RLIMIT_FSIZE, &old);

  ASSERT_FALSE(status);
  EXPECT_EQ(status.exitCode(), ExitCode::BadInput);
  EXPECT_EQ(text(), before);
  EXPECT_EQ(log->rows().size(), 1u);
  ASSERT_TRUE(log->append(wrongRow()));
  EXPECT_EQ(text(), before + wrongRow().toJson().dump() + "\n");
}

TEST_F(RowLogTest, readingChangesNothing) {
  appendText(quantizeRow().toJson().dump() + "\n{\"spec\": ");
  std::string before = text();
  Result<std::vector<Row>> rows = readRows(path);
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->size(), 1u);
  EXPECT_EQ(text(), before);
  EXPECT_FALSE(readRows(folder + "/none.jsonl"));
}

} // namespace
