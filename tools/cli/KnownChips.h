// KnownChips.h - the chips a command line may name.
#ifndef LABGEN_TOOLS_CLI_KNOWNCHIPS_H
#define LABGEN_TOOLS_CLI_KNOWNCHIPS_H

#include "lib/Roofline/chips/Chip.h"
#include "tools/cli/Cli.h"

namespace labgen {

/// Built-in chips, the user's, the host as it was last probed, and the files
/// given by --chips.
Result<ChipTable> knownChips(const Arguments &arguments);

} // namespace labgen

#endif // LABGEN_TOOLS_CLI_KNOWNCHIPS_H
