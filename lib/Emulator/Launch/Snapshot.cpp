// Snapshot.cpp - every host thread copies a part of each range. The copies keep
// their memory from launch to launch.
#include "lib/Emulator/Launch/Snapshot.h"

#include "lib/Emulator/HostThreads.h"

#include <cstring>

namespace labgen::emu {

void Snapshot::take(const Memory &memory,
                    const std::vector<GlobalVariableRange> &variables,
                    unsigned threads) {
  size_t count = 0;
  uint64_t total = 0;
  auto add = [&](char *address, uint64_t bytes) {
    if (count == ranges.size())
      ranges.emplace_back();
    Range &range = ranges[count++];
    range.address = address;
    range.bytes = bytes;
    if (range.copy.size() < bytes)
      range.copy.resize(bytes);
    total += bytes;
  };
  for (const Buffer &buffer : memory.buffers())
    if (buffer.role != Role::Input && !buffer.freed)
      add(buffer.data, buffer.bytes);
  for (const GlobalVariableRange &variable : variables)
    if (!variable.constant)
      add(variable.address, variable.bytes);
  ranges.resize(count);

  // A thread takes about as long to start as copying some 100 KiB.
  unsigned parts = total < (uint64_t(1) << 20) ? 1 : threads;
  onThreads(parts, [&](unsigned part) {
    for (Range &range : ranges) {
      uint64_t begin = range.bytes * part / parts,
               end = range.bytes * (part + 1) / parts;
      if (begin != end)
        std::memcpy(range.copy.data() + begin, range.address + begin,
                    end - begin);
    }
  });
}

void Snapshot::restore() const {
  for (const Range &range : ranges)
    if (range.bytes)
      std::memcpy(range.address, range.copy.data(), range.bytes);
}

} // namespace labgen::emu
