// Report.cpp - findings and counters as text and as a row's entries.
#include "lib/Emulator/Report.h"

namespace labgen::emu {

std::string_view name(Check check) {
  switch (check) {
  case Check::Memcheck:
    return "memcheck";
  case Check::Initcheck:
    return "initcheck";
  case Check::Racecheck:
    return "racecheck";
  case Check::Synccheck:
    return "synccheck";
  }
  return "";
}

static std::string triple(const std::array<uint32_t, 3> &id) {
  return "(" + std::to_string(id[0]) + "," + std::to_string(id[1]) + "," +
         std::to_string(id[2]) + ")";
}

std::string Finding::text() const {
  std::string line(name(check));
  line += ": " + message;
  if (!buffer.empty())
    line += ", " + buffer + (offset < 0 ? "" : "+") + std::to_string(offset);
  line += ", thread " + triple(thread) + " of block " + triple(block);
  if (!instruction.empty())
    line += ", at " + instruction;
  if (!source.empty())
    line += " [" + source + "]";
  if (count > 1)
    line += " (" + std::to_string(count) + " times)";
  return line;
}

// One list of the fields, in the order and with the names of a row.
template <typename Self, typename Visit>
static void visit(Self &self, Visit field) {
  field("emu_threads", self.threads);
  field("bytes_read", self.bytesRead);
  field("bytes_written", self.bytesWritten);
  field("unique_bytes_read", self.uniqueBytesRead);
  field("unique_bytes_written", self.uniqueBytesWritten);
  field("sectors_read", self.sectorsRead);
  field("sectors_written", self.sectorsWritten);
  field("ideal_sectors_read", self.idealSectorsRead);
  field("ideal_sectors_written", self.idealSectorsWritten);
  field("shared_bytes_read", self.sharedBytesRead);
  field("shared_bytes_written", self.sharedBytesWritten);
  field("shared_accesses", self.sharedAccesses);
  field("bank_conflicts", self.bankConflicts);
  field("atomics", self.atomics);
  field("flops", self.flops);
  field("matrix_instructions", self.matrixInstructions);
  field("warp_collectives", self.warpCollectives);
  field("barriers", self.barriers);
  field("divergent_branches", self.divergentBranches);
}

Counters &Counters::operator+=(const Counters &other) {
  std::vector<uint64_t> values;
  visit(other, [&](const char *, uint64_t value) { values.push_back(value); });
  size_t next = 0;
  visit(*this, [&](const char *, uint64_t &value) { value += values[next++]; });
  return *this;
}

std::map<std::string, double> Counters::entries() const {
  std::map<std::string, double> result;
  visit(*this, [&](const char *name, uint64_t value) {
    result[name] = double(value);
  });
  return result;
}

} // namespace labgen::emu
