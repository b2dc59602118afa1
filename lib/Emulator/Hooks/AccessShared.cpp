// AccessShared.cpp - shared memory (bounds, alignment, races between barriers,
// reads of what the block has not written, banks), local variables, and
// pointers that may mean any memory.
#include "lib/Emulator/Hooks/Access.h"

namespace labgen::emu {

static Place sharedPlace(const Worker &worker, const Site &site,
                         uint64_t offset) {
  const std::vector<SharedArray> &arrays = worker.module.sharedArrays;
  const SharedArray *found = nullptr;
  if (site.sharedArray >= 0)
    found = &arrays[site.sharedArray];
  for (const SharedArray &array : arrays) {
    if (found)
      break;
    uint64_t end =
        array.bytes ? array.offset + array.bytes : worker.block.totalShared;
    if (offset >= array.offset && offset < end)
      found = &array;
  }
  if (!found)
    return {"shared memory", int64_t(offset)};
  return {"shared '" + found->name + "'",
          int64_t(offset) - int64_t(found->offset)};
}

static char *refuse(Thread &thread, Access access, uint64_t offset,
                    const char *message) {
  Worker &worker = *thread.worker;
  Place place = sharedPlace(worker, worker.module.sites[access.site()], offset);
  worker.findings.add(thread, {Check::Memcheck, message, access.site(),
                               place.name, place.offset, ""});
  return worker.sink;
}

static bool inBounds(const Worker &worker, const Site &site, uint64_t offset,
                     uint64_t bytes) {
  uint64_t begin = 0, end = worker.block.totalShared;
  if (site.sharedArray >= 0) {
    const SharedArray &array = worker.module.sharedArrays[site.sharedArray];
    begin = array.offset;
    if (array.bytes)
      end = begin + array.bytes;
  }
  return offset >= begin && offset < end && bytes <= end - offset;
}

static std::string otherSide(const Worker &worker,
                             const SharedShadow::Result &result) {
  std::string text = " another thread";
  if (result.thread != SharedShadow::many) {
    const Thread &other = worker.threads[result.thread];
    text = " thread (" + std::to_string(other.tid[0]) + "," +
           std::to_string(other.tid[1]) + "," + std::to_string(other.tid[2]) +
           ")";
  }
  return text + " (" + wordsOf(worker.module.sites[result.site]) + ")";
}

static void report(Thread &thread, char *address, Access access,
                   const SharedShadow::Result &result) {
  Worker &worker = *thread.worker;
  uint64_t offset = uint64_t(result.cell) << worker.module.logSharedCell;
  Place place = sharedPlace(worker, worker.module.sites[access.site()], offset);
  Event event{Check::Racecheck, "",           access.site(),
              place.name,       place.offset, ""};
  switch (result.hazard) {
  case SharedShadow::Hazard::None:
    return;
  case SharedShadow::Hazard::Uninitialised:
    event.check = Check::Initcheck;
    event.message = "read before the block wrote it";
    if (worker.initcheck)
      worker.findings.add(thread, std::move(event));
    return;
  case SharedShadow::Hazard::WriteRead:
    event.message = "read without a barrier after a write by";
    break;
  case SharedShadow::Hazard::WriteWrite:
    event.message = "write without a barrier after a write by";
    break;
  case SharedShadow::Hazard::ReadWrite:
    event.message = "write without a barrier after a read by";
    break;
  }
  if (!worker.racecheck)
    return;
  event.detail = otherSide(worker, result);
  if (result.hazard == SharedShadow::Hazard::WriteRead)
    worker.findings.add(thread, std::move(event));
  else
    worker.pending.push_back({address,
                              {address, address + access.bytes()},
                              &thread,
                              std::move(event)});
}

[[gnu::always_inline]] static inline char *
checkShared(Thread &thread, char *address, Access access, Effects effects) {
  Worker &worker = *thread.worker;
  if (!worker.pending.empty())
    worker.settle();
  const Site &site = worker.module.sites[access.site()];
  uint64_t offset = uint64_t(address - worker.shared), bytes = access.bytes();
  if (!inBounds(worker, site, offset, bytes))
    return refuse(thread, access, offset,
                  effects.write ? "write out of bounds" : "read out of bounds");
  if (offset & access.alignMask())
    return refuse(thread, access, offset, "misaligned access");

  Accessor who{uint16_t(thread.linear), uint16_t(thread.warp), thread.sync,
               access.site()};
  SharedShadow::Result result = worker.sharedShadow.access(
      uint32_t(offset), uint32_t(bytes), effects, who);
  if (result.hazard != SharedShadow::Hazard::None)
    report(thread, address, access, result);

  Counters &counters = worker.counters;
  (effects.write ? counters.sharedBytesWritten : counters.sharedBytesRead) +=
      bytes;
  if (effects.atomic && effects.write && effects.read)
    ++counters.atomics;
  if (worker.counting) {
    auto [group, isNew] = worker.sharedGroups.at(access.site());
    if (isNew) {
      group.mask = 0;
      group.bytes = uint32_t(bytes);
      group.write = effects.write;
    }
    group.mask |= uint64_t(1) << thread.lane;
    group.offsets[thread.lane] = uint32_t(offset);
  }
  return address;
}

char *accessShared(Thread &thread, char *address, Access access,
                   Effects effects) {
  return checkShared(thread, address, access, effects);
}

char *accessAny(Thread &thread, char *address, Access access, Effects effects) {
  if (uint64_t(address - thread.worker->shared) < Worker::sharedCapacity)
    return checkShared(thread, address, access, effects);
  return accessGlobal(thread, address, access, effects);
}

char *accessLocal(Thread &thread, char *address, const char *variable,
                  uint64_t bytes, Access access) {
  uint64_t offset = uint64_t(address - variable);
  bool inside = offset < bytes && access.bytes() <= bytes - offset;
  if (inside && !(uint64_t(address) & access.alignMask()))
    return address;
  thread.worker->findings.add(
      thread, {Check::Memcheck,
               inside ? "misaligned access" : "access outside a local variable",
               access.site(), "local variable", int64_t(offset), ""});
  return thread.worker->sink;
}

} // namespace labgen::emu

// The calls compiled kernels make.
using namespace labgen::emu;
extern "C" {
char *labgen_emu_load_shared(Thread *thread, char *address, uint64_t access) {
  return checkShared(*thread, address, Access{access}, loads);
}
char *labgen_emu_store_shared(Thread *thread, char *address, uint64_t access) {
  return checkShared(*thread, address, Access{access}, stores);
}
char *labgen_emu_local(Thread *thread, char *address, const char *variable,
                       uint64_t bytes, uint64_t access) {
  return accessLocal(*thread, address, variable, bytes, Access{access});
}
char *labgen_emu_load(Thread *thread, char *address, uint64_t access) {
  return accessAny(*thread, address, Access{access}, loads);
}
char *labgen_emu_store(Thread *thread, char *address, uint64_t access) {
  return accessAny(*thread, address, Access{access}, stores);
}
/// Atomic accesses and polls: what they do stands in the site.
char *labgen_emu_access(Thread *thread, char *address, uint64_t packed) {
  Access access{packed};
  const Site &site = thread->worker->module.sites[access.site()];
  return accessAny(*thread, address, access, site.effects);
}
}
