// EmulatorBench.cpp - speed of the emulated device: threads per second of a
// checked and counted axpy (plain calls) and block reduction (fibers), on one
// worker and on two.
#include "lib/Emulator/Emulator.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>

using namespace labgen;
using namespace labgen::emu;

namespace {

template <typename T> T orExit(Result<T> result) {
  if (result)
    return std::move(*result);
  std::cerr << "error: " << result.status().message() << "\n";
  std::exit(1);
}

Program loadProgram() {
  std::ifstream file(EMULATOR_KERNELS "/basic.nvptx.ll");
  std::stringstream text;
  text << file.rdbuf();
  std::string ir = text.str();
  return orExit(Program::load(llvm::MemoryBufferRef(ir, "basic.nvptx.ll")));
}

/// Launches of `entry` on `elements` floats, `perBlock` of them a block.
void run(benchmark::State &state, const char *entry, int64_t elements,
         int64_t perBlock, bool scaled) {
  Program program = loadProgram();
  std::unique_ptr<Memory> memory = orExit(Memory::create());
  uint64_t bytes = uint64_t(elements) * 4;
  unsigned x = orExit(memory->allocate("x", bytes, Role::Input)),
           y = orExit(memory->allocate("y", bytes, Role::InOut));
  std::memset(memory->data(x), 0, bytes);
  std::memset(memory->data(y), 0, bytes);
  Options options;
  options.workers = unsigned(state.range(0));
  Launch launch{entry,
                {uint32_t((elements + perBlock - 1) / perBlock), 1, 1},
                {256, 1, 1},
                0};
  std::vector<Argument> arguments{Argument::scalar(elements)};
  if (scaled)
    arguments.push_back(Argument::scalar(1.5f));
  arguments.push_back(Argument::pointer(x));
  arguments.push_back(Argument::pointer(y));
  uint64_t threads = 0;
  for (auto _ : state) {
    Report report = orExit(program.run(launch, arguments, *memory, options));
    if (!report.findings.empty() || !report.completed) {
      state.SkipWithError(report.findings.front().text().c_str());
      return;
    }
    threads += report.counters.threads;
  }
  state.counters["threads/s"] =
      benchmark::Counter(double(threads), benchmark::Counter::kIsRate);
}

void axpy(benchmark::State &state) { run(state, "axpy", 1 << 20, 1024, true); }
void blockReduction(benchmark::State &state) {
  run(state, "reduce", 1 << 18, 256, false);
}
// One worker by its own time, which other load doesn't change; two by the
// clock.
BENCHMARK(axpy)->ArgName("workers")->Arg(1);
BENCHMARK(axpy)->ArgName("workers")->Arg(2)->UseRealTime();
BENCHMARK(blockReduction)->ArgName("workers")->Arg(1);
BENCHMARK(blockReduction)->ArgName("workers")->Arg(2)->UseRealTime();

} // namespace

BENCHMARK_MAIN();
