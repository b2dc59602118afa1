// SetsTest.cpp - the sets have the cells they promise, and files are read.
#include "runtime/matrix/Sets.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace labgen;

namespace {

std::vector<KernelSpec> cells(const char *set) {
  auto specs = specsOfSet(set);
  EXPECT_TRUE(specs.has_value());
  return specs.value_or(std::vector<KernelSpec>());
}

int count(const std::vector<KernelSpec> &specs, const char *glob) {
  return int(std::count_if(specs.begin(), specs.end(), [&](const auto &spec) {
    return matchesGlob(glob, spec.str());
  }));
}

/// The last dimension and the length it is ragged against.
std::string tailClass(const KernelSpec &s) {
  int64_t g = s.group.kind == Group::Size ? s.group.size
              : s.op == Op::Axpy          ? 64
              : s.op == Op::Reduce        ? 128
              : s.op == Op::Gemm          ? 32
                                          : s.k;
  if (s.group.kind == Group::Tensor)
    g = 37;
  if (s.group.kind == Group::Channel)
    g = 53;
  int64_t length = s.op == Op::Axpy || s.op == Op::Reduce ? s.n : s.k;
  if (length == 1)
    return "one";
  if (length < g)
    return "below";
  return length % g == 0 ? "exact" : length == g + 1 ? "over" : "short";
}

std::string formatClass(const KernelSpec &s) {
  std::string asymmetric = s.zero ? " with zero points" : "";
  switch (s.op) {
  case Op::Quantize:
    return std::string(name(s.out)) + asymmetric;
  case Op::Dequantize:
    return std::string(name(s.in)) + asymmetric;
  case Op::Gemm:
    return std::string(name(s.b)) + asymmetric;
  default:
    return std::string(name(s.type));
  }
}

std::string groupClass(const KernelSpec &s) {
  switch (s.group.kind) {
  case Group::None:
    return "none";
  case Group::Size:
    return std::to_string(s.group.size);
  case Group::Channel:
    return "channel";
  case Group::Tensor:
    return "tensor";
  }
  return "";
}

TEST(Sets, full) {
  std::vector<KernelSpec> specs = cells("full");
  // 2 ops x 8 groups x (2 codes x 2 scales + 2 codes with zero points); 8 small
  // floats x (2 ops x 2 scales + 3 casts); 2 stochastic quantizers; 4 types; 4
  // types x (2 kinds x 4 orders + 2); 3 shapes x (5 plain + 3 codes x 3 groups
  // x 2 ways).
  EXPECT_EQ(specs.size(), 96u + 8u * 7u + 2u + 4u + 40u + 69u);
  EXPECT_EQ(count(specs, "quantize:*"), 48 + 16 + 2);
  EXPECT_EQ(count(specs, "*round=stochastic*"), 10);
  EXPECT_EQ(count(specs, "dequantize:*"), 48 + 16);
  EXPECT_EQ(count(specs, "*group=tensor*"), 12);
  EXPECT_EQ(count(specs, "*zero=u?*"), 32 + 18);
  EXPECT_EQ(count(specs, "gemm:m=1,*"), 23);
  EXPECT_EQ(count(specs, "gemm:*b=i4*compute=i8*"), 9);
  EXPECT_EQ(count(specs, "reduce:*order=compensated*"), 8);
}

TEST(Sets, quickIsSmallAndOfEveryOp) {
  std::vector<KernelSpec> specs = cells("quick");
  EXPECT_EQ(specs.size(), 40u);
  for (const char *op : {"quantize", "dequantize", "axpy", "reduce", "gemm"})
    EXPECT_GE(count(specs, (std::string(op) + ":*").c_str()), 4) << op;
  // Each is in the full matrix too: quick is a part of it.
  std::set<std::string> full;
  for (const KernelSpec &spec : cells("full"))
    full.insert(spec.str());
  for (const KernelSpec &spec : specs)
    EXPECT_TRUE(full.count(spec.str())) << spec.str();
}

TEST(Sets, ciCoversEveryPair) {
  std::vector<KernelSpec> specs = cells("ci");
  EXPECT_LE(specs.size(), 150u);
  EXPECT_GE(specs.size(), 140u);
  std::map<std::string, std::set<std::string>> byTail, byGroup;
  std::set<std::string> opFormat, opTail, opGroup, formatGroup;
  for (const KernelSpec &s : specs) {
    std::string op(name(s.op)), format = formatClass(s), group = groupClass(s);
    opFormat.insert(op + " " + format);
    opTail.insert(op + " " + tailClass(s));
    opGroup.insert(op + " " + group);
    byTail[format].insert(tailClass(s));
    byGroup[group].insert(tailClass(s));
    formatGroup.insert(format + " " + group);
  }
  EXPECT_EQ(count(specs, "quantize:*round=stochastic*"), 5);
  EXPECT_EQ(opFormat.size(), 5u + 5u + 4u + 4u + 8u);
  EXPECT_EQ(opTail.size(), 5u * 5u);
  EXPECT_EQ(opGroup.size(), 5u + 5u + 1u + 1u + 4u);
  for (const auto &[format, tails] : byTail)
    EXPECT_EQ(tails.size(), 5u) << format;
  for (const auto &[group, tails] : byGroup)
    EXPECT_EQ(tails.size(), 5u) << group;
  for (const char *code : {"i8", "i4"})
    for (const char *group : {"tensor", "channel", "128", "64", "32", "8"})
      EXPECT_TRUE(formatGroup.count(std::string(code) + " " + group))
          << code << " " << group;
}

TEST(Sets, files) {
  std::string path = testing::TempDir() + "specs.txt";
  auto read = [&](const std::string &text) {
    std::ofstream(path) << text;
    return specsOf(path);
  };
  Result<std::vector<KernelSpec>> two = read("# a comment\n\n"
                                             "axpy:type=f32,n=5\r\n"
                                             "  axpy:n=5,type=f32\n"
                                             "axpy:n=6,type=f32");
  ASSERT_TRUE(two) << two.status().message();
  ASSERT_EQ(two->size(), 2u); // a repeat is dropped
  EXPECT_EQ((*two)[0].str(), "axpy:n=5,type=f32");
  Result<std::vector<KernelSpec>> bad = read("axpy:n=5,type=f32\naxpi:n=5\n");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.status().message().find(path + " line 2: "), 0u)
      << bad.status().message();
  EXPECT_FALSE(read("# nothing\n"));
  EXPECT_FALSE(specsOf(testing::TempDir()));
  EXPECT_EQ(specsOf("quikc").status().message(),
            "no set and no file 'quikc'; did you mean the set 'quick'?");
}

TEST(Glob, wholeText) {
  EXPECT_TRUE(matchesGlob("*", ""));
  EXPECT_TRUE(matchesGlob("a*c", "abbc"));
  EXPECT_TRUE(matchesGlob("a*b*c", "aXbXbc"));
  EXPECT_TRUE(matchesGlob("a?c", "abc"));
  EXPECT_FALSE(matchesGlob("a?c", "ac"));
  EXPECT_FALSE(matchesGlob("a", "ab"));
  EXPECT_FALSE(matchesGlob("", "a"));
  EXPECT_FALSE(matchesGlob("*a", "ab"));
  // Linear enough that many stars do no harm.
  EXPECT_FALSE(matchesGlob("*a*a*a*a*a*a*a*a*b", std::string(5000, 'a')));
}

} // namespace
