// PatternsTest.cpp - what is found and counted of accesses at given places,
// against a model that looks at every byte by itself. Lanes go on where the
// last one stopped, skip, come again, and cross the ends of lines and buffers.
#include "Faults.h"

#include <map>
#include <random>
#include <set>

namespace labgen::emu {
namespace {

constexpr unsigned elements = 1003, blocks = 6, threads = 96, warp = 32;

/// Thread g of the launch accesses elements [in[g], in[g] + words) of `out`:
/// `load` reads them, `store` writes g into each.
std::string program(unsigned words) {
  std::string type =
      words == 1 ? "i32" : "<" + std::to_string(words) + " x i32>";
  std::string value;
  for (unsigned i = 0; i < words && words > 1; ++i)
    value += "  %v" + std::to_string(i + 1) + " = insertelement " + type + " " +
             (i ? "%v" + std::to_string(i) : std::string("poison")) +
             ", i32 %g, i32 " + std::to_string(i) + "\n";
  std::string last = words == 1 ? "%g" : "%v" + std::to_string(words);
  std::string start =
      "(ptr addrspace(1) %in, ptr addrspace(1) %out) {\n"
      "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
      "  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
      "  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n"
      "  %h = mul i32 %b, %n\n  %g = add i32 %h, %t\n"
      "  %p = getelementptr i32, ptr addrspace(1) %in, i32 %g\n"
      "  %i = load i32, ptr addrspace(1) %p, align 4\n"
      "  %q = getelementptr i32, ptr addrspace(1) %out, i32 %i\n";
  return withShared("define ptx_kernel void @load" + start + "  %v = load " +
                    type +
                    ", ptr addrspace(1) %q, align 4\n  ret void\n}\n"
                    "define ptx_kernel void @store" +
                    start + value + "  store " + type + " " + last +
                    ", ptr addrspace(1) %q, align 4\n  ret void\n}\n");
}

std::vector<uint32_t> pattern(unsigned words, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<uint32_t> first(blocks * threads);
  uint32_t at = 0;
  for (uint32_t &element : first) {
    // Mostly right behind the last; now and then anywhere, there again, or
    // shortly before the end.
    unsigned kind = random() % 16;
    at = kind == 0   ? random() % elements
         : kind == 1 ? at
         : kind == 2 ? elements - 3 * words
                     : at + words;
    if (at > elements + 2 * words)
      at = random() % elements;
    element = at;
  }
  return first;
}

struct Expected {
  uint64_t sectors = 0, outOfBounds = 0, uninitialised = 0, races = 0;
  std::set<uint32_t> touched; ///< elements
};

/// Of a launch after `written` were, with blocks one after the other.
Expected model(const std::vector<uint32_t> &first, unsigned words,
               const std::set<uint32_t> &written, bool store) {
  Expected expected;
  std::map<uint32_t, unsigned> blockOf; // the first to come to an element
  std::set<std::pair<unsigned, uint32_t>> sectors; // of a warp
  for (unsigned g = 0; g < first.size(); ++g) {
    if (first[g] + words > elements) {
      ++expected.outOfBounds;
      continue;
    }
    std::set<uint32_t> missing, raced; // lines of 16 elements
    for (uint32_t e = first[g]; e < first[g] + words; ++e) {
      sectors.insert({g / warp, e / 8});
      expected.touched.insert(e);
      unsigned block = blockOf.insert({e, g / threads}).first->second;
      if (!store && !written.count(e))
        missing.insert(e / 16);
      if (store && block != g / threads)
        raced.insert(e / 16);
    }
    expected.uninitialised += missing.size();
    expected.races += raced.size();
  }
  expected.sectors = sectors.size();
  return expected;
}

uint64_t countOf(const Report &report, Check check) {
  uint64_t count = 0;
  for (const Finding &finding : report.findings)
    if (finding.check == check)
      count += finding.count;
  return count;
}

void expectModel(unsigned words, unsigned seed, unsigned workers) {
  SCOPED_TRACE(testing::Message() << words << " elements an access, seed "
                                  << seed << ", workers " << workers);
  Device device(program(words));
  device.options.workers = workers;
  std::vector<uint32_t> writes = pattern(words, seed),
                        reads = pattern(words, seed + 1000);
  unsigned from = device.buffer("writes", writes, Role::Input),
           again = device.buffer("reads", reads, Role::Input),
           data = device.output<uint32_t>("data", elements);
  // What every launch reads of its pattern: whole warps, one by one.
  const uint64_t own = writes.size() / 8;

  Report report = device.run("store", {blocks, 1, 1}, {threads, 1, 1},
                             {pointer(from), pointer(data)});
  Expected stored = model(writes, words, {}, true);
  EXPECT_GT(stored.outOfBounds, 0u);
  EXPECT_EQ(countOf(report, Check::Memcheck), stored.outOfBounds);
  EXPECT_EQ(countOf(report, Check::Racecheck), stored.races);
  EXPECT_EQ(countOf(report, Check::Initcheck), 0u);
  EXPECT_EQ(report.counters.sectorsRead, own);
  EXPECT_EQ(report.counters.sectorsWritten, stored.sectors);
  EXPECT_EQ(report.counters.uniqueBytesWritten, 4 * stored.touched.size());

  report = device.run("load", {blocks, 1, 1}, {threads, 1, 1},
                      {pointer(again), pointer(data)});
  Expected loaded = model(reads, words, stored.touched, false);
  EXPECT_GT(loaded.uninitialised, 0u);
  EXPECT_EQ(countOf(report, Check::Memcheck), loaded.outOfBounds);
  EXPECT_EQ(countOf(report, Check::Initcheck), loaded.uninitialised);
  EXPECT_EQ(countOf(report, Check::Racecheck), 0u);
  EXPECT_EQ(report.counters.sectorsRead, own + loaded.sectors);
  EXPECT_EQ(report.counters.sectorsWritten, 0u);
  EXPECT_EQ(report.counters.uniqueBytesRead,
            4 * (reads.size() + loaded.touched.size()));
}

TEST(Patterns, AgreeWithAModelOfBytes) {
  uint64_t races = 0;
  for (unsigned words : {1u, 2u, 3u, 4u})
    for (unsigned seed = 1; seed <= 6; ++seed) {
      races += model(pattern(words, seed), words, {}, true).races;
      for (unsigned workers : {1u, 2u})
        expectModel(words, seed, workers);
    }
  EXPECT_GT(races, 100u);
}

} // namespace
} // namespace labgen::emu
