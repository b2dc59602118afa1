// Cli.cpp - the one file that includes CLI11 (slow to compile, throws).
//
// CLI11 tells switches from values and catches both spellings, `--seed 1` and
// `--seed=1`; every mistake is worded here so that all tools say it alike.
#include "tools/cli/Cli.h"

#include "lib/Support/Text.h"
#include "tools/cli/Help.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace labgen {

std::optional<std::string> Arguments::value(const std::string &flag) const {
  auto it = values.find(flag);
  if (it == values.end())
    return std::nullopt;
  return it->second.front();
}

std::vector<std::string> Arguments::all(const std::string &flag) const {
  auto it = values.find(flag);
  return it == values.end() ? std::vector<std::string>() : it->second;
}

namespace {

std::string didYouMean(const std::string &given,
                       const std::vector<std::string_view> &legal) {
  return "; did you mean " + labgen::quoted(nearest(given, legal)) + "?";
}

Status unknownFlag(const ToolSpec &tool, const CommandSpec &command,
                   const std::string &given) {
  std::string flag = given.substr(0, given.find('='));
  std::vector<std::string_view> legal = {"--help"};
  for (const FlagSpec &known : command.flags)
    legal.push_back(known.name);
  return Status::badInput("unknown option " + labgen::quoted(flag) + " for " +
                          tool.name + " " + command.name +
                          didYouMean(flag, legal));
}

Status checkPositional(const ToolSpec &tool, const CommandSpec &command,
                       const Arguments &parsed) {
  int given = int(parsed.positional.size());
  std::string full = tool.name + " " + command.name;
  if (given < command.minPositional)
    return Status::badInput(full + " needs " + command.positional + "; see " +
                            full + " --help");
  if (given > command.maxPositional)
    return Status::badInput(
        "unexpected argument " +
        labgen::quoted(parsed.positional[command.maxPositional]) + " for " +
        full + "; it takes " +
        (command.maxPositional == 0 ? "none" : command.positional));
  return Status::ok();
}

Status needsValue(const FlagSpec &flag) {
  return Status::badInput("option '" + flag.name + "' needs a value; write " +
                          flag.name + " " + flag.value);
}

/// What CLI11 lets pass: a switch with a value, the next option taken for a
/// value, an empty value, an option given twice.
Status checkFlags(const CommandSpec &command, const Arguments &parsed,
                  const std::vector<std::string> &words) {
  for (const FlagSpec &flag : command.flags) {
    for (const std::string &word : words)
      if (flag.value.empty() && word.rfind(flag.name + "=", 0) == 0)
        return Status::badInput("option '" + flag.name +
                                "' takes no value; give it alone");
    std::vector<std::string> values = parsed.all(flag.name);
    for (const FlagSpec &other : command.flags)
      if (std::count(values.begin(), values.end(), other.name))
        return needsValue(flag);
    if (!flag.value.empty() && std::count(values.begin(), values.end(), ""))
      return Status::badInput("option '" + flag.name +
                              "' has an empty value; write " + flag.name + " " +
                              flag.value + ", or leave it out");
    if (!flag.repeatable && values.size() > 1)
      return Status::badInput("option '" + flag.name +
                              "' is given twice; give it once");
  }
  return Status::ok();
}

/// CLI11's own refusal is a flag without its value.
Status reword(const CommandSpec &command, const std::string &message) {
  for (const FlagSpec &flag : command.flags)
    if (message.rfind(flag.name + ":", 0) == 0)
      return needsValue(flag);
  return Status::badInput(message.substr(0, message.find('\n')) +
                          "; see --help");
}

} // namespace

Result<Arguments> parseCommand(const ToolSpec &tool, const CommandSpec &command,
                               const std::vector<std::string> &arguments) {
  Arguments parsed;
  parsed.command = command.name;
  bool help = false;
  try {
    CLI::App app;
    app.set_help_flag();
    app.allow_extras();
    app.add_flag("-h,--help", help);
    std::map<std::string, bool> switches;
    for (const FlagSpec &flag : command.flags) {
      CLI::Option *option;
      if (flag.value.empty())
        option = app.add_flag_function(
            flag.name, [&parsed, &flag](std::int64_t count) {
              parsed.values[flag.name].assign(size_t(count), "");
            });
      else
        option = app.add_option(flag.name, parsed.values[flag.name])
                     ->allow_extra_args(false);
      option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }
    // CLI11 wants them in reverse.
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app.parse(reversed);
    for (const std::string &extra : app.remaining()) {
      if (extra.size() > 1 && extra[0] == '-' && !help)
        return unknownFlag(tool, command, extra);
      parsed.positional.push_back(extra);
    }
  } catch (const CLI::Error &error) {
    return reword(command, error.what());
  } catch (const std::exception &error) {
    return Status::badInput(std::string(error.what()) + "; see --help");
  }
  for (auto it = parsed.values.begin(); it != parsed.values.end();)
    it = it->second.empty() ? parsed.values.erase(it) : std::next(it);
  if (help) {
    parsed.text = helpText(tool, command);
    return parsed;
  }
  if (Status status = checkFlags(command, parsed, arguments); !status)
    return status;
  if (Status status = checkPositional(tool, command, parsed); !status)
    return status;
  return parsed;
}

Result<Arguments> parseArguments(const ToolSpec &tool,
                                 const std::vector<std::string> &arguments,
                                 const std::string &version) {
  std::vector<std::string_view> names;
  for (const CommandSpec &command : tool.commands)
    names.push_back(command.name);
  if (arguments.empty())
    return Status::badInput(tool.name + " needs a command; see " + tool.name +
                            " --help");
  const std::string &first = arguments.front();
  Arguments parsed;
  bool isHelp = first == "--help" || first == "-h" || first == "help";
  if ((isHelp || first == "--version") && arguments.size() > 1)
    return Status::badInput("unexpected argument " +
                            labgen::quoted(arguments[1]) + " behind " + first +
                            "; it takes none");
  if (isHelp) {
    parsed.text = helpText(tool);
    return parsed;
  }
  if (first == "--version") {
    parsed.text = version + "\n";
    return parsed;
  }
  for (const CommandSpec &command : tool.commands)
    if (command.name == first)
      return parseCommand(tool, command,
                          {arguments.begin() + 1, arguments.end()});
  if (first[0] == '-') {
    names = {"--help", "--version"};
    return Status::badInput("unknown option " + labgen::quoted(first) +
                            " for " + tool.name + didYouMean(first, names));
  }
  return Status::badInput("unknown command " + labgen::quoted(first) +
                          didYouMean(first, names));
}

} // namespace labgen
