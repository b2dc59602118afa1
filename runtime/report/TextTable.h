// TextTable.h - a table of aligned text, whatever is in it.
//
// Columns that are empty in every line are left out, so one set of columns
// serves labs that have different things to say.
#ifndef LABGEN_RUNTIME_REPORT_TEXTTABLE_H
#define LABGEN_RUNTIME_REPORT_TEXTTABLE_H

#include <string>
#include <vector>

namespace labgen {

enum class Align { Left, Right };

class TextTable {
public:
  void addColumn(std::string title, Align align = Align::Left) {
    titles.push_back(std::move(title));
    alignments.push_back(align);
  }
  /// One cell per column; what is in them is made printable and short.
  void addLine(const std::vector<std::string> &cells);
  /// Title line, rule, lines; each ends in a newline and in no blank.
  std::string str() const;

private:
  std::vector<std::string> titles;
  std::vector<Align> alignments;
  std::vector<std::vector<std::string>> lines;
};

} // namespace labgen

#endif // LABGEN_RUNTIME_REPORT_TEXTTABLE_H
