// Fiber.h - stacks that take turns on one host thread: one switch of a few
// instructions, no system call.
#ifndef LABGEN_EMULATOR_RUNTIME_FIBER_H
#define LABGEN_EMULATOR_RUNTIME_FIBER_H

#include <cstddef>
#include <cstdint>

namespace labgen::emu {

/// Whether this host has a switch (x86-64).
bool fibersSupported();

/// A stack with a guard page below it.
class FiberStack {
public:
  FiberStack() = default;
  FiberStack(FiberStack &&other) noexcept;
  FiberStack &operator=(FiberStack &&) = delete;
  ~FiberStack();

  /// False when there is no memory. Keeps what it has if that is enough.
  bool ensure(size_t bytes);
  /// Stack pointer of a fiber that starts in `entry`, which never returns.
  /// It leaves the upper `unused` bytes free, a multiple of 16.
  void *start(void (*entry)(), size_t unused = 0) const;
  char *low() const { return memory + (memory ? guardBytes : 0); }
  char *high() const { return low() + size; }

private:
  static constexpr size_t guardBytes = 4096;
  char *memory = nullptr;
  size_t size = 0;
};

/// Leaves the running fiber, whose stack pointer goes to `*from`, for `to`.
void switchFiber(void **from, void *to);

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_RUNTIME_FIBER_H
