// ModelCommand.cpp - from the model calculator's options to its request.
#include "calculator/ModelCommand.h"
#include "tools/cli/KnownChips.h"

#include "calculator/model/Checkpoint.h"
#include "lib/Support/ReadFile.h"
#include "lib/Support/Text.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace labgen {

CommandSpec modelCommandSpec(const std::string &program) {
  CommandSpec command{"model", "[CONFIG.json]", 0, 1, "", {}, {}};
#define LABGEN_SUMMARY(text) command.summary = text;
#define LABGEN_OPTION(name, value, help)                                       \
  command.flags.push_back({name, value, help});
#define LABGEN_REPEATABLE(name, value, help)                                   \
  command.flags.push_back({name, value, help, true});
#define LABGEN_EXAMPLE(text) command.examples.push_back(program + " " + text);
#include "calculator/ModelOptions.def"
#undef LABGEN_SUMMARY
#undef LABGEN_OPTION
#undef LABGEN_REPEATABLE
#undef LABGEN_EXAMPLE
  return command;
}

namespace {

std::vector<std::string> splitList(const std::string &text) {
  std::vector<std::string> items;
  size_t begin = 0;
  for (size_t comma; (comma = text.find(',', begin)) != text.npos;
       begin = comma + 1)
    items.push_back(text.substr(begin, comma - begin));
  items.push_back(text.substr(begin));
  return items;
}

class RequestReader {
public:
  explicit RequestReader(const Arguments &arguments) : arguments(arguments) {}

  Result<ModelRequest> read() {
    readSizes();
    if (status)
      readSwitches();
    if (status)
      readModel();
    if (status)
      completeConfig();
    if (status)
      status = validate(request.config, flagNames());
    if (status)
      readQuestions();
    if (status)
      readChips();
    if (status)
      readFormats();
    if (status && request.devices > 1)
      if (Result<TensorShare> share =
              tensorShare(request.config, request.devices);
          !share)
        status = share.status();
    if (!status)
      return status;
    return std::move(request);
  }

private:
  const Arguments &arguments;
  ModelRequest request;
  GivenSizes given;
  Status status;

  bool fromFile() const { return !arguments.positional.empty(); }

  void fail(const std::string &message) {
    if (status)
      status = Status::badInput(message);
  }

  std::optional<int64_t> integer(const char *flag, int64_t low, int64_t high) {
    std::optional<std::string> text = arguments.value(flag);
    if (!text)
      return std::nullopt;
    Result<uint64_t> number =
        parseNumber(flag, *text, uint64_t(low), uint64_t(high));
    if (!number) {
      fail(number.status().message());
      return std::nullopt;
    }
    return int64_t(*number);
  }

  void readSizes() {
    for (int i = 0; i < numFields; ++i) {
      const FieldInfo &field = info(Field(i));
      if (field.flag)
        given.numbers[i] = integer(field.flag, field.low, field.high);
    }
  }

  void yesNo(const char *flag, std::optional<bool> &out) {
    std::optional<std::string> text = arguments.value(flag);
    if (!text)
      return;
    if (*text != "yes" && *text != "no")
      return fail(std::string(flag) + " is " + quoted(*text) +
                  "; give yes or no");
    out = *text == "yes";
  }

  void readSwitches() {
    if (!fromFile() && !arguments.has("--gated"))
      return fail("--gated is missing: a gated FFN has three matrices, a plain "
                  "one two; give --gated yes or --gated no");
    yesNo("--gated", given.gated);
    yesNo("--tied", given.tied);
    yesNo("--qkv-bias", given.qkvBias);
  }

  /// The file with the options in its gaps, or the options alone.
  void readModel() {
    ModelConfig &c = request.config;
    if (fromFile()) {
      const std::string &path = arguments.positional[0];
      Result<std::string> text = readFile(path, Pipes::Taken);
      Result<ModelConfig> config = text ? readConfig(*text, path, given)
                                        : Result<ModelConfig>(text.status());
      if (!config)
        return fail(config.status().message());
      c = std::move(*config);
      return;
    }
    for (int i = 0; i < numFields; ++i)
      c.*info(Field(i)).member = given.numbers[i].value_or(0);
    c.gated = given.gated.value_or(c.gated);
    c.tied = given.tied.value_or(c.tied);
    c.qkvBias = given.qkvBias.value_or(c.qkvBias);
    if (!given.tied)
      c.notes.push_back("--tied is not given; embedding and head are two "
                        "matrices");
  }

