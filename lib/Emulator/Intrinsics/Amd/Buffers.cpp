// Buffers.cpp - buffer descriptors and the loads and stores through them:
// out of the descriptor's range, loads give 0 and stores do nothing; inside it,
// an access is checked like any other.
#include "lib/Emulator/Hooks/Access.h"
#include "lib/Emulator/Runtime/Intrinsic.h"

namespace labgen::emu {

/// make.buffer.rsrc(base, stride, records, flags): the descriptor is a number
/// in the worker's list, since the host's pointers have no room for it.
static void makeResource(const LocalCall &call) {
  auto &resources = call.thread.worker->resources;
  std::pair<uint64_t, int64_t> resource{
      reinterpret_cast<uintptr_t>(call.argument<char *>(0)),
      call.argument<int64_t>(2)};
  size_t index = 0;
  while (index < resources.size() && resources[index] != resource)
    ++index;
  if (index == resources.size())
    resources.push_back(resource);
  call.setResult(uint64_t(index + 1));
}

/// The address of an access, or null when the descriptor excludes it.
static char *addressOf(const LocalCall &call, unsigned resourceArgument,
                       uint32_t bytes, Effects effects) {
  const auto &resources = call.thread.worker->resources;
  uint64_t number = call.argument<uint64_t>(resourceArgument);
  if (number == 0 || number > resources.size()) {
    call.thread.worker->findings.add(
        call.thread, {Check::Memcheck, "access through no buffer descriptor",
                      call.thread.site, "", 0, ""});
    return nullptr;
  }
  auto [base, records] = resources[number - 1];
  uint64_t offset = call.argument<uint32_t>(resourceArgument + 1);
  if (offset + bytes > uint64_t(records))
    return nullptr;
  char *address = reinterpret_cast<char *>(base) + offset +
                  call.argument<uint32_t>(resourceArgument + 2);
  Access access{Access::pack(call.thread.site, bytes,
                             bytes >= 4   ? 2
                             : bytes == 2 ? 1
                                          : 0)};
  return accessGlobal(call.thread, address, access, effects);
}

static void load(const LocalCall &call) {
  uint32_t bytes = call.site.resultBytes;
  if (const char *address = addressOf(call, 0, bytes, loads))
    std::memcpy(call.thread.result, address, bytes);
  else
    std::memset(call.thread.result, 0, bytes);
}

static void store(const LocalCall &call) {
  uint32_t bytes = call.site.argumentBytes[0];
  if (char *address = addressOf(call, 1, bytes, stores))
    std::memcpy(address, call.thread.arguments[0], bytes);
}

void addAmdBuffers(Table &table) {
  auto add = [&](const char *name, IntrinsicRow::LocalFunction function) {
    table.push_back(IntrinsicRow::perThread(name, function));
  };
  add("llvm.amdgcn.make.buffer.rsrc", makeResource);
  add("llvm.amdgcn.raw.ptr.buffer.load", load);
  add("llvm.amdgcn.raw.ptr.buffer.store", store);
}

} // namespace labgen::emu
