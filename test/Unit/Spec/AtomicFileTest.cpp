// AtomicFileTest.cpp - files are whole or absent, whatever goes wrong.
#include "lib/Support/AtomicFile.h"
#include "lib/Support/ReadFile.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace labgen;

namespace {

class AtomicFileTest : public testing::Test {
protected:
  std::string folder = testing::TempDir() + "labgen-atomic-XXXXXX";

  void SetUp() override { ASSERT_TRUE(mkdtemp(folder.data())); }
  void TearDown() override {
    for (const std::string &name : entries())
      std::remove((folder + "/" + name).c_str());
    rmdir(folder.c_str());
  }
  std::string at(const std::string &name) { return folder + "/" + name; }
  std::vector<std::string> entries() {
    std::vector<std::string> names;
    DIR *dir = opendir(folder.c_str());
    while (dirent *entry = readdir(dir))
      if (std::string(entry->d_name) != "." &&
          std::string(entry->d_name) != "..")
        names.push_back(entry->d_name);
    closedir(dir);
    return names;
  }
};

void expectFailure(const Status &status, const std::string &part) {
  ASSERT_FALSE(status);
  EXPECT_EQ(status.exitCode(), ExitCode::BadInput);
  EXPECT_NE(status.message().find(part), std::string::npos) << status.message();
  EXPECT_NE(status.message().find("; "), std::string::npos);
}

TEST_F(AtomicFileTest, WritesAndReplaces) {
  ASSERT_TRUE(writeFile(at("f"), "one"));
  EXPECT_EQ(*readFile(at("f")), "one");
  ASSERT_TRUE(writeFile(at("f"), ""));
  EXPECT_EQ(*readFile(at("f")), "");
  std::string big(300000, 'x');
  big[70000] = '\0';
  ASSERT_TRUE(writeFile(at("f"), big));
  EXPECT_EQ(*readFile(at("f")), big);
  EXPECT_EQ(entries().size(), 1u);
}

TEST_F(AtomicFileTest, NothingIsThereBeforeCommit) {
  {
    Result<AtomicFile> file = AtomicFile::create(at("f"));
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write("abc", 3));
    EXPECT_NE(access(at("f").c_str(), F_OK), 0);
    EXPECT_EQ(entries().size(), 1u); // under another name, in the folder
  }
  EXPECT_TRUE(entries().empty()); // dropped without commit
  Result<AtomicFile> file = AtomicFile::create(at("f"));
  AtomicFile moved = std::move(*file);
  ASSERT_TRUE(moved.write("abc", 3));
  ASSERT_TRUE(moved.commit());
  EXPECT_EQ(*readFile(at("f")), "abc");
}

TEST_F(AtomicFileTest, WhatIsNoRegularFileIsRefused) {
  expectFailure(writeFile(folder, "x"), "is not a regular file");
  expectFailure(writeFile(folder + "/", "x"), "is not a regular file");
  expectFailure(writeFile("/dev/null", "x"), "is not a regular file");
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  expectFailure(writeFile(at("pipe"), "x"), "is not a regular file");
  ASSERT_EQ(symlink("/dev/null", at("device").c_str()), 0);
  expectFailure(writeFile(at("device"), "x"), "is not a regular file");
  ASSERT_EQ(symlink("nowhere", at("dangling").c_str()), 0);
  expectFailure(writeFile(at("dangling"), "x"), "is not a regular file");
  EXPECT_EQ(entries().size(), 3u);
}

TEST_F(AtomicFileTest, NothingIsWrittenThroughALink) {
  ASSERT_TRUE(writeFile(at("real"), "old"));
  ASSERT_EQ(symlink("real", at("link").c_str()), 0);
  expectFailure(writeFile(at("link"), "new"), "is not a regular file");
  EXPECT_EQ(*readFile(at("real")), "old");
  EXPECT_EQ(entries().size(), 2u);
}

TEST_F(AtomicFileTest, BadPaths) {
  expectFailure(writeFile(at("absent/f"), "x"), "create the folder first");
  expectFailure(writeFile("", "x"), "names no file");
  expectFailure(writeFile(at(std::string(300, 'n')), "x"), "shorter name");
  ASSERT_TRUE(writeFile(at("f"), "x"));
  expectFailure(writeFile(at("f/g"), "x"), "create the folder first");
  // A long name that fits: the temporary one must fit too.
  EXPECT_TRUE(writeFile(at(std::string(255, 'n')), "x"));
}

/// Runs `body` in a child process, for limits that must not outlive the test.
template <typename Body> bool inChild(Body body) {
  pid_t child = fork();
  if (child == 0)
    _exit(body() ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_F(AtomicFileTest, AFullDiskLeavesTheOldFile) {
  ASSERT_TRUE(writeFile(at("f"), "old"));
  std::string target = at("f");
  EXPECT_TRUE(inChild([&] {
    signal(SIGXFSZ, SIG_DFL);
    rlimit limit = {1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    Status status = writeFile(target, std::string(5000, 'x'));
    // Neither killed by SIGXFSZ nor silent.
    return !status && status.message().find(target) != std::string::npos &&
           status.message().find("; raise the file size limit") !=
               std::string::npos;
  }));
  EXPECT_EQ(*readFile(target), "old");
  EXPECT_EQ(entries().size(), 1u);
}

TEST_F(AtomicFileTest, AWriteAfterAFailureFailsToo) {
  std::string target = at("f");
  EXPECT_TRUE(inChild([&] {
    rlimit limit = {1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    std::string bytes(5000, 'x');
    Result<AtomicFile> file = AtomicFile::create(target);
    return file && !file->write(bytes.data(), bytes.size()) &&
           !file->write("x", 1) && !file->commit();
  }));
  EXPECT_TRUE(entries().empty());
}

TEST_F(AtomicFileTest, PlacesWithoutPermission) {
  ASSERT_TRUE(writeFile(at("f"), "old"));
  chmod(at("f").c_str(), 0444);
  chmod(folder.c_str(), 0555);
  EXPECT_TRUE(inChild([&] {
    if (geteuid() == 0 && setuid(65534) != 0) // root may write anywhere
      return false;
    Status overwritten = writeFile(at("f"), "new");
    Status created = writeFile(at("g"), "x");
    std::string advice = "Permission denied; choose a place you may write";
    return !overwritten && !created &&
           overwritten.message().find(advice) != std::string::npos &&
           created.message().find(advice) != std::string::npos;
  }));
  chmod(folder.c_str(), 0700);
  EXPECT_EQ(*readFile(at("f")), "old");
}

TEST_F(AtomicFileTest, AForkRemovesNothing) {
  Result<AtomicFile> file = AtomicFile::create(at("f"));
  ASSERT_TRUE(file);
  EXPECT_TRUE(inChild([&] {
    AtomicFile moved = std::move(*file);
    return true;
  }));
  ASSERT_TRUE(file->write("abc", 3));
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(*readFile(at("f")), "abc");
}

} // namespace
