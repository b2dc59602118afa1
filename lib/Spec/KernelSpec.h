// KernelSpec.h - the text form of a lab: parse, validate, print.
//
// `op:key=value,...` names one kernel everywhere: on the command line, in a
// manifest, in a row and as a filter. Parsing checks everything that can be
// checked without a target, and printing a parsed spec gives the canonical form
// (table order, defaults left out), so text and value stand for each other.
#ifndef LABGEN_SPEC_KERNELSPEC_H
#define LABGEN_SPEC_KERNELSPEC_H

#include "lib/Spec/Format.h"
#include "lib/Support/Status.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace labgen {

enum class Op { Quantize, Dequantize, Cast, Exp, Axpy, Reduce, Gemm };
enum class ScaleRule { Floor, RCeil, Ceil, Even };
enum class IntRange { Narrow, Full };
enum class Rounding { Even, Away, Zero, Stochastic };
enum class Inverse { Divide, Reciprocal };
enum class Divisor { Stored, Unrounded };
enum class Overflow { Saturate, Ieee };
enum class NanRule { Propagate, Max, Error };
enum class ReduceKind { Sum, Dot, Max, AbsMax, SumSq };
enum class SumOrder { Sequential, Blocked, Pairwise, Compensated };

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
  uint64_t seed = 0;

  /// Parses and validates. Errors name the key, the value and the nearest legal
  /// one: "unknown key 'gruop' for quantize; did you mean 'group'?".
  static Result<KernelSpec> parse(std::string_view text);
  /// Canonical text; parse(str()) gives this spec back.
  std::string str() const;

  /// Codes are [rows, k] with scales [scaleRows(), scaleCols()].
  bool isQuantized() const { return group.kind != Group::None; }
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

std::string_view name(Op op);
std::string_view name(ReduceKind kind);
std::string_view name(SumOrder order);
std::string_view name(Rounding rounding);
std::string_view name(ScaleRule rule);

enum class Role { Input, Output, InOut, Workspace };
std::string_view name(Role role);
std::optional<Role> parseRole(std::string_view text);

/// One argument of a kernel, in ABI order.
struct Argument {
  std::string
      name; ///< x, q, scale, zero, global, y, alpha, r, a, b, b_scale, c
  Role role = Role::Input;
  Format format = Format::F32;
  std::vector<int64_t> shape; ///< in elements; {} for alpha and r
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
