// Ids.cpp - where a thread is: ids, sizes and lane masks.
#include "lib/Emulator/Runtime/Intrinsic.h"

#include <cstddef>

using namespace llvm;

namespace labgen::emu {

enum LaneMask { Equal, Less, LessOrEqual, Greater, GreaterOrEqual };

static void laneMask(const LocalCall &call) {
  uint32_t own = uint32_t(1) << call.thread.lane;
  switch (call.code) {
  case Equal:
    return call.setResult(own);
  case Less:
    return call.setResult(own - 1);
  case LessOrEqual:
    return call.setResult(own | (own - 1));
  case Greater:
    return call.setResult(~(own | (own - 1)));
  case GreaterOrEqual:
    return call.setResult(~(own - 1));
  }
}

static void warpSize(const LocalCall &call) {
  call.setResult(uint32_t(call.thread.worker->module.warpSize));
}

static void implicitArguments(const LocalCall &call) {
  call.setResult(call.thread.block->implicit);
}

static void dispatchPacket(const LocalCall &call) {
  call.setResult(call.thread.block->dispatch);
}

static void isShared(const LocalCall &call) {
  const char *address = call.argument<const char *>(0);
  bool shared =
      uint64_t(address - call.thread.block->shared) < Worker::sharedCapacity;
  call.setResult(uint8_t(shared));
}

static void isLocal(const LocalCall &call) {
  const char *address = call.argument<const char *>(0);
  call.setResult(uint8_t(call.thread.locals->contains(address)));
}

static void isGlobal(const LocalCall &call) {
  const GlobalShadow &global = call.thread.worker->global;
  const char *address = call.argument<const char *>(0);
  call.setResult(uint8_t(global.slotOf(address) < global.slots()));
}

/// Lanes below this one in a mask's half, added to the second argument.
static void maskBitCount(const LocalCall &call) {
  uint64_t mask = call.argument<uint32_t>(0);
  if (call.code)
    mask <<= 32;
  uint64_t below = (uint64_t(1) << call.thread.lane) - 1;
  call.setResult(uint32_t(call.argument<uint32_t>(1) +
                          __builtin_popcountll(mask & below)));
}

void addIds(Table &table) {
  auto add = [&](IntrinsicRow row) { table.push_back(std::move(row)); };
  const std::string sreg = "llvm.nvvm.read.ptx.sreg.", amd = "llvm.amdgcn.";
  for (unsigned i = 0; i < 3; ++i) {
    std::string axis(1, "xyz"[i]);
    size_t at = i * sizeof(uint32_t);
    add(IntrinsicRow::threadField(sreg + "tid." + axis,
                                  offsetof(Thread, tid) + at));
    add(IntrinsicRow::blockField(sreg + "ctaid." + axis,
                                 offsetof(Block, ctaid) + at));
    add(IntrinsicRow::blockField(sreg + "ntid." + axis,
                                 offsetof(Block, ntid) + at));
    add(IntrinsicRow::blockField(sreg + "nctaid." + axis,
                                 offsetof(Block, nctaid) + at));
    add(IntrinsicRow::threadField(amd + "workitem.id." + axis,
                                  offsetof(Thread, tid) + at));
    add(IntrinsicRow::blockField(amd + "workgroup.id." + axis,
                                 offsetof(Block, ctaid) + at));
  }
  add(IntrinsicRow::threadField(sreg + "laneid", offsetof(Thread, lane)));
  add(IntrinsicRow::threadField(sreg + "warpid", offsetof(Thread, warp)));
  add(IntrinsicRow::blockField(sreg + "nwarpid", offsetof(Block, warps)));
  add(IntrinsicRow::blockField(sreg + "dynamic_smem_size",
                               offsetof(Block, dynamicShared)));
  add(IntrinsicRow::blockField(sreg + "total_smem_size",
                               offsetof(Block, totalShared)));
  add(IntrinsicRow::perThread(sreg + "warpsize", warpSize));
  add(IntrinsicRow::perThread(sreg + "lanemask.eq", laneMask, Equal));
  add(IntrinsicRow::perThread(sreg + "lanemask.lt", laneMask, Less));
  add(IntrinsicRow::perThread(sreg + "lanemask.le", laneMask, LessOrEqual));
  add(IntrinsicRow::perThread(sreg + "lanemask.gt", laneMask, Greater));
  add(IntrinsicRow::perThread(sreg + "lanemask.ge", laneMask, GreaterOrEqual));
  add(IntrinsicRow::perThread("llvm.nvvm.isspacep.shared", isShared));
  add(IntrinsicRow::perThread("llvm.nvvm.isspacep.local", isLocal));
  add(IntrinsicRow::perThread("llvm.nvvm.isspacep.global", isGlobal));

  add(IntrinsicRow::threadField(amd + "wave.id", offsetof(Thread, warp)));
  add(IntrinsicRow::blockField(amd + "groupstaticsize",
                               offsetof(Block, totalShared)));
  add(IntrinsicRow::perThread(amd + "wavefrontsize", warpSize));
  add(IntrinsicRow::perThread(amd + "implicitarg.ptr", implicitArguments));
  add(IntrinsicRow::perThread(amd + "dispatch.ptr", dispatchPacket));
  add(IntrinsicRow::perThread(amd + "is.shared", isShared));
  add(IntrinsicRow::perThread(amd + "is.private", isLocal));
  add(IntrinsicRow::perThread(amd + "mbcnt.lo", maskBitCount, 0));
  add(IntrinsicRow::perThread(amd + "mbcnt.hi", maskBitCount, 1));
}

} // namespace labgen::emu
