// RoundedMath.cpp - arithmetic and conversions in the rounding modes the host's
// instructions don't have at hand, and fused multiply-adds of 16-bit formats,
// which it would round twice. Through APFloat, one rounding.
#include "lib/Emulator/Runtime/Intrinsic.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>

using namespace llvm;

namespace labgen::emu {

enum Operation { Add, Multiply, Divide, FusedMultiplyAdd, Reciprocal };

static constexpr APFloat::roundingMode modes[] = {
    APFloat::rmNearestTiesToEven, APFloat::rmTowardZero,
    APFloat::rmTowardNegative, APFloat::rmTowardPositive};
static constexpr const char *modeNames[] = {"rn", "rz", "rm", "rp"};

template <typename T> static void rounded(const LocalCall &call) {
  APFloat::roundingMode mode = modes[call.code & 3];
  APFloat a(call.argument<T>(0));
  auto second = [&] { return APFloat(call.argument<T>(1)); };
  switch (call.code >> 2) {
  case Add:
    a.add(second(), mode);
    break;
  case Multiply:
    a.multiply(second(), mode);
    break;
  case Divide:
    a.divide(second(), mode);
    break;
  case FusedMultiplyAdd:
    a.fusedMultiplyAdd(second(), APFloat(call.argument<T>(2)), mode);
    break;
  case Reciprocal: {
    APFloat one(T(1));
    one.divide(a, mode);
    a = one;
    break;
  }
  }
  if constexpr (sizeof(T) == 4)
    call.setResult(a.convertToFloat());
  else
    call.setResult(a.convertToDouble());
}

enum SmallFormat { Half, BFloat };

static void smallFusedMultiplyAdd(const LocalCall &call) {
  const fltSemantics &format =
      call.code == Half ? APFloat::IEEEhalf() : APFloat::BFloat();
  auto read = [&](unsigned argument, unsigned element) {
    auto *values =
        static_cast<const uint16_t *>(call.thread.arguments[argument]);
    return APFloat(format, APInt(16, values[element]));
  };
  for (unsigned i = 0; i < call.site.resultBytes / 2; ++i) {
    APFloat a = read(0, i);
    a.fusedMultiplyAdd(read(1, i), read(2, i), APFloat::rmNearestTiesToEven);
    static_cast<uint16_t *>(call.thread.result)[i] =
        uint16_t(a.bitcastToAPInt().getZExtValue());
  }
}

/// To an integer, in a mode; out of range saturates and NaN gives 0 (PTX ISA,
/// "cvt").
template <typename From, typename To>
static void toInteger(const LocalCall &call) {
  double value = double(call.argument<From>(0));
  switch (call.code) {
  case 0:
    value = std::nearbyint(value);
    break;
  case 1:
    value = std::trunc(value);
    break;
  case 2:
    value = std::floor(value);
    break;
  case 3:
    value = std::ceil(value);
    break;
  }
  constexpr To least = std::numeric_limits<To>::min(),
               most = std::numeric_limits<To>::max();
  // 2^digits is exact, most may not be.
  double limit = std::ldexp(1.0, std::numeric_limits<To>::digits);
  To result = std::isnan(value)        ? To(0)
              : value >= limit         ? most
              : value <= double(least) ? least
                                       : To(value);
  call.setResult(result);
}

template <typename From, typename To>
static void fromInteger(const LocalCall &call) {
  From value = call.argument<From>(0);
  APFloat result(sizeof(To) == 4 ? APFloat::IEEEsingle()
                                 : APFloat::IEEEdouble());
  bool isSigned = std::is_signed_v<From>;
  result.convertFromAPInt(APInt(sizeof(From) * 8, uint64_t(value), isSigned,
                                /*implicitTrunc=*/true),
                          isSigned, modes[call.code]);
  if constexpr (sizeof(To) == 4)
    call.setResult(result.convertToFloat());
  else
    call.setResult(result.convertToDouble());
}

static void narrow(const LocalCall &call) {
  APFloat value(call.argument<double>(0));
  bool inexact;
  value.convert(APFloat::IEEEsingle(), modes[call.code], &inexact);
  call.setResult(value.convertToFloat());
}

void addRoundedMath(Table &table) {
  const std::string nvvm = "llvm.nvvm.";
  auto add = [&](const std::string &name, IntrinsicRow::LocalFunction function,
                 int code, unsigned flops) {
    table.push_back(IntrinsicRow::perThread(name, function, code));
    table.back().flops = flops;
  };
  const std::tuple<const char *, Operation, unsigned> operations[] = {
      {"add", Add, 1},
      {"mul", Multiply, 1},
      {"div", Divide, 1},
      {"fma", FusedMultiplyAdd, 2},
      {"rcp", Reciprocal, 1}};
  for (int mode = 0; mode < 4; ++mode) {
    std::string suffix = std::string(".") + modeNames[mode];
    if (mode) // to nearest is in Math.cpp
      for (auto [name, operation, flops] : operations) {
        std::string full = nvvm + name + suffix;
        int code = operation << 2 | mode;
        add(full + ".f", rounded<float>, code, flops);
        add(full + ".ftz.f", rounded<float>, code, flops);
        add(full + ".d", rounded<double>, code, flops);
      }
    for (std::string ftz : {"", ".ftz"}) {
      std::string tail = suffix + ftz;
      add(nvvm + "f2i" + tail, toInteger<float, int32_t>, mode, 0);
      add(nvvm + "f2ui" + tail, toInteger<float, uint32_t>, mode, 0);
      add(nvvm + "f2ll" + tail, toInteger<float, int64_t>, mode, 0);
      add(nvvm + "f2ull" + tail, toInteger<float, uint64_t>, mode, 0);
      add(nvvm + "d2f" + tail, narrow, mode, 0);
    }
    add(nvvm + "d2i" + suffix, toInteger<double, int32_t>, mode, 0);
    add(nvvm + "d2ui" + suffix, toInteger<double, uint32_t>, mode, 0);
    add(nvvm + "d2ll" + suffix, toInteger<double, int64_t>, mode, 0);
    add(nvvm + "d2ull" + suffix, toInteger<double, uint64_t>, mode, 0);
    add(nvvm + "i2f" + suffix, fromInteger<int32_t, float>, mode, 0);
    add(nvvm + "ui2f" + suffix, fromInteger<uint32_t, float>, mode, 0);
    add(nvvm + "ll2f" + suffix, fromInteger<int64_t, float>, mode, 0);
    add(nvvm + "ull2f" + suffix, fromInteger<uint64_t, float>, mode, 0);
    add(nvvm + "i2d" + suffix, fromInteger<int32_t, double>, mode, 0);
    add(nvvm + "ui2d" + suffix, fromInteger<uint32_t, double>, mode, 0);
    add(nvvm + "ll2d" + suffix, fromInteger<int64_t, double>, mode, 0);
    add(nvvm + "ull2d" + suffix, fromInteger<uint64_t, double>, mode, 0);
  }
  for (const char *ftz : {"", ".ftz"})
    for (auto [type, format] :
         {std::pair("f16", Half), std::pair("f16x2", Half),
          std::pair("bf16", BFloat), std::pair("bf16x2", BFloat)})
      add(nvvm + "fma.rn" + ftz + "." + type, smallFusedMultiplyAdd, format, 2);
  // Rows of llvm.fma and llvm.fmuladd, which count themselves.
  add("llvm.fma.f16", smallFusedMultiplyAdd, Half, 0);
  add("llvm.fma.bf16", smallFusedMultiplyAdd, BFloat, 0);
}

} // namespace labgen::emu
