// Channel.h - the page that a judge and the process of a kernel talk over.
//
// Shared memory and two counters to wait on: the kernel's process needs no
// descriptor, and nothing it writes here is more than a claim. Texts have
// bounds; the judge reads them as unknown bytes.
#ifndef LABGEN_RUNTIME_ISOLATE_CHANNEL_H
#define LABGEN_RUNTIME_ISOLATE_CHANNEL_H

#include "lib/Spec/Row.h"
#include "runtime/core/Device.h"
#include "runtime/isolate/InputChange.h"

#include <atomic>

namespace labgen {

/// What the judge may ask for.
enum class Order : uint32_t {
  Load, ///< open the artifact
  Run,  ///< once, on restored arguments and spoiled outputs
  Time, ///< again and again
};

/// A word that one process raises and another waits for.
class Turn {
public:
  uint32_t count() const { return value.load(std::memory_order_acquire); }
  void raise();
  /// Sleeps until the count is not `seen`, `seconds` at most (any number of
  /// them when negative).
  void await(uint32_t seen, double seconds) const;

private:
  std::atomic<uint32_t> value{0};
};

/// Where a kernel faulted.
struct Fault {
  std::atomic<uint32_t> happened{0};
  bool isWrite = false;
  int32_t argument = -1; ///< index in the manifest; -1: no argument's memory
  int64_t offset = 0;    ///< bytes from its first one
};

/// Lives in shared memory; all zeros at first.
struct Channel {
  Turn asked, answered;

  // The judge's part.
  Order order = Order::Load;
  InputChange change;           ///< for Run: what inputs differ in
  double limitSeconds = 0;      ///< for Time
  uint32_t flushCaches = false; ///< for Time

  // The kernel's part.
  int32_t exitCode = 0;       ///< of the last order, an ExitCode
  uint32_t cachesFlushed = 0; ///< after Time: before every sample
  uint32_t isConfined = 0;    ///< after Load: the sandbox is on
  double median = 0, iqr = 0;
  int64_t samples = 0;
  Fault fault;
  static constexpr size_t textSize = 2048, reportSize = size_t(1) << 18;
  char stop[32] = {};
  char text[textSize] = {};     ///< why the last order failed
  char sandbox[textSize] = {};  ///< why there is no sandbox
  char report[reportSize] = {}; ///< of the last run, JSON
};

/// Cuts `text` to what `field` holds.
void writeText(char *field, size_t size, const std::string &text);
/// The text in a field, without control characters.
std::string readText(const char *field, size_t size);

/// A report as JSON text of at most `size` bytes (findings that do not fit are
/// counted), and back. What is no such text is bad input.
std::string packReport(const RunReport &report, size_t size);
Result<RunReport> unpackReport(const std::string &text);

} // namespace labgen

#endif // LABGEN_RUNTIME_ISOLATE_CHANNEL_H
