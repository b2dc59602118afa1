// Lookup.cpp - chips by their whole name; B200 is not GB200.
#include "lib/Roofline/chips/Chip.h"
#include "lib/Support/ReadFile.h"
#include "lib/Support/Text.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>

using namespace labgen;

namespace {

/// What is compared: letters, digits and the rest but blanks, '-' and '_'.
std::string folded(std::string_view name) {
  std::string out;
  for (unsigned char c : name)
    if (c != ' ' && c != '-' && c != '_')
      out += char(std::tolower(c));
  return out;
}

bool answersTo(const Chip &chip, const std::string &name) {
  return folded(chip.name) == name ||
         std::any_of(
             chip.aliases.begin(), chip.aliases.end(),
             [&](const std::string &alias) { return folded(alias) == name; });
}

std::string userFolder() {
  const char *config = std::getenv("XDG_CONFIG_HOME");
  // The XDG rules want a relative path ignored.
  if (config && *config == '/')
    return std::string(config) + "/labgen/chips";
  const char *home = std::getenv("HOME");
  return home && *home ? std::string(home) + "/.config/labgen/chips" : "";
}

} // namespace

std::string_view labgen::defaultProduct(std::string_view target) {
  for (const Chip &chip : builtInChips())
    if (chip.byDefault && chip.target == target)
      return chip.name;
  return "";
}

Status ChipTable::add(Chip chip) {
  std::vector<std::string> names = chip.aliases;
  names.push_back(chip.name);
  for (const std::string &name : names)
    for (const Chip &other : all)
      if (answersTo(other, folded(name)))
        return Status::badInput("chip name " + quoted(name) +
                                " is taken by the chip '" + other.name +
                                "'; choose another name");
  all.push_back(std::move(chip));
  return Status::ok();
}

Status ChipTable::addUserFolder() {
  std::string folder = userFolder();
  std::error_code none;
  if (folder.empty() || !std::filesystem::is_directory(folder, none))
    return Status::ok();
  std::vector<std::string> paths;
  for (std::filesystem::directory_iterator it(folder, none), end;
       !none && it != end; it.increment(none))
    if (it->path().extension() == ".json")
      paths.push_back(it->path().string());
  std::sort(paths.begin(), paths.end());
  for (const std::string &path : paths) {
    Result<std::string> text = readFile(path);
    if (!text)
      return text.status();
    if (Status status = addJson(*text, path); !status)
      return status;
  }
  return Status::ok();
}

Result<Chip> ChipTable::find(const std::string &name) const {
  std::vector<std::string_view> names, longer;
  std::string key = folded(name);
  for (const Chip &chip : all) {
    if (answersTo(chip, key))
      return chip;
    names.push_back(chip.name);
    if (!key.empty() && folded(chip.name).rfind(key, 0) == 0)
      longer.push_back(chip.name);
    names.insert(names.end(), chip.aliases.begin(), chip.aliases.end());
  }
  return Status::badInput(
      "unknown chip " + quoted(name) + "; did you mean " +
      (longer.empty() ? quoted(nearest(name, names)) : orList(longer)) + "?");
}
