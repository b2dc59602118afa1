// GemmRows.cpp - tile edges from the schedule's text, the rest by chance.
#include "runtime/check/GemmRows.h"

#include "runtime/core/Philox.h"

#include <cstdlib>
#include <set>

namespace labgen {
namespace {

constexpr int64_t edgeRows = 40; ///< of the sampled rows, at most
constexpr const char *letters = "abcdefghijklmnopqrstuvwxyz";

/// Draws that depend on the seed of the run alone.
class Chance {
public:
  explicit Chance(uint64_t seed) : seed(seed) {}
  int64_t below(int64_t limit) {
    PhiloxWords words = philox(seed, count++, stream);
    uint64_t word = uint64_t(words.w0) << 32 | words.w1;
    return int64_t(word % uint64_t(limit));
  }

private:
  static constexpr uint64_t stream = 0x726f7773; // apart from the data's
  uint64_t seed, count = 0;
};

class RowSampler {
public:
  RowSampler(int64_t m, std::vector<int64_t> tiles, uint64_t seed)
      : m(m), tiles(std::move(tiles)), chance(seed) {}

  std::vector<int64_t> run() {
    add(0);
    add(m - 1);
    for (int64_t tile : tiles) {
      addEdge(tile);
      addEdge((m - 1) / tile * tile);
    }
    for (int64_t i = 0; !tiles.empty() && i < edgeRows; ++i)
      if (int64_t(rows.size()) < edgeRows)
        addEdge(drawnEdge(size_t(i) % tiles.size()));
    while (int64_t(rows.size()) < sampledRows)
      add(chance.below(m));
    return {rows.begin(), rows.end()};
  }

private:
  void add(int64_t row) {
    if (row >= 0 && row < m && int64_t(rows.size()) < sampledRows)
      rows.insert(row);
  }
  void addEdge(int64_t row) {
    add(row - 1);
    add(row);
  }
  /// Where some tile of a level begins, inside tiles of the levels around it.
  int64_t drawnEdge(size_t level) {
    int64_t begin = 0, extent = m;
    for (size_t i = 0; i <= level; ++i) {
      int64_t skipped =
          chance.below((extent + tiles[i] - 1) / tiles[i]) * tiles[i];
      begin += skipped;
      extent = std::min(tiles[i], extent - skipped);
    }
    return begin;
  }

  int64_t m;
  std::vector<int64_t> tiles;
  Chance chance;
  std::set<int64_t> rows;
};

} // namespace

std::vector<int64_t> firstTileSizes(const std::string &schedule) {
  std::vector<int64_t> sizes;
  for (size_t at = 0; (at = schedule.find(" [", at)) != std::string::npos;) {
    size_t word = schedule.find_last_not_of(letters, at - 1) + 1;
    std::string kind = schedule.substr(word, at - word);
    at += 2;
    if (kind == "block" || kind == "loop" || kind == "warp" || kind == "thread")
      sizes.push_back(std::atoll(schedule.c_str() + at));
  }
  return sizes;
}

bool isSampled(const KernelSpec &spec) {
  double multiplyAdds = double(spec.m) * double(spec.n) * double(spec.k);
  return multiplyAdds > 0x1p31 && spec.m > sampledRows;
}

std::vector<int64_t> rowsToCheck(const KernelSpec &spec,
                                 const std::string &schedule, uint64_t seed) {
  if (isSampled(spec)) {
    std::vector<int64_t> tiles;
    for (int64_t size : firstTileSizes(schedule))
      if (size > 1 && size < spec.m)
        tiles.push_back(size);
    return RowSampler(spec.m, std::move(tiles), seed).run();
  }
  std::vector<int64_t> all(size_t(std::max<int64_t>(spec.m, 0)));
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = int64_t(i);
  return all;
}

} // namespace labgen
