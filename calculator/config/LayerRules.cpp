// LayerRules.cpp - which layers have experts, and which a window.
#include "calculator/config/ConfigReader.h"
#include "lib/Support/Text.h"

#include <algorithm>

using namespace labgen;

void ConfigReader::setDense(std::vector<bool> dense) {
  c.denseLayers = std::count(dense.begin(), dense.end(), true);
  c.denseAt = std::move(dense);
}

void ConfigReader::readDenseLayers() {
  constexpr const char *legal = "give a list of dense and sparse";
  std::vector<bool> listed =
      perLayer("mlp_layer_types", c.layers, legal,
               [](const Json &each) -> std::optional<bool> {
                 const std::string *type = each.asString();
                 if (!type || (*type != "dense" && *type != "sparse"))
                   return std::nullopt;
                 return *type == "dense";
               });
  if (!listed.empty())
    return setDense(std::move(listed));
  switch (family.dense) {
  case DenseRule::First:
    if (c.denseLayers > c.layers)
      return; // refused with the other checks
    if (const Json *every = find("moe_layer_freq");
        every && every->asInt() != 1)
      fail("moe_layer_freq is " + quoted(every->dump()),
           "only 1 is known here; give --dense-layers and leave it out");
    return;
  case DenseRule::Qwen:
    return qwenDenseLayers();
  case DenseRule::Llama:
    return llamaDenseLayers();
  case DenseRule::Ernie:
    return ernieDenseLayers();
  }
}

/// Marks the layers of a list of layer numbers.
static bool markLayers(const Json &list, std::vector<bool> &marks) {
  if (!list.asArray())
    return false;
  for (const Json &entry : *list.asArray()) {
    std::optional<int64_t> layer = entry.asInt();
    if (!layer || *layer < 0 || *layer >= int64_t(marks.size()))
      return false;
    marks[size_t(*layer)] = true;
  }
  return true;
}

/// A layer i has experts when (i + 1) is a multiple of decoder_sparse_step and
/// it is not in mlp_only_layers.
void ConfigReader::qwenDenseLayers() {
  int64_t step = number("decoder_sparse_step", 1, 1, 100000);
  std::vector<bool> dense(size_t(c.layers), false);
  for (int64_t i = 0; i < c.layers; ++i)
    dense[size_t(i)] = (i + 1) % step != 0;
  const Json *list = find("mlp_only_layers");
  if (list && !list->isNull() && !markLayers(*list, dense))
    fail("mlp_only_layers is " + quoted(list->dump()),
         "give a list of layer numbers from 0 to " +
             std::to_string(c.layers - 1));
  setDense(std::move(dense));
}

/// moe_layers lists the layers with experts; else every
/// interleave_moe_layer_step-th has them.
void ConfigReader::llamaDenseLayers() {
  std::vector<bool> experts(size_t(c.layers), false);
  const Json *list = find("moe_layers");
  if (list && !list->isNull()) {
    if (!markLayers(*list, experts))
      fail("moe_layers is " + quoted(list->dump()),
           "give a list of layer numbers from 0 to " +
               std::to_string(c.layers - 1));
  } else {
    int64_t step = number("interleave_moe_layer_step", 1, 1, 100000);
    for (int64_t i = step - 1; i < c.layers; i += step)
      experts[size_t(i)] = true;
  }
  experts.flip();
  setDense(std::move(experts));
}

void ConfigReader::ernieDenseLayers() {
  int64_t start = number("moe_layer_start_index", 1, 0, 100000),
          end = number("moe_layer_end_index", -1, -1, 100000),
          step = number("moe_layer_interval", 1, 1, 100000);
  std::vector<bool> dense(size_t(c.layers), true);
  for (int64_t i = start; i < c.layers && (end < 0 || i <= end); ++i)
    dense[size_t(i)] = (i + 1) % step != 0;
  setDense(std::move(dense));
}

std::optional<int64_t> ConfigReader::listedWindowLayers() {
  constexpr const char *legal =
      "only full_attention, sliding_attention and chunked_attention are known "
      "here, one for each layer";
  std::vector<bool> windowed =
      perLayer("layer_types", c.layers, legal,
               [](const Json &each) -> std::optional<bool> {
                 const std::string *type = each.asString();
                 if (type && *type == "full_attention")
                   return false;
                 if (type && (*type == "sliding_attention" ||
                              *type == "chunked_attention"))
                   return true;
                 return std::nullopt;
               });
  if (windowed.empty())
    return std::nullopt;
  return std::count(windowed.begin(), windowed.end(), true);
}

void ConfigReader::readWindow() {
  // Read first: a layer of another kind is refused in every family.
  std::optional<int64_t> listed = listedWindowLayers();
  bool isGiven = given.numbers[size_t(Field::Window)].has_value();
  if (failed() || family.windowRule == WindowRule::None)
    return;
  if (!family.windowSwitch.empty() && !isGiven &&
      !flag(family.windowSwitch, false))
    return;
  readKey(*family.key(Field::Window));
  if (failed() || c.window == 0)
    return;
  c.windowLayers = listed ? *listed : windowLayersByRule();
  if (c.windowLayers == 0)
    c.window = 0;
}

int64_t ConfigReader::windowLayersByRule() {
  switch (family.windowRule) {
  case WindowRule::None:
  case WindowRule::All:
    return c.layers;
  case WindowRule::From:
    return c.layers -
           std::min(c.layers, number("max_window_layers",
                                     family.maxWindowLayers, 0, 100000));
  case WindowRule::Every: {
    // EXAONE 4 spells its pattern out, LLLG.
    const Json *every = find(family.windowEveryKey);
    if (every && every->asString()) {
      if (*every->asString() != "LLLG")
        fail(firstName(family.windowEveryKey) + " is " + quoted(every->dump()),
             "give the layers between two without a window, or layer_types");
      return c.layers - c.layers / 4;
    }
    if (family.windowEveryKey.empty()) {
      noteDefault("layer_types", "a window in all but every " +
                                     std::to_string(family.windowEvery) +
                                     (family.windowEvery == 2 ? "nd" : "th"));
      return c.layers - c.layers / family.windowEvery;
    }
    int64_t step = number(family.windowEveryKey, family.windowEvery, 1, 100000);
    return c.layers - c.layers / step;
  }
  case WindowRule::Listed:
    fail("layer_types is missing", "its family has no rule for which layers "
                                   "have the window; give layer_types");
    return 0;
  }
  return 0;
}
