// Chips.cpp - labgen chips: targets, what code for them may use, and the
// products behind them.
#include "tools/labgen/Commands.h"

#include "calculator/ModelCommand.h"
#include "lib/Roofline/chips/Chip.h"
#include "lib/Support/Json.h"
#include "lib/Support/Text.h"
#include "lib/Target/Chips/Chips.h"
#include "runtime/report/TextTable.h"
#include "tools/cli/ChipsTable.h"
#include "tools/cli/Finish.h"
#include "tools/cli/KnownChips.h"
#include "tools/labgen/driver/Target.h"

namespace labgen {

namespace {

struct Target {
  std::string name, product;
  const ChipInfo *chip = nullptr; ///< of a GPU
};

std::vector<Target> allTargets() {
  std::vector<Target> targets;
  for (std::string_view cpu : cpuTargets())
    targets.push_back(
        {std::string(cpu), cpu == "cpu:native" ? "this machine's CPU" : ""});
  for (const ChipInfo &chip : gpuChips()) {
    std::string name = chip.target();
    targets.push_back({name, std::string(defaultProduct(name)), &chip});
  }
  return targets;
}

Json toJson(const Target &target) {
  Json::Object object{
      {"target", target.name},
      {"chip", target.product.empty() ? Json() : Json(target.product)}};
  if (target.chip)
    for (const ChipField &field : fields(*target.chip))
      object.emplace_back(
          std::string(field.key),
          Json(Json::Object{{"title", std::string(field.title)},
                            {"value", field.value},
                            {"evidence", std::string(name(field.evidence))}}));
  return Json(std::move(object));
}

void printTargets(const std::vector<Target> &targets) {
  TextTable table;
  for (const char *title : {"target", "chip", "status"})
    table.addColumn(title);
  for (const Target &target : targets)
    table.addLine({target.name, target.product, "built in"});
  print(table.str());
}

/// What code for a GPU may use, and how each fact is known.
void printFields(const ChipInfo &chip) {
  TextTable table;
  for (const char *title : {"what code may use", "value", "known from"})
    table.addColumn(title);
  for (const ChipField &field : fields(chip))
    table.addLine({std::string(field.title), field.value,
                   std::string(name(field.evidence))});
  print("\n" + table.str());
}

} // namespace

Result<ExitCode> chipsCommand(const Arguments &arguments) {
  std::vector<Target> targets = allTargets();
  if (!arguments.positional.empty()) {
    const std::string &wanted = arguments.positional[0];
    std::vector<Target> found;
    std::vector<std::string_view> names;
    for (const Target &target : targets) {
      names.push_back(target.name);
      if (target.name == wanted)
        found.push_back(target);
    }
    if (found.empty()) {
      // Not a target: a product by its own name.
      Result<ChipTable> known = knownChips(arguments);
      if (!known)
        return known.status();
      Result<Chip> chip = known->find(wanted);
      if (!chip)
        return Status::badInput("unknown target " + quoted(wanted) +
                                "; did you mean " +
                                quoted(nearest(wanted, names)) + "?");
      print(arguments.has("--json") ? chipJson(*chip).dump() + "\n"
                                    : chipText(*chip));
      return ExitCode::Ok;
    }
    targets = std::move(found);
  }
  if (arguments.has("--json")) {
    for (const Target &target : targets)
      print(toJson(target).dump() + "\n");
    return ExitCode::Ok;
  }
  printTargets(targets);
  if (targets.size() == 1 && targets.front().chip)
    printFields(*targets.front().chip);
  return ExitCode::Ok;
}

} // namespace labgen
