// Status.h - how errors travel on the run side (and through lib/Spec).
//
// No exceptions cross a file boundary in labgen. A function that can fail
// returns a Status, or a Result<T> when it also has a value. Each error is one
// line, "WHAT; WHAT TO DO", printed by the tools behind "error: ", and its code
// is the exit code of the process.
#ifndef LABGEN_SUPPORT_STATUS_H
#define LABGEN_SUPPORT_STATUS_H

#include <cassert>
#include <optional>
#include <string>
#include <utility>

namespace labgen {

/// Exit codes of every labgen tool.
enum class ExitCode {
  Ok = 0,           ///< every row is ok, suspect, or skipped with a reason
  BadInput = 1,     ///< bad input, or a row that is wrong or error
  Missing = 2,      ///< the machine lacks a driver, device, compiler or ISA
  Interrupted = 130 ///< Ctrl-C
};

/// Success, or an exit code with a one-line message.
class [[nodiscard]] Status {
public:
  Status() = default;
  static Status ok() { return {}; }
  static Status badInput(std::string message) {
    return {ExitCode::BadInput, std::move(message)};
  }
  static Status missing(std::string message) {
    return {ExitCode::Missing, std::move(message)};
  }
  static Status interrupted() { return {ExitCode::Interrupted, "interrupted"}; }

  explicit operator bool() const { return code == ExitCode::Ok; }
  ExitCode exitCode() const { return code; }
  const std::string &message() const { return text; }

private:
  Status(ExitCode code, std::string text) : code(code), text(std::move(text)) {}
  ExitCode code = ExitCode::Ok;
  std::string text;
};

/// A value, or the Status that says why there is none.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : value(std::move(value)) {}
  Result(Status status) : failure(std::move(status)) {
    assert(!failure && "a Result made from a Status needs a failure");
  }
  explicit operator bool() const { return value.has_value(); }
  const Status &status() const { return failure; }
  T &operator*() { return *value; }
  const T &operator*() const { return *value; }
  T *operator->() { return &*value; }
  const T *operator->() const { return &*value; }

private:
  std::optional<T> value;
  Status failure;
};

} // namespace labgen

#endif // LABGEN_SUPPORT_STATUS_H
