// Locals.cpp - frames grow upwards.
#include "lib/Emulator/Runtime/Locals.h"

#include <algorithm>
#include <cstring>

namespace labgen::emu {

char *LocalStack::enter(const LocalFrame &frame) {
  char *end = live.empty() ? memory.low() : live.back().end;
  uint64_t padding = -uint64_t(end) & (frame.alignment - 1);
  if (frame.bytes + padding > uint64_t(memory.high() - end))
    return nullptr;
  char *base = end + padding;
  std::memset(base, 0xCD, frame.bytes);
  live.push_back({&frame, base, base + frame.bytes});
  return base;
}

LocalStack::Found LocalStack::find(const char *address) const {
  auto frame = std::find_if(live.rbegin(), live.rend(), [&](const Live &one) {
    return address >= one.base;
  });
  if (frame == live.rend())
    return {};
  const std::vector<LocalVariable> &variables = frame->frame->variables;
  auto offset = uint64_t(address - frame->base);
  auto after = std::upper_bound(
      variables.begin(), variables.end(), offset,
      [](uint64_t at, const LocalVariable &one) { return at < one.offset; });
  if (after == variables.begin())
    return {};
  --after;
  return {&*after, int64_t(offset - after->offset)};
}

} // namespace labgen::emu
