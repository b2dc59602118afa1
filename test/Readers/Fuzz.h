// Fuzz.h - what the fuzzers of file readers share.
#ifndef LABGEN_TEST_READERS_FUZZ_H
#define LABGEN_TEST_READERS_FUZZ_H

#include "lib/Support/Status.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

/// libFuzzer's entry point: one input. It returns 0, or ends the process.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/// Ends the process with a line when `good` is not so.
inline void demand(bool good, const char *what) {
  if (good)
    return;
  std::fprintf(stderr, "finding: %s\n", what);
  std::abort();
}

/// A refusal is bad input, "WHAT; WHAT TO DO".
inline void demandRefusal(const labgen::Status &status) {
  demand(status.exitCode() == labgen::ExitCode::BadInput,
         "a refusal that is not bad input");
  demand(status.message().find("; ") != std::string::npos,
         "a refusal that does not say what to do");
}

#endif // LABGEN_TEST_READERS_FUZZ_H
