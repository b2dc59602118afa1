// ModelText.cpp - lays out the calculator's sections.
#include "calculator/ModelCommand.h"
#include "lib/Support/Printable.h"
#include "runtime/report/TextTable.h"

namespace labgen {

/// "  label     words words", continued under the words.
static std::string labelled(const std::string &label, const std::string &text,
                            size_t indent) {
  const std::string words = printable(text);
  constexpr size_t width = 118;
  std::string line = "  " + label, out;
  line.resize(std::max(indent, line.size()), ' ');
  size_t used = line.size(), begin = 0;
  while (begin < words.size()) {
    size_t end = std::min(words.find(' ', begin), words.size());
    size_t length = end - begin;
    if (used > indent && used + 1 + length > width) {
      out += line + "\n";
      line.assign(indent, ' ');
      used = indent;
    }
    if (used > indent)
      line += ' ', ++used;
    line += words.substr(begin, length);
    used += length;
    begin = end + 1;
  }
  return out + line + "\n";
}

static std::string stepText(const Step &step) {
  std::string text = "\n" + step.what + "\n";
  for (const auto &[label, words] :
       {std::pair("formula", step.formula), std::pair("numbers", step.numbers),
        std::pair("ignored", step.ignored), std::pair("result", step.result)})
    if (!words.empty())
      text += labelled(label, words, 11);
  return text;
}

static std::string tableText(const ReportTable &report) {
  TextTable table;
  for (size_t i = 0; i < report.titles.size(); ++i)
    table.addColumn(report.titles[i],
                    i < report.left ? Align::Left : Align::Right);
  for (const std::vector<std::string> &line : report.lines)
    table.addLine(line);
  std::string text = "\n";
  if (!report.caption.empty())
    text += report.caption + "\n";
  return text + table.str();
}

std::string sectionsText(const std::vector<Section> &sections) {
  std::string text;
  for (const Section &section : sections) {
    text += (text.empty() ? "" : "\n\n") + section.title + "\n" +
            std::string(section.title.size(), '=') + "\n";
    for (const std::string &note : section.notes)
      text += labelled("", note, 2);
    for (const Step &step : section.steps)
      text += stepText(step);
    for (const ReportTable &table : section.tables)
      text += tableText(table);
  }
  return text;
}

} // namespace labgen
