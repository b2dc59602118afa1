// PlotTest.cpp - what must be in a roofline picture.
#include "lib/Roofline/plot/Plot.h"

#include <gtest/gtest.h>

using namespace labgen;

namespace {

size_t count(const std::string &text, const std::string &part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != text.npos;
       at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST(Plot, ChipHasADiagonalAndARoofPerDtype) {
  Plot plot = chipPlot(*ChipTable().find("H100"));
  ASSERT_EQ(plot.diagonals.size(), 1u);
  EXPECT_EQ(plot.diagonals[0].label, "memory: 3350 GB/s");
  // f64 vector, f64 = f32, tf32, bf16 = f16, fp8 = int8.
  EXPECT_EQ(plot.roofs.size(), 5u);
  std::string picture = svg(plot);
  for (const PlotLine &roof : plot.roofs)
    EXPECT_NE(picture.find(roof.label), std::string::npos) << roof.label;
  EXPECT_NE(picture.find("bf16, f16: 989.4 TFLOP/s"), std::string::npos);
}

TEST(Plot, LinesDifferWithoutColour) {
  Plot plot;
  plot.title = "a < b & c";
  for (double value : {100.0, 50.0, 20.0})
    plot.diagonals.push_back({"level " + std::to_string(value), value});
  plot.roofs = {{"f32: 1 TFLOP/s", 1000}};
  plot.points = {{"lab 1", 1, 30}, {"lab 2", 10, 300, true}};
  std::string picture = svg(plot);
  for (const char *dashes : {"\"none\"", "\"10 5\"", "\"2 4\""})
    EXPECT_NE(picture.find(dashes), std::string::npos) << dashes;
  EXPECT_NE(picture.find("a &lt; b &amp; c"), std::string::npos);
  // Each point is marked in the plot and in the list, in its own shape.
  EXPECT_EQ(count(picture, "<circle"), 2u);
  EXPECT_EQ(count(picture, "<rect"), 1u + 2u); // and the ground
  EXPECT_EQ(count(picture, "predicted"), 1u);
  EXPECT_EQ(count(picture, "nan"), 0u);
  EXPECT_EQ(count(picture, "inf"), 0u);
}

/// So many that a look at all others for each would take hours.
TEST(Plot, ManyPointsAtOnePlace) {
  Plot plot;
  constexpr size_t points = 20000;
  for (size_t i = 0; i < points; ++i)
    plot.points.push_back({"lab", 4.0, 100.0, false});
  std::string picture = svg(plot);
  // Each is in the list, and few have room for a number beside their mark.
  EXPECT_NE(picture.find(">20000: lab"), picture.npos);
  EXPECT_NE(picture.find(">1</text>"), picture.npos);
  EXPECT_EQ(picture.find(">1001</text>"), picture.npos);
}

TEST(Plot, AnEmptyPlotIsStillAPicture) {
  std::string picture = svg(Plot());
  EXPECT_EQ(picture.find("<svg"), 0u);
  EXPECT_EQ(count(picture, "nan") + count(picture, "inf"), 0u);
}

TEST(Plot, MeasuredLevels) {
  MachineRoofs roofs;
  roofs.chip = "test";
  roofs.l1Bytes = 1 << 15;
  roofs.l2Bytes = 1 << 20;
  roofs.llcBytes = 1 << 25;
  for (auto [bytes, gbps] : {std::pair(1 << 14, 400.0),
                             {1 << 19, 200.0},
                             {1 << 24, 80.0},
                             {1 << 28, 10.0}})
    roofs.bandwidths.push_back({Mix::Read, bytes, 2, gbps, false, "avx2"});
  roofs.peaks = {{Format::F32, "avx2", 2, 100},
                 {Format::F32, "sse2", 2, 50},
                 {Format::F64, "avx2", 2, 50}};
  Plot plot = measuredPlot(roofs);
  ASSERT_EQ(plot.diagonals.size(), 4u);
  EXPECT_EQ(plot.diagonals.back().label, "DRAM: 10 GB/s");
  // The fastest ISA of each dtype.
  EXPECT_EQ(plot.roofs.size(), 2u);
}

} // namespace
