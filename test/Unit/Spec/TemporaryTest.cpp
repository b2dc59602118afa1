// TemporaryTest.cpp - leftovers go, what is in use stays.
#include "lib/Support/Temporary.h"
#include "lib/Support/AtomicFile.h"
#include "lib/Support/ReadFile.h"

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace labgen;

namespace {

class TemporaryTest : public testing::Test {
protected:
  std::string folder = testing::TempDir() + "labgen-temporary-XXXXXX";

  void SetUp() override { ASSERT_TRUE(mkdtemp(folder.data())); }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::string at(const std::string &name) {
    return folder + "/" + temporaryPrefix + name;
  }
  size_t count() {
    size_t entries = 0;
    for ([[maybe_unused]] auto &entry :
         std::filesystem::directory_iterator(folder))
      ++entries;
    return entries;
  }
};

/// clearTemporaries() looks once per process.
void clearInChild(const std::string &folder) {
  pid_t child = fork();
  if (child == 0) {
    clearTemporaries(folder);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
}

TEST_F(TemporaryTest, LeftoversGo) {
  std::filesystem::create_directories(at("dir") + "/deep");
  std::ofstream(at("dir") + "/deep/file") << "x";
  std::ofstream(at("file")) << "x";
  std::ofstream(folder + "/mine") << "x";
  std::filesystem::create_directory(folder + "/.labgen-notes");
  std::filesystem::create_symlink(folder + "/mine", at("link"));
  clearInChild(folder);
  EXPECT_EQ(count(), 3u); // the user's own, and a link, which we never make
  EXPECT_TRUE(std::filesystem::exists(folder + "/mine"));
}

TEST_F(TemporaryTest, WhatIsInUseStays) {
  std::filesystem::create_directory(at("dir"));
  std::optional<FileDescriptor> file(
      open(at("dir").c_str(), O_RDONLY | O_DIRECTORY));
  ASSERT_TRUE(holdTemporary(file->get(), at("dir")));
  clearInChild(folder);
  EXPECT_EQ(count(), 1u);
  file.reset();
  clearInChild(folder);
  EXPECT_EQ(count(), 0u);
}

TEST_F(TemporaryTest, OneThatWasRemovedIsNotHeld) {
  std::filesystem::create_directory(at("dir"));
  FileDescriptor file(open(at("dir").c_str(), O_RDONLY | O_DIRECTORY));
  std::filesystem::remove(at("dir"));
  EXPECT_FALSE(holdTemporary(file.get(), at("dir")));
  std::filesystem::create_directory(at("dir"));
  EXPECT_FALSE(holdTemporary(file.get(), at("dir"))); // another of that name
}

TEST_F(TemporaryTest, AFileOfAKilledWriterGoesWithTheNextWrite) {
  pid_t writer = fork();
  if (writer == 0) {
    Result<AtomicFile> file = AtomicFile::create(folder + "/f");
    if (file)
      raise(SIGKILL);
    _exit(0);
  }
  waitpid(writer, nullptr, 0);
  EXPECT_EQ(count(), 1u);
  ASSERT_TRUE(writeFile(folder + "/f", "x"));
  EXPECT_EQ(count(), 1u);
  EXPECT_EQ(*readFile(folder + "/f"), "x");
}

// Writers and sweepers at the same time: no file is lost to another process.
TEST_F(TemporaryTest, WritersBesideSweepers) {
  constexpr int processes = 4, files = 200;
  std::vector<pid_t> children;
  for (int process = 0; process < processes; ++process) {
    pid_t child = fork();
    if (child == 0) {
      for (int i = 0; i < files; ++i) {
        std::string name =
            folder + "/f" + std::to_string(process) + "-" + std::to_string(i);
        // A spelling not seen before, so that this process looks again.
        clearTemporaries(folder + std::string(size_t(i) + 1, '/'));
        if (!writeFile(name, "x"))
          _exit(1);
      }
      _exit(0);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  EXPECT_EQ(count(), size_t(processes * files));
}

} // namespace
