// Hooks.cpp - what compiled kernels call besides memory accesses: collectives,
// barriers, branches, block copies, and the ends that are no return.
#include "lib/Emulator/Hooks/Access.h"
#include "lib/Emulator/Runtime/Intrinsic.h"

#include <cstring>

using namespace labgen::emu;

static void report(Thread &thread, Check check, const char *message,
                   uint32_t site) {
  thread.worker->findings.add(thread, {check, message, site, "", 0, ""});
}

// Whether all of a range may be accessed.
static bool checkRange(Thread &thread, char *address, uint64_t bytes,
                       Effects effects, uint32_t site) {
  constexpr uint64_t most = 4096;
  for (uint64_t done = 0; done < bytes; done += most) {
    uint32_t part = uint32_t(std::min(most, bytes - done));
    if (accessAny(thread, address + done, {Access::pack(site, part, 0)},
                  effects) != address + done)
      return false;
  }
  return true;
}

[[gnu::noinline]] static void countBranch(Worker &worker, uint8_t way,
                                          uint32_t site) {
  auto [ways, isNew] = worker.branches.at(site);
  ways = isNew ? way : ways | way;
}

extern "C" {

Thread *labgen_emu_thread() { return currentThread; }

void labgen_emu_call(Thread *thread, uint32_t site, void **arguments,
                     void *result) {
  const Site &info = thread->worker->module.sites[site];
  thread->arguments = arguments;
  thread->result = result;
  thread->site = site;
  info.intrinsic->local({*thread, info, info.intrinsic->code});
}

void labgen_emu_collective(Thread *thread, uint32_t site, uint64_t mask,
                           void **arguments, void *result) {
  thread->site = site;
  thread->mask = mask;
  thread->arguments = arguments;
  thread->result = result;
  yieldTo(*thread, State::Collective);
}

void labgen_emu_barrier(Thread *thread, uint32_t site, uint32_t id,
                        uint32_t count, bool predicate, void *result) {
  thread->site = site;
  thread->barrier = id;
  thread->barrierCount = count;
  thread->mask = predicate;
  thread->result = result;
  yieldTo(*thread, State::Barrier);
}

void labgen_emu_exit(Thread *thread) {
  yieldTo(*thread, State::Exited);
  __builtin_unreachable();
}

void labgen_emu_branch(Thread *thread, bool taken, uint32_t site) {
  Worker &worker = *thread->worker;
  if (!worker.counting)
    return;
  uint8_t way = taken ? 1 : 2;
  if (!worker.branches.isUsual(site))
    return countBranch(worker, way, site);
  worker.branches.takeUsual(site);
  worker.branches.usual(site) |= way;
}

void labgen_emu_copy(Thread *thread, char *to, char *from, uint64_t bytes,
                     uint32_t site) {
  bool readable = checkRange(*thread, from, bytes, loads, site);
  // The write is a site of its own, the next one.
  bool writable = checkRange(*thread, to, bytes, stores, site + 1);
  if (readable && writable)
    std::memmove(to, from, bytes);
}

void labgen_emu_fill(Thread *thread, char *to, uint8_t value, uint64_t bytes,
                     uint32_t site) {
  if (checkRange(*thread, to, bytes, stores, site))
    std::memset(to, value, bytes);
}

char *labgen_emu_enter(Thread *thread, uint32_t frame, uint32_t site) {
  if (char *base = thread->locals->enter(thread->worker->module.frames[frame]))
    return base;
  report(*thread, Check::Memcheck,
         "stack overflow: recursion too deep for its local variables", site);
  stop(*thread);
}

void labgen_emu_leave(Thread *thread) { thread->locals->leave(); }

void labgen_emu_endless(Thread *thread, uint32_t site) {
  Block &block = *thread->block;
  Worker &worker = *thread->worker;
  const Patience &patience = worker.patience;
  if (!patience.isOver(worker.loops[thread->linear], block.linear)) {
    block.iterations = patience.portion();
    return;
  }
  report(*thread, Check::Synccheck, "loop without an end in sight", site);
  stop(*thread);
}

void labgen_emu_trap(Thread *thread, uint32_t site) {
  report(*thread, Check::Memcheck, "trap executed", site);
  stop(*thread);
}

void labgen_emu_unreachable(Thread *thread, uint32_t site) {
  report(*thread, Check::Memcheck, "unreachable executed", site);
  stop(*thread);
}

/// Goes on: GPUs give some number for it.
void labgen_emu_division(Thread *thread, uint32_t site) {
  report(*thread, Check::Memcheck, "integer division by zero", site);
}

/// The index of an element, or the first one's.
uint64_t labgen_emu_element(Thread *thread, uint64_t index, uint64_t count,
                            uint32_t site) {
  if (index < count)
    return index;
  report(*thread, Check::Memcheck, "element beyond its vector", site);
  return 0;
}

void labgen_emu_overflow(Thread *thread, uint32_t site) {
  report(*thread, Check::Memcheck, "stack overflow: recursion too deep", site);
  stop(*thread);
}
}
