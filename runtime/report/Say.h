// Say.h - the one place that writes errors and notes to stderr.
//
// Each is one line, fit for a terminal, whatever names and files are in it.
#ifndef LABGEN_RUNTIME_REPORT_SAY_H
#define LABGEN_RUNTIME_REPORT_SAY_H

#include "lib/Support/Status.h"

namespace labgen {

/// "error: WHAT; WHAT TO DO", long ones cut in the middle; nothing after an
/// interrupt. Returns the exit code.
int sayError(const Status &status);

/// "note: ...", at full length: it may be a command to copy.
void sayNote(const std::string &text);

} // namespace labgen

#endif // LABGEN_RUNTIME_REPORT_SAY_H
