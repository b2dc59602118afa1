// KernelSpec.cpp - the text form of a lab: parse and print.
//
// Both walk the keys of the op, which also says what may go together
// (OpInfo.h).
#include "lib/Spec/OpInfo.h"
#include "lib/Support/Text.h"

#include <algorithm>
#include <map>

namespace labgen {

/// "m=VALUE,k=VALUE".
static std::string examples(const std::vector<std::string_view> &keys) {
  std::string out;
  for (std::string_view key : keys)
    out += (out.empty() ? "" : ",") + std::string(key) + "=VALUE";
  return out;
}

static Result<const OpInfo *> parseOp(std::string_view text, bool hasColon) {
  Names ops = wordsOf<Op>();
  if (std::optional<Op> op = parseWord<Op>(text)) {
    const OpInfo &row = info(*op);
    if (hasColon)
      return &row;
    return Status::badInput("spec " + quoted(text) + " has no keys; write " +
                            std::string(row.name()) + ":" +
                            examples(row.required));
  }
  if (text.empty())
    return Status::badInput("the spec names no op; write OP:KEY=VALUE,... with "
                            "op " +
                            orList(ops));
  return Status::badInput("unknown op " + quoted(text) + "; did you mean " +
                          quoted(nearest(text, ops)) + "? (" + orList(ops) +
                          ")");
}

using Items = std::map<std::string_view, std::string_view>;

/// Splits "key=value,..." and checks each key, not yet the values.
static Result<Items> splitItems(const OpInfo &op, std::string_view text) {
  Items items;
  std::string opName(op.name());
  while (true) {
    size_t comma = text.find(',');
    bool last = comma == text.npos;
    std::string_view item = text.substr(0, comma);
    if (item.empty() && last && items.empty())
      return items; // "op:"; the missing keys say it better
    if (item.empty())
      return Status::badInput(
          last ? "the spec ends in a comma; remove it"
               : "the spec has an empty item before a comma; remove the comma");
    size_t equals = item.find('=');
    std::string_view key = item.substr(0, equals);
    std::vector<std::string_view> keys = op.keyNames();
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      return Status::badInput("unknown key " + quoted(key) + " for " + opName +
                              "; did you mean " + quoted(nearest(key, keys)) +
                              "? (" + orList(keys) + ")");
    if (equals == item.npos || equals + 1 == item.size())
      return Status::badInput("key " + quoted(key) + " has no value; write " +
                              std::string(key) + "=VALUE");
    if (!items.emplace(key, item.substr(equals + 1)).second)
      return Status::badInput("key " + quoted(key) +
                              " is given twice; give it once");
    if (last)
      return items;
    text.remove_prefix(comma + 1);
  }
}

static Status checkRequired(const OpInfo &op, const Items &items) {
  std::vector<std::string_view> missing;
  for (std::string_view key : op.required)
    if (!items.count(key))
      missing.push_back(key);
  if (missing.empty())
    return Status::ok();
  std::string keys;
  for (std::string_view key : missing)
    keys += (keys.empty() ? "" : ", ") + quoted(key);
  return Status::badInput(
      "missing " + std::string(missing.size() == 1 ? "key " : "keys ") + keys +
      " for " + std::string(op.name()) + "; add " + examples(missing));
}

Result<KernelSpec> KernelSpec::parse(std::string_view text) {
  size_t colon = text.find(':');
  bool hasColon = colon != text.npos;
  Result<const OpInfo *> op = parseOp(text.substr(0, colon), hasColon);
  if (!op)
    return op.status();
  Result<Items> items = splitItems(**op, text.substr(colon + 1));
  if (!items)
    return items.status();
  if (Status status = checkRequired(**op, *items); !status)
    return status;

  KernelSpec spec;
  spec.op = (*op)->op;
  std::set<std::string_view> given;
  for (const SpecKey *key : (*op)->keys) {
    auto item = items->find(key->name);
    if (item == items->end())
      continue;
    given.insert(key->name);
    if (Status status = key->read(*key, item->second, spec); !status)
      return status;
  }
  (*op)->resolveDefaults(spec, given);

  for (std::string_view key : given)
    if (std::string why = (*op)->misplaced(spec, key); !why.empty())
      return Status::badInput(why);
  if (spec.round == Rounding::Stochastic && !given.count("seed"))
    return Status::badInput(
        "round=stochastic needs a seed; add seed=NUMBER, for example seed=1");
  if (Status status = validate(spec); !status)
    return status;
  return spec;
}

static Status checkLegalFormats(const KernelSpec &spec) {
  const OpInfo &op = info(spec.op);
  for (const SpecKey *key : op.keys) {
    std::optional<Format> format =
        key->format ? key->format(spec) : std::nullopt;
    if (!format)
      continue;
    Formats legal = op.formats(key->name);
    if (std::find(legal.begin(), legal.end(), *format) == legal.end())
      return Status::badInput(text(key->name) + "=" + text(name(*format)) +
                              " is not a type of " + text(op.name()) + "'s " +
                              text(key->name) + "; use " +
                              orList(names(legal)));
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
  const OpInfo &op = info(spec.op);
  KernelSpec plain = withDefaults(spec);
  for (const SpecKey *key : op.keys)
    if (key->print(spec) != key->print(plain))
      if (std::string why = op.misplaced(spec, key->name); !why.empty())
        return Status::badInput(why);
  if (Status status = op.check(spec); !status)
    return status;
  return checkCounts(spec);
}

std::string KernelSpec::str() const {
  const OpInfo &table = info(op);
  KernelSpec plain = withDefaults(*this);
  std::string out(table.name());
  char separator = ':';
  for (const SpecKey *key : table.keys) {
    std::string value = key->print(*this);
    // A seed is part of a stochastic lab even where it is the default 0.
    bool shown = key->name == "seed" ? round == Rounding::Stochastic
                                     : value != key->print(plain);
    if (!shown && !table.isRequired(key->name))
      continue;
    out += separator;
    out += key->name;
    out += '=';
    out += value;
    separator = ',';
  }
  return out;
}

CodeGrid codeGrid(Format code, IntRange range, bool asymmetric) {
  const FormatInfo &row = info(code);
  if (asymmetric)
    return {row.min, row.max, row.max - row.min};
  if (isInteger(code) && range == IntRange::Full)
    return {-row.max - 1, row.max, row.max + 0.5};
  return {-row.max, row.max, row.max};
}

CodeGrid codeGrid(const KernelSpec &spec) {
  return codeGrid(spec.out, spec.range, spec.zero.has_value());
}

int64_t KernelSpec::scaleRows() const {
  std::optional<CodeMatrix> codes = info(op).codes(*this);
  return group.kind == Group::Tensor ? 1 : codes ? codes->rows : 0;
}

int64_t KernelSpec::scaleCols() const { return group.count(k); }

std::string Group::str() const {
  switch (kind) {
  case None:
    return "none";
  case Size:
    return std::to_string(size);
  case Channel:
    return "channel";
  case Tensor:
    break;
  }
  return "tensor";
}

std::optional<Group> Group::parse(std::string_view text) {
  if (text == "channel" || text == "-1")
    return Group{Channel, 0};
  if (text == "tensor")
    return Group{Tensor, 0};
  std::optional<uint64_t> size = parseDecimal(text);
  if (size && *size >= 1 && *size <= uint64_t(INT64_MAX))
    return Group{Size, int64_t(*size)};
  return std::nullopt;
}

} // namespace labgen
