// Model.h - the model calculator's command, without the tool around it.
//
// labgen-run and the small program that tools/model_calculator.py builds both
// call these.
#ifndef LABGEN_CALCULATOR_MODELCOMMAND_H
#define LABGEN_CALCULATOR_MODELCOMMAND_H

#include "calculator/report/Report.h"
#include "tools/cli/Cli.h"

namespace labgen {

/// The command line; `program` is what examples begin with.
CommandSpec modelCommandSpec(const std::string &program);

/// Options and config file, checked.
Result<ModelRequest> modelRequest(const Arguments &arguments);

/// What the command prints.
Result<std::string> modelOutput(const Arguments &arguments);

/// Sections as text.
std::string sectionsText(const std::vector<Section> &sections);

} // namespace labgen

#endif // LABGEN_CALCULATOR_MODELCOMMAND_H
