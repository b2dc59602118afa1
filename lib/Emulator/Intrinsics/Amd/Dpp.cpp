// Dpp.cpp - data parallel primitives: an operand taken from another lane of
// the row or wave (AMD's ISA documents, "Data Parallel Primitives").
#include "lib/Emulator/Runtime/Intrinsic.h"

namespace labgen::emu {

/// The lane whose value `lane` takes under a control word, or -1 outside.
static int sourceOf(uint32_t control, int lane, int warpSize) {
  int row = lane & ~15, in = lane & 15, by = int(control & 15);
  if (control < 0x100) // quad_perm
    return (lane & ~3) | int(control >> (2 * (lane & 3)) & 3);
  if (control > 0x100 && control <= 0x10F) // row_shl
    return in + by < 16 ? lane + by : -1;
  if (control > 0x110 && control <= 0x11F) // row_shr
    return in >= by ? lane - by : -1;
  if (control > 0x120 && control <= 0x12F) // row_ror
    return row | ((in - by) & 15);
  if (control >= 0x150 && control <= 0x15F) // row_share, row_newbcast
    return row | by;
  if (control >= 0x160 && control <= 0x16F) // row_xmask
    return row | (in ^ by);
  switch (control) {
  case 0x130: // wave_shl
    return lane + 1 < warpSize ? lane + 1 : -1;
  case 0x134: // wave_rol
    return (lane + 1) % warpSize;
  case 0x138: // wave_shr
    return lane - 1;
  case 0x13C: // wave_ror
    return (lane + warpSize - 1) % warpSize;
  case 0x140: // row_mirror
    return row | (15 - in);
  case 0x141: // row_half_mirror
    return (lane & ~7) | (7 - (lane & 7));
  case 0x142: // row_bcast15: the last lane of a row to all of the next
    return row - 1;
  case 0x143: // row_bcast31: lane 31 to rows 2 and 3
    return lane >= 32 ? 31 : -1;
  default:
    return -1;
  }
}

/// update.dpp(old, source, control, row mask, bank mask, bound control). A lane
/// that a mask disables keeps the old value; one without a source gets 0 under
/// bound control, else keeps it too.
static void update(const WarpCall &call) {
  uint32_t bytes = call.site.resultBytes;
  call.forEach([&](unsigned lane, Thread &thread) {
    bool mov = call.code; // mov.dpp has no old value: undefined, here 0
    auto number = [&](unsigned index) {
      return thread.argument<uint32_t>(mov ? index - 1 : index);
    };
    uint32_t rows = number(3), banks = number(4);
    bool bound = thread.argument<uint8_t>(mov ? 4 : 5);
    bool enabled = (rows >> (lane / 16) & 1) && (banks >> (lane % 16 / 4) & 1);
    int source = sourceOf(number(2), int(lane), int(call.warpSize));
    if (enabled && source >= 0 && call.has(unsigned(source)))
      std::memcpy(thread.result,
                  call.warp.threads[source].arguments[mov ? 0 : 1], bytes);
    else if (mov || (enabled && bound))
      std::memset(thread.result, 0, bytes);
    else
      std::memcpy(thread.result, thread.arguments[0], bytes);
  });
}

/// mov.dpp8: any permutation of 8 lanes, three bits each.
static void permuteEight(const WarpCall &call) {
  call.forEach([&](unsigned lane, Thread &thread) {
    uint32_t selectors = thread.argument<uint32_t>(1);
    unsigned source = (lane & ~7u) | (selectors >> (3 * (lane & 7)) & 7);
    if (call.has(source))
      std::memcpy(thread.result, call.warp.threads[source].arguments[0],
                  call.site.resultBytes);
    else
      std::memset(thread.result, 0, call.site.resultBytes);
  });
}

void addDpp(Table &table) {
  table.push_back(IntrinsicRow::converged("llvm.amdgcn.update.dpp", update, 0));
  table.push_back(IntrinsicRow::converged("llvm.amdgcn.mov.dpp", update, 1));
  table.push_back(
      IntrinsicRow::converged("llvm.amdgcn.mov.dpp8", permuteEight));
}

} // namespace labgen::emu
