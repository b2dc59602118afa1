// Figures.cpp - labgen-run chips and model: figures that need no measurement.
#include "calculator/ModelCommand.h"
#include "tools/cli/ChipsTable.h"
#include "tools/cli/Finish.h"
#include "tools/cli/KnownChips.h"
#include "tools/labgen-run/Commands.h"

namespace labgen {

Result<ExitCode> chipsCommand(const Arguments &arguments) {
  Result<ChipTable> table = knownChips(arguments);
  if (!table)
    return table.status();
  bool json = arguments.has("--json");
  if (arguments.positional.empty()) {
    if (!json)
      print(chipsText(table->chips()));
    else
      for (const Chip &chip : table->chips())
        print(chipJson(chip).dump() + "\n");
    return ExitCode::Ok;
  }
  Result<Chip> chip = table->find(arguments.positional[0]);
  if (!chip)
    return chip.status();
  print(json ? chipJson(*chip).dump() + "\n" : chipText(*chip));
  return ExitCode::Ok;
}

Result<ExitCode> modelCommand(const Arguments &arguments) {
  Result<std::string> text = modelOutput(arguments);
  if (!text)
    return text.status();
  print(*text);
  return ExitCode::Ok;
}

} // namespace labgen
