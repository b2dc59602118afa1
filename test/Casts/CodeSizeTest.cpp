// CodeSizeTest.cpp - a cast kernel is at most 16 KiB of machine code, whatever
// its formats: bodies that grow with the format, or are copied for every tail,
// show here and not first in an instruction cache.
#include "lib/Driver/Compile.h"
#include "test/Casts/Cases.h"
#include "test/Casts/CastKernel.h"

#include "llvm/Object/ObjectFile.h"
#include "gtest/gtest.h"

using namespace labgen;

namespace {

constexpr uint64_t most = 16 << 10;

/// Bytes of the sections that hold code.
uint64_t codeBytes(const std::string &path) {
  auto file = llvm::object::ObjectFile::createObjectFile(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return UINT64_MAX;
  }
  uint64_t bytes = 0;
  for (const llvm::object::SectionRef &section : file->getBinary()->sections())
    if (section.isText())
      bytes += section.getSize();
  return bytes;
}

void check(Format in, Format out, const std::string &target,
           const std::string &rest = "") {
  // Whole work units, a rest of one and a tail.
  auto kernel = CastKernel::make("cast:n=1000003,in=" + std::string(name(in)) +
                                     ",out=" + std::string(name(out)) + rest,
                                 target);
  ASSERT_TRUE(kernel);
  EXPECT_LE(codeBytes(kernel->path()), most)
      << kernel->spec().str() << " for " << target;
}

TEST(CodeSize, Some) {
  for (const char *target : {"cpu:x86-64-v3", "cpu:x86-64-v4"}) {
    for (Format out : {Format::F16, Format::F8E4M3FN, Format::F6E2M3FN,
                       Format::F4E2M1FN, Format::I8})
      check(Format::F32, out, target);
    check(Format::F64, Format::F8E4M3FN, target);
    check(Format::F6E3M2FN, Format::F6E2M3FN, target);
    check(Format::F64, Format::F4E2M1FN, target, ",round=stochastic,seed=1");
  }
}

TEST(CodeSize, Every) {
  for (Format in : castFormats())
    for (Format out : castFormats())
      for (const char *target : {"cpu:x86-64-v3", "cpu:x86-64-v4"})
        check(in, out, target);
}

} // namespace
