// Commands.cpp - labgen-run's command table.
#include "tools/labgen-run/Commands.h"

#include "calculator/ModelCommand.h"

namespace labgen {

static ToolSpec makeTool() {
  const FlagSpec json = {"--json", "", "JSON lines in place of the table"};
  const FlagSpec threads = {"--threads", "N",
                            "threads; default the cores this process may use"};
  const FlagSpec chips = {"--chips", "FILE", "more chips, from a JSON file",
                          true};
  ToolSpec tool;
  tool.name = "labgen-run";
  tool.summary = "measures compiled kernels and this machine, without LLVM";
  tool.commands = {
      {"bench",
       "DIR",
       1,
       1,
       "measure the CPU kernels of a folder made by labgen matrix or compile",
       {threads, {"--no-time", "", "check, do not time"}, json},
       {"labgen-run bench out/quick"}},
      {"probe",
       "",
       0,
       0,
       "measure this machine's roofs and store them",
       {json},
       {"labgen-run probe"}},
      {"devices",
       "",
       0,
       0,
       "what kernels can run on here",
       {},
       {"labgen-run devices"}},
      {"chips",
       "[NAME]",
       0,
       1,
       "datasheet figures of chips, each with its source",
       {chips, {"--json", "", "one JSON object per chip"}},
       {"labgen-run chips", "labgen-run chips H100"}},
      modelCommandSpec("labgen-run model"),
      rooflineCommandSpec(),
      {"report",
       "DIR",
       1,
       1,
       "write and print the report of a measured folder again",
       {json},
       {"labgen-run report out/quick"}},
  };
  tool.examples = {"labgen-run probe", "labgen-run bench out/quick",
                   "labgen-run report out/quick --json"};
  return tool;
}

const ToolSpec &labgenRunTool() {
  static const ToolSpec tool = makeTool();
  return tool;
}

} // namespace labgen
