// ConfigReader.h - one family's config.json, key by key (internal).
//
// A key that is there has to have the right type and range. One that is missing
// takes the family's default, and one note lists all that were taken; null is
// legal only where the configuration class says what it means. Sizes that the
// user gives stand before both.
#ifndef LABGEN_CALCULATOR_CONFIG_CONFIGREADER_H
#define LABGEN_CALCULATOR_CONFIG_CONFIGREADER_H

#include "calculator/config/Families.h"

namespace labgen {

class ConfigReader {
public:
  ConfigReader(const Json &json, const std::string &where, const Family &family,
               const GivenSizes &given, bool isNested)
      : json(json), where(where), family(family), given(given),
        isNested(isNested) {}

  Result<ModelConfig> read();

  // For quirks and layer rules. After a failure all of them return something
  // legal, and read() the first failure.
  void fail(const std::string &what, const std::string &advice);
  bool failed() const { return !status; }
  /// The key, or the first of "a|b"; "a.b" is b of the object a. nullptr when
  /// missing.
  const Json *find(const std::string &names);
  /// A whole number; `missing` stands for a missing key and is noted.
  int64_t number(const std::string &names, int64_t missing, int64_t low,
                 int64_t high);
  /// The same; null means `null`.
  int64_t numberOrNull(const std::string &names, int64_t missing, int64_t null,
                       int64_t low, int64_t high);
  bool flag(const std::string &name, bool missing);
  /// A list with one entry a layer, each put through `entry`; empty when the
  /// key is missing or null.
  template <typename Entry>
  std::vector<bool> perLayer(const std::string &name, int64_t layers,
                             const char *legal, Entry entry);

private:
  const Json &json;
  const std::string &where;
  const Family &family;
  const GivenSizes &given;
  bool isNested; ///< the text_config of a larger model
  ModelConfig c;
  Status status;
  std::string defaults; ///< those taken, for the note

  void noteDefault(const std::string &names, const std::string &value);
  std::optional<int64_t> integer(const std::string &names, const Json &value,
                                 int64_t low, int64_t high, bool perLayer);
  int64_t resolve(const Key &key, int64_t rule);
  int64_t missingValue(const Key &key) const;
  void readKey(const Key &key);
  void refuseUnreadParts();
  void readDenseLayers();
  void qwenDenseLayers();
  void llamaDenseLayers();
  void ernieDenseLayers();
  void setDense(std::vector<bool> dense);
  void readWindow();
  int64_t windowLayersByRule();
  std::optional<int64_t> listedWindowLayers();
  void finish();
  std::vector<std::string> names() const;
};

/// The name in messages: the first of "a|b".
std::string firstName(const std::string &names);

template <typename Entry>
std::vector<bool> ConfigReader::perLayer(const std::string &name,
                                         int64_t layers, const char *legal,
                                         Entry entry) {
  const Json *list = find(name);
  if (!list || list->isNull())
    return {};
  std::vector<bool> out;
  if (!list->asArray() || int64_t(list->asArray()->size()) != layers) {
    fail(name + " has not one entry for each of " + std::to_string(layers) +
             " layers",
         legal);
    return {};
  }
  for (const Json &each : *list->asArray()) {
    std::optional<bool> value = entry(each);
    if (!value)
      fail(name + " holds '" + each.dump().substr(0, 40) + "'", legal);
    out.push_back(value.value_or(false));
  }
  return out;
}

} // namespace labgen

#endif // LABGEN_CALCULATOR_CONFIG_CONFIGREADER_H
