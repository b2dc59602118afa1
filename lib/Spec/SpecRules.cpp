// SpecRules.cpp - what may go together in a spec.
//
// Each rule is a sentence of the contract; its message names the constraint,
// the value and the nearest legal choice.
#include "lib/Spec/Cost.h"
#include "lib/Spec/SpecKeys.h"
#include "lib/Support/Text.h"

#include <algorithm>

namespace labgen {

using Formats = std::vector<Format>;

static std::string str(std::string_view text) { return std::string(text); }
static std::string str(Format format) { return std::string(name(format)); }

static bool isSmallFloat(Format format) {
  return isFloat(format) && isCode(format);
}
static bool isWideFloat(Format format) {
  return isFloat(format) && !isCode(format);
}
static bool contains(const Formats &formats, Format format) {
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

/// The type of the codes, where a lab has codes with scales.
static std::optional<Format> codeType(const KernelSpec &spec) {
  switch (spec.op) {
  case Op::Quantize:
    return spec.out;
  case Op::Dequantize:
    return spec.in;
  case Op::Gemm:
    if (isWideFloat(spec.a) && isCode(spec.b))
      return spec.b;
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

std::string misplaced(const KernelSpec &spec, std::string_view key) {
  std::optional<Format> code = codeType(spec);
  if (key == "rule" && spec.scale != Format::F8E8M0FNU)
    return "rule goes with scale=f8E8M0FNU only; remove rule or use that scale";
  if (key == "range" && code &&
      (info(*code).kind != FormatKind::SignedInt || spec.zero))
    return "range goes with symmetric i8 and i4 codes only; remove range";
  if (key == "seed" && spec.round != Rounding::Stochastic)
    return "seed goes with round=stochastic only; remove seed or use that "
           "rounding";
  if (key == "order" && !isSum(spec.kind))
    return "kind=" + str(name(spec.kind)) +
           " takes no order; remove order or use sum, dot or sumsq";
  if (key == "block" && !isSum(spec.kind))
    return "kind=" + str(name(spec.kind)) +
           " takes no block; remove block or use sum, dot or sumsq";
  if (key == "block" && spec.order == SumOrder::Sequential)
    return "order=sequential takes no block; remove block or use blocked, "
           "pairwise or compensated";
  if (spec.op == Op::Gemm && !code) {
    std::string operands =
        " where codes meet floats only, not a=" + str(spec.a) +
        " with b=" + str(spec.b) + "; remove " + str(key);
    if ((key == "group" && spec.isQuantized()) ||
        (key == "scale" && spec.scale) || (key == "zero" && spec.zero) ||
        key == "compute")
      return str(key) + " goes" + operands;
  }
  return "";
}

static Status checkLegalFormats(const KernelSpec &spec) {
  for (const SpecKey *key : info(spec.op).keys) {
    std::optional<Format> format =
        key->format ? key->format(spec) : std::nullopt;
    const Formats &legal = legalFormats(spec.op, key->name);
    if (format && !contains(legal, *format))
      return Status::badInput(str(key->name) + "=" + str(*format) +
                              " is not a type of " + str(name(spec.op)) +
                              "'s " + str(key->name) + "; use " +
                              orList(names(legal)));
  }
  return Status::ok();
}

static Status checkScale(const KernelSpec &spec, Format code) {
  if (!spec.isQuantized() || !spec.scale) {
    std::string key = spec.isQuantized() ? "scale" : "group";
    return Status::badInput("missing key '" + key + "' for " +
                            str(name(spec.op)) + " with " + str(code) +
                            " codes; add " + key +
                            (spec.isQuantized() ? "=f32" : "=32"));
  }
  if (spec.group.kind == Group::Size && spec.group.size < 1)
    return Status::badInput("group=" + std::to_string(spec.group.size) +
                            " is not a group; the nearest legal one is 1");
  Format scale = *spec.scale;
  Formats legal = {Format::F32, Format::F16, Format::BF16};
  if (!isInteger(code))
    legal.push_back(Format::F8E8M0FNU);
  if (code == Format::F4E2M1FN || code == Format::F8E4M3FN)
    legal.push_back(Format::F8E4M3FN);
  if (!contains(legal, scale))
    return Status::badInput("scale=" + str(scale) + " does not go with " +
                            str(code) + " codes; use " + orList(names(legal)));
  if (scale == Format::F8E8M0FNU && !(spec.group == Group{Group::Size, 32}))
    return Status::badInput("scale=f8E8M0FNU needs group=32; use group=32 or "
                            "scale=f32");
  return Status::ok();
}

static Status checkZero(const KernelSpec &spec, Format code) {
  if (spec.zero && !isInteger(code))
    return Status::badInput("zero=" + str(*spec.zero) +
                            " goes with integer "
                            "codes only, not " +
                            str(code) + "; use zero=none");
  if (spec.zero && *spec.zero != code)
    return Status::badInput(
        "zero=" + str(*spec.zero) +
        " does not match the codes; use zero=" + str(code) +
        (info(code).kind == FormatKind::SignedInt ? " or zero=none" : ""));
  if (!spec.zero && info(code).kind == FormatKind::UnsignedInt)
    return Status::badInput(str(code) +
                            " codes need a zero point; add zero=" + str(code));
  return Status::ok();
}

static Status checkQuantize(const KernelSpec &spec) {
  if (spec.scale == Format::F8E8M0FNU && spec.divisor == Divisor::Unrounded)
    return Status::badInput(
        "divisor=unrounded does not go with scale=f8E8M0FNU, whose rule makes "
        "the scale; use divisor=stored");
  return Status::ok();
}

static Status checkCast(const KernelSpec &spec) {
  const FormatInfo &to = info(spec.out);
  if (spec.overflow == Overflow::Ieee && !to.hasInf && !to.hasNaN)
    return Status::badInput(
        "overflow=ieee does not go with out=" + str(spec.out) +
        ", which has neither Inf nor NaN; "
        "use overflow=saturate");
  if (spec.nan == NanRule::Propagate && !to.hasNaN)
    return Status::badInput(
        "nan=propagate does not go with out=" + str(spec.out) +
        ", which has no NaN; use nan=max or nan=error");
  return Status::ok();
}

/// acc may be the type itself or a wider one, exact on every product's
/// operands.
static Status checkAcc(const KernelSpec &spec, Format type, bool quantized) {
  Formats legal = {Format::F32};
  if (type == Format::F64)
    legal = {Format::F64};
  else if (isInteger(type))
    legal = {Format::I32};
  else if (!quantized && isWideFloat(type) && type != Format::TF32) {
    legal.push_back(Format::F64);
    if (type != Format::F32)
      legal.push_back(type);
  }
  if (contains(legal, spec.acc))
    return Status::ok();
  return Status::badInput("acc=" + str(spec.acc) + " does not go with " +
                          str(type) + "; use " + orList(names(legal)));
}

/// Sums of integers are exact; a length whose i32 sum could overflow is
/// refused.
static Status checkIntegerSum(std::string_view key, int64_t length,
                              double largest) {
  int64_t longest = int64_t(2147483647.0 / largest);
  if (length <= longest)
    return Status::ok();
  return Status::badInput(str(key) + "=" + std::to_string(length) +
                          " could overflow the i32 accumulator; use " +
                          str(key) + "=" + std::to_string(longest) +
                          " or less");
}

static double magnitude(Format format) {
  return std::max(-info(format).min, info(format).max);
}

static Status checkReduce(const KernelSpec &spec) {
  if (Status status = checkAcc(spec, spec.type, false); !status)
    return status;
  if (!isSum(spec.kind))
    return Status::ok();
  bool blocked =
      spec.order == SumOrder::Blocked || spec.order == SumOrder::Compensated;
  // A block of 1 hands on as many results as it takes: no level ends it.
  int64_t least = blocked ? 2 : 1;
  if (spec.order != SumOrder::Sequential && spec.block < least)
    return Status::badInput("block=" + std::to_string(spec.block) +
                            " is too small for order=" + str(name(spec.order)) +
                            "; use block=" + std::to_string(least) +
                            " or more");
  if (!isInteger(spec.type))
    return Status::ok();
  double term = magnitude(spec.type);
  return checkIntegerSum("n", spec.n,
                         spec.kind == ReduceKind::Sum ? term : term * term);
}

static Status checkGemm(const KernelSpec &spec) {
  std::optional<Format> code = codeType(spec);
  Formats partners; // what b may be for this a
  for (Format f : legalFormats(Op::Gemm, "b")) {
    bool quantizes = spec.a == Format::F32 || spec.a == Format::BF16 ||
                     spec.a == Format::F16;
    if (isWideFloat(spec.a) ? f == spec.a || (quantizes && isCode(f))
        : isInteger(spec.a) ? isInteger(f)
                            : isSmallFloat(f))
      partners.push_back(f);
  }
  if (!contains(partners, spec.b))
    return Status::badInput("b=" + str(spec.b) + " does not go with a=" +
                            str(spec.a) + "; use b=" + orList(names(partners)));
  if (code) {
    if (Status status = checkScale(spec, *code); !status)
      return status;
    if (Status status = checkZero(spec, *code); !status)
      return status;
    if (spec.compute == Format::I8 && !isInteger(*code))
      return Status::badInput("compute=i8 needs integer codes, not b=" +
                              str(spec.b) + "; use compute=f32 or b=i8");
  }
  if (Status status = checkAcc(spec, spec.a, code.has_value()); !status)
    return status;
  Formats outs = {Format::F32, Format::BF16, Format::F16};
  if (spec.acc == Format::F64)
    outs = spec.a == Format::F64
               ? Formats{Format::F64}
               : Formats{Format::F64, Format::F32, Format::BF16, Format::F16};
  if (spec.acc == Format::I32)
    outs = {Format::I32};
  if (!contains(outs, spec.out))
    return Status::badInput("out=" + str(spec.out) + " does not go with acc=" +
                            str(spec.acc) + "; use out=" + orList(names(outs)));
  if (spec.acc == Format::I32)
    return checkIntegerSum("k", spec.k, magnitude(spec.a) * magnitude(spec.b));
  return Status::ok();
}

static Status checkRules(const KernelSpec &spec) {
  switch (spec.op) {
  case Op::Quantize:
  case Op::Dequantize: {
    Format code = *codeType(spec);
    if (Status status = checkScale(spec, code); !status)
      return status;
    if (Status status = checkZero(spec, code); !status)
      return status;
    return checkQuantize(spec);
  }
  case Op::Cast:
    return checkCast(spec);
  case Op::Exp:
    return Status::ok();
  case Op::Axpy:
    return checkAcc(spec, spec.type, false);
  case Op::Reduce:
    return checkReduce(spec);
  case Op::Gemm:
    return checkGemm(spec);
  }
  return Status::ok();
}

Status validate(const KernelSpec &spec) {
  for (int64_t size : {spec.m, spec.n, spec.k})
    if (size < 0)
      return Status::badInput("a size is " + std::to_string(size) +
                              "; use 0 or more");
  if (Status status = checkLegalFormats(spec); !status)
    return status;
  KernelSpec plain = withDefaults(spec);
  for (const SpecKey *key : info(spec.op).keys)
    if (key->print(spec) != key->print(plain))
      if (std::string why = misplaced(spec, key->name); !why.empty())
        return Status::badInput(why);
  if (Status status = checkRules(spec); !status)
    return status;
  return checkCounts(spec);
}

} // namespace labgen
