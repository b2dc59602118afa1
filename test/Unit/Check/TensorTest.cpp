// TensorTest.cpp - layout, packing, guards and memory that cannot be had.
#include "Support.h"

#include <csignal>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace labgen;
using namespace labgen::test;

namespace {

Tensor make(Format format, std::vector<int64_t> shape) {
  return *Tensor::allocate({"t", Role::Input, format, std::move(shape)});
}

/// Whether touching `address` ends a process.
bool faults(std::byte *address) {
  pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL);
    rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    auto *byte = reinterpret_cast<volatile char *>(address);
    *byte = *byte; // it may be shared
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status);
}

TEST(Tensor, IsAlignedZeroAndGuarded) {
  const int64_t page = sysconf(_SC_PAGESIZE);
  for (int64_t n : {int64_t(0), int64_t(1), int64_t(63), int64_t(64), page,
                    page + 1, int64_t(5) << 20}) {
    for (auto sharing : {Tensor::Sharing::Private, Tensor::Sharing::Shared}) {
      Tensor t =
          *Tensor::allocate({"t", Role::Input, Format::U8, {n}}, sharing);
      EXPECT_EQ(uintptr_t(t.data()) % 64, 0u);
      EXPECT_EQ(t.byteSize(), n);
      for (int64_t i = 0; i < n; i += 977)
        ASSERT_EQ(t.bits(0, i), 0u);
      EXPECT_EQ(t.brokenGuard(), "");
      // Each byte around is known, or nobody may touch it.
      for (int64_t at : {int64_t(-1), int64_t(-64), -page, n, n + 1, n + 63,
                         n + 64, n + page}) {
        EXPECT_TRUE(t.surrounds(t.data() + at));
        std::byte &guard = t.data()[at];
        if (faults(&guard))
          continue;
        std::byte kept = guard;
        guard ^= std::byte(1);
        EXPECT_EQ(t.brokenGuard(),
                  at < 0 ? "before the first" : "behind the last")
            << n << " " << at;
        guard = kept;
        EXPECT_EQ(t.brokenGuard(), "");
      }
      EXPECT_TRUE(faults(t.data() - page));
      EXPECT_TRUE(faults(t.data() + n + 64));
    }
  }
}

TEST(Tensor, ReadOnlyMemoryFaultsOnWrites) {
  Tensor t = make(Format::U8, {10000});
  t.makeReadOnly();
  EXPECT_TRUE(faults(t.data()) && faults(t.data() + 9999));
  EXPECT_EQ(t.bits(0, 9999), 0u);
  t.setWritable(9999, 1, true);
  EXPECT_FALSE(faults(t.data() + 9999));
  EXPECT_TRUE(faults(t.data()));
  t.setWritable(9999, 1, false);
  EXPECT_TRUE(faults(t.data() + 9999));
}

TEST(Tensor, CopiesWithGapsCarryWhatIsInThem) {
  Tensor from = make(Format::F32, {5});
  Tensor to = *Tensor::allocate(from.argument(), Tensor::Sharing::Shared);
  from.as<float>()[4] = 7;
  from.data()[20] ^= std::byte(1);
  from.copyWithGaps(to);
  EXPECT_EQ(to.value(0, 4), 7);
  EXPECT_EQ(to.brokenGuard(), "behind the last");
}

TEST(Tensor, RowsAndColumns) {
  Tensor scalar = make(Format::F32, {});
  EXPECT_EQ(scalar.rows(), 1);
  EXPECT_EQ(scalar.columns(), 1);
  EXPECT_EQ(scalar.byteSize(), 4);
  Tensor vector = make(Format::F64, {5});
  EXPECT_EQ(vector.rows(), 1);
  EXPECT_EQ(vector.columns(), 5);
  Tensor matrix = make(Format::I4, {3, 5});
  EXPECT_EQ(matrix.rows(), 3);
  EXPECT_EQ(matrix.columns(), 5);
  EXPECT_EQ(matrix.byteSize(), 9); // each row starts on a byte
  EXPECT_EQ(make(Format::F32, {0, 7}).rows(), 0);
}

TEST(Tensor, NibblesAreLowFirst) {
  Tensor t = make(Format::U4, {2, 3});
  for (int i = 0; i < 3; ++i) {
    t.setBits(0, i, uint64_t(i + 1));
    t.setBits(1, i, uint64_t(i + 13));
  }
  const auto *bytes = t.as<uint8_t>();
  EXPECT_EQ(bytes[0], 0x21);
  EXPECT_EQ(bytes[1], 0x03);
  EXPECT_EQ(bytes[2], 0xED);
  EXPECT_EQ(bytes[3], 0x0F);
}

TEST(Tensor, FourSixBitCodesInThreeBytes) {
  Tensor t = make(Format::F6E2M3FN, {1, 4});
  uint64_t codes[] = {0x3F, 0x01, 0x2A, 0x15};
  for (int i = 0; i < 4; ++i)
    t.setBits(0, i, codes[i]);
  // 24 bits from the low end: 010101 101010 000001 111111.
  EXPECT_EQ(t.byteSize(), 3);
  const auto *bytes = t.as<uint8_t>();
  EXPECT_EQ(bytes[0] | bytes[1] << 8 | bytes[2] << 16,
            0x3F | 0x01 << 6 | 0x2A << 12 | 0x15 << 18);
}

TEST(Tensor, BitsComeBackAndNeighboursStay) {
  for (Format format : allFormats()) {
    int width = info(format).storageBits;
    uint64_t mask = width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
    Tensor t = make(format, {3, 7});
    auto code = [&](int64_t i) {
      return uint64_t(i + 1) * 0x9E3779B97F4A7C15u & mask;
    };
    for (int pass = 0; pass < 2; ++pass) // the second time over old bits
      for (int64_t i = 0; i < 21; ++i)
        t.setBits(i / 7, i % 7, pass ? code(i) : ~code(i) & mask);
    for (int64_t i = 0; i < 21; ++i)
      EXPECT_EQ(t.bits(i / 7, i % 7), code(i)) << name(format) << " " << i;
    EXPECT_EQ(t.brokenGuard(), "");
  }
}

TEST(Tensor, CopiesAreIndependent) {
  Tensor t = make(Format::F32, {4});
  Tensor shared = t, apart = *t.copy();
  t.as<float>()[2] = 5;
  EXPECT_EQ(shared.value(0, 2), 5);
  EXPECT_EQ(apart.value(0, 2), 0);
}

TEST(Tensor, MemoryThatCannotBeHad) {
  auto fails = [](std::vector<int64_t> shape, const std::string &what) {
    Result<Tensor> t =
        Tensor::allocate({"x", Role::Input, Format::F32, std::move(shape)});
    ASSERT_FALSE(bool(t));
    EXPECT_EQ(t.status().exitCode(), ExitCode::BadInput);
    EXPECT_NE(t.status().message().find(what), std::string::npos)
        << t.status().message();
    EXPECT_NE(t.status().message().find("; "), std::string::npos);
  };
  fails({int64_t(1) << 44}, "x needs 70368744177664 bytes");
  fails({int64_t(1) << 40, int64_t(1) << 40}, "overflows");
  fails({int64_t(1) << 62}, "overflows");
}

TEST(Tensor, FindByName) {
  Tensors tensors = {make(Format::F32, {1})};
  EXPECT_NE(find(tensors, "t"), nullptr);
  EXPECT_EQ(find(tensors, "x"), nullptr);
}

} // namespace
