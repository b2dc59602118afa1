// OpInfo.cpp - the keys of specs, how each reads and prints, and the ops.
#include "lib/Spec/OpInfo.h"
#include "lib/Support/Text.h"

#include <algorithm>
#include <cassert>

namespace labgen {

Names names(const Formats &formats) {
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
  const Formats legal = info(op).formats(key.name);
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
    LABGEN_WORD(shift),
};

static const SpecKey *keyNamed(std::string_view wanted) {
  const SpecKey *found =
      std::find_if(std::begin(keyTable), std::end(keyTable),
                   [&](const SpecKey &key) { return key.name == wanted; });
  assert(found != std::end(keyTable) &&
         "an op has a key that is not in the table");
  return found;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

OpInfo::OpInfo(Op op, const Names &keyNames, const Names &required)
    : op(op), keys([&] {
        std::vector<const SpecKey *> all;
        for (std::string_view key : keyNames)
          all.push_back(keyNamed(key));
        return all;
      }()),
      required(required) {}

const OpInfo &info(Op op) {
#define LABGEN_OP_ROOM(E, NAME, WORD) op##NAME,
  static const OpInfo &(*const rooms[])() = {LABGEN_OPS(LABGEN_OP_ROOM, Op)};
#undef LABGEN_OP_ROOM
  return rooms[size_t(op)]();
}

bool OpInfo::isRequired(std::string_view key) const {
  return std::find(required.begin(), required.end(), key) != required.end();
}

Names OpInfo::keyNames() const {
  Names all;
  for (const SpecKey *key : keys)
    all.push_back(key->name);
  return all;
}

void OpInfo::resolveDefaults(KernelSpec &,
                             const std::set<std::string_view> &) const {}

std::string OpInfo::misplaced(const KernelSpec &spec,
                              std::string_view key) const {
  if (key == "seed" && spec.round != Rounding::Stochastic)
    return "seed goes with round=stochastic only; remove seed or use that "
           "rounding";
  return "";
}

std::optional<CodeMatrix> OpInfo::codes(const KernelSpec &) const {
  return std::nullopt;
}

std::string OpInfo::arithmeticText(const KernelSpec &) const { return ""; }
std::string OpInfo::scaleRuleText(const KernelSpec &) const { return ""; }

Formats formatsThat(bool (*wanted)(Format)) {
  Formats some;
  std::copy_if(allFormats().begin(), allFormats().end(),
               std::back_inserter(some), wanted);
  return some;
}

UnitNeeds vectorUnits(bool inDouble) {
  Format type = inDouble ? Format::F64 : Format::F32;
  return {{type}, type};
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
  info(spec.op).resolveDefaults(plain, {});
  plain.order = SumOrder::Blocked;
  return plain;
}

} // namespace labgen
