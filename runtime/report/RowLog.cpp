// RowLog.cpp - appends rows and recovers a log that a kill cut short.
#include "runtime/report/RowLog.h"

#include "lib/Spec/Schema.h"
#include "lib/Support/ReadFile.h"
#include "lib/Support/SystemFailure.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace labgen {

namespace {

Status failure(const std::string &what, const std::string &path,
               const std::string &todo) {
  return systemFailure(what + " " + path, strerror(errno), todo);
}

Result<FileDescriptor> openLog(const std::string &path, int flags) {
  Result<FileDescriptor> file = openFile(path, flags);
  if (!file)
    return systemFailure("open " + path, file.status().message(),
                         "move it away or check its permissions");
  return file;
}

/// What a log holds.
struct Contents {
  std::vector<Row> rows;
  int64_t size = 0;       ///< up to the end of the last row
  bool endsInRow = false; ///< a newline is missing behind it
};

Result<Row> parseLine(std::string_view line) {
  Result<Json> json = Json::parse(line);
  return json ? Row::fromJson(*json) : json.status();
}

/// Whether `text` may be what a kill left of a row.
bool beginsAsRow(std::string_view text) {
  constexpr std::string_view start = "{\"spec\": \"";
  return text.substr(0, start.size()) == start.substr(0, text.size());
}

Result<Contents> readContents(const FileDescriptor &file,
                              const std::string &path) {
  Result<std::string> text = readRest(file);
  if (!text)
    return systemFailure("read " + path, text.status().message(),
                         "check the file");
  Contents contents;
  while (contents.size < int64_t(text->size())) {
    size_t begin = size_t(contents.size);
    size_t end = text->find('\n', begin);
    bool isWhole = end != std::string::npos;
    std::string_view line(text->data() + begin,
                          (isWhole ? end : text->size()) - begin);
    Result<Row> row = parseLine(line);
    if (!row && !isWhole && beginsAsRow(line))
      break;
    if (!row)
      return Status::badInput(path + " line " +
                              std::to_string(contents.rows.size() + 1) +
                              " is not a row (" + row.status().message() +
                              "); repair the line or choose another folder");
    contents.rows.push_back(*row);
    contents.size += int64_t(line.size()) + isWhole;
    contents.endsInRow = !isWhole;
  }
  return contents;
}

} // namespace

Result<RowLog> RowLog::open(const std::string &path) {
  Result<FileDescriptor> file = openLog(path, O_RDWR | O_CREAT | O_NOFOLLOW);
  if (!file)
    return file.status();
  if (flock(file->get(), LOCK_EX | LOCK_NB) != 0)
    return Status::badInput("another process is writing " + path +
                            "; wait for it or choose another folder");
  Result<Contents> contents = readContents(*file, path);
  if (!contents)
    return contents.status();
  RowLog log;
  log.path = path;
  log.file = file->release();
  log.size = contents->size;
  log.held = std::move(contents->rows);
  if (ftruncate(log.file, log.size) != 0)
    return failure("shorten", path, "check the disk");
  if (contents->endsInRow)
    if (Status status = log.write("\n"); !status)
      return status;
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
  if (Status status = write(json.dump() + "\n"); !status)
    return status;
  held.push_back(row);
  return Status::ok();
}

Status RowLog::write(const std::string &text) {
  size_t done = 0;
  while (done < text.size()) {
    ssize_t count = pwrite(file, text.data() + done, text.size() - done,
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
  size += int64_t(text.size());
  return Status::ok();
}

Result<std::vector<Row>> readRows(const std::string &path) {
  Result<FileDescriptor> file = openLog(path, O_RDONLY);
  if (!file)
    return file.status();
  Result<Contents> contents = readContents(*file, path);
  if (!contents)
    return contents.status();
  return std::move(contents->rows);
}

} // namespace labgen
