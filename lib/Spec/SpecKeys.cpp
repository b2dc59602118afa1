// SpecKeys.cpp - which keys an op has, how each reads and prints, what the
// defaults are.
#include "lib/Spec/SpecKeys.h"
#include "lib/Spec/Convert.h"
#include "lib/Support/Text.h"

#include <algorithm>

namespace labgen {

using Names = std::vector<std::string_view>;

std::vector<std::string_view> names(const std::vector<Format> &formats) {
  Names all;
  for (Format format : formats)
    all.push_back(name(format));
  return all;
}

//===----------------------------------------------------------------------===//
// Readers and printers, by the kind of value
//===----------------------------------------------------------------------===//

template <int64_t KernelSpec::*Field> static Status
readSize(const SpecKey &key, std::string_view text, KernelSpec &spec) {
  std::optional<uint64_t> value = parseDecimal(text);
  if (!value || *value > uint64_t(INT64_MAX))
    return Status::badInput(std::string(key.name) + "=" + quoted(text) +
                            " is not a size; use a plain decimal integer from "
                            "0 to 9223372036854775807");
  spec.*Field = int64_t(*value);
  return Status::ok();
}
template <int64_t KernelSpec::*Field>
static std::string printSize(const KernelSpec &spec) {
  return std::to_string(spec.*Field);
}

static Status readSeed(const SpecKey &, std::string_view text,
                       KernelSpec &spec) {
  std::optional<uint64_t> value = parseDecimal(text);
  if (!value)
    return Status::badInput("seed=" + quoted(text) +
                            " is not a seed; use a plain decimal integer from "
                            "0 to 18446744073709551615");
  spec.seed = *value;
  return Status::ok();
}
static std::string printSeed(const KernelSpec &spec) {
  return std::to_string(spec.seed);
}

static Status readGroup(const SpecKey &, std::string_view text,
                        KernelSpec &spec) {
  if (std::optional<Group> group = Group::parse(text)) {
    spec.group = *group;
    return Status::ok();
  }
  std::optional<uint64_t> size = parseDecimal(text);
  std::string what = "group=" + quoted(text) + " is not a group; ";
  if (size && *size == 0)
    return Status::badInput(what + "the nearest legal one is 1, or use channel "
                                   "or tensor");
  if (text[0] == '-' && parseDecimal(text.substr(1)))
    return Status::badInput(what + "the nearest legal one is -1 (channel), or "
                                   "use a size from 1 or tensor");
  std::string_view word = nearest(text, {"channel", "tensor"});
  if (std::all_of(text.begin(), text.end(),
                  [](unsigned char c) { return c >= '0' && c <= '9'; }))
    return Status::badInput(what + "use a plain decimal integer from 1 to "
                                   "9223372036854775807, channel or tensor");
  return Status::badInput(what + "did you mean " + quoted(word) +
                          "? (a size from 1, channel or tensor)");
}
static std::string printGroup(const KernelSpec &spec) {
  return spec.group.str();
}

static Status readFormat(const SpecKey &key, std::string_view text, Op op,
                         Format &field) {
  const std::vector<Format> &legal = legalFormats(op, key.name);
  std::optional<Format> format = parseFormat(text);
  if (format && std::find(legal.begin(), legal.end(), *format) != legal.end()) {
    field = *format;
    return Status::ok();
  }
  std::string what = std::string(key.name) + "=" + quoted(text);
  if (format)
    return Status::badInput(
        what + " is not a type of " + std::string(name(op)) + "'s " +
        std::string(key.name) + "; use " + orList(names(legal)));
  Names known;
  for (Format f : legal)
    for (std::string_view spelling : spellings(f))
      known.push_back(spelling);
  std::string_view near = name(*parseFormat(nearest(text, known)));
  return Status::badInput("unknown type " + quoted(text) + " for " +
                          std::string(key.name) + "; did you mean " +
                          quoted(near) + "? (" + orList(names(legal)) + ")");
}
template <Format KernelSpec::*Field> static Status
readType(const SpecKey &key, std::string_view text, KernelSpec &spec) {
  return readFormat(key, text, spec.op, spec.*Field);
}
template <Format KernelSpec::*Field>
static std::string printType(const KernelSpec &spec) {
  return std::string(name(spec.*Field));
}
/// The type of a field that has one, or may have one.
template <auto Field>
static std::optional<Format> formatIn(const KernelSpec &spec) {
  return spec.*Field;
}

template <std::optional<Format> KernelSpec::*Field> static Status
readOptionalType(const SpecKey &key, std::string_view text, KernelSpec &spec) {
  (spec.*Field).reset();
  if (key.name == "zero" && text == "none")
    return Status::ok();
  Format format = Format::F32;
  Status status = readFormat(key, text, spec.op, format);
  if (status)
    spec.*Field = format;
  return status;
}
template <std::optional<Format> KernelSpec::*Field>
static std::string printOptionalType(const KernelSpec &spec) {
  return std::string(spec.*Field ? name(*(spec.*Field)) : "none");
}

template <typename E, E KernelSpec::*Field> static Status
readWord(const SpecKey &key, std::string_view text, KernelSpec &spec) {
  std::optional<E> value = parseWord<E>(text);
  if (value) {
    spec.*Field = *value;
    return Status::ok();
  }
  Names words = wordsOf<E>();
  return Status::badInput("unknown value " + quoted(text) + " for " +
                          std::string(key.name) + "; did you mean " +
                          quoted(nearest(text, words)) + "? (" + orList(words) +
                          ")");
}
template <typename E, E KernelSpec::*Field>
static std::string printWord(const KernelSpec &spec) {
  return std::string(name(spec.*Field));
}

//===----------------------------------------------------------------------===//
// The tables
//===----------------------------------------------------------------------===//

#define LABGEN_SIZE(FIELD)                                                     \
  {#FIELD, readSize<&KernelSpec::FIELD>, printSize<&KernelSpec::FIELD>}
#define LABGEN_TYPE(FIELD)                                                     \
  {#FIELD, readType<&KernelSpec::FIELD>, printType<&KernelSpec::FIELD>,        \
   formatIn<&KernelSpec::FIELD>}
#define LABGEN_OPTIONAL_TYPE(FIELD)                                            \
  {#FIELD, readOptionalType<&KernelSpec::FIELD>,                               \
   printOptionalType<&KernelSpec::FIELD>, formatIn<&KernelSpec::FIELD>}
#define LABGEN_WORD(FIELD)                                                     \
  {#FIELD, readWord<decltype(KernelSpec::FIELD), &KernelSpec::FIELD>,          \
   printWord<decltype(KernelSpec::FIELD), &KernelSpec::FIELD>}

static const SpecKey keyTable[] = {
    LABGEN_SIZE(m),
    LABGEN_SIZE(n),
    LABGEN_SIZE(k),
    LABGEN_SIZE(block),
    LABGEN_TYPE(in),
    LABGEN_TYPE(out),
    LABGEN_TYPE(type),
    LABGEN_TYPE(a),
    LABGEN_TYPE(b),
    LABGEN_TYPE(acc),
    LABGEN_TYPE(compute),
    LABGEN_OPTIONAL_TYPE(scale),
    LABGEN_OPTIONAL_TYPE(zero),
    {"group", readGroup, printGroup},
    {"seed", readSeed, printSeed},
    LABGEN_WORD(rule),
    LABGEN_WORD(range),
    LABGEN_WORD(round),
    LABGEN_WORD(inverse),
    LABGEN_WORD(divisor),
    LABGEN_WORD(overflow),
    LABGEN_WORD(nan),
    LABGEN_WORD(kind),
    LABGEN_WORD(order),
    LABGEN_WORD(accumulate),
};

static OpInfo makeOp(Op op, std::string_view opName, const Names &keys,
                     const Names &required) {
  OpInfo row{op, opName, {}, required};
  for (std::string_view key : keys)
    row.keys.push_back(
        std::find_if(std::begin(keyTable), std::end(keyTable),
                     [&](const SpecKey &k) { return k.name == key; }));
  return row;
}

const std::vector<OpInfo> &opTable() {
  static const std::vector<OpInfo> table = {
      makeOp(Op::Quantize, "quantize",
             {"m", "k", "in", "out", "group", "scale", "zero", "rule", "range",
              "round", "inverse", "divisor", "seed"},
             {"m", "k", "in", "out", "group", "scale"}),
      makeOp(Op::Dequantize, "dequantize",
             {"m", "k", "in", "out", "group", "scale", "zero"},
             {"m", "k", "in", "out", "group", "scale"}),
      makeOp(Op::Cast, "cast",
             {"n", "in", "out", "round", "overflow", "nan", "seed"},
             {"n", "in", "out"}),
      makeOp(Op::Exp, "exp", {"n", "in", "out"}, {"n", "in", "out"}),
      makeOp(Op::Axpy, "axpy", {"n", "type", "acc"}, {"n", "type"}),
      makeOp(Op::Reduce, "reduce",
             {"n", "type", "kind", "order", "block", "acc"},
             {"n", "type", "kind"}),
      makeOp(Op::Gemm, "gemm",
             {"m", "n", "k", "a", "b", "group", "scale", "zero", "compute",
              "acc", "out", "accumulate"},
             {"m", "n", "k", "a", "b"}),
  };
  return table;
}

const OpInfo &info(Op op) { return opTable()[size_t(op)]; }

bool OpInfo::requires_(std::string_view key) const {
  return std::find(required.begin(), required.end(), key) != required.end();
}

std::vector<std::string_view> OpInfo::keyNames() const {
  Names all;
  for (const SpecKey *key : keys)
    all.push_back(key->name);
  return all;
}

const std::vector<Format> &legalFormats(Op op, std::string_view key) {
  using F = Format;
  static const std::vector<Format> activations = {F::F32, F::BF16, F::F16};
  static const std::vector<Format> scales = {F::F32, F::F16, F::BF16,
                                             F::F8E8M0FNU, F::F8E4M3FN};
  static const std::vector<Format> zeros = {F::I8, F::U8, F::I4, F::U4};
  static const std::vector<Format> axpy = {F::F64, F::F32, F::BF16, F::F16};
  static const std::vector<Format> reduce = {F::F64, F::F32, F::BF16,
                                             F::F16, F::I8,  F::U8};
  static const std::vector<Format> accumulators = {F::F64, F::F32, F::BF16,
                                                   F::F16, F::I32};
  static const std::vector<Format> computes = {F::F32, F::I8};
  auto select = [](auto wanted) {
    std::vector<Format> some;
    std::copy_if(allFormats().begin(), allFormats().end(),
                 std::back_inserter(some), wanted);
    return some;
  };
  static const std::vector<Format> codes = select(isCode);
  // exp is computed in f32, so f64 has no place on either side of it.
  static const std::vector<Format> exps =
      select([](Format f) { return isFloat(f) && f != F::F64; });
  static const std::vector<Format> operands =
      select([](Format f) { return isFloat(f) || isCode(f); });

  if (key == "scale")
    return scales;
  if (key == "zero")
    return zeros;
  if (key == "compute")
    return computes;
  switch (op) {
  case Op::Quantize:
    return key == "in" ? activations : codes;
  case Op::Dequantize:
    return key == "in" ? codes : activations;
  case Op::Cast:
    return allFormats();
  case Op::Exp:
    return exps;
  case Op::Axpy:
    return axpy;
  case Op::Reduce:
    return key == "type" ? reduce : accumulators;
  case Op::Gemm:
    break;
  }
  return key == "a" || key == "b" ? operands : accumulators;
}

//===----------------------------------------------------------------------===//
// Defaults
//===----------------------------------------------------------------------===//

/// The type values of an op come from; gemm counts as integer only when both
/// operands are.
static Format sourceType(const KernelSpec &spec) {
  if (spec.op != Op::Gemm)
    return spec.type;
  return isInteger(spec.a) && !isInteger(spec.b) ? Format::F32 : spec.a;
}

void resolveDefaults(KernelSpec &spec,
                     const std::set<std::string_view> &given) {
  auto unset = [&](std::string_view key) { return !given.count(key); };
  if (unset("acc"))
    spec.acc = defaultAccumulator(sourceType(spec));
  if (spec.op == Op::Gemm && unset("out"))
    spec.out = defaultAccumulator(sourceType(spec));
  if (unset("overflow"))
    spec.overflow = spec.op == Op::Quantize ? Overflow::Saturate
                                            : defaultOverflow(spec.out);
  if (unset("nan"))
    spec.nan = defaultNanRule(spec.out);
  if (unset("block"))
    spec.block = spec.order == SumOrder::Pairwise ? 128 : 16384;
}

KernelSpec withDefaults(const KernelSpec &spec) {
  KernelSpec plain;
  plain.op = spec.op;
  plain.order = spec.order;
  plain.in = spec.in;
  plain.out = spec.out;
  plain.type = spec.type;
  plain.a = spec.a;
  plain.b = spec.b;
  resolveDefaults(plain, {});
  plain.order = SumOrder::Blocked;
  return plain;
}

} // namespace labgen
