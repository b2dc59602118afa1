// Predict.cpp - from cost and roofs to a time and a regime.
#include "lib/Roofline/Roofline.h"

#include "lib/Spec/OpInfo.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace labgen;

namespace {

struct MixRow {
  Mix mix;
  double writtenShare; ///< of all bytes moved
};
constexpr MixRow mixTable[] = {
    {Mix::Read, 0},
    {Mix::Copy, 1.0 / 2},
    {Mix::Triad, 1.0 / 3},
    {Mix::FourToOne, 1.0 / 5},
    {Mix::OneToFour, 4.0 / 5},
    {Mix::Update, 1.0 / 3},
};

/// gbps at `footprint` from entries of one mix and thread count, in order.
double interpolate(const std::vector<const Bandwidth *> &entries,
                   double footprint) {
  auto above =
      std::find_if(entries.begin(), entries.end(), [&](const Bandwidth *b) {
        return double(b->footprintBytes) >= footprint;
      });
  if (above == entries.begin())
    return entries.front()->gbps;
  if (above == entries.end())
    return entries.back()->gbps;
  const Bandwidth &low = **(above - 1), &high = **above;
  double t =
      std::log2(footprint / double(low.footprintBytes)) /
      std::log2(double(high.footprintBytes) / double(low.footprintBytes));
  return low.gbps + t * (high.gbps - low.gbps);
}

/// The probed thread counts around `threads`: {highest <=, lowest >=}, 0 where
/// there is none.
template <typename Entries>
std::pair<int, int> threadsAround(const Entries &entries, int threads) {
  int below = 0, above = 0;
  for (const auto &entry : entries) {
    if (entry.threads <= threads)
      below = std::max(below, entry.threads);
    if (entry.threads >= threads && (above == 0 || entry.threads < above))
      above = entry.threads;
  }
  return {below, above};
}

bool isUsable(const Peak &peak, const UnitNeeds &needs) {
  if (peak.matrixUnit && !needs.onMatrixUnits)
    return false;
  if (!peak.accumulate || *peak.accumulate == needs.accumulator)
    return true;
  // Sums in a narrower type are made of f32 ones, rounded.
  return *peak.accumulate == Format::F32 && needs.accumulator != Format::F64 &&
         needs.accumulator != Format::I32;
}

} // namespace

Mix labgen::mixOf(const KernelSpec &spec) {
  Cost c = cost(spec);
  double share = c.bytes() ? double(c.bytesWritten) / double(c.bytes()) : 0;
  // In place: what is written was read before, so nothing is allocated.
  std::vector<Argument> args = arguments(spec);
  bool inPlace = std::any_of(args.begin(), args.end(), [](const Argument &a) {
    return a.role == Role::InOut;
  });
  Mix best = Mix::Read;
  double bestDistance = std::numeric_limits<double>::infinity();
  for (const MixRow &row : mixTable) {
    if (row.mix == (inPlace ? Mix::Triad : Mix::Update))
      continue;
    double distance = std::abs(row.writtenShare - share);
    if (distance < bestDistance) {
      best = row.mix;
      bestDistance = distance;
    }
  }
  return best;
}

int64_t labgen::footprint(const KernelSpec &spec) {
  int64_t bytes = 0;
  for (const Argument &argument : arguments(spec))
    bytes += argument.bytes();
  return bytes;
}

std::optional<Bandwidth> labgen::bandwidthAt(const MachineRoofs &roofs, Mix mix,
                                             int64_t footprintBytes,
                                             int threads) {
  std::vector<Bandwidth> ofMix;
  for (const Bandwidth &entry : roofs.bandwidths)
    if (entry.mix == mix)
      ofMix.push_back(entry);
  std::sort(ofMix.begin(), ofMix.end(),
            [](const Bandwidth &a, const Bandwidth &b) {
              return a.footprintBytes < b.footprintBytes;
            });
  auto at = [&](int count, double bytes) {
    std::vector<const Bandwidth *> entries;
    for (const Bandwidth &entry : ofMix)
      if (entry.threads == count)
        entries.push_back(&entry);
    return interpolate(entries, bytes);
  };

  auto [below, above] = threadsAround(ofMix, threads);
  if (!below && !above)
    return std::nullopt;
  double bytes = double(footprintBytes);
  double gbps = std::numeric_limits<double>::infinity();
  if (below && (below == threads || above)) {
    // In private caches each thread sees its share, beyond them all of it.
    double share = bytes * below / threads;
    bool isPrivate = share <= double(roofs.l2Bytes) * below;
    gbps = at(below, isPrivate ? share : bytes) * threads / below;
  } else if (below) {
    gbps = at(below, bytes);
  }
  if (above)
    gbps = std::min(gbps, at(above, bytes));
  const std::string &isa = ofMix.front().isa;
  return Bandwidth{mix, footprintBytes, threads, gbps, false, isa};
}

std::optional<Peak> labgen::peakOf(const MachineRoofs &roofs,
                                   const std::vector<Format> &formats,
                                   int threads) {
  std::optional<Peak> best;
  for (const Peak &peak : roofs.peaks) {
    if (std::find(formats.begin(), formats.end(), peak.format) == formats.end())
      continue;
    std::vector<Peak> same;
    for (const Peak &other : roofs.peaks)
      if (other.format == peak.format && other.isa == peak.isa &&
          other.accumulate == peak.accumulate)
        same.push_back(other);
    auto [below, above] = threadsAround(same, threads);
    double gflops = std::numeric_limits<double>::infinity();
    for (const Peak &other : same) {
      if (other.threads == below)
        gflops = std::min(gflops, above ? other.gflops * threads / below
                                        : other.gflops);
      if (other.threads == above)
        gflops = std::min(gflops, other.gflops);
    }
    if (!best || gflops > best->gflops)
      best = Peak{peak.format, peak.isa,        threads,
                  gflops,      peak.accumulate, peak.matrixUnit};
  }
  return best;
}

std::optional<Peak> labgen::fastestPeak(const KernelSpec &spec,
                                        const MachineRoofs &roofs,
                                        int threads) {
  UnitNeeds needs = info(spec.op).units(spec);
  MachineRoofs usable;
  for (const Peak &peak : roofs.peaks)
    if (isUsable(peak, needs))
      usable.peaks.push_back(peak);
  return peakOf(usable, needs.formats, threads);
}

std::optional<Prediction> labgen::predict(const KernelSpec &spec,
                                          const Cost &cost,
                                          const MachineRoofs &roofs,
                                          int threads) {
  int64_t bytes = footprint(spec);
  std::optional<Bandwidth> bandwidth =
      bandwidthAt(roofs, mixOf(spec), bytes, threads);
  std::optional<Peak> peak = fastestPeak(spec, roofs, threads);
  if (!bandwidth || !peak)
    return std::nullopt;
  double memory = double(cost.bytes()) / (bandwidth->gbps * 1e9);
  double compute = double(cost.flops) / (peak->gflops * 1e9);
  // One thread calls the kernel; only more of them need a launch and a join.
  double launch = threads == 1 ? 0 : roofs.launchSeconds;

  Prediction p;
  p.gbps = bandwidth->gbps;
  p.gflops = peak->gflops;
  p.seconds = std::max(memory, compute) + launch;
  p.isa = peak->isa;
  if (launch > std::max(memory, compute))
    p.regime = "launch";
  else if (compute > memory)
    p.regime = "compute";
  else
    p.regime = bytes < 2 * roofs.llcBytes ? "cache" : "memory";
  return p;
}
