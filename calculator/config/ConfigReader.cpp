// ConfigReader.cpp - the keys of one family's config.json.
#include "calculator/config/ConfigReader.h"
#include "lib/Support/Text.h"

#include <algorithm>

using namespace labgen;

std::string labgen::firstName(const std::string &names) {
  return names.substr(0, names.find('|'));
}

void ConfigReader::fail(const std::string &what, const std::string &advice) {
  if (status)
    status = Status::badInput(where + ": " + what + "; " + advice);
}

/// `path` is a key, or "object.key".
static const Json *lookUp(const Json &json, const std::string &path) {
  size_t dot = path.find('.');
  if (dot == std::string::npos)
    return json.find(path);
  const Json *outer = json.find(path.substr(0, dot));
  return outer ? outer->find(path.substr(dot + 1)) : nullptr;
}

const Json *ConfigReader::find(const std::string &names) {
  const Json *found = nullptr;
  std::string foundName;
  for (size_t begin = 0; begin < names.size();) {
    size_t end = std::min(names.find('|', begin), names.size());
    std::string name = names.substr(begin, end - begin);
    begin = end + 1;
    const Json *value = lookUp(json, name);
    if (!value)
      continue;
    if (found && found->dump() != value->dump())
      fail(foundName + " is " + quoted(found->dump()) + " and " + name +
               " is " + quoted(value->dump()),
           "they are two names of one size; leave one out");
    if (!found)
      found = value, foundName = name;
  }
  return found;
}

std::optional<int64_t> ConfigReader::integer(const std::string &names,
                                             const Json &value, int64_t low,
                                             int64_t high, bool perLayer) {
  std::optional<int64_t> number = value.asInt();
  const Json::Array *list = value.asArray();
  if (perLayer && list && !list->empty()) {
    number = list->front().asInt();
    for (const Json &each : *list)
      if (each.asInt() != number)
        number.reset();
  }
  if (number && *number >= low && *number <= high)
    return number;
  fail(firstName(names) + " is " + quoted(value.dump()),
       "give a whole number from " + std::to_string(low) + " to " +
           std::to_string(high));
  return std::nullopt;
}

void ConfigReader::noteDefault(const std::string &names,
                               const std::string &value) {
  defaults += (defaults.empty() ? "" : ", ") + firstName(names) + " = " + value;
}

int64_t ConfigReader::numberOrNull(const std::string &names, int64_t missing,
                                   int64_t null, int64_t low, int64_t high) {
  const Json *value = find(names);
  if (value && value->isNull() && null != needed)
    return null;
  if (value)
    return integer(names, *value, low, high, false).value_or(low);
  noteDefault(names, std::to_string(missing));
  return missing;
}

int64_t ConfigReader::number(const std::string &names, int64_t missing,
                             int64_t low, int64_t high) {
  return numberOrNull(names, missing, needed, low, high);
}

bool ConfigReader::flag(const std::string &names, bool missing) {
  const Json *value = find(names);
  if (!value)
    noteDefault(names, missing ? "true" : "false");
  else if (!value->asBool())
    fail(firstName(names) + " is " + quoted(value->dump()),
         "give true or false");
  return value && value->asBool() ? *value->asBool() : missing;
}

/// A number, or one of the rules of Families.h made one.
int64_t ConfigReader::resolve(const Key &key, int64_t rule) {
  switch (rule) {
  case asHeads:
    return c.heads;
  case fourHidden:
    return 4 * c.hidden;
  case asExpertFfn:
    return c.expertFfn;
  case hiddenPerHead:
    if (c.hidden % c.heads != 0)
      fail(names()[size_t(Field::Heads)] + " is " + std::to_string(c.heads) +
               " and does not divide " + names()[size_t(Field::Hidden)] + " (" +
               std::to_string(c.hidden) + ")",
           key.names.empty() ? "give a divisor"
                             : "give a divisor, or " + firstName(key.names));
    return std::max<int64_t>(1, c.hidden / c.heads);
  default:
    return rule;
  }
}

/// A nested config holds what differs from its class's defaults, so that even
/// its layers may be missing.
int64_t ConfigReader::missingValue(const Key &key) const {
  int64_t nested = key.field == Field::Layers   ? family.nestedLayers
                   : key.field == Field::Hidden ? family.nestedHidden
                                                : 0;
  return isNested && nested ? nested : key.missing;
}

