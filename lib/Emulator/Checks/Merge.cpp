// Merge.cpp - page by page over the shadows of a launch's workers.
#include "lib/Emulator/Checks/Merge.h"

#include "lib/Emulator/HostThreads.h"

#include <algorithm>
#include <atomic>

namespace labgen::emu {

Merge::Merge(std::vector<const GlobalShadow *> shadows, Memory &memory)
    : shadows(std::move(shadows)), memory(memory) {}

namespace {
/// A page that `workers` came to, and its words of 64 bytes.
struct Page {
  unsigned buffer;
  size_t begin, end;
  const std::vector<const GlobalShadow *> &workers;
};
} // namespace

// Calls `visit` with the pages that `least` workers or more came to, of one of
// `parts` parts of the memory.
template <typename Visit> void Merge::walk(size_t least, unsigned part,
                                           unsigned parts, Visit visit) const {
  constexpr size_t wordsPerPage = (size_t(1) << GlobalShadow::pageShift) / 64;
  const std::vector<Buffer> &buffers = memory.buffers();
  std::vector<const GlobalShadow *> workers;
  for (unsigned b = 0; b < buffers.size(); ++b) {
    size_t words = buffers[b].freed ? 0 : (buffers[b].bytes + 63) / 64;
    size_t count = (words + wordsPerPage - 1) / wordsPerPage;
    size_t end = count * (part + 1) / parts;
    for (size_t page = count * part / parts; page < end; ++page) {
      workers.clear();
      for (const GlobalShadow *shadow : shadows)
        if (shadow->touchedPage(b + 1, page))
          workers.push_back(shadow);
      size_t first = page * wordsPerPage;
      if (workers.size() >= least)
        visit(Page{b, first, std::min(first + wordsPerPage, words), workers});
    }
  }
}

template <typename Visit>
void Merge::forEachPage(size_t least, Visit visit) const {
  size_t pages = 0;
  walk(least, 0, 1, [&](const Page &) { ++pages; });
  // A thread takes about as long to start as some hundred pages.
  unsigned parts = pages < 512 ? 1 : unsigned(shadows.size());
  onThreads(parts, [&](unsigned part) { walk(least, part, parts, visit); });
}

static uint64_t conflictIn(const Page &page, size_t word) {
  GlobalShadow::Touched all;
  uint64_t conflict = 0;
  for (const GlobalShadow *worker : page.workers) {
    GlobalShadow::Touched one = worker->touched(page.buffer + 1, word);
    conflict |= (one.written & (all.read | all.written | all.atomic)) |
                (one.read & (all.written | all.atomic)) |
                (one.atomic & (all.read | all.written));
    all.read |= one.read;
    all.written |= one.written;
    all.atomic |= one.atomic;
  }
  return conflict;
}

bool Merge::hasConflict() const {
  std::atomic<bool> found{false};
  forEachPage(2, [&](const Page &page) {
    uint64_t conflict = 0;
    for (size_t word = page.begin; word < page.end; ++word)
      conflict |= conflictIn(page, word);
    if (conflict)
      found = true;
  });
  return found;
}

// Mostly all bytes or none, which a host without an instruction for the rest is
// glad of.
static unsigned population(uint64_t bits) {
  return bits == 0 ? 0 : ~bits == 0 ? 64 : __builtin_popcountll(bits);
}

void Merge::addTo(Counters &counters) const {
  std::atomic<uint64_t> bytesRead{0}, bytesWritten{0};
  forEachPage(1, [&](const Page &page) {
    ByteSets &sets = memory.byteSets(page.buffer);
    uint64_t pageRead = 0, pageWritten = 0;
    for (size_t word = page.begin; word < page.end; ++word) {
      uint64_t read = 0, written = 0;
      for (const GlobalShadow *worker : page.workers) {
        GlobalShadow::Touched one = worker->touched(page.buffer + 1, word);
        read |= one.read | one.atomic | one.polled;
        written |= one.written | one.atomic;
      }
      sets.read[word] |= read;
      sets.written[word] |= written;
      pageRead += population(read);
      pageWritten += population(written);
    }
    bytesRead.fetch_add(pageRead, std::memory_order_relaxed);
    bytesWritten.fetch_add(pageWritten, std::memory_order_relaxed);
  });
  counters.uniqueBytesRead += bytesRead;
  counters.uniqueBytesWritten += bytesWritten;
}

} // namespace labgen::emu
