// Libcalls.cpp - names and addresses.
//
// The host's ABI passes f16 and bf16 in the low half of a vector register, so
// these functions take and return a float whose low bits count.
#include "lib/Emulator/Compile/Libcalls.h"

#include "lib/Spec/Convert.h"

#include <cstdint>
#include <cstring>

namespace labgen::emu {

static float asRegister(uint64_t bits) {
  uint32_t low = uint32_t(bits);
  float value;
  std::memcpy(&value, &low, sizeof value);
  return value;
}

static uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

static float truncateToBf16(float value) {
  uint32_t bits = bitsOf(value);
  if (value != value)
    return asRegister(bits >> 16 | 0x40);
  return asRegister((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}
static float truncateDoubleToBf16(double value) {
  return asRegister(encode(Format::BF16, value));
}
static float truncateToHalf(float value) {
  return asRegister(encode(Format::F16, value));
}
static float truncateDoubleToHalf(double value) {
  return asRegister(encode(Format::F16, value));
}
static float extendHalf(float half) {
  return float(decode(Format::F16, bitsOf(half) & 0xFFFF));
}

} // namespace labgen::emu

// Defined in Runtime/; only their addresses matter here.
#define LABGEN_EMU_HOOKS(X)                                                    \
  X(load_global)                                                               \
  X(store_global)                                                              \
  X(load_shared)                                                               \
  X(store_shared)                                                              \
  X(load)                                                                      \
  X(store)                                                                     \
  X(atomic)                                                                    \
  X(local)                                                                     \
  X(copy)                                                                      \
  X(fill)                                                                      \
  X(thread)                                                                    \
  X(call)                                                                      \
  X(collective)                                                                \
  X(barrier)                                                                   \
  X(exit)                                                                      \
  X(branch)                                                                    \
  X(endless)                                                                   \
  X(trap)                                                                      \
  X(overflow)
#define LABGEN_EMU_DECLARE(name) void labgen_emu_##name();
extern "C" {
LABGEN_EMU_HOOKS(LABGEN_EMU_DECLARE)
}

namespace labgen::emu {

std::vector<std::pair<const char *, void *>> runtimeSymbols() {
#define LABGEN_EMU_PAIR(name)                                                  \
  {"labgen_emu_" #name, reinterpret_cast<void *>(labgen_emu_##name)},
  return {LABGEN_EMU_HOOKS(LABGEN_EMU_PAIR){
              "__truncsfbf2", reinterpret_cast<void *>(truncateToBf16)},
          {"__truncdfbf2", reinterpret_cast<void *>(truncateDoubleToBf16)},
          {"__truncsfhf2", reinterpret_cast<void *>(truncateToHalf)},
          {"__truncdfhf2", reinterpret_cast<void *>(truncateDoubleToHalf)},
          {"__extendhfsf2", reinterpret_cast<void *>(extendHalf)}};
}

} // namespace labgen::emu