  /// Defaults among the sizes.
  void completeConfig() {
    ModelConfig &c = request.config;
    if (!fromFile())
      for (Field needed : {Field::Layers, Field::Hidden, Field::Heads,
                           Field::Vocab, Field::Ffn}) {
        const FieldInfo &field = info(needed);
        bool moeOnly = needed == Field::Ffn && c.isMoe() && !c.denseLayers;
        if (c.*field.member == 0 && !moeOnly)
          return fail(std::string(field.flag) +
                      " is missing; give it, or a config.json");
      }
    if (!c.isMla()) {
      if (c.kvHeads == 0) {
        c.kvHeads = c.heads;
        c.notes.push_back("--kv-heads is not given; every head has its own "
                          "(multi-head attention)");
      }
      if (c.headDim == 0 && c.hidden % c.heads != 0)
        return fail("--heads is " + std::to_string(c.heads) +
                    " and does not divide --hidden (" +
                    std::to_string(c.hidden) +
                    "); give a divisor, or "
                    "--head-dim");
      if (c.headDim == 0)
        c.headDim = c.hidden / c.heads;
    }
    if (c.sharedExperts && c.sharedFfn == 0)
      c.sharedFfn = c.expertFfn;
    if (c.window && c.windowLayers == 0)
      c.windowLayers = c.layers;
  }

  void integers(const char *flag, int64_t high, std::vector<int64_t> &out) {
    std::optional<std::string> text = arguments.value(flag);
    if (!text)
      return;
    out.clear();
    for (const std::string &item : splitList(*text)) {
      Result<uint64_t> number = parseNumber(flag, item, 1, uint64_t(high));
      if (!number)
        return fail(number.status().message());
      out.push_back(int64_t(*number));
    }
    if (out.size() > 64)
      fail(std::string(flag) + " has " + std::to_string(out.size()) +
           " entries; give at most 64");
  }

  /// A number in [low, high]; 70e9 is one.
  std::optional<double> real(const char *flag, double low, double high,
                             const char *legal, bool whole = false) {
    std::optional<std::string> text = arguments.value(flag);
    if (!text)
      return std::nullopt;
    char *end = nullptr;
    double value = std::strtod(text->c_str(), &end);
    bool plain = !text->empty() &&
                 text->find_first_not_of("0123456789.e+") == text->npos;
    if (plain && *end == '\0' && value >= low && value <= high &&
        (!whole || value == std::floor(value)))
      return value;
    fail(std::string(flag) + " is " + quoted(*text) + "; give " + legal);
    return std::nullopt;
  }

  void readQuestions() {
    integers("--context", int64_t(1) << 40, request.contexts);
    integers("--batch", 1 << 24, request.batches);
    if (auto params =
            real("--params", 1, 1e15, "a whole number from 1 to 1e15", true))
      request.nominalParams = int64_t(*params);
    if (auto block = integer("--block", 1, 1 << 20))
      request.paging.block = *block;
    if (auto batched = integer("--batched-tokens", 1, 1 << 30))
      request.paging.batched = *batched;
    if (auto share = real("--utilization", 0.01, 1, "a share from 0.01 to 1"))
      request.utilization = *share;
    if (auto reserve =
            real("--reserve-gb", 0, 1e6, "a number from 0 to 1000000"))
      request.reserveGb = *reserve;
    if (auto devices = integer("--tp", 1, 1024))
      request.devices = *devices;
    request.trainingTokens = real("--training-tokens", 1, 1e18,
                                  "a whole number from 1 to 1e18", true);
    readTrainingDevices();
    if (auto drafts = integer("--draft-tokens", 1, 1000))
      request.drafts = *drafts;
    std::optional<double> accept =
        real("--accept", 0, 1, "a probability from 0 to 1");
    if (bool(request.drafts) != bool(accept))
      return fail(std::string(request.drafts ? "--accept" : "--draft-tokens") +
                  " is missing; speculative decoding needs both");
    request.accept = accept.value_or(0);
    request.draftCost =
        real("--draft-cost", 0, 100, "a number from 0 to 100").value_or(0);
  }

