// Fiber.cpp - the stack switch, in assembly: the System V ABI's callee-saved
// registers are pushed, the stack pointers exchanged, the registers popped.
#include "lib/Emulator/Runtime/Fiber.h"

#include <cstring>
#include <sys/mman.h>
#include <utility>

#if defined(__x86_64__)
asm(R"(
.text
.globl labgen_emu_switch
.type labgen_emu_switch,@function
labgen_emu_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size labgen_emu_switch, .-labgen_emu_switch
)");
extern "C" void labgen_emu_switch(void **from, void *to);
#endif

namespace labgen::emu {

bool fibersSupported() {
#if defined(__x86_64__)
  return true;
#else
  return false;
#endif
}

FiberStack::FiberStack(FiberStack &&other) noexcept
    : memory(std::exchange(other.memory, nullptr)),
      size(std::exchange(other.size, 0)) {}

FiberStack::~FiberStack() {
  if (memory)
    munmap(memory, size + guardBytes);
}

bool FiberStack::ensure(size_t bytes) {
  if (bytes <= size)
    return true;
  if (memory)
    munmap(memory, size + guardBytes);
  size = (bytes + guardBytes - 1) / guardBytes * guardBytes;
  void *range = mmap(nullptr, size + guardBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) {
    memory = nullptr;
    size = 0;
    return false;
  }
  memory = static_cast<char *>(range);
  return mprotect(memory, guardBytes, PROT_NONE) == 0;
}

void *FiberStack::start(void (*entry)(), size_t unused) const {
  // From the top: a null return address for unwinders, the address `ret` pops,
  // six zero registers. On entry rsp is 8 below a multiple of 16, as a call
  // leaves it.
  void **stack =
      reinterpret_cast<void **>(memory + guardBytes + size - unused) - 1;
  *stack = nullptr;
  *--stack = reinterpret_cast<void *>(entry);
  stack -= 6;
  std::memset(static_cast<void *>(stack), 0, 6 * sizeof(void *));
  return stack;
}

void switchFiber(void **from, void *to) {
#if defined(__x86_64__)
  labgen_emu_switch(from, to);
#else
  (void)from;
  (void)to;
#endif
}

} // namespace labgen::emu
