// Count.h - whole numbers that remember having overflowed.
//
// Parameter, byte and FLOP counts are exact or refused: sums and products of
// them carry one flag, asked for once at the end.
#ifndef LABGEN_CALCULATOR_MODEL_COUNT_H
#define LABGEN_CALCULATOR_MODEL_COUNT_H

#include <cstdint>

namespace labgen {

class Count {
public:
  Count(int64_t value = 0) : value(value) {}

  /// The number; meaningless after an overflow.
  int64_t get() const { return value; }
  bool overflowed() const { return over; }

  friend Count operator+(Count a, Count b) {
    Count sum;
    sum.over =
        __builtin_add_overflow(a.value, b.value, &sum.value) | a.over | b.over;
    return sum;
  }
  friend Count operator-(Count a, Count b) {
    Count rest;
    rest.over =
        __builtin_sub_overflow(a.value, b.value, &rest.value) | a.over | b.over;
    return rest;
  }
  friend Count operator*(Count a, Count b) {
    Count product;
    product.over = __builtin_mul_overflow(a.value, b.value, &product.value) |
                   a.over | b.over;
    return product;
  }
  Count &operator+=(Count other) { return *this = *this + other; }
  /// Divides, rounding up; both positive.
  Count ceilDivide(int64_t by) const {
    Count quotient = value / by + (value % by != 0);
    quotient.over = over;
    return quotient;
  }

private:
  int64_t value;
  bool over = false;
};

} // namespace labgen

#endif // LABGEN_CALCULATOR_MODEL_COUNT_H
