// Process.h - forked processes that end, with all they started, when they must.
//
// A child gets a process group of its own. Whoever ends it ends the group, and
// when its parent dies without a word (SIGKILL), the system sends the child a
// SIGTERM, whose handler does the same. So a compiler's ptxas and a process
// that a kernel forked never outlive the run.
#ifndef LABGEN_RUNTIME_PROCESS_PROCESS_H
#define LABGEN_RUNTIME_PROCESS_PROCESS_H

#include <string>
#include <sys/types.h>

namespace labgen {

/// In a child, before anything else: its own group, ended with `parent`. It
/// reads nothing, writes to no terminal (stderr goes to `errors`, or nowhere
/// for -1), leaves no core file and ignores the Ctrl-C its parent handles.
void settleChild(int errors, pid_t parent);

/// In the parent, right after the fork: the same group, whoever comes first.
void adoptChild(pid_t child);

/// Readable once `child` has ended; -1 where the system has none such.
int deathDescriptor(pid_t child);

/// Names the group of a child that must end with this process; 0: none.
void wardGroup(pid_t group);

/// Whether a child has ended, within `seconds`; it is not reaped.
bool awaitEnd(pid_t child, double seconds);

/// Stops a child and its group, and returns once the child stands still or has
/// ended; nothing of it runs until goOn().
void halt(pid_t child);
void goOn(pid_t child);

/// Ends a child and its group, SIGTERM first, and reaps it. Returns what
/// waitpid says of it.
int endChild(pid_t child);

/// "signal 6: Aborted", "exit code 3"; empty for a normal end.
std::string deathText(int waitStatus);

/// The first line that says something in `file`, at most 200 characters of it,
/// anything but printable ASCII as '?'.
std::string firstLine(int file);

} // namespace labgen

#endif // LABGEN_RUNTIME_PROCESS_PROCESS_H
