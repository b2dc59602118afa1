// Barriers.cpp - block and warp barriers, thread ends, and what has no effect
// here: hints, waits the back end inserts anyway, and fences (the emulator
// performs memory operations of a block in order).
#include "lib/Emulator/Runtime/Intrinsic.h"

namespace labgen::emu {

static IntrinsicRow barrier(std::string name, BarrierKind kind, bool aligned,
                            int id = -1, int count = -1, int predicate = -1) {
  IntrinsicRow row = IntrinsicRow::nothing(std::move(name));
  row.kind = IntrinsicRow::Kind::Barrier;
  row.barrier = kind;
  row.aligned = aligned;
  row.idArgument = id;
  row.countArgument = count;
  row.predicateArgument = predicate;
  return row;
}

// Being executed together is all a warp barrier does.
static void meet(const WarpCall &) {}

void addBarriers(Table &table) {
  auto add = [&](IntrinsicRow row) { table.push_back(std::move(row)); };
  const std::string cta = "llvm.nvvm.barrier.cta.";
  for (bool aligned : {false, true}) {
    std::string infix = aligned ? ".aligned" : "";
    add(barrier(cta + "sync" + infix + ".all", BarrierKind::Sync, aligned, 0));
    add(barrier(cta + "sync" + infix + ".count", BarrierKind::Sync, aligned, 0,
                1));
    add(barrier(cta + "arrive" + infix + ".count", BarrierKind::Arrive, aligned,
                0, 1));
    const std::pair<const char *, BarrierKind> reductions[] = {
        {"popc", BarrierKind::CountTrue},
        {"and", BarrierKind::And},
        {"or", BarrierKind::Or}};
    for (auto [name, kind] : reductions) {
      std::string red = cta + "red." + name + infix;
      add(barrier(red + ".all", kind, aligned, 0, -1, 1));
      add(barrier(red + ".count", kind, aligned, 0, 1, 2));
    }
  }
  add(barrier("llvm.amdgcn.s.barrier", BarrierKind::Sync, true));
  // gfx12 splits it; the emulator meets at the wait.
  add(IntrinsicRow::nothing("llvm.amdgcn.s.barrier.signal"));
  add(barrier("llvm.amdgcn.s.barrier.wait", BarrierKind::Sync, true));

  add(IntrinsicRow::masked("llvm.nvvm.bar.warp.sync", meet, 0));
  add(IntrinsicRow::converged("llvm.amdgcn.wave.barrier", meet));
  for (const char *name : {"llvm.nvvm.exit", "llvm.amdgcn.endpgm"}) {
    IntrinsicRow row = IntrinsicRow::nothing(name);
    row.kind = IntrinsicRow::Kind::Exit;
    add(std::move(row));
  }
}

void addIgnored(Table &table) {
  for (const char *name : {"llvm.nvvm.membar.cta",
                           "llvm.nvvm.membar.gl",
                           "llvm.nvvm.membar.sys",
                           "llvm.nvvm.fence.sc.cluster",
                           "llvm.nvvm.nanosleep",
                           "llvm.nvvm.griddepcontrol.wait",
                           "llvm.nvvm.griddepcontrol.launch.dependents",
                           "llvm.nvvm.prefetch.L1",
                           "llvm.nvvm.prefetch.L2",
                           "llvm.nvvm.prefetch.global.L1",
                           "llvm.nvvm.prefetch.global.L2",
                           "llvm.nvvm.prefetchu.L1",
                           "llvm.nvvm.setmaxnreg.inc.sync.aligned.u32",
                           "llvm.nvvm.setmaxnreg.dec.sync.aligned.u32",
                           "llvm.amdgcn.sched.barrier",
                           "llvm.amdgcn.sched.group.barrier",
                           "llvm.amdgcn.iglp.opt",
                           "llvm.amdgcn.s.setprio",
                           "llvm.amdgcn.s.sleep",
                           "llvm.amdgcn.s.nop",
                           "llvm.amdgcn.s.waitcnt",
                           "llvm.amdgcn.s.wait.loadcnt",
                           "llvm.amdgcn.s.wait.storecnt",
                           "llvm.amdgcn.s.wait.dscnt",
                           "llvm.amdgcn.s.wait.kmcnt",
                           "llvm.amdgcn.s.dcache.inv",
                           "llvm.amdgcn.s.dcache.wb",
                           "llvm.amdgcn.global.prefetch"})
    table.push_back(IntrinsicRow::nothing(name));
}

} // namespace labgen::emu
