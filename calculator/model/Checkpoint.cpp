// Checkpoint.cpp - quantization_config, method by method.
#include "calculator/model/Checkpoint.h"
#include "calculator/model/Modules.h"
#include "lib/Support/Text.h"

#include <algorithm>
#include <cctype>
#include <map>

using namespace labgen;

namespace {

struct Rule {
  bool everyLayer = true; ///< else only `targets`
  ModuleList targets;
  WeightFormat format;
};
struct Scheme {
  std::vector<Rule> rules; ///< the first that applies
  ModuleList kept;         ///< these stay in 16 bits
  bool head = false;       ///< the head is a linear layer like the others
  bool expertsOnly = false;
};

class SchemeReader {
public:
  explicit SchemeReader(const Json &json) : json(json) {}

  Result<Scheme> read() {
    std::string method = text(json, "quant_method");
    if (method.empty() && json.find("load_in_4bit"))
      method = "bitsandbytes";
    using Read = void (SchemeReader::*)();
    static constexpr std::pair<std::string_view, Read> methods[] = {
        {"mxfp4", &SchemeReader::mxfp4},
        {"fp8", &SchemeReader::fp8},
        {"fbgemm_fp8", &SchemeReader::fbgemm},
        {"gptq", &SchemeReader::gptq},
        {"awq", &SchemeReader::awq},
        {"compressed-tensors", &SchemeReader::compressed},
        {"bitsandbytes", &SchemeReader::bitsandbytes},
        {"modelopt", &SchemeReader::modelopt},
    };
    std::vector<std::string_view> names;
    for (const auto &[name, function] : methods) {
      names.push_back(name);
      if (name == method)
        (this->*function)();
    }
    if (std::find(names.begin(), names.end(), method) == names.end())
      fail(method.empty() ? "quant_method is missing"
                          : "quant_method is " + quoted(method),
           "only " + orList(names) +
               " are known here; say the format with --weights");
    if (!status)
      return status;
    return std::move(scheme);
  }

private:
  const Json &json;
  Scheme scheme;
  Status status;

  void fail(const std::string &what,
            const std::string &advice = "say the format with --weights") {
    if (status)
      status = Status::badInput("quantization_config: " + what + "; " + advice);
  }
  static const Json *member(const Json &object, const char *key) {
    const Json *value = object.find(key);
    return value && !value->isNull() ? value : nullptr;
  }
  std::string text(const Json &object, const char *key) {
    const Json *value = member(object, key);
    if (value && !value->asString())
      fail(std::string(key) + " is " + quoted(value->dump()), "give a text");
    return value && value->asString() ? *value->asString() : "";
  }
  int number(const Json &object, const char *key, int missing, int low,
             int high) {
    const Json *value = member(object, key);
    std::optional<int64_t> got = value ? value->asInt() : missing;
    if (got && *got >= low && *got <= high)
      return int(*got);
    fail(std::string(key) + " is " +
             (value ? quoted(value->dump()) : std::string("missing")),
         "give a whole number from " + std::to_string(low) + " to " +
             std::to_string(high));
    return std::max(low, 1);
  }
  bool flag(const Json &object, const char *key, bool missing) {
    const Json *value = member(object, key);
    if (value && !value->asBool())
      fail(std::string(key) + " is " + quoted(value->dump()),
           "give true or false");
    return value && value->asBool() ? *value->asBool() : missing;
  }
  void modules(const Json &object, const char *key, ModuleList &out) {
    const Json *list = member(object, key);
    if (!list)
      return;
    if (!list->asArray())
      return fail(std::string(key) + " is no list", "give a list of modules");
    for (const Json &each : *list->asArray()) {
      if (!each.asString())
        return fail(std::string(key) + " holds " + quoted(each.dump()),
                    "give names of modules");
      if (Status added = out.add(*each.asString()); !added)
        return fail(std::string(key) + " " + added.message());
    }
  }
  /// -1 is one group in each row.
  int groupSize(const Json &object, int missing) {
    int group = number(object, "group_size", missing, -1, 1 << 20);
    if (group == 0)
      fail("group_size is 0", "give -1 or a size");
    return group == -1 ? wholeRow : std::max(group, 1);
  }
  static WeightFormat format(int bits, int group, int scaleBits,
                             int zeroBits = 0, int matrixBits = 0) {
    WeightFormat out;
    out.name = "file";
    out.bits = bits;
    out.group = group;
    out.scaleBits = scaleBits;
    out.zeroBits = zeroBits;
    out.matrixBits = matrixBits;
    out.linearOnly = true;
    return out;
  }
  WeightFormat &one(WeightFormat row) {
    scheme.rules.emplace_back();
    scheme.rules.back().format = std::move(row);
    return scheme.rules.back().format;
  }
  /// A square block, and the bits of its scale.
  WeightFormat block(const Json &object, const char *key, int bits,
                     int scaleBits) {
    const Json::Array *sides = member(object, key)->asArray();
    std::optional<int64_t> side;
    if (sides && sides->size() == 2 &&
        (*sides)[0].asInt() == (*sides)[1].asInt())
      side = (*sides)[0].asInt();
    if (!side || *side < 1 || *side > 65536)
      fail(std::string(key) + " is " + quoted(member(object, key)->dump()),
           "only square blocks, [128, 128], are known here");
    WeightFormat out = format(bits, int(side.value_or(1)), scaleBits);
    out.square = true;
    return out;
  }

