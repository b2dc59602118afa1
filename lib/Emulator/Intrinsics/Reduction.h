// Reduction.h - one value from all lanes of a warp: what the reductions of both
// vendors share.
#ifndef LABGEN_EMULATOR_INTRINSICS_REDUCTION_H
#define LABGEN_EMULATOR_INTRINSICS_REDUCTION_H

#include "lib/Emulator/Runtime/Intrinsic.h"

#include <cmath>
#include <optional>

namespace labgen::emu {

enum Reduction {
  Add,
  Sub,
  Min,
  Max,
  UnsignedMin,
  UnsignedMax,
  And,
  Or,
  Xor,
  FloatAdd,
  FloatMin,
  FloatMax
};

template <typename Unsigned, typename Signed, typename Float>
Unsigned combine(int code, Unsigned a, Unsigned b) {
  switch (code) {
  case Add:
  case Sub:
    return a + b;
  case Min:
    return Unsigned(std::min(Signed(a), Signed(b)));
  case Max:
    return Unsigned(std::max(Signed(a), Signed(b)));
  case UnsignedMin:
    return std::min(a, b);
  case UnsignedMax:
    return std::max(a, b);
  case And:
    return a & b;
  case Or:
    return a | b;
  case Xor:
    return a ^ b;
  case FloatAdd:
    return bitsAs<Unsigned>(Float(bitsAs<Float>(a) + bitsAs<Float>(b)));
  case FloatMin:
    return bitsAs<Unsigned>(std::fmin(bitsAs<Float>(a), bitsAs<Float>(b)));
  case FloatMax:
    return bitsAs<Unsigned>(std::fmax(bitsAs<Float>(a), bitsAs<Float>(b)));
  }
  return a;
}

template <typename Unsigned, typename Signed, typename Float>
void reduceAs(const WarpCall &call) {
  std::optional<Unsigned> sum;
  call.forEach([&](unsigned, Thread &thread) {
    Unsigned value = thread.argument<Unsigned>(0);
    sum =
        sum ? combine<Unsigned, Signed, Float>(call.code, *sum, value) : value;
  });
  if (call.code == Sub)
    sum = Unsigned(0) - *sum;
  call.forEach([&](unsigned, Thread &thread) { thread.setResult(*sum); });
}

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_INTRINSICS_REDUCTION_H
