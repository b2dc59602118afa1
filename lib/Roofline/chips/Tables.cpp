// Tables.cpp - rows of the chip table, and the table put together.
#include "lib/Roofline/chips/Tables.h"

namespace labgen {

namespace {

Format wide(Format format) {
  if (format == Format::F64)
    return Format::F64;
  return isInteger(format) ? Format::I32 : Format::F32;
}

/// What the matrix instructions of a target are called.
std::string matrixIsa(const std::string &target) {
  if (target.rfind("nvvm:", 0) == 0)
    return "mma";
  if (target.rfind("rocdl:gfx9", 0) == 0)
    return "mfma";
  return target.rfind("rocdl:", 0) == 0 ? "wmma" : "amx";
}

std::string vectorIsa(const std::string &target) {
  if (target.rfind("nvvm:", 0) == 0)
    return "simt";
  return target.rfind("rocdl:", 0) == 0 ? "valu" : "avx512";
}

/// Code for vector units multiplies and adds small integers in 64 lanes a unit
/// and clock: on NVIDIA one 32-bit multiply-add each (CUDA programming guide,
/// table of arithmetic throughput), on AMD four products of bytes (ISA
/// documents, v_dot4_i32_i8).
void addIntegerVectors(Chip &chip) {
  const ChipPeak *f32 = chip.peak(Format::F32, false);
  if (!f32)
    return;
  bool isNvidia = chip.target.rfind("nvvm:", 0) == 0;
  double perClock = 2 * 64 * (isNvidia ? 1 : 4), ghz = f32->ghz;
  double tera = double(chip.units) * perClock * ghz / 1e3;
  chip.peaks.push_back({Format::I8, false, Format::I32, f32->isa, tera,
                        perClock, ghz,
                        isNvidia ? "32-bit multiply-adds, CUDA guide"
                                 : "v_dot4_i32_i8, AMD ISA documents",
                        Confidence::Derived});
}

} // namespace

namespace chips {

Row::Row(std::string name, std::vector<std::string> aliases, std::string target,
         std::string unit, int64_t units) {
  chip.name = std::move(name);
  chip.aliases = std::move(aliases);
  chip.target = std::move(target);
  chip.unit = std::move(unit);
  chip.units = units;
}

Row &Row::memory(std::optional<double> gb, double tbps, const char *source,
                 Confidence c) {
  if (gb)
    chip.capacityGb = {gb, source, c};
  chip.bandwidthTbps = {tbps, source, c};
  return *this;
}

Row &Row::driver(double gb, const char *source, Confidence c) {
  chip.driverGb = {gb, source, c};
  return *this;
}

Row &Row::caches(double l2, std::optional<double> llc, const char *source,
                 Confidence c) {
  chip.l2Mib = {l2, source, c};
  if (llc)
    chip.llcMib = {llc, source, c};
  return *this;
}

Row &Row::from(const char *where, double clock, Confidence c) {
  source = where;
  ghz = clock;
  confidence = c;
  return *this;
}

Row &Row::vector(Format format, double tera, double perClock) {
  chip.peaks.push_back({format, false, wide(format), vectorIsa(chip.target),
                        tera, perClock, ghz, source, confidence});
  return *this;
}

Row &Row::matrix(const std::vector<Format> &formats, double tera,
                 double perClock, std::optional<Format> accumulate) {
  for (Format format : formats)
    chip.peaks.push_back({format, true, accumulate.value_or(wide(format)),
                          matrixIsa(chip.target), tera, perClock, ghz, source,
                          confidence});
  return *this;
}

} // namespace chips

const std::vector<Chip> &builtInChips() {
  static const std::vector<Chip> all = [] {
    std::vector<Chip> table = chips::nvidia(), more = chips::amd();
    table.insert(table.end(), more.begin(), more.end());
    for (Chip &gpu : table)
      addIntegerVectors(gpu);
    more = chips::cpus();
    table.insert(table.end(), more.begin(), more.end());
    return table;
  }();
  return all;
}

const ChipPeak *Chip::peak(Format format, bool matrix) const {
  const ChipPeak *best = nullptr;
  for (const ChipPeak &peak : peaks)
    if (peak.format == format && peak.accumulate == wide(format) &&
        (matrix || !peak.matrix) && (!best || peak.tera > best->tera))
      best = &peak;
  return best;
}

std::optional<double> Chip::ridge(Format format) const {
  const ChipPeak *top = peak(format);
  if (!top || !bandwidthTbps.value)
    return std::nullopt;
  return top->tera / *bandwidthTbps.value;
}

std::string_view name(Confidence confidence) {
  switch (confidence) {
  case Confidence::Datasheet:
    return "datasheet";
  case Confidence::Derived:
    return "derived";
  case Confidence::Unconfirmed:
    return "unconfirmed";
  case Confidence::Measured:
    return "measured";
  case Confidence::User:
    return "user";
  }
  return "";
}

} // namespace labgen
