// ChipsTable.h - the chip table as text, for labgen-run chips and labgen chips.
#ifndef LABGEN_TOOLS_CLI_CHIPSTABLE_H
#define LABGEN_TOOLS_CLI_CHIPSTABLE_H

#include "lib/Roofline/chips/Chip.h"

namespace labgen {

/// One line per chip.
std::string chipsText(const std::vector<Chip> &chips);
/// Every cell of one chip with unit, source, accumulator and confidence.
std::string chipText(const Chip &chip);
/// The same cells, null where they are not known.
Json chipJson(const Chip &chip);

} // namespace labgen

#endif // LABGEN_TOOLS_CLI_CHIPSTABLE_H
