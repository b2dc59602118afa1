// FamiliesTest.cpp - every family's row, against models.jsonl.
//
// A line there is a model: its config.json's values and the parameters that
// transformers 5.24 makes of them (the model built on torch's meta device,
// parameters counted once, e_score_correction_bias with them); "billions" where
// the code is in the model's repository and the published count stands for it.
// Lines "by its defaults" hold layers and hidden size alone, with the window
// and the windowed layers the configuration class makes of that.
#include "calculator/config/Families.h"
#include "calculator/model/Params.h"
#include "lib/Support/AtomicFile.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

using namespace labgen;

namespace {

std::vector<Json> lines() {
  Result<std::string> text = readFile(ROOFLINE_MODELS);
  EXPECT_TRUE(text);
  std::vector<Json> out;
  for (size_t begin = 0; text && begin < text->size();) {
    size_t end = text->find('\n', begin);
    Result<Json> line = Json::parse(text->substr(begin, end - begin));
    EXPECT_TRUE(line) << line.status().message();
    out.push_back(*line);
    begin = end + 1;
  }
  return out;
}

/// A config of the family that is read; the switch of its windows is on.
Json::Object configOf(const Family &family) {
  Json::Object members = {{"model_type", family.type},
                          {"num_hidden_layers", 4},
                          {"hidden_size", 3840}};
  static const std::vector<Json> all = lines();
  for (const Json &line : all)
    if (*line.find("config")->find("model_type")->asString() == family.type)
      members = *line.find("config")->asObject();
  if (!family.windowSwitch.empty() && family.windowRule != WindowRule::Listed) {
    Json whole(members);
    if (!whole.find(family.windowSwitch))
      members.emplace_back(family.windowSwitch, true);
    for (Json::Member &member : members)
      if (member.first == family.windowSwitch)
        member.second = Json(true);
  }
  return members;
}

std::string with(Json::Object members, const std::string &key,
                 const std::string &value) {
  constexpr const char *mark = "the value under test";
  bool found = false;
  for (Json::Member &member : members)
    if (member.first == key)
      member.second = Json(mark), found = true;
  if (!found)
    members.emplace_back(key, mark);
  std::string text = Json(std::move(members)).dump();
  size_t at = text.find(std::string("\"") + mark + "\"");
  return text.replace(at, std::string(mark).size() + 2, value);
}

void refused(const std::string &text) {
  Result<ModelConfig> config = readConfig(text, "c.json");
  ASSERT_FALSE(config) << text;
  const std::string &message = config.status().message();
  EXPECT_EQ(config.status().exitCode(), ExitCode::BadInput);
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  EXPECT_EQ(message.rfind("c.json: ", 0), 0u) << message;
  EXPECT_NE(message.find("; "), std::string::npos) << message;
}

TEST(Families, TotalsOfPublicModels) {
  for (const Json &line : lines()) {
    const std::string &name = *line.find("model")->asString();
    Result<ModelConfig> c = readConfig(line.find("config")->dump(), name);
    ASSERT_TRUE(c) << c.status().message();
    Result<ParamCounts> counts = countParams(*c);
    ASSERT_TRUE(counts) << name;
    if (const Json *total = line.find("total"))
      EXPECT_EQ(counts->total, total->asInt()) << name;
    else // published with two digits behind the point
      EXPECT_EQ(std::round(double(counts->total) / 1e7) / 100,
                line.find("billions")->asDouble())
          << name;
    if (const Json *window = line.find("window")) {
      EXPECT_EQ(c->window, window->asInt()) << name;
      EXPECT_EQ(c->windowLayers, line.find("window_layers")->asInt()) << name;
    }
  }
}

TEST(Families, AreAllInTheTable) {
  std::set<std::string> types;
  for (const Family &family : families()) {
    EXPECT_TRUE(types.insert(family.type).second) << family.type;
    EXPECT_FALSE(family.source.empty()) << family.type;
    for (Field needed : {Field::Layers, Field::Hidden, Field::Heads})
      EXPECT_TRUE(family.key(needed)) << family.type;
    EXPECT_TRUE(unsupported(family.type).empty()) << family.type;
    EXPECT_TRUE(readConfig(Json(configOf(family)).dump(), "c.json"))
        << family.type;
  }
  for (const char *type : {"gemma3", "llama4", "mistral3"})
    EXPECT_TRUE(findFamily(innerType(type))) << type;
}

/// Every number of every family: what is none is refused, with its key.
TEST(Families, BadNumbersAreRefused) {
  for (const Family &family : families())
    for (const Key &key : family.keys) {
      std::string name = key.names.substr(0, key.names.find('|'));
      Json::Object config = configOf(family);
      Result<ModelConfig> c = readConfig(Json(config).dump(), "c.json");
      ASSERT_TRUE(c) << c.status().message();
      bool unread = key.field == Field::Ffn && c->isMoe() && !c->denseLayers;
      // Of two names of one size, the one that is there.
      for (size_t at = 0; at != std::string::npos;) {
        size_t end = key.names.find('|', at);
        std::string alias = key.names.substr(at, end - at);
        if (Json(config).find(alias))
          name = alias;
        at = end == std::string::npos ? end : end + 1;
      }
      if (name.empty() || name.find('.') != std::string::npos || unread ||
          (key.field == Field::Window &&
           family.windowRule == WindowRule::Listed))
        continue;
      for (const char *value :
           {"NaN", "Infinity", "-Infinity", "-7", "1.5", "1e300", "\"32\"",
            "true", "{}", "[]", "99999999999999", "1e3"})
        refused(with(config, name, value));
      if (key.null == needed)
        refused(with(config, name, "null"));
    }
}

TEST(Families, BadSwitchesAreRefused) {
  for (const Family &family : families())
    for (const Switch &part : family.switches)
      for (const char *value : {"1", "\"yes\"", "null", "[]", "NaN"})
        refused(with(configOf(family), part.name.substr(0, part.name.find('|')),
                     value));
}

/// Nothing that is read is assumed in silence.
TEST(Families, DefaultsAreNoted) {
  for (const Family &family : families()) {
    Json::Object config = {{"model_type", family.type}};
    for (const Key &key : family.keys)
      if (key.missing == needed)
        config.emplace_back(key.names.substr(0, key.names.find('|')),
                            key.field == Field::Hidden ? 26 * 1920 : 4);
    if (family.type == "falcon")
      config.emplace_back("num_attention_heads", 64);
    Result<ModelConfig> c = readConfig(Json(config).dump(), "c.json");
    if (family.windowRule == WindowRule::Listed && !c)
      continue; // no default for which layers
    ASSERT_TRUE(c) << c.status().message();
    std::string notes;
    for (const std::string &note : c->notes)
      notes += note + "\n";
    EXPECT_NE(notes.find("taken from " + family.source), std::string::npos);
    for (const Switch &part : family.switches)
      EXPECT_NE(notes.find(part.name.substr(0, part.name.find('|')) + " = "),
                std::string::npos)
          << family.type << " " << part.name;
    for (const Key &key : family.keys) {
      bool isRule = key.missing == needed || key.missing == hiddenPerHead ||
                    key.missing == asExpertFfn || key.names.empty();
      bool unread =
          (key.field == Field::Ffn && c->isMoe() && !c->denseLayers) ||
          (key.field == Field::Window && !family.windowSwitch.empty());
      if (!isRule && !unread &&
          !(family.type == "falcon" && key.field == Field::Heads))
        EXPECT_NE(notes.find(key.names.substr(0, key.names.find('|')) + " = "),
                  std::string::npos)
            << family.type << " " << key.names << "\n"
            << notes;
    }
  }
}

TEST(Families, TheDocumentListsThem) {
  Result<std::string> text = readFile(CALCULATOR_DOCUMENT);
  ASSERT_TRUE(text);
  std::string words;
  for (char c : *text)
    words += c == '\n' ? ' ' : c;
  std::string list;
  for (std::string_view type : modelTypes())
    list += (list.empty() ? "Model types: " : ", ") + std::string(type);
  EXPECT_NE(words.find(list + ". "), std::string::npos)
      << "docs/calculator.md needs: " << list;
}

TEST(Families, TwoNamesOfOneSizeAgree) {
  Json::Object config = configOf(*findFamily("gpt2"));
  EXPECT_TRUE(readConfig(with(config, "hidden_size", "3840"), "c.json"));
  refused(with(config, "hidden_size", "3841"));
}

} // namespace
