// Libcalls.h - functions that compiled kernels find by name: the hooks, and
// what the host's code generator calls for operations that it has no
// instructions for. Compiled kernels see no others.
#ifndef LABGEN_EMULATOR_JIT_LIBCALLS_H
#define LABGEN_EMULATOR_JIT_LIBCALLS_H

#include <utility>
#include <vector>

namespace labgen::emu {

using Symbols = std::vector<std::pair<const char *, void *>>;

/// All of them.
Symbols runtimeSymbols();

/// Conversions of f16 and bf16, and of integers of 128 bits and their
/// divisions, which not every host's library has.
void addSoftArithmetic(Symbols &symbols);

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_JIT_LIBCALLS_H
