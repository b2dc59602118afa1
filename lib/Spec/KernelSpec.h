// KernelSpec.h - the text form of a lab: parse, validate, print.
//
// `op:key=value,...` names one kernel everywhere: on the command line, in a
// manifest, in a row and as a filter. Parsing checks everything that can be
// checked without a target, and printing a parsed spec gives the canonical form
// (table order, defaults left out), so text and value stand for each other.
#ifndef LABGEN_SPEC_KERNELSPEC_H
#define LABGEN_SPEC_KERNELSPEC_H

#include "lib/Spec/Enum.h"
#include "lib/Spec/Format.h"
#include "lib/Support/Status.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace labgen {

// clang-format off
#define LABGEN_OPS(X, E)                                                       \
  X(E, Quantize, "quantize")                                                   \
  X(E, Dequantize, "dequantize")                                               \
  X(E, Cast, "cast")                                                           \
  X(E, Exp, "exp")                                                             \
  X(E, Axpy, "axpy")                                                           \
  X(E, Reduce, "reduce")                                                       \
  X(E, Softmax, "softmax")                                                     \
  X(E, Gemm, "gemm")
#define LABGEN_SCALE_RULES(X, E)                                               \
  X(E, Floor, "floor")                                                         \
  X(E, RCeil, "rceil")                                                         \
  X(E, Ceil, "ceil")                                                           \
  X(E, Even, "even")
#define LABGEN_INT_RANGES(X, E)                                                \
  X(E, Narrow, "narrow")                                                       \
  X(E, Full, "full")
#define LABGEN_ROUNDINGS(X, E)                                                 \
  X(E, Even, "even")                                                           \
  X(E, Away, "away")                                                           \
  X(E, Zero, "zero")                                                           \
  X(E, Stochastic, "stochastic")
#define LABGEN_INVERSES(X, E)                                                  \
  X(E, Divide, "divide")                                                       \
  X(E, Reciprocal, "reciprocal")
#define LABGEN_DIVISORS(X, E)                                                  \
  X(E, Stored, "stored")                                                       \
  X(E, Unrounded, "unrounded")
#define LABGEN_OVERFLOWS(X, E)                                                 \
  X(E, Saturate, "saturate")                                                   \
  X(E, Ieee, "ieee")
// What a kernel can do about NaN; to let the row fail is the checker's.
#define LABGEN_KERNEL_NAN_RULES(X, E)                                          \
  X(E, Propagate, "propagate")                                                 \
  X(E, Max, "max")
#define LABGEN_NAN_RULES(X, E)                                                 \
  LABGEN_KERNEL_NAN_RULES(X, E)                                                \
  X(E, Error, "error")
#define LABGEN_REDUCE_KINDS(X, E)                                              \
  X(E, Sum, "sum")                                                             \
  X(E, Dot, "dot")                                                             \
  X(E, Max, "max")                                                             \
  X(E, AbsMax, "absmax")                                                       \
  X(E, SumSq, "sumsq")
#define LABGEN_SUM_ORDERS(X, E)                                                \
  X(E, Sequential, "sequential")                                               \
  X(E, Blocked, "blocked")                                                     \
  X(E, Pairwise, "pairwise")                                                   \
  X(E, Compensated, "compensated")
#define LABGEN_ROLES(X, E)                                                     \
  X(E, Input, "input")                                                         \
  X(E, Output, "output")                                                       \
  X(E, InOut, "inout")                                                         \
  X(E, Workspace, "workspace")
// clang-format on

LABGEN_ENUM(Op, LABGEN_OPS);
LABGEN_ENUM(ScaleRule, LABGEN_SCALE_RULES);
LABGEN_ENUM(IntRange, LABGEN_INT_RANGES);
LABGEN_ENUM(Rounding, LABGEN_ROUNDINGS);
LABGEN_ENUM(Inverse, LABGEN_INVERSES);
LABGEN_ENUM(Divisor, LABGEN_DIVISORS);
LABGEN_ENUM(Overflow, LABGEN_OVERFLOWS);
LABGEN_ENUM(NanRule, LABGEN_NAN_RULES);
LABGEN_ENUM(ReduceKind, LABGEN_REDUCE_KINDS);
LABGEN_ENUM(SumOrder, LABGEN_SUM_ORDERS);
LABGEN_ENUM(Role, LABGEN_ROLES);

/// Whether results are at most half a spacing off.
constexpr bool isToNearest(Rounding rounding) {
  return rounding == Rounding::Even || rounding == Rounding::Away;
}
/// Whether a reduction adds; the others look for an extreme.
constexpr bool isSum(ReduceKind kind) {
  return kind != ReduceKind::Max && kind != ReduceKind::AbsMax;
}
/// Whether what a reduction adds are products.
constexpr bool addsProducts(ReduceKind kind) {
  return kind == ReduceKind::Dot || kind == ReduceKind::SumSq;
}

/// Scales of a type so narrow that an f32 for the whole tensor goes with them.
constexpr bool needsGlobal(Format scale) { return scale == Format::F8E4M3FN; }

