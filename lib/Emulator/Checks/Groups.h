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

/// Counts rounds and turns of lanes, for all groups of a worker.
struct Clock {
  uint64_t round = 1, lane = 1;
};

template <typename Record> class Groups {
public:
  explicit Groups(const Clock &clock) : clock(clock) {}
  void resize(size_t sites) { states.resize(sites); }
  /// Forgets the records of a round that is over.
  void clear() { used = 0; }

  struct Found {
    Record &record;
    bool isNew; ///< made by this call
  };
  /// The record of this execution of `site`.
  [[gnu::always_inline]] Found at(uint32_t site) {
    if (!isUsual(site))
      return otherwise(states[site]);
    takeUsual(site);
    return {usual(site), false};
  }
  /// The usual case: the first execution by a lane of what an earlier one has
  /// executed. Its record; and counting it, which `at` does too.
  [[gnu::always_inline]] bool isUsual(uint32_t site) const {
    const State &state = states[site];
    return state.round == clock.round && state.lane != clock.lane;
  }
  [[gnu::always_inline]] Record &usual(uint32_t site) {
    return pool[states[site].first];
  }
  [[gnu::always_inline]] void takeUsual(uint32_t site) {
    states[site].lane = clock.lane;
    states[site].next = 1;
  }

  template <typename Visit> void forEach(Visit visit) {
    for (size_t i = 0; i < used; ++i)
      visit(pool[i]);
  }

private:
  struct State {
    uint64_t lane = 0, round = 0;
    uint32_t next = 0;  ///< executions by this lane in this round
    uint32_t first = 0; ///< record of the first
    std::vector<uint32_t> later;
  };

  // The first lane of a round, or a lane that comes again.
  [[gnu::noinline]] Found otherwise(State &state) {
    if (state.round != clock.round) {
      state.round = clock.round;
      state.lane = clock.lane;
      state.next = 1;
      state.first = newRecord();
      state.later.clear();
      return {pool[state.first], true};
    }
    size_t index = state.next++ - 1;
    bool isNew = index == state.later.size();
    if (isNew)
      state.later.push_back(newRecord());
    return {pool[state.later[index]], isNew};
  }
  uint32_t newRecord() {
    if (used == pool.size())
      pool.emplace_back();
    return uint32_t(used++);
  }

  const Clock &clock;
  std::vector<State> states;
  std::vector<Record> pool;
  size_t used = 0;
};

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_CHECKS_GROUPS_H