  /// gpt-oss: the experts alone, an E8M0 scale per 32.
  void mxfp4() {
    one(format(4, 32, 8));
    scheme.expertsOnly = true;
    modules(json, "modules_to_not_convert", scheme.kept);
  }
  /// DeepSeek-V3: an f32 scale per block; per matrix where there are none.
  void fp8() {
    one(member(json, "weight_block_size")
            ? block(json, "weight_block_size", 8, 32)
            : format(8, 0, 0, 0, 32));
    modules(json, "modules_to_not_convert", scheme.kept);
    modules(json, "ignored_layers", scheme.kept);
  }
  void fbgemm() {
    one(format(8, wholeRow, 32));
    modules(json, "modules_to_not_convert", scheme.kept);
  }
  /// f16 scales, zero points as wide as codes, and the group index of every
  /// column as an i32.
  void gptq() {
    int bits = number(json, "bits", 0, 2, 8);
    one(format(bits, groupSize(json, 128), 16, bits)).columnBits = 32;
    scheme.head = flag(json, "lm_head", false);
    const Json *dynamic = member(json, "dynamic");
    if (dynamic && dynamic->asObject() && !dynamic->asObject()->empty())
      fail("dynamic gives layers formats of their own");
    if (member(json, "modules_in_block_to_quantize"))
      fail("modules_in_block_to_quantize is not read here");
  }
  void awq() {
    int bits = number(json, "bits", 4, 2, 8);
    bool zeros = flag(json, "zero_point", true);
    one(format(bits, groupSize(json, 128), 16, zeros ? bits : 0));
    modules(json, "modules_to_not_convert", scheme.kept);
  }
  /// NF4 and FP4: an f32 absmax per 64, or an 8-bit one and an f32 per 256 of
  /// those. LLM.int8: an f32 per row.
  void bitsandbytes() {
    if (flag(json, "load_in_4bit", false)) {
      bool twice = flag(json, "bnb_4bit_use_double_quant", false);
      one(format(4, 64, twice ? 8 : 32)).superGroup = twice ? 256 : 0;
    } else if (flag(json, "load_in_8bit", false)) {
      one(format(8, wholeRow, 32));
    } else {
      fail("neither load_in_4bit nor load_in_8bit is true");
    }
    modules(json, "llm_int8_skip_modules", scheme.kept);
  }
  /// Static scales of activations stand beside those of weights.
  void modelopt() {
    const Json *inner = member(json, "quantization");
    const Json &from = inner && inner->asObject() ? *inner : json;
    std::string algorithm = text(from, "quant_algo");
    if (algorithm == "NVFP4")
      one(format(4, number(from, "group_size", 16, 1, 4096), 8, 0, 64));
    else if (algorithm == "FP8")
      one(format(8, 0, 0, 0, 64));
    else
      fail("quant_algo is " + quoted(algorithm) +
           ", and only NVFP4 and FP8 are known here");
    scheme.head = true;
    modules(from, "ignore", scheme.kept);
    modules(from, "exclude_modules", scheme.kept);
  }

  void compressed() {
    const Json *groups = member(json, "config_groups");
    if (!groups || !groups->asObject() || groups->asObject()->empty())
      return fail("config_groups is missing");
    if (const Json *sparsity = member(json, "sparsity_config"))
      if (std::string how = text(*sparsity, "format");
          !how.empty() && how != "dense")
        return fail("sparsity_config's format is " + quoted(how) +
                    ", and only dense is known here");
    scheme.head = true;
    modules(json, "ignore", scheme.kept);
    for (const auto &[name, group] : *groups->asObject())
      compressedGroup(group);
  }