/// How many neighbours along K share a scale.
struct Group {
  enum Kind { None, Size, Channel, Tensor } kind = None;
  int64_t size = 0; ///< for Size: at least 1

  bool operator==(const Group &o) const {
    return kind == o.kind && (kind != Size || size == o.size);
  }
  /// Elements along K that share a scale: size, or k for channel and tensor
  /// (at least 1, so that it can divide).
  int64_t along(int64_t k) const {
    return kind == Size ? size : (k > 0 ? k : 1);
  }
  /// Groups of a row of k elements: ceil(k / size), 1 for channel and tensor.
  int64_t count(int64_t k) const {
    return kind == Size ? k / size + (k % size != 0) : 1;
  }

  /// "32", "channel", "tensor", and "none".
  std::string str() const;
  /// What str() gives but "none"; -1 is channel, too.
  static std::optional<Group> parse(std::string_view text);

  // The same as one number, for IR: a size from 1, or one of these.
  static constexpr int64_t channelNumber = -1, tensorNumber = 0;
  int64_t number() const {
    return kind == Size ? size : kind == Channel ? channelNumber : tensorNumber;
  }
  static Group ofNumber(int64_t number) {
    return number == channelNumber  ? Group{Channel, 0}
           : number == tensorNumber ? Group{Tensor, 0}
                                    : Group{Size, number};
  }
};

/// One lab. Fields an op has no key for keep their defaults; optional ones are
/// empty where the contract gives the op none (say, no scale in a plain gemm).
struct KernelSpec {
  Op op = Op::Axpy;
  int64_t m = 0, n = 0, k = 0;
  Format in = Format::F32, out = Format::F32; ///< quantize .. exp; out of gemm
  Format type = Format::F32;                  ///< axpy, reduce
  Format a = Format::F32, b = Format::F32;    ///< gemm
  Format acc = Format::F32;                   ///< axpy, reduce, gemm
  Group group;
  std::optional<Format> scale;
  std::optional<Format> zero; ///< asymmetric: type of the zero points
  ScaleRule rule = ScaleRule::Floor;
  IntRange range = IntRange::Narrow;
  Rounding round = Rounding::Even;
  Inverse inverse = Inverse::Divide;
  Divisor divisor = Divisor::Stored;
  Overflow overflow = Overflow::Saturate;
  NanRule nan = NanRule::Propagate;
  ReduceKind kind = ReduceKind::Sum;
  SumOrder order = SumOrder::Blocked;
  int64_t block = 16384;
  Format compute = Format::F32; ///< gemm: f32 or i8
  bool accumulate = false;
  bool shift = true; ///< softmax: exp of x less the row's maximum
  uint64_t seed = 0;

  /// Parses and validates. Errors name the key, the value and the nearest legal
  /// one: "unknown key 'gruop' for quantize; did you mean 'group'?".
  static Result<KernelSpec> parse(std::string_view text);
  /// Canonical text; parse(str()) gives this spec back.
  std::string str() const;

  /// Codes are [rows, k] with scales [scaleRows(), scaleCols()].
  bool isQuantized() const { return group.kind != Group::None; }
  /// Whether an f32 for the whole tensor goes with the scales.
  bool hasGlobal() const { return scale && needsGlobal(*scale); }
  /// gemm on f32 activations quantized on the fly.
  bool quantizesA() const { return op == Op::Gemm && compute == Format::I8; }
  int64_t scaleRows() const; ///< rows of the codes, 1 for group=tensor
  int64_t scaleCols() const; ///< ceil(k / group), 1 for channel and tensor
};

/// The codes a quantizer uses, and what its scale comes from: absmax / steps,
/// with zero points (max - min) / steps.
struct CodeGrid {
  double lowest, highest, steps;
};
CodeGrid codeGrid(Format code, IntRange range, bool asymmetric);
/// The same of a quantize spec.
CodeGrid codeGrid(const KernelSpec &spec);

/// The checks of parse() on a spec built field by field.
Status validate(const KernelSpec &spec);

/// What the elements of an argument stand for.
enum class ArgumentKind {
  Values,    ///< themselves
  Codes,     ///< numbers by way of the scales that follow
  Scale,     ///< of the groups of the codes
  ZeroPoint, ///< likewise
  Global     ///< what scales are relative to
};

/// One argument of a kernel, in ABI order.
struct Argument {
  std::string
      name; ///< x, q, scale, zero, global, y, alpha, r, a, b, b_scale, c
  Role role = Role::Input;
  Format format = Format::F32;
  std::vector<int64_t> shape; ///< in elements; {} for alpha and r
  ArgumentKind kind = ArgumentKind::Values;
  int64_t elements() const;
  /// Bytes in memory: codes packed along the last dimension, each row starting
  /// on a byte.
  int64_t bytes() const;
  /// Bytes of one row (the last dimension).
  int64_t rowBytes() const;
};

/// The arguments of a lab, inputs first, as the contract's table has them. A
/// gemm that accumulates has c as inout, axpy has y as inout.
std::vector<Argument> arguments(const KernelSpec &spec);

} // namespace labgen

#endif // LABGEN_SPEC_KERNELSPEC_H
