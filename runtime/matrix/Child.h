// Child.h - work in a forked process, so that its crash is only an answer.
//
// Compilers abort and kernels fault. Both run in a child that sends lines back
// through a pipe; when it dies the parent learns how, with the first line the
// child wrote to stderr, and goes on. A parent must not have made threads
// before it forks: a child has only the thread that called fork.
#ifndef LABGEN_RUNTIME_MATRIX_CHILD_H
#define LABGEN_RUNTIME_MATRIX_CHILD_H

#include "lib/Support/Json.h"

#include <functional>
#include <string>
#include <vector>

namespace labgen {

class Child {
public:
  /// Sends one line (which holds no newline) to the parent.
  using Send = std::function<void(const std::string &line)>;
  enum class Event { Line, End, Timeout, Interrupt };

  static Result<Child> start(const std::function<void(const Send &)> &work);
  Child(Child &&other) noexcept;
  Child &operator=(Child &&other) noexcept;
  ~Child() { finish(); }

  /// The next line, waiting at most `seconds`.
  Event next(std::string &line, double seconds);
  /// Ends it if it still runs, and what it started. How it died, "signal 6:
  /// Aborted: WHAT IT SAID"; empty when it ended by itself.
  std::string finish();

private:
  friend size_t waitForAny(const std::vector<Child *> &children,
                           double seconds);
  Child() = default;
  bool takeLine(std::string &line);

  int pid = -1, pipe = -1, errors = -1;
  int death = -1; ///< readable once it is dead
  bool atEnd = false;
  std::string buffer, cause;
};

/// Waits until one of `children` has something to say; its index, or
/// children.size() after `seconds` or an interrupt.
size_t waitForAny(const std::vector<Child *> &children, double seconds);

/// Runs `work` in a child and hands its result on. A crash is bad input,
/// "WHO crashed (signal 6: Aborted)"; no end after `seconds` likewise.
Result<Json> runInChild(const std::string &who, double seconds,
                        const std::function<Result<Json>()> &work);

/// What runInChild does, in two halves, for several at a time.
Result<Child> startAnswer(const std::function<Result<Json>()> &work);
Result<Json> takeAnswer(Child &child, const std::string &who, double seconds);
/// A time limit in an error line, "60 s".
std::string limitText(double seconds);
/// The line such a child sends, and what it says.
std::string answerLine(const Result<Json> &result);
Result<Json> readAnswer(const std::string &line);

} // namespace labgen

#endif // LABGEN_RUNTIME_MATRIX_CHILD_H
