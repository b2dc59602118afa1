// Cli.h - command lines of the labgen tools.
//
// A tool describes its commands as data; parsing, help and the wording of
// mistakes are the same for all of them. CLI11 splits the arguments and stays
// inside Cli.cpp (built with exceptions, letting none out).
#ifndef LABGEN_TOOLS_CLI_CLI_H
#define LABGEN_TOOLS_CLI_CLI_H

#include "lib/Support/Status.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace labgen {

struct FlagSpec {
  std::string name;  ///< "--seed", "-o"
  std::string value; ///< what it takes, as help shows it; empty for a switch
  std::string help;
  bool repeatable = false;
};

struct CommandSpec {
  std::string name;
  std::string positional; ///< as help shows it: "SPEC", "SET|FILE", "[NAME]"
  int minPositional = 0, maxPositional = 0;
  std::string summary;
  std::vector<FlagSpec> flags;
  std::vector<std::string> examples; ///< whole command lines
};

struct ToolSpec {
  std::string name, summary;
  std::vector<CommandSpec> commands;
  std::vector<std::string> examples;
};

/// A command line that fits its CommandSpec.
struct Arguments {
  std::string command;
  std::vector<std::string> positional;
  std::map<std::string, std::vector<std::string>> values; ///< by flag name
  std::string text; ///< of --help or --version: print it and stop

  bool has(const std::string &flag) const { return values.count(flag) != 0; }
  std::optional<std::string> value(const std::string &flag) const;
  std::vector<std::string> all(const std::string &flag) const;
};

/// `arguments` are those behind the tool's name. Mistakes are bad input that
/// names the nearest legal spelling.
Result<Arguments> parseArguments(const ToolSpec &tool,
                                 const std::vector<std::string> &arguments,
                                 const std::string &version);

/// The arguments behind a command's name.
Result<Arguments> parseCommand(const ToolSpec &tool, const CommandSpec &command,
                               const std::vector<std::string> &arguments);

/// Splits a line as a shell does: blanks separate, '...' and "..." and
/// backslashes quote; nothing is expanded.
Result<std::vector<std::string>> splitLikeShell(const std::string &line);

/// A whole decimal number within [low, high].
Result<uint64_t> parseNumber(const std::string &flag, const std::string &text,
                             uint64_t low, uint64_t high);

} // namespace labgen

#endif // LABGEN_TOOLS_CLI_CLI_H
