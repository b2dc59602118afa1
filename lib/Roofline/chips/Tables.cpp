// Tables.cpp - rows of the chip table, and the table put together.
#include "lib/Roofline/chips/Tables.h"

namespace labgen {

namespace {

Format wide(Format format) {
  if (format == Format::F64)
    return Format::F64;
  return isInteger(format) ? Format::I32 : Format::F32;
}

} // namespace

namespace chips {

Row::Row(std::string name, std::vector<std::string> aliases, std::string target,
         const Family &family, int64_t units)
    : family(family) {
  chip.name = std::move(name);
  chip.aliases = std::move(aliases);
  chip.target = std::move(target);
  chip.unit = family.unit;
  chip.units = units;
}

Row &Row::byDefault() {
  chip.byDefault = true;
  return *this;
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
  chip.peaks.push_back({format, false, wide(format), family.vectorIsa, tera,
                        perClock, ghz, source, confidence});
  return *this;
}

Row &Row::matrix(const std::vector<Format> &formats, double tera,
                 double perClock, std::optional<Format> accumulate) {
  for (Format format : formats)
    chip.peaks.push_back({format, true, accumulate.value_or(wide(format)),
                          family.matrixIsa, tera, perClock, ghz, source,
                          confidence});
  return *this;
}

/// Code for vector units multiplies and adds small integers in 64 lanes a unit
/// and clock: on NVIDIA one 32-bit multiply-add each (CUDA programming guide,
/// table of arithmetic throughput), on AMD four products of bytes (ISA
/// documents, v_dot4_i32_i8).
Chip Row::done() {
  const ChipPeak *f32 = chip.peak(Format::F32, false);
  if (f32 && family.integerProducts) {
    double perClock = 2 * 64 * family.integerProducts, clock = f32->ghz;
    chip.peaks.push_back({Format::I8, false, Format::I32, family.vectorIsa,
                          double(chip.units) * perClock * clock / 1e3, perClock,
                          clock, family.integerSource, Confidence::Derived});
  }
  return std::move(chip);
}

} // namespace chips

const std::vector<Chip> &builtInChips() {
  static const std::vector<Chip> all = [] {
    std::vector<Chip> table = chips::nvidia(), more = chips::amd();
    table.insert(table.end(), more.begin(), more.end());
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
