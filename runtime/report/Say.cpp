// Say.cpp - escapes, cuts and writes.
#include "runtime/report/Say.h"

#include "lib/Support/Printable.h"

#include <cstdio>

namespace labgen {

int sayError(const Status &status) {
  if (status.exitCode() != ExitCode::Interrupted)
    std::fprintf(stderr, "error: %s\n",
                 shortened(printable(status.message())).c_str());
  return int(status.exitCode());
}

void sayNote(const std::string &text) {
  std::fprintf(stderr, "note: %s\n", printable(text).c_str());
}

} // namespace labgen
