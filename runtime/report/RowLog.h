// RowLog.h - rows.jsonl: one line per row, appended as it is made.
//
// Each row is one write, so a kill loses at most the row being written. Opening
// the log again drops such a cut last line and reads the rest, which is how a
// matrix goes on where it stopped. Only what begins as a row does is dropped:
// any other text is somebody's, and stays.
#ifndef LABGEN_RUNTIME_REPORT_ROWLOG_H
#define LABGEN_RUNTIME_REPORT_ROWLOG_H

#include "lib/Spec/Row.h"

namespace labgen {

class RowLog {
public:
  /// Creates `path` or reads what is there. A line that is no row is bad input
  /// naming the line; so is a path that is no regular file, a symbolic link
  /// among them. Then nothing is changed.
  static Result<RowLog> open(const std::string &path);
  RowLog(RowLog &&other) noexcept;
  RowLog &operator=(RowLog &&) = delete;
  ~RowLog();

  const std::vector<Row> &rows() const { return held; }
  /// Refuses a row that breaks docs/schema/row.schema.json. On a full disk the
  /// file is left as it was before.
  Status append(const Row &row);

private:
  RowLog() = default;
  /// All of `text` at the end, or nothing.
  Status write(const std::string &text);

  std::string path;
  int file = -1;
  int64_t size = 0;
  std::vector<Row> held;
};

/// The rows of a log that is only read; a cut last line is passed over.
Result<std::vector<Row>> readRows(const std::string &path);

} // namespace labgen

#endif // LABGEN_RUNTIME_REPORT_ROWLOG_H
