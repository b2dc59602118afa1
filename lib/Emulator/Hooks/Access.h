// Access.h - checks, records and counts one access of one thread before it
// happens. Each function returns where the access may go: the address it was
// given, or the worker's sink when it must not happen.
#ifndef LABGEN_EMULATOR_HOOKS_ACCESS_H
#define LABGEN_EMULATOR_HOOKS_ACCESS_H

#include "lib/Emulator/Runtime/State.h"

namespace labgen::emu {

constexpr Effects loads{true, false, false}, stores{false, true, false},
    atomics{true, true, true};

char *accessGlobal(Thread &thread, char *address, Access access,
                   Effects effects);
char *accessShared(Thread &thread, char *address, Access access,
                   Effects effects);
/// By the address alone: shared, global, local or static storage.
char *accessAny(Thread &thread, char *address, Access access, Effects effects);
/// A variable of the thread itself, `bytes` from `variable` on.
char *accessLocal(Thread &thread, char *address, const char *variable,
                  uint64_t bytes, Access access);

/// Where an address points, for findings: "x", "shared 'tile'"; and how far in.
struct Place {
  std::string name;
  int64_t offset = 0;
};
Place placeOf(const Thread &thread, const char *address);

/// The other instruction of a race: "INSTRUCTION [FILE:LINE:COL]".
inline std::string wordsOf(const Site &site) {
  return site.source.empty() ? site.instruction
                             : site.instruction + " [" + site.source + "]";
}

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_HOOKS_ACCESS_H
