// Cost.cpp - bytes from the arguments, FLOPs in closed form.
#include "lib/Spec/Cost.h"

namespace labgen {

namespace {

/// A non-negative count that remembers whether it left 64 bits.
struct Count {
  int64_t value = 0;
  bool overflows = false;

  Count(int64_t value) : value(value) {}
  friend Count operator*(Count a, int64_t b) {
    Count out(0);
    out.overflows = __builtin_mul_overflow(a.value, b, &out.value);
    // Zero times what does not fit is zero: the lab is empty.
    out.overflows |= a.overflows && b != 0;
    return out;
  }
  friend Count operator+(Count a, Count b) {
    Count out(0);
    out.overflows = __builtin_add_overflow(a.value, b.value, &out.value) ||
                    a.overflows || b.overflows;
    return out;
  }
};

// exp in f32: x log2(e) and its rounding (2), a two-step reduction (2 fused
// multiply-adds: 4), a polynomial of degree 6 (6 fused: 12), 2^n put into the
// exponent (1), the last multiply (1).
constexpr int64_t expFlops = 20;

Count flopsOf(const KernelSpec &s) {
  Count m(s.m), n(s.n);
  switch (s.op) {
  case Op::Quantize:
    // Symmetric: abs, max, divide, round. Asymmetric: min, max, divide, round,
    // add.
    return m * s.k * (s.zero ? 5 : 4);
  case Op::Dequantize:
    return m * s.k * (s.zero ? 2 : 1); // subtract, multiply
  case Op::Cast:
    return n;
  case Op::Exp:
    return n * expFlops;
  case Op::Axpy:
    return n * 2;
  case Op::Reduce:
    // n additions or comparisons: the first meets +0 or -Inf.
    return addsProducts(s.kind) ? n * 2 : n;
  case Op::Gemm:
    break;
  }
  return m * s.n * s.k * 2; // quantizing a or scaling codes is not counted
}

Count bytesOf(const Argument &argument) {
  Count rows(1);
  for (size_t i = 0; i + 1 < argument.shape.size(); ++i)
    rows = rows * argument.shape[i];
  int64_t columns = argument.shape.empty() ? 1 : argument.shape.back();
  if (info(argument.format).storageBits % 8 == 0)
    return rows * columns * (info(argument.format).storageBits / 8);
  return rows * packedBytes(argument.format, columns);
}

} // namespace

Status checkCounts(const KernelSpec &spec) {
  Count total(0);
  for (const Argument &argument : arguments(spec)) {
    Count elements(1);
    for (int64_t size : argument.shape)
      elements = elements * size;
    Count bytes = bytesOf(argument);
    // An inout is read and written.
    total = total + bytes + bytes;
    if (elements.overflows || bytes.overflows)
      return Status::badInput("the size of " + argument.name +
                              " does not fit 64 bits; use smaller sizes");
  }
  if (total.overflows)
    return Status::badInput(
        "the bytes of all arguments do not fit 64 bits; use smaller sizes");
  if (flopsOf(spec).overflows)
    return Status::badInput("the FLOPs do not fit 64 bits; use smaller sizes");
  return Status::ok();
}

Cost cost(const KernelSpec &spec) {
  Cost cost;
  int64_t weightBytes = 0, weights = 0;
  for (const Argument &argument : arguments(spec)) {
    int64_t bytes = argument.bytes();
    if (argument.role != Role::Output)
      cost.bytesRead += bytes;
    if (argument.role != Role::Input)
      cost.bytesWritten += bytes;
    if (argument.kind == ArgumentKind::Codes)
      weights = argument.elements();
    if (argument.kind != ArgumentKind::Values)
      weightBytes += bytes;
  }
  cost.flops = flopsOf(spec).value;
  if (spec.isQuantized() && weights > 0)
    cost.bitsPerWeight = 8.0 * double(weightBytes) / double(weights);
  return cost;
}

} // namespace labgen
