// ConfigJson.cpp - from the text of a config.json to the family that reads it.
#include "calculator/config/ConfigReader.h"
#include "lib/Support/Text.h"

using namespace labgen;

namespace {

/// Python's json writes and reads the words NaN and Infinity, which JSON has
/// not. As texts they are refused where a number is needed and do no harm
/// elsewhere (Mamba's time_step_limit).
std::string quotePythonNumbers(std::string_view text) {
  std::string out;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char at = text[i];
    if (inString && at == '\\' && i + 1 < text.size()) {
      out += at;
      out += text[++i];
      continue;
    }
    inString ^= at == '"';
    std::string_view word;
    if (!inString)
      for (std::string_view each : {"NaN", "Infinity", "-Infinity"})
        if (text.compare(i, each.size(), each) == 0)
          word = each;
    if (word.empty()) {
      out += at;
      continue;
    }
    out += '"' + std::string(word) + '"';
    i += word.size() - 1;
  }
  return out;
}

/// The object that describes the text model of a model of several parts.
const Json *innerConfig(const Json &json, std::string &key) {
  for (const char *name :
       {"text_config", "llm_config", "language_config", "thinker_config"})
    if (const Json *inner = json.find(name); inner && inner->asObject()) {
      key = name;
      return inner;
    }
  return nullptr;
}

/// `inner` with what stands only beside it.
Json withOuterKeys(const Json &inner, const Json &outer) {
  Json::Object members = *inner.asObject();
  for (const char *key : {"quantization_config", "tie_word_embeddings"})
    if (const Json *value = outer.find(key); value && !inner.find(key))
      members.emplace_back(key, *value);
  return Json(std::move(members));
}

Status unknownType(const std::string &where, const std::string &type) {
  if (std::string_view why = unsupported(type); !why.empty())
    return Status::badInput(where + ": model_type " + quoted(type) + " has " +
                            std::string(why) +
                            ", which is not sized here; give the sizes of a "
                            "plain transformer as options");
  std::vector<std::string_view> types = modelTypes();
  std::string_view near = nearest(type, types);
  // A name that shares its beginning is a variant; any other is no help.
  size_t same = 0;
  while (same < std::min(near.size(), type.size()) && near[same] == type[same])
    ++same;
  return Status::badInput(
      where + ": unknown model_type " + quoted(type) + "; " +
      (same >= 3 ? "did you mean " + quoted(near) + "? (" : "give ") +
      "one that docs/calculator.md lists, or the sizes as options" +
      (same >= 3 ? ")" : ""));
}

Result<ModelConfig> readObject(const Json &json, const std::string &where,
                               const GivenSizes &given, int depth) {
  const Json *type = json.find("model_type");
  std::string name = type && type->asString() ? *type->asString() : "";
  if (const Family *family = findFamily(name))
    return ConfigReader(json, where, *family, given, depth > 0).read();
  std::string key;
  const Json *inner = depth == 2 ? nullptr : innerConfig(json, key);
  if (inner) {
    Json whole = withOuterKeys(*inner, json);
    if (!whole.find("model_type"))
      if (std::string_view guess = innerType(name); !guess.empty()) {
        Json::Object members = *whole.asObject();
        members.emplace_back("model_type", guess);
        whole = Json(std::move(members));
      }
    Result<ModelConfig> config =
        readObject(whole, where + ": " + key, given, depth + 1);
    if (config)
      config->notes.insert(config->notes.begin(),
                           key + " of " + quoted(name) + ", a " + config->type +
                               " model, is sized; what reads images or sound "
                               "is not");
    return config;
  }
  if (name.empty())
    return Status::badInput(where + ": model_type is " +
                            (type ? "no text" : "missing") +
                            "; give one that docs/calculator.md lists");
  return unknownType(where, name);
}

} // namespace

Result<ModelConfig> labgen::readConfig(std::string_view text,
                                       const std::string &where,
                                       const GivenSizes &given) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  bool marked = text.substr(0, mark.size()) == mark;
  if (marked)
    text.remove_prefix(mark.size());
  Result<Json> json = Json::parse(quotePythonNumbers(text));
  if (!json)
    return Status::badInput(where + ": " + json.status().message());
  if (!json->asObject())
    return Status::badInput(where + " is no JSON object; give a model's "
                                    "config.json");
  Result<ModelConfig> config = readObject(*json, where, given, 0);
  if (config && marked)
    config->notes.push_back("the file begins with a byte-order mark, which "
                            "Python's json refuses");
  return config;
}