  void readTrainingDevices() {
    if (auto devices = integer("--training-devices", 1, 1 << 24))
      request.trainingDevices = *devices;
    std::optional<double> share =
        real("--training-share", 0.001, 1, "a share from 0.001 to 1");
    if (request.trainingDevices && !request.trainingTokens)
      return fail("--training-tokens is missing; --training-devices needs it");
    if (share && !request.trainingDevices)
      return fail("--training-devices is missing; --training-share needs it");
    request.trainingShare = share.value_or(request.trainingShare);
  }

  void readChips() {
    Result<ChipTable> table = knownChips(arguments);
    if (!table)
      return fail(table.status().message());
    std::vector<std::string> names;
    for (const std::string &text : arguments.all("--chip"))
      for (const std::string &item : splitList(text))
        names.push_back(item);
    if (names.empty())
      names = {"MI300X", "H100 SXM"};
    for (const std::string &name : names) {
      Result<Chip> chip = table->find(name);
      if (!chip)
        return fail(chip.status().message());
      request.chips.push_back(std::move(*chip));
    }
  }

  void readFormats() {
    std::vector<std::string> names;
    for (const std::string &text : arguments.all("--weights"))
      for (const std::string &item : splitList(text))
        names.push_back(item);
    ModelConfig &c = request.config;
    if (!names.empty() && c.quantization &&
        std::find(names.begin(), names.end(), "file") == names.end())
      c.notes.push_back("quantization_config is passed over: --weights says "
                        "the format; --weights file is the file's");
    if (names.empty() && c.quantization)
      names = {"file", "bf16"};
    if (names.empty())
      names = {"bf16", "int8", "int4"};
    for (const std::string &name : names) {
      Result<WeightFormat> format =
          name == "file" ? fileFormat() : findWeightFormat(name);
      if (!format)
        return fail(format.status().message());
      request.weights.push_back(*format);
    }
    for (const char *key : {"kv_cache_scheme", "kv_cache_quant_algo"})
      if (const Json *scheme =
              c.quantization ? c.quantization->find(key) : nullptr;
          scheme && !scheme->isNull() && !arguments.has("--kv-dtype"))
        c.notes.push_back(std::string("quantization_config has ") + key +
                          " and bf16 is counted for the KV cache; say its "
                          "format with --kv-dtype");
    Result<KvFormat> kv = findKvFormat(
        arguments.value("--kv-dtype").value_or("bf16"), request.config);
    if (!kv)
      return fail(kv.status().message());
    request.kv = *kv;
    std::string compute = arguments.value("--compute").value_or("bf16");
    std::optional<Format> format = parseFormat(compute);
    if (!format)
      return fail("--compute is " + quoted(compute) +
                  " and no format; give bf16, f8E4M3FN, i8, ...");
    request.compute = *format;
  }

  /// What quantization_config says, with the file's name in errors.
  Result<WeightFormat> fileFormat() const {
    Result<WeightFormat> format = checkpointFormat(request.config);
    if (format || !fromFile())
      return format;
    return Status::badInput(arguments.positional[0] + ": " +
                            format.status().message());
  }
};

} // namespace

Result<ModelRequest> modelRequest(const Arguments &arguments) {
  return RequestReader(arguments).read();
}

Result<std::string> modelOutput(const Arguments &arguments) {
  Result<ModelRequest> request = modelRequest(arguments);
  if (!request)
    return request.status();
  Result<std::vector<Section>> sections = modelReport(*request);
  if (!sections)
    return sections.status();
  if (arguments.has("--json"))
    return toJson(*sections).dump() + "\n";
  return sectionsText(*sections);
}

} // namespace labgen
