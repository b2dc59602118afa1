// Findings.h - gathers events of the checks: one finding per kind, instruction
// and buffer, whose example does not depend on which host thread came first.
#ifndef LABGEN_EMULATOR_RUNTIME_FINDINGS_H
#define LABGEN_EMULATOR_RUNTIME_FINDINGS_H

#include "lib/Emulator/Report.h"

#include <map>
#include <tuple>

namespace labgen::emu {

struct Site;
struct Thread;

struct Event {
  Check check;
  const char *message;
  uint32_t site;
  std::string buffer;
  int64_t offset = 0;
  std::string detail; ///< about the other side of a race, a mask, ...
};

class Findings {
public:
  void add(const Thread &thread, Event event);
  void merge(const Findings &other);
  void clear() { entries.clear(); }
  bool empty() const { return entries.empty(); }

  /// Ordered; at most `limit`, and a last one that counts the rest.
  std::vector<Finding> list(const std::vector<Site> &sites,
                            unsigned limit) const;

private:
  struct Entry {
    std::pair<uint64_t, uint32_t> order; ///< block, thread
    Finding finding;
  };
  using Key = std::tuple<Check, std::string, uint32_t, std::string>;
  void take(const Key &key, const Entry &entry);
  std::map<Key, Entry> entries;
};

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_RUNTIME_FINDINGS_H
