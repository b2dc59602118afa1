// Libcalls.h - functions that compiled kernels find by name: the hooks, and
// conversions of f16 and bf16 that not every host's library has.
#ifndef LABGEN_EMULATOR_COMPILE_LIBCALLS_H
#define LABGEN_EMULATOR_COMPILE_LIBCALLS_H

#include <utility>
#include <vector>

namespace labgen::emu {

std::vector<std::pair<const char *, void *>> runtimeSymbols();

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_COMPILE_LIBCALLS_H
