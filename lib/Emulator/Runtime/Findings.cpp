// Findings.cpp - one entry per kind, instruction and buffer.
#include "lib/Emulator/Runtime/Findings.h"

#include "lib/Emulator/Runtime/State.h"

#include <algorithm>

namespace labgen::emu {

void Findings::take(const Key &key, const Entry &entry) {
  auto [it, isNew] = entries.emplace(key, entry);
  if (isNew)
    return;
  uint64_t count = it->second.finding.count + entry.finding.count;
  if (entry.order < it->second.order)
    it->second = entry;
  it->second.finding.count = count;
}

void Findings::add(const Thread &thread, Event event) {
  Entry entry;
  entry.order = {thread.block->linear, thread.linear};
  Finding &finding = entry.finding;
  finding.check = event.check;
  finding.message = event.message + event.detail;
  finding.buffer = event.buffer;
  finding.offset = event.offset;
  std::copy_n(thread.tid, 3, finding.thread.begin());
  std::copy_n(thread.block->ctaid, 3, finding.block.begin());
  finding.count = 1;
  take({event.check, event.message, event.site, event.buffer}, entry);
}

void Findings::merge(const Findings &other) {
  for (const auto &[key, entry] : other.entries)
    take(key, entry);
}

/// Causes before effects: what misses a barrier lets reads come too early and
/// races happen.
static int rankOf(Check check) {
  switch (check) {
  case Check::Memcheck:
    return 0;
  case Check::Synccheck:
    return 1;
  case Check::Initcheck:
    return 2;
  case Check::Racecheck:
    return 3;
  }
  return 4;
}

std::vector<Finding> Findings::list(const std::vector<Site> &sites,
                                    unsigned limit) const {
  std::vector<std::pair<const Key *, const Entry *>> ordered;
  for (const auto &[key, entry] : entries)
    ordered.emplace_back(&key, &entry);
  std::sort(ordered.begin(), ordered.end(), [](auto &a, auto &b) {
    int rankA = rankOf(std::get<0>(*a.first));
    int rankB = rankOf(std::get<0>(*b.first));
    return std::tie(rankA, a.second->order, *a.first) <
           std::tie(rankB, b.second->order, *b.first);
  });
  std::vector<Finding> result;
  for (auto [key, entry] : ordered) {
    if (result.size() == limit) {
      Finding rest = entry->finding;
      rest.message = std::to_string(ordered.size() - limit) +
                     " more findings, the next: " + rest.message;
      result.push_back(std::move(rest));
      break;
    }
    result.push_back(entry->finding);
    const Site &site = sites[std::get<2>(*key)];
    result.back().instruction = site.instruction;
    result.back().source = site.source;
  }
  return result;
}

} // namespace labgen::emu
