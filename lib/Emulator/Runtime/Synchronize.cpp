// Synchronize.cpp - when a collective may run and a barrier open, and what is
// said when it should not have.
#include "lib/Emulator/Runtime/Intrinsic.h"
#include "lib/Emulator/Runtime/Scheduler.h"

#include <algorithm>

namespace labgen::emu {

static std::string hex(uint64_t value) {
  static const char digits[] = "0123456789abcdef";
  std::string text;
  do
    text.insert(text.begin(), digits[value & 15]);
  while (value >>= 4);
  return "0x" + text;
}

void Scheduler::report(const Thread &thread, const char *message,
                       std::string detail) {
  worker.findings.add(thread, {Check::Synccheck, message, thread.site, "", 0,
                               std::move(detail)});
}

void Scheduler::execute(Warp &warp, const Thread &first, uint64_t mask) {
  const Site &site = worker.module.sites[first.site];
  ++warp.sync;
  ++worker.counters.warpCollectives;
  WarpCall call{warp, mask, site, site.intrinsic->code, worker.module.warpSize};
  worker.startLane(warp.threads[0]);
  site.intrinsic->warp(call);
  call.forEach([&](unsigned, Thread &thread) {
    thread.sync = warp.sync;
    thread.state = State::Ready;
  });
}

// Lanes of the warp in collectives that go together with `first`'s. Masked
// ones meet by mask and operation, at whatever instruction (as from sm_70 on).
static uint64_t lanesWith(const Warp &warp, const Thread &first,
                          const std::vector<Site> &sites, Lanes lanes) {
  uint64_t mask = 0;
  for (unsigned i = 0; i < warp.count; ++i) {
    const Thread &thread = warp.threads[i];
    if (thread.state != State::Collective)
      continue;
    bool together = lanes == Lanes::Masked ? thread.mask == first.mask &&
                                                 sites[thread.site].intrinsic ==
                                                     sites[first.site].intrinsic
                                           : thread.site == first.site;
    if (together)
      mask |= uint64_t(1) << i;
  }
  return mask;
}

bool Scheduler::runCollective(Warp &warp, bool force) {
  const std::vector<Site> &sites = worker.module.sites;
  // Sites are numbered in program order: lanes that are behind go first, so
  // that they catch up with those that wait where paths meet.
  const Thread *first = nullptr;
  uint64_t tried = 0;
  for (;;) {
    first = nullptr;
    for (unsigned i = 0; i < warp.count; ++i) {
      const Thread &thread = warp.threads[i];
      if (thread.state == State::Collective && !(tried >> i & 1) &&
          (!first || thread.site < first->site))
        first = &thread;
    }
    if (!first)
      return false;
    Lanes lanes = sites[first->site].intrinsic->lanes;
    uint64_t here = lanesWith(warp, *first, sites, lanes);
    tried |= here;
    uint64_t needed = here;
    if (lanes == Lanes::Masked)
      needed = (first->mask | uint64_t(1) << first->lane) & warp.lanes();
    else if (lanes == Lanes::All)
      needed = warp.lanes();
    bool fullWarp = lanes != Lanes::All || warp.count == worker.module.warpSize;
    if ((here & needed) != needed && !force)
      continue;
    if ((here & needed) != needed)
      report(*first, "collective without all lanes it names",
             ": lanes " + hex(needed) + " named, " + hex(here) + " came");
    if (lanes == Lanes::Masked && !(first->mask >> first->lane & 1))
      report(*first, "collective by a lane its mask does not name",
             ": mask " + hex(first->mask) + ", lane " +
                 std::to_string(first->lane));
    if (!fullWarp)
      report(*first, "whole-warp collective in a warp with fewer lanes",
             ": " + std::to_string(warp.count) + " lanes");
    execute(warp, *first, here & needed);
    return true;
  }
}

static uint64_t resultOf(BarrierKind kind, uint64_t truths, uint64_t count) {
  switch (kind) {
  case BarrierKind::CountTrue:
    return truths;
  case BarrierKind::And:
    return truths == count;
  case BarrierKind::Or:
    return truths != 0;
  case BarrierKind::Sync:
  case BarrierKind::Arrive:
    return 0;
  }
  return 0;
}

void Scheduler::release(uint32_t id) {
  const std::vector<Site> &sites = worker.module.sites;
  uint64_t truths = 0, count = 0;
  for (const Thread &thread : worker.threads)
    if (thread.state == State::Barrier && thread.barrier == id) {
      truths += thread.mask;
      ++count;
    }
  for (Warp &warp : worker.warps) {
    const Thread *first = nullptr;
    bool told = false;
    for (unsigned i = 0; i < warp.count; ++i) {
      Thread &thread = warp.threads[i];
      if (thread.state != State::Barrier || thread.barrier != id)
        continue;
      first = first ? first : &thread;
      if (sites[thread.site].intrinsic->aligned && thread.site != first->site &&
          !told) {
        report(thread, "threads of a warp wait at different barriers",
               " (the other: " + sites[first->site].instruction + ")");
        told = true;
      }
      thread.state = State::Ready;
      BarrierKind kind = sites[thread.site].intrinsic->barrier;
      if (kind == BarrierKind::CountTrue)
        thread.setResult(uint32_t(resultOf(kind, truths, count)));
      else if (kind != BarrierKind::Sync && thread.result)
        thread.setResult(uint8_t(resultOf(kind, truths, count)));
    }
  }
  arrived[id] = 0;
  worker.sharedShadow.barrier();
  ++worker.counters.barriers;
}

bool Scheduler::openBarrier() {
  std::array<uint32_t, 16> waiting{}, wanted{};
  uint32_t live = 0, exited = 0;
  for (Thread &thread : worker.threads) {
    if (thread.state == State::Exited)
      ++exited;
    else
      ++live;
    if (thread.state != State::Barrier)
      continue;
    thread.barrier &= 15;
    const IntrinsicRow &row = *worker.module.sites[thread.site].intrinsic;
    if (row.barrier == BarrierKind::Arrive) {
      ++arrived[thread.barrier];
      wanted[thread.barrier] = thread.barrierCount;
      thread.state = State::Ready;
      continue;
    }
    ++waiting[thread.barrier];
    if (thread.barrierCount)
      wanted[thread.barrier] = thread.barrierCount;
  }
  bool opened = false;
  for (uint32_t id = 0; id < 16; ++id) {
    if (!waiting[id])
      continue;
    uint32_t here = waiting[id] + arrived[id];
    if (here < (wanted[id] ? wanted[id] : live))
      continue;
    if (!wanted[id] && exited)
      for (const Thread &thread : worker.threads)
        if (thread.state == State::Barrier && thread.barrier == id) {
          report(thread, "barrier after some threads of the block have exited",
                 ": " + std::to_string(waiting[id]) + " of " +
                     std::to_string(worker.block.threads) + " wait");
          break;
        }
    release(id);
    opened = true;
  }
  for (const Thread &thread : worker.threads)
    opened |= thread.state == State::Ready;
  return opened;
}

bool Scheduler::breakDeadlock() {
  // A collective that lacks lanes goes on without them, after its finding.
  for (Warp &warp : worker.warps)
    if (runCollective(warp, /*force=*/true))
      return true;
  std::map<uint32_t, std::pair<const Thread *, unsigned>> waiting;
  for (const Thread &thread : worker.threads)
    if (thread.state != State::Exited) {
      auto &entry = waiting[thread.site];
      entry.first = entry.first ? entry.first : &thread;
      ++entry.second;
    }
  for (auto &[site, entry] : waiting)
    report(*entry.first, "deadlock at a barrier",
           ": " + std::to_string(entry.second) + " of " +
               std::to_string(worker.block.threads) + " threads wait here");
  return false;
}

} // namespace labgen::emu
