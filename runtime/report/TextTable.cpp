// TextTable.cpp - measures columns, drops the empty ones, pads the rest.
#include "runtime/report/TextTable.h"

#include "lib/Support/Printable.h"

#include <algorithm>

namespace labgen {

void TextTable::addLine(const std::vector<std::string> &cells) {
  std::vector<std::string> &line = lines.emplace_back();
  for (const std::string &cell : cells)
    line.push_back(shortened(printable(cell)));
}

std::string TextTable::str() const {
  std::vector<size_t> widths(titles.size(), 0); // 0: nothing in it
  for (const std::vector<std::string> &line : lines)
    for (size_t i = 0; i < titles.size(); ++i)
      if (!line[i].empty())
        widths[i] = std::max({widths[i], line[i].size(), titles[i].size()});

  auto render = [&](const std::vector<std::string> &cells) {
    std::string text;
    bool first = true;
    for (size_t i = 0; i < titles.size(); ++i) {
      if (widths[i] == 0)
        continue;
      std::string pad(widths[i] - cells[i].size(), ' ');
      text += first ? "" : "  ";
      text += alignments[i] == Align::Right ? pad + cells[i] : cells[i] + pad;
      first = false;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };

  std::vector<std::string> rule;
  for (size_t width : widths)
    rule.push_back(std::string(width, '-'));
  std::string text = render(titles) + render(rule);
  for (const std::vector<std::string> &line : lines)
    text += render(line);
  return text;
}

} // namespace labgen
