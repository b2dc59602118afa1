// SoftArithmetic.cpp - compiler-rt's functions by their names there.
//
// The host's ABI passes f16 and bf16 in the low half of a vector register, so
// such a value is a float here whose low bits count.
#include "lib/Emulator/Jit/Libcalls.h"

#include "lib/Spec/Convert.h"

#include "llvm/ADT/APFloat.h"

#include <cstdint>
#include <cstring>

namespace labgen::emu {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

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

template <Format format, typename From> static float encodeAs(From value) {
  return asRegister(encode(format, double(value)));
}

static float extendHalf(float half) {
  return float(decode(Format::F16, bitsOf(half) & 0xFFFF));
}

/// Rounded once, which two conversions by way of f64 would not.
template <Format format, typename From> static float integerAs(From value) {
  llvm::APFloat result(format == Format::F16 ? llvm::APFloat::IEEEhalf()
                                             : llvm::APFloat::BFloat());
  const uint64_t words[] = {uint64_t(value), uint64_t(value >> 64)};
  bool isSigned = From(-1) < From(0);
  result.convertFromAPInt(llvm::APInt(128, words), isSigned,
                          llvm::APFloat::rmNearestTiesToEven);
  return asRegister(result.bitcastToAPInt().getZExtValue());
}

template <typename To> static To halfToInteger(float half) {
  return To(extendHalf(half));
}

template <typename To, typename From> static To convert(From value) {
  return To(value);
}

template <typename T> static T quotient(T a, T b) { return a / b; }
template <typename T> static T rest(T a, T b) { return a % b; }

/// x^n by squaring, as llvm.powi leaves open in which order.
template <typename T> static T power(T x, int n) {
  T result = 1;
  for (unsigned rest = n < 0 ? 0u - unsigned(n) : unsigned(n); rest;
       rest >>= 1, x *= x)
    if (rest & 1)
      result *= x;
  return n < 0 ? 1 / result : result;
}

template <typename Function>
static void add(Symbols &symbols, const char *name, Function *function) {
  symbols.push_back({name, reinterpret_cast<void *>(function)});
}

static void addConversions(Symbols &symbols) {
  add(symbols, "__truncsfbf2", truncateToBf16);
  add(symbols, "__truncdfbf2", encodeAs<Format::BF16, double>);
  add(symbols, "__truncsfhf2", encodeAs<Format::F16, float>);
  add(symbols, "__truncdfhf2", encodeAs<Format::F16, double>);
  add(symbols, "__extendhfsf2", extendHalf);

  add(symbols, "__floattihf", integerAs<Format::F16, Wide>);
  add(symbols, "__floatuntihf", integerAs<Format::F16, UnsignedWide>);
  add(symbols, "__floattibf", integerAs<Format::BF16, Wide>);
  add(symbols, "__floatuntibf", integerAs<Format::BF16, UnsignedWide>);
  add(symbols, "__floattisf", convert<float, Wide>);
  add(symbols, "__floatuntisf", convert<float, UnsignedWide>);
  add(symbols, "__floattidf", convert<double, Wide>);
  add(symbols, "__floatuntidf", convert<double, UnsignedWide>);
  add(symbols, "__fixhfti", halfToInteger<Wide>);
  add(symbols, "__fixunshfti", halfToInteger<UnsignedWide>);
  add(symbols, "__fixsfti", convert<Wide, float>);
  add(symbols, "__fixunssfti", convert<UnsignedWide, float>);
  add(symbols, "__fixdfti", convert<Wide, double>);
  add(symbols, "__fixunsdfti", convert<UnsignedWide, double>);
}

void addSoftArithmetic(Symbols &symbols) {
  addConversions(symbols);
  add(symbols, "__divti3", quotient<Wide>);
  add(symbols, "__udivti3", quotient<UnsignedWide>);
  add(symbols, "__modti3", rest<Wide>);
  add(symbols, "__umodti3", rest<UnsignedWide>);
  add(symbols, "__powisf2", power<float>);
  add(symbols, "__powidf2", power<double>);
}

} // namespace labgen::emu
