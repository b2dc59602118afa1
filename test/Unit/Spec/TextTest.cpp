// TextTest.cpp - nearest names, quoting and lists of error lines.
#include "lib/Support/Text.h"

#include <gtest/gtest.h>
#include <iomanip> // std::quoted must not get in the way of quoted

using namespace labgen;

namespace {

TEST(Text, NearestByEditDistance) {
  std::vector<std::string_view> keys = {"m", "k", "group", "scale", "zero"};
  EXPECT_EQ(nearest("gruop", keys), "group");
  EXPECT_EQ(nearest("grp", keys), "group");
  EXPECT_EQ(nearest("scal", keys), "scale");
  EXPECT_EQ(nearest("M", keys), "m");
  EXPECT_EQ(nearest("", keys), "m");
  EXPECT_EQ(nearest("x", {}), "");
  // Another case is nearer than another letter.
  EXPECT_EQ(nearest("F8e5m2", {"f8E4M3", "f8E5M2"}), "f8E5M2");
  EXPECT_EQ(nearest(std::string(1 << 20, 'g'), keys), "group");
}

TEST(Text, QuotedIsOnePrintableShortLine) {
  EXPECT_EQ(quoted("group"), "'group'");
  EXPECT_EQ(quoted(std::string("a b")), "'a b'");
  EXPECT_EQ(quoted("a\nb\x80"), "'a\\x0ab\\x80'");
  EXPECT_EQ(quoted(std::string_view("\0", 1)), "'\\x00'");
  EXPECT_EQ(quoted(std::string(61, 'a')), "'" + std::string(60, 'a') + "...'");
}

TEST(Text, Lists) {
  EXPECT_EQ(orList({}), "");
  EXPECT_EQ(orList({"a"}), "a");
  EXPECT_EQ(orList({"a", "b"}), "a or b");
  EXPECT_EQ(orList({"a", "b", "c"}), "a, b or c");
}

TEST(Text, PlainDecimals) {
  EXPECT_EQ(parseDecimal("0"), 0u);
  EXPECT_EQ(parseDecimal("18446744073709551615"), UINT64_MAX);
  for (const char *text : {"", "-1", "+1", "01", "1.0", "1e3", "0x10", " 1",
                           "1 ", "18446744073709551616", "1k"})
    EXPECT_EQ(parseDecimal(text), std::nullopt) << text;
}

} // namespace
