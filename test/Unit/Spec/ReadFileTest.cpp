// ReadFileTest.cpp - reading neither waits nor takes what is no file.
#include "lib/Support/ReadFile.h"
#include "lib/Spec/Manifest.h"
#include "lib/Support/AtomicFile.h"
#include "lib/Support/Sha256.h"

#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace labgen;

namespace {

class ReadFileTest : public testing::Test {
protected:
  std::string folder = testing::TempDir() + "labgen-read-XXXXXX";

  void SetUp() override {
    ASSERT_TRUE(mkdtemp(folder.data()));
    // Whatever waits for a writer is ended.
    alarm(60);
  }
  void TearDown() override {
    alarm(0);
    std::filesystem::remove_all(folder);
  }
  std::string at(const std::string &name) { return folder + "/" + name; }
};

template <typename T>
void expectFailure(const Result<T> &result, const std::string &part) {
  ASSERT_FALSE(result);
  EXPECT_EQ(result.status().exitCode(), ExitCode::BadInput);
  EXPECT_NE(result.status().message().find(part), std::string::npos)
      << result.status().message();
}

TEST_F(ReadFileTest, WhatIsNoFile) {
  expectFailure(readFile(at("absent")), "No such file");
  expectFailure(readFile(folder), "is a folder");
  for (Pipes pipes : {Pipes::Refused, Pipes::Taken})
    expectFailure(readFile("/dev/zero", pipes), "is not a regular file");
  expectFailure(readFile(std::string("f\0g", 3)), "zero byte");
  ASSERT_TRUE(writeFile(at("big"), "x"));
  ASSERT_EQ(truncate(at("big").c_str(), (off_t(1) << 30) + 1), 0);
  expectFailure(readFile(at("big")), "larger than 1 GiB");
}

TEST_F(ReadFileTest, PipesOfLabgenItselfAreRefused) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  expectFailure(readFile(at("pipe")), "is not a regular file");
  expectFailure(sha256File(at("pipe")), "is not a regular file");
  ASSERT_EQ(mkfifo(at("manifest.json").c_str(), 0600), 0);
  expectFailure(Manifest::read(folder), "is not a regular file");
}

TEST_F(ReadFileTest, PipesThatUsersName) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  expectFailure(readFile(at("pipe"), Pipes::Taken), "nothing writes to");
  // A writer that comes late and takes its time is read to its end.
  std::thread writer([&] {
    usleep(20000);
    FileDescriptor file(open(at("pipe").c_str(), O_WRONLY));
    EXPECT_EQ(write(file.get(), "one ", 4), 4);
    usleep(20000);
    EXPECT_EQ(write(file.get(), "two", 3), 3);
  });
  Result<std::string> text = readFile(at("pipe"), Pipes::Taken);
  writer.join();
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, "one two");
}

TEST_F(ReadFileTest, PipesOfAWriterWithNothingToSay) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  std::thread writer(
      [&] { FileDescriptor file(open(at("pipe").c_str(), O_WRONLY)); });
  Result<std::string> text = readFile(at("pipe"), Pipes::Taken);
  writer.join();
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, "");
}

TEST_F(ReadFileTest, LinksWhereTheyAreRefused) {
  ASSERT_TRUE(writeFile(at("real"), "x"));
  ASSERT_EQ(symlink("real", at("link").c_str()), 0);
  EXPECT_EQ(*readFile(at("link")), "x");
  expectFailure(openFile(at("link"), O_RDWR | O_NOFOLLOW), "symbolic link");
}

} // namespace
