// Split.cpp - lines quoted as in a shell, and numbers from the command line.
#include "tools/cli/Cli.h"

#include "lib/Support/Text.h"

#include <cctype>

namespace labgen {

Result<std::vector<std::string>> splitLikeShell(const std::string &line) {
  std::vector<std::string> words;
  std::string word;
  bool inWord = false;
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    char c = line[i];
    if (quote == '\'') {
      if (c == '\'')
        quote = 0;
      else
        word += c;
    } else if (c == '\\') {
      if (++i == line.size())
        return Status::badInput(
            "the line ends in a backslash; quote it or remove it");
      // Inside "..." a backslash quotes only these four.
      if (quote == '"' &&
          std::string("\"\\$`").find(line[i]) == std::string::npos)
        word += c;
      word += line[i];
      inWord = true;
    } else if (quote) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      inWord = true;
    } else if (std::isspace(static_cast<unsigned char>(c))) {
      if (inWord)
        words.push_back(std::move(word));
      word.clear();
      inWord = false;
    } else if (c == '#' && !inWord) {
      break;
    } else {
      word += c;
      inWord = true;
    }
  }
  if (quote)
    return Status::badInput(std::string("a ") + quote +
                            " is never closed; close the quote");
  if (inWord)
    words.push_back(std::move(word));
  return words;
}

Result<uint64_t> parseNumber(const std::string &flag, const std::string &text,
                             uint64_t low, uint64_t high) {
  std::optional<uint64_t> number = parseDecimal(text);
  if (number && *number >= low && *number <= high)
    return *number;
  return Status::badInput(flag + " is " + quoted(text) +
                          "; give a whole number from " + std::to_string(low) +
                          " to " + std::to_string(high));
}

} // namespace labgen
