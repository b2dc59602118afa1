// Locals.h - a thread's local variables whose addresses are taken: frames in an
// arena of its own, apart from the stack of the host, where return addresses
// are. Variables have gaps between them, and only those of functions that have
// not returned may be accessed.
#ifndef LABGEN_EMULATOR_RUNTIME_LOCALS_H
#define LABGEN_EMULATOR_RUNTIME_LOCALS_H

#include "lib/Emulator/Runtime/Fiber.h"
#include "lib/Emulator/Runtime/Site.h"

namespace labgen::emu {

class LocalStack {
public:
  /// Room for that many bytes of frames; false when there is no memory.
  bool ensure(size_t bytes) { return bytes == 0 || memory.ensure(bytes); }
  void reset() { live.clear(); }

  /// A new frame, its bytes 0xCD, or null when there is no room for it.
  char *enter(const LocalFrame &frame);
  void leave() { live.pop_back(); }

  /// Whether an address lies where variables are.
  bool contains(const char *address) const {
    return address >= memory.low() && address < memory.high();
  }
  /// The variable that bytes belong to, or the one they are meant for: the last
  /// that starts before them. `offset`: from its start.
  struct Found {
    const LocalVariable *variable = nullptr;
    int64_t offset = 0;
    bool inside(uint64_t bytes) const {
      return variable && uint64_t(offset) < variable->bytes &&
             bytes <= variable->bytes - uint64_t(offset);
    }
  };
  Found find(const char *address) const;

private:
  struct Live {
    const LocalFrame *frame;
    char *base, *end;
  };
  FiberStack memory;
  std::vector<Live> live;
};

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_RUNTIME_LOCALS_H
