// KnownChips.cpp - see KnownChips.h.
#include "tools/cli/KnownChips.h"

#include "lib/Support/ReadFile.h"
#include "runtime/measure/RoofFile.h"

#include <unistd.h>

namespace labgen {

Result<ChipTable> knownChips(const Arguments &arguments) {
  ChipTable table;
  if (Status status = table.addUserFolder(); !status)
    return status;
  for (const std::string &path : arguments.all("--chips")) {
    Result<std::string> text = readFile(path, Pipes::Taken);
    if (!text)
      return text.status();
    if (Status status = table.addJson(*text, path); !status)
      return status;
  }
  if (std::optional<MachineRoofs> roofs = storedRoofs()) {
    int64_t memory =
        int64_t(sysconf(_SC_PHYS_PAGES)) * int64_t(sysconf(_SC_PAGESIZE));
    // A user's chip of that name goes first.
    (void)bool(table.add(hostChip(*roofs, memory)));
  }
  return table;
}

} // namespace labgen
