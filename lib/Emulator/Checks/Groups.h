// Groups.h - puts the accesses of single threads together into accesses of a
// warp.
//
// Lanes run one after another, so the n-th time a lane executes an instruction
// belongs with the n-th time of every other lane of its warp. Counting starts
// anew whenever the lanes have stopped together (a round): what follows a
// barrier or a collective never joins what went before it.
#ifndef LABGEN_EMULATOR_CHECKS_GROUPS_H
#define LABGEN_EMULATOR_CHECKS_GROUPS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace labgen::emu {

template <typename Record> class Groups {
public:
  void resize(size_t sites) { states.resize(sites); }
  /// Another round: the next records are of other warp-wide accesses.
  void startRound() {
    ++round;
    used = 0;
  }
  /// Another lane, or the same one resumed.
  void startLane() { ++lane; }

  /// The record of this execution of `site`. `isNew`: by the first lane.
  Record &at(uint32_t site, bool &isNew) {
    State &state = states[site];
    if (state.lane != lane) {
      state.lane = lane;
      state.next = 0;
    }
    if (state.round != round) {
      state.round = round;
      state.records.clear();
    }
    size_t occurrence = state.next++;
    isNew = occurrence == state.records.size();
    if (isNew) {
      if (used == pool.size())
        pool.emplace_back();
      state.records.push_back(uint32_t(used++));
    }
    return pool[state.records[occurrence]];
  }

  template <typename Visit> void forEach(Visit visit) {
    for (size_t i = 0; i < used; ++i)
      visit(pool[i]);
  }

private:
  struct State {
    uint64_t lane = 0, round = 0;
    size_t next = 0;
    std::vector<uint32_t> records;
  };
  std::vector<State> states;
  std::vector<Record> pool;
  size_t used = 0;
  uint64_t round = 1, lane = 1;
};

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_CHECKS_GROUPS_H
