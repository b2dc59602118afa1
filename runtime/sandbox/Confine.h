// Confine.h - taking rights away from a process that runs somebody's kernel.
//
// A kernel needs memory, threads and a clock. Everything else that a process
// may ask of Linux is refused by a seccomp filter: an allow-list of system
// calls, installed after the kernel is loaded, for good and for every thread.
// It holds whatever the kernel's code does, since the filter sits in the
// operating system. What it does not do: hide memory of this process, or stop a
// kernel from forging what it writes there. docs/security.md draws the line.
#ifndef LABGEN_RUNTIME_SANDBOX_CONFINE_H
#define LABGEN_RUNTIME_SANDBOX_CONFINE_H

#include "lib/Support/Status.h"

#include <string>

namespace labgen {

/// Confines the calling process. From here on, in all of its threads:
/// - memory without execute rights, new threads, sleeping, clocks, signals to
///   this process itself, random numbers, and writes to stderr go on;
/// - opening and reading files, and asking about them, fails with EACCES;
/// - anything else (programs, processes, network, other processes' memory and
///   signals, executable memory) ends the process with SIGSYS.
/// Missing, with the reason, where the system offers no such filter; nothing is
/// confined then.
Status confine();

/// What the death of a confined process by `signal` says about its kernel;
/// empty when the filter was not the cause.
std::string refusalBySandbox(int signal);

} // namespace labgen

#endif // LABGEN_RUNTIME_SANDBOX_CONFINE_H
