// Libcalls.cpp - names and addresses.
#include "lib/Emulator/Jit/Libcalls.h"

#include <cmath>
#include <cstring>

// Defined in Runtime/; only their addresses matter here.
#define LABGEN_EMU_HOOKS(X)                                                    \
  X(load_global)                                                               \
  X(store_global)                                                              \
  X(load_shared)                                                               \
  X(store_shared)                                                              \
  X(load)                                                                      \
  X(store)                                                                     \
  X(access)                                                                    \
  X(local)                                                                     \
  X(copy)                                                                      \
  X(fill)                                                                      \
  X(thread)                                                                    \
  X(call)                                                                      \
  X(collective)                                                                \
  X(barrier)                                                                   \
  X(exit)                                                                      \
  X(branch)                                                                    \
  X(enter)                                                                     \
  X(leave)                                                                     \
  X(endless)                                                                   \
  X(trap)                                                                      \
  X(unreachable)                                                               \
  X(division)                                                                  \
  X(element)                                                                   \
  X(overflow)
#define LABGEN_EMU_DECLARE(name) void labgen_emu_##name();
extern "C" {
LABGEN_EMU_HOOKS(LABGEN_EMU_DECLARE)
}

namespace labgen::emu {

/// The function of this type among the overloads of a name.
template <typename Function> static void *addressOf(Function *function) {
  return reinterpret_cast<void *>(function);
}

// libm's functions of float and double of one shape.
#define LABGEN_EMU_PAIR(name, f32, f64)                                        \
  symbols.push_back({#name "f", addressOf<f32>(::name##f)});                   \
  symbols.push_back({#name, addressOf<f64>(::name)});
#define LABGEN_EMU_UNARY(name)                                                 \
  LABGEN_EMU_PAIR(name, float(float), double(double))
#define LABGEN_EMU_BINARY(name)                                                \
  LABGEN_EMU_PAIR(name, float(float, float), double(double, double))

static void addUnary(Symbols &symbols) {
  LABGEN_EMU_UNARY(acos)
  LABGEN_EMU_UNARY(asin)
  LABGEN_EMU_UNARY(atan)
  LABGEN_EMU_UNARY(ceil)
  LABGEN_EMU_UNARY(cos)
  LABGEN_EMU_UNARY(cosh)
  LABGEN_EMU_UNARY(exp)
  LABGEN_EMU_UNARY(exp10)
  LABGEN_EMU_UNARY(exp2)
  LABGEN_EMU_UNARY(floor)
  LABGEN_EMU_UNARY(log)
  LABGEN_EMU_UNARY(log10)
  LABGEN_EMU_UNARY(log2)
  LABGEN_EMU_UNARY(nearbyint)
  LABGEN_EMU_UNARY(rint)
  LABGEN_EMU_UNARY(round)
  LABGEN_EMU_UNARY(sin)
  LABGEN_EMU_UNARY(sinh)
  LABGEN_EMU_UNARY(sqrt)
  LABGEN_EMU_UNARY(tan)
  LABGEN_EMU_UNARY(tanh)
  LABGEN_EMU_UNARY(trunc)
  // Not every libm has roundeven; the host rounds to nearest even throughout.
  symbols.push_back({"roundevenf", addressOf<float(float)>(::nearbyintf)});
  symbols.push_back({"roundeven", addressOf<double(double)>(::nearbyint)});
}

static void addOthers(Symbols &symbols) {
  LABGEN_EMU_BINARY(atan2)
  LABGEN_EMU_BINARY(fmax)
  LABGEN_EMU_BINARY(fmin)
  LABGEN_EMU_BINARY(fmod)
  LABGEN_EMU_BINARY(pow)
  LABGEN_EMU_PAIR(fma, float(float, float, float),
                  double(double, double, double))
  LABGEN_EMU_PAIR(ldexp, float(float, int), double(double, int))
  LABGEN_EMU_PAIR(frexp, float(float, int *), double(double, int *))
  LABGEN_EMU_PAIR(sincos, void(float, float *, float *),
                  void(double, double *, double *))
  LABGEN_EMU_PAIR(lrint, long(float), long(double))
  LABGEN_EMU_PAIR(lround, long(float), long(double))
  LABGEN_EMU_PAIR(llrint, long long(float), long long(double))
  LABGEN_EMU_PAIR(llround, long long(float), long long(double))
  symbols.push_back(
      {"memcpy", addressOf<void *(void *, const void *, size_t)>(::memcpy)});
  symbols.push_back(
      {"memmove", addressOf<void *(void *, const void *, size_t)>(::memmove)});
  symbols.push_back(
      {"memset", addressOf<void *(void *, int, size_t)>(::memset)});
}

Symbols runtimeSymbols() {
#define LABGEN_EMU_HOOK(name)                                                  \
  {"labgen_emu_" #name, reinterpret_cast<void *>(labgen_emu_##name)},
  Symbols symbols{LABGEN_EMU_HOOKS(LABGEN_EMU_HOOK)};
  addUnary(symbols);
  addOthers(symbols);
  addSoftArithmetic(symbols);
  return symbols;
}

} // namespace labgen::emu
