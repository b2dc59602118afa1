// Driver.cpp - runs a fuzzer without libFuzzer: the seeds as they are, then a
// fixed number of mutants, the same on every machine.
//
// Usage: fuzz-NAME SEEDS COUNT [STATE]. A finding ends the process; the input
// is in `finding-NAME` in the current folder.
#include "test/Readers/Fuzz.h"
#include "test/Readers/Mutator.h"

#include "lib/Support/ReadFile.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace fs = std::filesystem;

static std::string current, findingName;

/// What was at work when a sanitizer or demand() ends the process.
static void onAbort(int) {
  std::ofstream(findingName, std::ios::binary) << current;
  std::fprintf(stderr, "the input is in %s\n", findingName.c_str());
  std::_Exit(1);
}

/// Sanitizers end the process their own way.
extern "C" const char *__asan_default_options() { return "abort_on_error=1"; }
extern "C" const char *__ubsan_default_options() { return "abort_on_error=1"; }

static void run(std::string input) {
  current = std::move(input);
  // A copy of its own size, so that a read behind its end is seen.
  std::vector<uint8_t> bytes(current.begin(), current.end());
  bytes.shrink_to_fit();
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

int main(int argc, char **argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s SEEDS COUNT [STATE]\n", argv[0]);
    return 1;
  }
  findingName = "finding-" + fs::path(argv[0]).filename().string();
  std::signal(SIGABRT, onAbort);
  std::vector<std::string> paths, seeds;
  std::error_code none; // an absent folder has no seeds
  for (const fs::directory_entry &entry : fs::directory_iterator(argv[1], none))
    paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  for (const std::string &path : paths)
    if (labgen::Result<std::string> text = labgen::readFile(path); text)
      seeds.push_back(*text);
  if (seeds.empty()) {
    std::fprintf(stderr, "error: no seeds in %s; name their folder\n", argv[1]);
    return 1;
  }
  for (const std::string &seed : seeds)
    run(seed);
  run("");
  uint64_t count = std::strtoull(argv[2], nullptr, 10);
  Mutator mutator(seeds, argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1);
  for (uint64_t i = 0; i < count; ++i)
    run(mutator.next());
  std::printf("%zu seeds, %llu mutants, no finding\n", seeds.size(),
              static_cast<unsigned long long>(count));
  return 0;
}
