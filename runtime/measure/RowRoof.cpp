// RowRoof.cpp - measured roofs by need, and what exceeds them.
#include "runtime/measure/RowRoof.h"
#include "lib/Host/CpuInfo.h"
#include "lib/Spec/OpInfo.h"
#include "runtime/measure/Peaks.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <tuple>

using namespace labgen;

namespace {

constexpr double tolerance = 1.1;
/// A second look costs little: few rows ever need one.
constexpr int secondEffort = 4;

Result<Bandwidth> bandwidthBeside(Mix mix, int64_t bytes, int threads,
                                  const std::string &isa, bool again) {
  using Key = std::tuple<Mix, int, int, std::string>;
  static std::map<Key, Bandwidth> known;
  // Eighths of an octave: no cache level ends inside one that began above it.
  int bucket =
      int(std::lround(8 * std::log2(double(std::max<int64_t>(bytes, 1)))));
  Key key{mix, bucket, threads, isa};
  auto found = known.find(key);
  if (found != known.end() && !again)
    return found->second;
  Result<Bandwidth> measured =
      probeBandwidth(mix, bytes, threads, isa, again ? secondEffort : 1);
  if (!measured)
    return measured;
  if (found == known.end())
    known.emplace(key, *measured);
  else if (measured->gbps > found->second.gbps)
    found->second = *measured;
  return known.at(key);
}

std::optional<Peak> peakBeside(Format format, const char *isa, int threads,
                               bool again) {
  using Key = std::tuple<Format, std::string, int>;
  static std::map<Key, Peak> known;
  Key key{format, isa, threads};
  auto found = known.find(key);
  if (found != known.end() && !again)
    return found->second;
  std::optional<Peak> measured = probePeak(format, isa, threads);
  if (!measured)
    return std::nullopt;
  if (found == known.end())
    known.emplace(key, *measured);
  else if (measured->gflops > found->second.gflops)
    found->second = *measured;
  return known.at(key);
}

/// The fastest loop of a unit that can do the lab, among those of `features`.
std::optional<Peak> fastestBeside(const KernelSpec &spec,
                                  const std::vector<std::string> &features,
                                  int threads, bool again) {
  MachineRoofs measured;
  std::vector<Format> formats = info(spec.op).units(spec).formats;
  for (const PeakLoop &loop : peakLoops())
    if (std::find(formats.begin(), formats.end(), loop.format) !=
            formats.end() &&
        hasAll(features, loop.needs))
      if (std::optional<Peak> peak =
              peakBeside(loop.format, loop.isa, threads, again))
        measured.peaks.push_back(*peak);
  return fastestPeak(spec, measured, threads);
}

std::string excess(const char *what, const char *unit, double got,
                   double roof) {
  char text[160];
  std::snprintf(text, sizeof text,
                "%s of %.4g %s is %.0f%% of the roof of "
                "%.4g %s measured twice beside it",
                what, got, unit, 100 * got / roof, roof, unit);
  return text;
}

} // namespace

Result<RowRoof> labgen::roofBeside(const KernelSpec &spec,
                                   const std::vector<std::string> &features,
                                   int threads, bool again) {
  RowRoof roof;
  roof.source = "measured";
  if (cost(spec).bytes() > 0) {
    Result<Bandwidth> bandwidth = bandwidthBeside(
        mixOf(spec), footprint(spec), threads, vectorIsa(features), again);
    if (!bandwidth)
      return bandwidth.status();
    roof.gbps = bandwidth->gbps;
  }
  if (std::optional<Peak> best =
          fastestBeside(spec, hostCpu().features, threads, again)) {
    roof.gflops = best->gflops;
    roof.isa = best->isa;
  }
  if (std::optional<Peak> code =
          fastestBeside(spec, features, threads, again)) {
    roof.codeGflops = code->gflops;
    roof.codeIsa = code->isa;
  }
  return roof;
}

std::string labgen::aboveRoof(const Row &row) {
  if (!row.roof)
    return "";
  if (row.gbps && row.roof->gbps && *row.gbps > tolerance * *row.roof->gbps)
    return excess("a bandwidth", "GB/s", *row.gbps, *row.roof->gbps) +
           ": operands stayed in a nearer cache than the roof's arrays, or the "
           "kernel moves fewer bytes than its lab";
  if (row.gflops && row.roof->codeGflops &&
      *row.gflops > tolerance * *row.roof->codeGflops)
    return excess("a rate", "GFLOP/s", *row.gflops, *row.roof->codeGflops) +
           ": the kernel uses instructions its manifest does not name, or the "
           "clock was lower during the probe";
  return "";
}