void ConfigReader::readKey(const Key &key) {
  const FieldInfo &row = info(key.field);
  int64_t &out = c.*row.member;
  // What may be missing altogether may also be 0.
  int64_t low = key.missing == absent ? std::min<int64_t>(0, row.low) : row.low;
  const Json *value = key.names.empty() ? nullptr : find(key.names);
  const std::optional<int64_t> &option = given.numbers[size_t(key.field)];
  std::optional<int64_t> number;
  if (value && !value->isNull())
    number = integer(key.names, *value, low, row.high, key.perLayer);
  else if (value && key.null == needed && !option)
    fail(firstName(key.names) + " is null", "give a whole number from " +
                                                std::to_string(low) + " to " +
                                                std::to_string(row.high));
  if (failed())
    return void(out = row.low);
  if (option) {
    if (number && *number != *option)
      c.notes.push_back(std::string(row.flag) + " " + std::to_string(*option) +
                        " replaces " + std::to_string(*number));
    out = *option;
  } else if (number) {
    out = *number;
  } else if (value) {
    out = resolve(key, key.null);
    if (key.null == asHeads)
      c.notes.push_back(firstName(key.names) +
                        " is null; every head has its own keys and values "
                        "(multi-head attention)");
  } else if (missingValue(key) == needed) {
    fail(firstName(key.names) + " is missing",
         "give a whole number from " + std::to_string(row.low) + " to " +
             std::to_string(row.high) +
             (row.flag ? std::string(", or ") + row.flag : ""));
    out = row.low;
  } else {
    out = resolve(key, missingValue(key));
    // Hidden over heads is what a missing head_dim means everywhere.
    if (!key.names.empty() && key.missing != hiddenPerHead &&
        key.missing != asExpertFfn && !failed())
      noteDefault(key.names, out ? std::to_string(out) : "none");
  }
}

/// Experts or latents in the file of a family that has none here: a variant of
/// it, which would be sized as if it had none either.
void ConfigReader::refuseUnreadParts() {
  auto refuse = [&](Field field, std::initializer_list<const char *> keys,
                    int64_t harmless) {
    for (const char *key : keys)
      if (const Json *value = family.key(field) ? nullptr : find(key))
        if (!value->isNull() && value->asInt().value_or(-1) != harmless &&
            value->asInt().value_or(-1) != 0)
          fail(std::string(key) + " is " + quoted(value->dump()) + ", and " +
                   family.type + " models have no such part here",
               "leave it out, or give the sizes as options");
  };
  refuse(Field::Experts,
         {"num_experts", "num_local_experts", "n_routed_experts"}, 1);
  refuse(Field::KvRank, {"kv_lora_rank"}, 0);
}

Result<ModelConfig> ConfigReader::read() {
  c.type = family.type;
  c.gated = family.gatedFfn;
  c.layerNorms = family.norms;
  c.finalNorm = family.hasFinalNorm;
  c.activationScalars = family.scalars;
  for (bool ModelConfig::*part : family.fixed)
    c.*part = true;
  refuseUnreadParts();
  // In the order of the fields, since defaults refer back.
  for (int i = 0; i < numFields && status; ++i) {
    const Key *key = family.key(Field(i));
    if (key && key->field != Field::Ffn && key->field != Field::Window)
      readKey(*key);
  }
  for (const Switch &part : family.switches)
    if (status && flag(part.name, part.missing))
      for (bool ModelConfig::*member : part.sets)
        c.*member = true;
  if (status && c.sharedFfn == 0)
    c.sharedExperts = 0;
  if (status && c.sharedExperts == 0)
    c.sharedFfn = 0;
  if (status && c.isMoe())
    readDenseLayers();
  if (const auto &dense = given.numbers[size_t(Field::DenseLayers)]) {
    c.denseLayers = *dense; // the first ones
    c.denseAt.clear();
  }
  if (const Key *key = family.key(Field::Ffn);
      key && status && (!c.isMoe() || c.denseLayers))
    readKey(*key);
  if (status)
    readWindow();
  if (status && family.quirk)
    family.quirk(*this, c);
  if (status)
    finish();
  if (!status)
    return status;
  return std::move(c);
}

/// Options for parts this family's files have no key for, and the checks.
void ConfigReader::finish() {
  for (int i = 0; i < numFields; ++i)
    if (given.numbers[i])
      c.*info(Field(i)).member = *given.numbers[i];
  c.gated = given.gated.value_or(c.gated);
  c.tied = given.tied.value_or(c.tied);
  c.qkvBias = given.qkvBias.value_or(c.qkvBias);
  if (c.sharedExperts && c.sharedFfn == 0)
    c.sharedFfn = c.expertFfn;
  if (c.window && c.windowLayers == 0)
    c.windowLayers = c.layers;
  if (const Json *quantization = json.find("quantization_config");
      quantization && !quantization->isNull())
    c.quantization = *quantization;
  if (!defaults.empty())
    c.notes.push_back("not in the file, taken from " + family.source + ": " +
                      defaults);
  if (Status valid = validate(c, names()); !valid)
    status = Status::badInput(where + ": " + valid.message());
}

std::vector<std::string> ConfigReader::names() const {
  std::vector<std::string> out = jsonNames();
  for (const Key &key : family.keys)
    if (!key.names.empty())
      out[size_t(key.field)] = firstName(key.names);
  return out;
}
