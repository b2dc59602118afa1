// Progress.h - how far a long job is, on a terminal and nowhere else.
#ifndef LABGEN_RUNTIME_REPORT_PROGRESS_H
#define LABGEN_RUNTIME_REPORT_PROGRESS_H

#include <cstddef>
#include <string>

namespace labgen {

/// One line on stderr, drawn over itself; nothing when stderr is no terminal.
class Progress {
public:
  explicit Progress(std::string what);
  ~Progress() { clear(); }
  /// `done` of `total` finished, `current` is being worked on.
  void show(size_t done, size_t total, const std::string &current);
  /// Takes the line away, before anything else is printed.
  void clear();

  /// The line itself, at most `width` columns.
  static std::string line(const std::string &what, size_t done, size_t total,
                          const std::string &current, size_t width);

private:
  std::string what;
  bool terminal, drawn = false;
};

} // namespace labgen

#endif // LABGEN_RUNTIME_REPORT_PROGRESS_H
