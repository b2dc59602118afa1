// Model.h - the model calculator's command, without the tool around it.
//
// labgen-run and the small program that tools/model_calculator.py builds both
// call these.
#ifndef LABGEN_TOOLS_LABGEN_RUN_MODEL_H
#define LABGEN_TOOLS_LABGEN_RUN_MODEL_H

#include "lib/Roofline/report/Report.h"
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

/// Built-in chips, the user's, the host as it was last probed, and the files
/// given by --chips.
Result<ChipTable> knownChips(const Arguments &arguments);

} // namespace labgen

#endif // LABGEN_TOOLS_LABGEN_RUN_MODEL_H
