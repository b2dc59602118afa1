// RowLog.cpp - appends rows and recovers a log that a kill cut short.
#include "runtime/report/RowLog.h"

#include "lib/Spec/Schema.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace labgen {

namespace {

Status failure(const std::string &what, const std::string &path,
               const std::string &todo) {
  return Status::badInput("cannot " + what + " " + path + ": " +
                          strerror(errno) + "; " + todo);
}

/// A readable regular file; refuses devices and folders before opening, since
/// opening a FIFO would wait for ever.
Result<int> openRegular(const std::string &path, int flags) {
  struct stat info;
  if (stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode))
    return Status::badInput(path + " is not a regular file; move it away");
  int file = open(path.c_str(), flags | O_CLOEXEC, 0666);
  if (file < 0)
    return failure("open", path, "check the path and its permissions");
  return file;
}

/// All of the file; `whole` is where its last complete line ends.
Result<std::vector<Row>> readAll(int file, const std::string &path,
                                 int64_t &whole) {
  std::string text;
  char chunk[65536];
  while (true) {
    ssize_t count = read(file, chunk, sizeof(chunk));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return failure("read", path, "check the file");
    if (count == 0)
      break;
    text.append(chunk, size_t(count));
  }
  std::vector<Row> rows;
  whole = 0;
  for (size_t end; (end = text.find('\n', size_t(whole))) != std::string::npos;
       whole = int64_t(end) + 1) {
    std::string_view line(text.data() + whole, end - size_t(whole));
    Result<Json> json = Json::parse(line);
    Result<Row> row = json ? Row::fromJson(*json) : json.status();
    if (!row)
      return Status::badInput(path + " line " +
                              std::to_string(rows.size() + 1) +
                              " is not a row (" + row.status().message() +
                              "); repair the line or choose another folder");
    rows.push_back(*row);
  }
  return rows;
}

} // namespace

Result<RowLog> RowLog::open(const std::string &path) {
  Result<int> file = openRegular(path, O_RDWR | O_CREAT);
  if (!file)
    return file.status();
  RowLog log;
  log.path = path;
  log.file = *file;
  if (flock(log.file, LOCK_EX | LOCK_NB) != 0)
    return Status::badInput("another process is writing " + path +
                            "; wait for it or choose another folder");
  Result<std::vector<Row>> rows = readAll(log.file, path, log.size);
  if (!rows)
    return rows.status();
  log.held = std::move(*rows);
  if (ftruncate(log.file, log.size) != 0)
    return failure("shorten", path, "check the disk");
  return log;
}

RowLog::RowLog(RowLog &&other) noexcept
    : path(std::move(other.path)), file(other.file), size(other.size),
      held(std::move(other.held)) {
  other.file = -1;
}

RowLog::~RowLog() {
  if (file >= 0)
    close(file);
}

Status RowLog::append(const Row &row) {
  Json json = row.toJson();
  if (Status status = checkSchema(json, rowSchema()); !status)
    return Status::badInput("the row of " + row.spec + " breaks its schema (" +
                            status.message() + "); report it");
  std::string line = json.dump() + "\n";
  size_t done = 0;
  while (done < line.size()) {
    ssize_t count = pwrite(file, line.data() + done, line.size() - done,
                           size + int64_t(done));
    if (count > 0) {
      done += size_t(count);
      continue;
    }
    if (count < 0 && errno == EINTR)
      continue;
    Status status = failure("write", path, "free some space and run it again");
    if (ftruncate(file, size) != 0)
      return status; // the cut line is dropped when the log is opened again
    return status;
  }
  size += int64_t(line.size());
  held.push_back(row);
  return Status::ok();
}

Result<std::vector<Row>> readRows(const std::string &path) {
  Result<int> file = openRegular(path, O_RDONLY);
  if (!file)
    return file.status();
  int64_t whole;
  Result<std::vector<Row>> rows = readAll(*file, path, whole);
  close(*file);
  return rows;
}

} // namespace labgen
