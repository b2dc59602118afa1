// Memory.h - global memory of the emulated device: named buffers and what is
// known of every byte in them.
//
// A buffer lives in a slot of its own in one large reserved range, so that an
// address says which buffer it means however far out of bounds it points. Host
// code fills and reads buffers through data(), as a driver's copies would.
// Several launches on one Memory see each other's writes.
#ifndef LABGEN_EMULATOR_MEMORY_H
#define LABGEN_EMULATOR_MEMORY_H

#include "lib/Support/Status.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace labgen::emu {

/// What the host promises of a buffer: Input and InOut hold data before the
/// first launch; Output and Workspace must be written before they are read.
enum class Role { Input, Output, InOut, Workspace };

struct Buffer {
  std::string name; ///< as findings print it
  Role role = Role::InOut;
  uint64_t bytes = 0;
  char *data = nullptr; ///< host and device address; bytes start as 0xCD
  bool freed = false;
};

/// Distinct bytes of a buffer touched by all launches so far.
struct Usage {
  uint64_t bytesRead = 0, bytesWritten = 0;
};

/// State that outlives a launch, one bit per byte. Launches merge into it.
struct ByteSets {
  std::vector<uint64_t> read, written;
};

class Memory {
public:
  static constexpr unsigned slotShift = 35; ///< 32 GiB a slot
  static constexpr unsigned maxBuffers = 62;

  /// Reserves addresses, no memory. Fails where the process may not.
  static Result<std::unique_ptr<Memory>> create();
  ~Memory();
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  /// The index of a new buffer of `bytes` bytes (0 is a buffer too), aligned
  /// to a page.
  Result<unsigned> allocate(std::string name, uint64_t bytes, Role role);
  /// Later accesses are findings that name it. Indices are not used again.
  void free(unsigned buffer);

  const std::vector<Buffer> &buffers() const { return table; }
  char *data(unsigned buffer) const { return table[buffer].data; }
  Usage usage(unsigned buffer) const;

  /// First byte of slot 0. Slot i+1 holds buffer i; the first and the last
  /// slot stay empty and catch what points before and behind.
  char *base() const { return reserved; }
  ByteSets &byteSets(unsigned buffer) { return sets[buffer]; }

private:
  explicit Memory(char *reserved) : reserved(reserved) {}
  char *reserved;
  std::vector<Buffer> table;
  std::vector<ByteSets> sets;
};

/// Tells the kernel that a range is walked through, byte after byte: fewer and
/// larger pages serve it better where there are any.
void adviseLargePages(void *address, uint64_t bytes);

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_MEMORY_H
