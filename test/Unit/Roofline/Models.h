// Models.h - public models by their config.json values, for tests.
#ifndef LABGEN_TEST_UNIT_ROOFLINE_MODELS_H
#define LABGEN_TEST_UNIT_ROOFLINE_MODELS_H

#include "calculator/config/Config.h"

namespace labgen::test {

/// The text of a config.json.
std::string llama2Text();
std::string llama3Text();
std::string llama70Text();
std::string qwen25Text();
std::string mixtralText();
std::string deepseekV3Text();

/// Parsed; fails the test when it is refused.
ModelConfig model(const std::string &text);

} // namespace labgen::test

#endif // LABGEN_TEST_UNIT_ROOFLINE_MODELS_H
