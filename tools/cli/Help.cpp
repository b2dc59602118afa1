// Help.cpp - lays out commands, options and examples.
#include "tools/cli/Help.h"

#include <algorithm>

namespace labgen {

namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;

std::string columns(const Lines &lines) {
  size_t width = 0;
  for (const auto &[left, right] : lines)
    width = std::max(width, left.size());
  std::string text;
  for (const auto &[left, right] : lines)
    text +=
        "  " + left + std::string(width - left.size() + 2, ' ') + right + "\n";
  return text;
}

std::string examples(const std::vector<std::string> &lines) {
  if (lines.empty())
    return "";
  std::string text = "\nExamples:\n";
  for (const std::string &line : lines)
    text += "  " + line + "\n";
  return text;
}

std::string exitCodes() {
  return "\nExit codes: 0 all rows ok, suspect or skipped; 1 bad input or a "
         "wrong row;\n2 the machine lacks something; 130 after Ctrl-C, 143 "
         "after "
         "SIGTERM.\n";
}

} // namespace

std::string helpText(const ToolSpec &tool) {
  Lines lines;
  for (const CommandSpec &command : tool.commands)
    lines.push_back(
        {command.name +
             (command.positional.empty() ? "" : " " + command.positional),
         command.summary});
  return tool.name + " - " + tool.summary + "\n\nUsage: " + tool.name +
         " COMMAND [OPTIONS]\n\nCommands:\n" + columns(lines) + "\nOptions:\n" +
         columns({{"--help", "this text; after a command, its options"},
                  {"--version", "versions of labgen, its commit and LLVM"}}) +
         examples(tool.examples) + exitCodes();
}

std::string helpText(const ToolSpec &tool, const CommandSpec &command) {
  Lines lines;
  for (const FlagSpec &flag : command.flags)
    lines.push_back({flag.name + (flag.value.empty() ? "" : " " + flag.value) +
                         (flag.repeatable ? " ..." : ""),
                     flag.help});
  lines.push_back({"--help", "this text"});
  return "Usage: " + tool.name + " " + command.name +
         (command.positional.empty() ? "" : " " + command.positional) +
         " [OPTIONS]\n\n" + command.summary + ".\n\nOptions:\n" +
         columns(lines) + examples(command.examples);
}

} // namespace labgen
