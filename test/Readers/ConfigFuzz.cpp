// ConfigFuzz.cpp - a model's config.json: what is read passes its own check.
#include "calculator/config/Config.h"
#include "test/Readers/Fuzz.h"

using namespace labgen;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  Result<ModelConfig> config = readConfig(text, "config.json");
  if (!config)
    return demandRefusal(config.status()), 0;
  if (Status status = validate(*config, flagNames()); !status)
    demandRefusal(status);
  return 0;
}
