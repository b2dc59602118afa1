// Table.cpp - the rows of all files by name.
#include "lib/Emulator/Runtime/Intrinsic.h"

#include "llvm/ADT/StringMap.h"

namespace labgen::emu {

static IntrinsicRow row(std::string name, IntrinsicRow::Kind kind,
                        int code = 0) {
  IntrinsicRow result;
  result.name = std::move(name);
  result.kind = kind;
  result.code = code;
  return result;
}

IntrinsicRow IntrinsicRow::nothing(std::string name) {
  return row(std::move(name), Kind::Nothing);
}

IntrinsicRow IntrinsicRow::threadField(std::string name, size_t offset) {
  IntrinsicRow result = row(std::move(name), Kind::ThreadField);
  result.offset = uint32_t(offset);
  return result;
}

IntrinsicRow IntrinsicRow::blockField(std::string name, size_t offset) {
  IntrinsicRow result = row(std::move(name), Kind::BlockField);
  result.offset = uint32_t(offset);
  return result;
}

IntrinsicRow IntrinsicRow::rewritten(std::string name, RewriteFunction function,
                                     int code) {
  IntrinsicRow result = row(std::move(name), Kind::Rewrite, code);
  result.rewrite = function;
  return result;
}

IntrinsicRow IntrinsicRow::rewrittenFlops(std::string name,
                                          RewriteFunction function, int code,
                                          unsigned flops) {
  IntrinsicRow result = rewritten(std::move(name), function, code);
  result.flops = flops;
  return result;
}

IntrinsicRow IntrinsicRow::perThread(std::string name, LocalFunction function,
                                     int code) {
  IntrinsicRow result = row(std::move(name), Kind::Local, code);
  result.local = function;
  return result;
}

static IntrinsicRow collective(std::string name,
                               IntrinsicRow::WarpFunction function, Lanes lanes,
                               unsigned maskArgument, int code) {
  IntrinsicRow result = row(std::move(name), IntrinsicRow::Kind::Warp, code);
  result.warp = function;
  result.lanes = lanes;
  result.maskArgument = maskArgument;
  return result;
}

IntrinsicRow IntrinsicRow::masked(std::string name, WarpFunction function,
                                  unsigned maskArgument, int code) {
  return collective(std::move(name), function, Lanes::Masked, maskArgument,
                    code);
}

IntrinsicRow IntrinsicRow::wholeWarp(std::string name, WarpFunction function,
                                     int code) {
  return collective(std::move(name), function, Lanes::All, 0, code);
}

IntrinsicRow IntrinsicRow::converged(std::string name, WarpFunction function,
                                     int code) {
  return collective(std::move(name), function, Lanes::Converged, 0, code);
}

static Table makeTable() {
  Table table;
  for (auto add :
       {addIds, addBarriers, addIgnored, addMath, addRoundedMath, addIntegers,
        addNvidiaLanes, addAmdLanes, addDpp, addNvidiaConversions,
        addAmdConversions, addAmdBuffers, addNvidiaMatrix, addAmdMatrix})
    add(table);
  return table;
}

const IntrinsicRow *findIntrinsic(llvm::StringRef name) {
  static const Table table = makeTable();
  static const llvm::StringMap<const IntrinsicRow *> byName = [] {
    llvm::StringMap<const IntrinsicRow *> map;
    for (const IntrinsicRow &intrinsic : table)
      map[intrinsic.name] = &intrinsic;
    return map;
  }();
  return byName.lookup(name);
}

} // namespace labgen::emu
