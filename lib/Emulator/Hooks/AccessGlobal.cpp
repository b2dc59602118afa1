// AccessGlobal.cpp - global memory: bounds, alignment, races between blocks,
// reads of what nobody wrote, sectors. Nearly every access of a right kernel
// takes checkNext or else checkPlain, so they decide the emulator's speed.
#include "lib/Emulator/Hooks/Access.h"

#include <algorithm>

namespace labgen::emu {

static char *refuse(Thread &thread, Access access, const char *address,
                    const char *message) {
  Place place = placeOf(thread, address);
  thread.worker->findings.add(thread, {Check::Memcheck, message, access.site(),
                                       place.name, place.offset, ""});
  return thread.worker->sink;
}

// Whether bytes lie in what is no buffer: static storage, local variables, what
// the launch tells a kernel. Else the reason goes to `message`, if it is known.
static bool isElsewhere(Thread &thread, const char *address, uint64_t bytes,
                        Effects effects, const char *&message) {
  Worker &worker = *thread.worker;
  auto within = [&](const void *start, uint64_t size) {
    uint64_t offset = address - static_cast<const char *>(start);
    return offset < size && bytes <= size - offset;
  };
  if (thread.locals->contains(address)) {
    message = "access outside a local variable";
    return thread.locals->find(address).inside(bytes);
  }
  if (!effects.write &&
      (within(worker.block.implicit, sizeof(ImplicitArguments)) ||
       within(worker.block.dispatch, sizeof(DispatchPacket))))
    return true;
  for (const GlobalVariableRange &range : worker.globals)
    if (within(range.address, range.bytes)) {
      message = "write to a constant";
      return !range.constant || !effects.write;
    }
  return false;
}

// Out of line: what a right kernel never does, and what is no buffer.
static char *accessElsewhere(Thread &thread, char *address, Access access,
                             Effects effects) {
  Worker &worker = *thread.worker;
  const char *message = nullptr;
  if (isElsewhere(thread, address, access.bytes(), effects, message)) {
    if (uint64_t(address) & access.alignMask())
      return refuse(thread, access, address, "misaligned access");
    return address;
  }
  if (message)
    return refuse(thread, access, address, message);

  const GlobalShadow &global = worker.global;
  uint64_t slot = global.slotOf(address);
  if (slot >= global.slots())
    return refuse(thread, access, address,
                  effects.atomic  ? "atomic through a pointer to no buffer"
                  : effects.write ? "write through a pointer to no buffer"
                                  : "read through a pointer to no buffer");
  if (worker.global.slot(slot).freed)
    return refuse(thread, access, address,
                  effects.write ? "write to a freed buffer"
                                : "read of a freed buffer");
  return refuse(thread, access, address,
                effects.atomic  ? "atomic out of bounds"
                : effects.write ? "write out of bounds"
                                : "read out of bounds");
}

[[gnu::noinline]] static void reportRace(Thread &thread, char *address,
                                         Access access, Effects effects,
                                         const Line &line, uint64_t conflict,
                                         uint64_t offset) {
  Worker &worker = *thread.worker;
  if (!worker.racecheck || worker.global.ordered)
    return;
  Place place = placeOf(thread, address);
  int64_t byte = int64_t(offset & ~uint64_t(63)) + __builtin_ctzll(conflict);
  bool written = conflict & (line.writtenBefore | line.atomicBefore);
  Event event{Check::Racecheck,
              !effects.write ? "read of what another block writes"
              : written      ? "write of what another block writes"
                             : "write of what another block reads",
              access.site(),
              place.name,
              byte,
              ""};
  if (written)
    event.detail = " (" + wordsOf(worker.module.sites[line.writerSite]) + ")";
  if (!effects.write || effects.atomic) {
    worker.findings.add(thread, std::move(event));
    return;
  }
  worker.pending.push_back({address,
                            {address, address + access.bytes()},
                            &thread,
                            std::move(event)});
}

[[gnu::noinline]] static void reportUninitialised(Thread &thread, char *address,
                                                  Access access,
                                                  uint64_t missing,
                                                  uint64_t offset) {
  if (!thread.worker->initcheck)
    return;
  Place place = placeOf(thread, address);
  int64_t byte = int64_t(offset & ~uint64_t(63)) + __builtin_ctzll(missing);
  thread.worker->findings.add(thread, {Check::Initcheck,
                                       "read before anything was written",
                                       access.site(), place.name, byte, ""});
}

// Bits of up to 64 bytes in their line.
static uint64_t maskOf(uint64_t offset, uint64_t bytes) {
  return ~uint64_t(0) >> (64 - bytes) << (offset & 63);
}

static void touchLine(Thread &thread, char *address, Access access,
                      Effects effects, GlobalShadow::Slot &slot,
                      uint64_t offset, uint64_t bytes) {
  GlobalShadow &global = thread.worker->global;
  Line &line = global.line(slot, offset);
  uint64_t mask = maskOf(offset, bytes);
  Kind kind = effects.poll     ? Kind::Poll
              : effects.atomic ? effects.write ? Kind::Atomic : Kind::Poll
              : effects.write  ? Kind::Write
                               : Kind::Read;
  if (uint64_t conflict = GlobalShadow::conflict(line, mask, kind))
    reportRace(thread, address, access, effects, line, conflict, offset);
  if (effects.read && slot.initialised)
    if (uint64_t missing =
            GlobalShadow::uninitialised(slot, line, offset, mask))
      reportUninitialised(thread, address, access, missing, offset);
  global.record(line, mask, kind, access.site());
}

static void countBytes(Worker &worker, Access access, Effects effects) {
  (effects.write ? worker.counters.bytesWritten : worker.counters.bytesRead) +=
      access.bytes();
}

// The access of the warp that this one is part of.
static GlobalAccess &countSectors(Worker &worker, const char *address,
                                  Access access, Effects effects) {
  auto [group, isNew] = worker.globalGroups.at(access.site());
  if (isNew)
    group.sectors.start(uint64_t(address), effects.write);
  group.sectors.add(uint64_t(address), access.bytes());
  group.clearedTo = 0;
  return group;
}

[[gnu::noinline]] static char *checkGlobal(Thread &thread, char *address,
                                           Access access, Effects effects) {
  Worker &worker = *thread.worker;
  if (!worker.pending.empty())
    worker.settle();
  GlobalShadow &global = worker.global;
  uint64_t index = global.slotOf(address), bytes = access.bytes();
  if (index >= global.slots())
    return accessElsewhere(thread, address, access, effects);
  GlobalShadow::Slot &slot = global.slot(index);
  uint64_t offset = GlobalShadow::offsetOf(global.rangeBase(), address);
  if (offset + bytes > slot.bytes)
    return accessElsewhere(thread, address, access, effects);
  if (offset & access.alignMask())
    return refuse(thread, access, address, "misaligned access");
  if (effects.write && slot.constant)
    return refuse(thread, access, address, "write to an input buffer");

  if ((offset & 63) + bytes <= 64) {
    touchLine(thread, address, access, effects, slot, offset, bytes);
  } else {
    for (uint64_t done = 0; done < bytes;) {
      uint64_t part =
          std::min<uint64_t>(bytes - done, 64 - ((offset + done) & 63));
      touchLine(thread, address, access, effects, slot, offset + done, part);
      done += part;
    }
  }

  countBytes(worker, access, effects);
  if (worker.counting)
    countSectors(worker, address, access, effects);
  if (effects.atomic && effects.write && effects.read)
    ++worker.counters.atomics;
  return address;
}

// What checkGlobal comes to for an access in one line, aligned, in bounds and
// allowed, when nothing is to be found of it. Looks ahead for the next lanes.
// `group`: what the access is part of, if that is known.
[[gnu::always_inline]] static inline char *
checkLine(Thread &thread, char *address, Access access, Effects effects,
          GlobalShadow::Slot &slot, uint64_t offset, GlobalAccess *group) {
  Worker &worker = *thread.worker;
  Line &line = worker.global.line(slot, offset);
  uint64_t bytes = access.bytes(),
           rest = std::min(64 - (offset & 63), slot.bytes - offset),
           mask = maskOf(offset, bytes), restMask = maskOf(offset, rest);
  Kind kind = effects.write ? Kind::Write : Kind::Read;
  // Bytes from here to the line's end or the buffer's with a finding.
  uint64_t dirty = GlobalShadow::conflict(line, restMask, kind);
  if (effects.read && slot.initialised)
    dirty |= GlobalShadow::uninitialised(slot, line, offset, restMask);
  if (dirty & mask)
    return checkGlobal(thread, address, access, effects);
  GlobalShadow::record(line, mask, kind, access.site());
  countBytes(worker, access, effects);
  if (!worker.counting)
    return address;
  if (group) {
    worker.globalGroups.takeUsual(access.site());
    group->sectors.extend(access.bytes());
  } else {
    group = &countSectors(worker, address, access, effects);
  }
  bool clear = !dirty && !(bytes & access.alignMask());
  group->line = &line;
  group->slot = &slot;
  group->clearedTo = clear ? uint64_t(address) + rest : 0;
  return address;
}

// The same for any access.
[[gnu::always_inline]] static inline char *
checkPlain(Thread &thread, char *address, Access access, Effects effects) {
  Worker &worker = *thread.worker;
  GlobalShadow &global = worker.global;
  uint64_t index = global.slotOf(address), bytes = access.bytes();
  if (index >= global.slots() || !worker.pending.empty())
    return checkGlobal(thread, address, access, effects);
  GlobalShadow::Slot &slot = global.slot(index);
  uint64_t offset = GlobalShadow::offsetOf(global.rangeBase(), address);
  if (offset + bytes > slot.bytes || (offset & access.alignMask()) ||
      (offset & 63) + bytes > 64 || (effects.write && slot.constant))
    return checkGlobal(thread, address, access, effects);
  return checkLine(thread, address, access, effects, slot, offset, nullptr);
}

// And right behind what `group` was cleared to, which is where the next line
// starts or the buffer has ended.
[[gnu::always_inline]] static inline char *
checkNextLine(Thread &thread, char *address, Access access, Effects effects,
              GlobalAccess &group) {
  uint64_t offset =
      GlobalShadow::offsetOf(thread.worker->global.rangeBase(), address);
  if (uint64_t(address) != group.clearedTo ||
      offset + access.bytes() > group.slot->bytes)
    return checkPlain(thread, address, access, effects);
  return checkLine(thread, address, access, effects, *group.slot, offset,
                   &group);
}

// Out of line, so that checkNext saves no registers for them.
[[gnu::noinline]] static char *checkLoad(Thread &thread, char *address,
                                         Access access) {
  return checkPlain(thread, address, access, loads);
}
[[gnu::noinline]] static char *checkStore(Thread &thread, char *address,
                                          Access access) {
  return checkPlain(thread, address, access, stores);
}
[[gnu::noinline]] static char *loadNextLine(Thread &thread, char *address,
                                            Access access,
                                            GlobalAccess &group) {
  return checkNextLine(thread, address, access, loads, group);
}
[[gnu::noinline]] static char *storeNextLine(Thread &thread, char *address,
                                             Access access,
                                             GlobalAccess &group) {
  return checkNextLine(thread, address, access, stores, group);
}

// What checkPlain comes to right behind the access of the lane before.
[[gnu::always_inline]] static inline char *
checkNext(Thread &thread, char *address, Access access, Effects effects) {
  Worker &worker = *thread.worker;
  if (!worker.globalGroups.isUsual(access.site()) || !worker.pending.empty())
    return effects.write ? checkStore(thread, address, access)
                         : checkLoad(thread, address, access);
  GlobalAccess &group = worker.globalGroups.usual(access.site());
  if (uint64_t(address) != group.sectors.end())
    return effects.write ? checkStore(thread, address, access)
                         : checkLoad(thread, address, access);
  uint32_t bytes = access.bytes();
  if (uint64_t(address) + bytes > group.clearedTo)
    return effects.write ? storeNextLine(thread, address, access, group)
                         : loadNextLine(thread, address, access, group);
  worker.globalGroups.takeUsual(access.site());
  group.sectors.extend(bytes);
  GlobalShadow::record(*group.line, maskOf(uint64_t(address), bytes),
                       effects.write ? Kind::Write : Kind::Read, access.site());
  countBytes(worker, access, effects);
  return address;
}

char *accessGlobal(Thread &thread, char *address, Access access,
                   Effects effects) {
  char *result = checkGlobal(thread, address, access, effects);
  if (effects.atomic || effects.poll)
    thread.worker->global.ordered = true;
  return result;
}

Place placeOf(const Thread &thread, const char *address) {
  const Worker &worker = *thread.worker;
  if (thread.locals->contains(address)) {
    LocalStack::Found found = thread.locals->find(address);
    if (!found.variable)
      return {"local variable", 0};
    return {"local variable '" + found.variable->name + "'", found.offset};
  }
  for (const GlobalVariableRange &range : worker.globals)
    if (address >= range.address && address < range.address + range.bytes)
      return {range.name, address - range.address};
  const GlobalShadow &global = worker.global;
  uint64_t slot = global.slotOf(address);
  uint64_t slotBytes = uint64_t(1) << Memory::slotShift;
  int64_t offset = int64_t(GlobalShadow::offsetOf(global.rangeBase(), address));
  // The upper half of a slot is meant as before the next one.
  if (slot < global.slots() && uint64_t(offset) > slotBytes / 2) {
    ++slot;
    offset -= int64_t(slotBytes);
  }
  if (slot >= 1 && slot <= worker.bufferNames.size())
    return {worker.bufferNames[slot - 1], offset};
  return {"address 0", int64_t(reinterpret_cast<uintptr_t>(address))};
}

} // namespace labgen::emu

// The calls compiled kernels make.
using namespace labgen::emu;
extern "C" {
char *labgen_emu_load_global(Thread *thread, char *address, uint64_t access) {
  return checkNext(*thread, address, Access{access}, loads);
}
char *labgen_emu_store_global(Thread *thread, char *address, uint64_t access) {
  return checkNext(*thread, address, Access{access}, stores);
}
}