  void compressedGroup(const Json &group) {
    const Json *weights = member(group, "weights");
    if (!weights)
      return; // activations or the KV cache alone
    int bits = number(*weights, "num_bits", 0, 1, 16);
    std::string how = text(*weights, "strategy");
    bool plainZero = flag(*weights, "symmetric", true);
    std::string packing =
        member(group, "format") ? text(group, "format") : text(json, "format");
    bool packed = packing.find("pack-quantized") != std::string::npos;
    int zero = plainZero ? 0 : bits;
    int shape = packed ? 128 : 0; // the shape, as two i64
    Rule rule;
    if (how == "tensor")
      rule.format = format(bits, 0, 0, 0, 16 + zero);
    else if (how == "channel")
      rule.format = format(bits, wholeRow, 16, zero, shape);
    else if (how == "group")
      rule.format =
          format(bits, groupSize(*weights, 128),
                 packing.compare(0, 2, "mx") == 0 ? 8 : 16, zero, shape);
    else if (how == "tensor_group")
      rule.format = format(bits, groupSize(*weights, 16), 8, zero, 64);
    else if (how == "block" && member(*weights, "block_structure"))
      rule.format = block(*weights, "block_structure", bits, 16);
    else
      return fail("strategy is " + quoted(how) + ", which is not known here");
    rule.everyLayer = false;
    const Json *targets = member(group, "targets");
    if (!targets || !targets->asArray())
      return fail("targets is missing", "give a list of modules");
    for (const Json &target : *targets->asArray())
      if (const std::string *name = target.asString();
          name && *name == "Linear")
        rule.everyLayer = true;
      else if (name && name->compare(0, 3, "re:") != 0 &&
               name->find('.') == std::string::npos && !name->empty() &&
               std::isupper((unsigned char)name->front()))
        return fail("targets holds " + quoted(*name) +
                    ", and Linear is the only class known here");
    if (!rule.everyLayer)
      modules(group, "targets", rule.targets);
    scheme.rules.push_back(std::move(rule));
  }
};

/// Which rule each matrix follows in each layer, found once.
class RuleTable {
public:
  RuleTable(const ModelConfig &config, Scheme given)
      : scheme(std::move(given)) {
    for (const Matrix &m : weightsOf(config).matrices) {
      int64_t layers = layersWith(config, m.part) ? config.layers : 1;
      std::vector<const WeightFormat *> &row = rows[key(m)];
      for (int64_t layer = 0; layer < layers; ++layer)
        row.push_back(find(m, layer));
    }
  }
  const WeightFormat *operator()(const Matrix &m, int64_t layer) const {
    auto row = rows.find(key(m));
    return row == rows.end() || layer >= int64_t(row->second.size())
               ? nullptr
               : row->second[size_t(layer)];
  }

private:
  Scheme scheme;
  std::map<std::pair<Part, std::string>, std::vector<const WeightFormat *>>
      rows;

  static std::pair<Part, std::string> key(const Matrix &m) {
    return {m.part, m.name};
  }
  const WeightFormat *find(const Matrix &m, int64_t layer) const {
    if (!(m.quantized || (scheme.head && m.part == Part::Head)) ||
        (scheme.expertsOnly && m.part != Part::Experts))
      return nullptr;
    std::vector<std::string> names = moduleNames(m, layer);
    if (scheme.kept.matches(names))
      return nullptr;
    for (const Rule &rule : scheme.rules)
      if (rule.everyLayer || rule.targets.matches(names))
        return &rule.format;
    return nullptr;
  }
};

/// Bits per weight of the quantized layers, and how many weights these are.
std::pair<double, Count> averageBits(const ModelConfig &config,
                                     const RuleTable &table) {
  double bytes = 0;
  Count quantized, parameters;
  for (const Matrix &m : weightsOf(config).matrices) {
    int64_t layers = layersWith(config, m.part);
    if (m.part == Part::Mtp || m.stored.get() == 0)
      continue;
    int64_t each = layers ? m.stored.get() / layers : m.stored.get();
    for (int64_t layer = 0;
         layer < std::max<int64_t>(layers ? config.layers : 1, 1); ++layer) {
      if (layers && !isInLayer(config, m.part, layer))
        continue;
      const WeightFormat *format = table(m, layer);
      Count here = Count(m.rows) * m.cols * each;
      if (!m.quantized && !format)
        continue;
      parameters += here;
      bytes += double(each) * (format ? double(matrixBytes(*format, m).get())
                                      : 2.0 * double(m.rows) * double(m.cols));
      if (format)
        quantized += here;
    }
  }
  double weights = double(parameters.get());
  return {weights > 0 ? 8 * bytes / weights : 16, quantized};
}

} // namespace

Result<WeightFormat> labgen::checkpointFormat(const ModelConfig &config) {
  if (!config.quantization)
    return Status::badInput("the model has no quantization_config; give "
                            "another format, such as bf16");
  if (!config.quantization->asObject())
    return Status::badInput("quantization_config is no object; say the format "
                            "with --weights");
  Result<Scheme> scheme = SchemeReader(*config.quantization).read();
  if (!scheme)
    return scheme.status();
  size_t patterns = scheme->kept.patternCount();
  for (const Rule &rule : scheme->rules)
    patterns += rule.targets.patternCount();
  if (config.layers * int64_t(patterns + 1) > 20000)
    return Status::badInput("quantization_config has too many patterns for " +
                            std::to_string(config.layers) +
                            " layers; say the format with --weights");
  auto table = std::make_shared<const RuleTable>(config, std::move(*scheme));
  auto [average, quantized] = averageBits(config, *table);
  if (quantized.get() == 0)
    return Status::badInput("quantization_config leaves every layer of this "
                            "model in 16 bits; say the format with --weights");
  WeightFormat out;
  out.name = "file";
  out.bits = 16;
  out.summary = "as quantization_config says";
  out.linearOnly = true;
  out.average = average;
  out.of = [table](const Matrix &m, int64_t layer) {
    return (*table)(m, layer);
  };
  return out;
}
