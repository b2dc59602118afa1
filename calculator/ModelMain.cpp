// ModelMain.cpp - the model calculator alone: what tools/model_calculator.py
// builds where no CMake is, from the library and `labgen-run model` itself.
#include "calculator/ModelCommand.h"

#include "runtime/report/Say.h"

#include <cstdio>

using namespace labgen;

int main(int argc, char **argv) {
  const std::string program = "python tools/model_calculator.py";
  ToolSpec tool;
  tool.name = "labgen-run";
  CommandSpec command = modelCommandSpec(program);
  Result<Arguments> arguments = parseCommand(
      tool, command, std::vector<std::string>(argv + (argc > 0), argv + argc));
  if (!arguments)
    return sayError(arguments.status());
  Result<std::string> text = modelOutput(*arguments);
  if (!text)
    return sayError(text.status());
  std::fwrite(text->data(), 1, text->size(), stdout);
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    return sayError(Status::badInput(
        "cannot write to stdout; free some space or write elsewhere"));
  return 0;
}
