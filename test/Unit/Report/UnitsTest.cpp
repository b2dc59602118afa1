// UnitsTest.cpp - three digits, whatever the size.
#include "lib/Support/Units.h"

#include <gtest/gtest.h>
#include <limits>

using namespace labgen;

TEST(Units, significantDigits) {
  EXPECT_EQ(significant(0), "0.00");
  EXPECT_EQ(significant(1234.5), "1234");
  EXPECT_EQ(significant(99.96), "100"); // rounds up a decade
  EXPECT_EQ(significant(9.996), "10.0");
  EXPECT_EQ(significant(4.5), "4.50");
  EXPECT_EQ(significant(-0.01234), "-0.0123");
  EXPECT_EQ(significant(1e-30), "1.00e-30");
  EXPECT_EQ(significant(std::numeric_limits<double>::infinity()), "inf");
}

TEST(Units, durations) {
  EXPECT_EQ(duration(2), "2.00 s");
  EXPECT_EQ(duration(0.99951), "1.00 s");
  EXPECT_EQ(duration(0.0123), "12.3 ms");
  EXPECT_EQ(duration(4.56e-5), "45.6 us");
  EXPECT_EQ(duration(7.8e-8), "78.0 ns");
  EXPECT_EQ(duration(0), "0.00 ns");
}
