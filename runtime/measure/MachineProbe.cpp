// MachineProbe.cpp - peaks, launch cost, and the whole table.
#include "lib/Host/CpuInfo.h"
#include "runtime/cpu/Pool.h"
#include "runtime/measure/Peaks.h"
#include "runtime/measure/Probe.h"
#include "runtime/measure/SampleStats.h"
#include "runtime/measure/Sampler.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <ctime>
#include <sched.h>
#include <set>

using namespace labgen;

namespace {

constexpr double sampleSeconds = 1e-3;
constexpr int samples = 5;

constexpr Mix allMixes[] = {Mix::Read,      Mix::Copy,      Mix::Triad,
                            Mix::FourToOne, Mix::OneToFour, Mix::Update};

double loopSeconds(const PeakLoop &loop, int64_t iterations, Pool &pool) {
  Timer timer;
  pool.run(pool.threads(), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      loop.run(iterations);
  });
  return timer.seconds();
}

/// L1, L2, last level, and DRAM, for arrays of all threads together.
std::set<int64_t> footprints(int threads) {
  const CpuInfo &cpu = hostCpu();
  int64_t dram = std::min(4 * cpu.llcBytes,
                          std::max<int64_t>(2 * cpu.llcBytes, 512 << 20));
  std::set<int64_t> sizes = {cpu.l1Bytes / 2 * threads,
                             cpu.l2Bytes / 2 * threads};
  for (int64_t size : {cpu.llcBytes / 4, cpu.llcBytes})
    if (size > *sizes.rbegin())
      sizes.insert(size);
  sizes.insert(std::max(dram, 2 * *sizes.rbegin()));
  return sizes;
}

std::string utcNow() {
  std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

} // namespace

std::optional<Peak> labgen::probePeak(Format format, const std::string &isa,
                                      int threads) {
  Pool::Pin pin;
  Pool &pool = Pool::shared(threads);
  for (const PeakLoop &loop : peakLoops()) {
    if (loop.format != format || loop.isa != isa ||
        !hasAll(hostCpu().features, loop.needs))
      continue;
    int64_t iterations = 1000;
    double first = loopSeconds(loop, iterations, pool);
    iterations = std::max<int64_t>(
        iterations, int64_t(double(iterations) * sampleSeconds / first));
    std::vector<double> taken;
    for (int i = 0; i < samples; ++i)
      taken.push_back(loopSeconds(loop, iterations, pool));
    double flops = double(loop.flopsPerIteration) * double(iterations) *
                   double(pool.threads());
    return Peak{format, isa, pool.threads(),
                flops / quantile(taken, fastQuantile) / 1e9, loop.accumulate};
  }
  return std::nullopt;
}

double labgen::probeLaunch(int threads) {
  constexpr int launches = 200;
  Pool::Pin pin;
  Pool &pool = Pool::shared(threads);
  std::atomic<int> arrived{0};
  // Threads wait for each other, as they do for the last of a kernel's units;
  // otherwise the caller could do an empty body alone.
  auto meet = [&](int64_t begin, int64_t end) {
    arrived.fetch_add(int(end - begin));
    while (arrived.load(std::memory_order_acquire) < pool.threads())
      sched_yield();
  };
  std::vector<double> taken;
  for (int i = 0; i < 2 * samples; ++i) {
    Timer timer;
    for (int launch = 0; launch < launches; ++launch) {
      arrived.store(0);
      pool.run(pool.threads(), meet);
    }
    taken.push_back(timer.seconds() / launches);
  }
  return quantile(taken, fastQuantile);
}

Result<MachineRoofs> labgen::probeMachine(const ProbeProgress &progress) {
  const CpuInfo &cpu = hostCpu();
  int cores = int(cpu.cores.size());
  std::set<int> threadCounts = {1, cores};

  MachineRoofs roofs;
  roofs.chip = cpu.model;
  roofs.source = "measured";
  roofs.date = utcNow();
  roofs.l1Bytes = cpu.l1Bytes;
  roofs.l2Bytes = cpu.l2Bytes;
  roofs.llcBytes = cpu.llcBytes;
  roofs.launchSeconds = probeLaunch(cores);
  roofs.conditions["cores"] = std::to_string(cores);
  double load = 0;
  if (getloadavg(&load, 1) == 1)
    roofs.conditions["load_average"] = std::to_string(load);

  int done = 0, total = 0;
  for (int threads : threadCounts)
    total += int(std::size(allMixes) * footprints(threads).size() +
                 peakLoops().size());
  auto step = [&] {
    ++done;
    if (progress)
      progress(done, total);
  };
  for (int threads : threadCounts) {
    for (Mix mix : allMixes)
      for (int64_t footprint : footprints(threads)) {
        Result<Bandwidth> bandwidth =
            probeBandwidth(mix, footprint, threads, cpu.vectorIsa());
        if (!bandwidth)
          return bandwidth.status();
        roofs.bandwidths.push_back(*bandwidth);
        step();
      }
    for (const PeakLoop &loop : peakLoops()) {
      if (std::optional<Peak> peak = probePeak(loop.format, loop.isa, threads))
        roofs.peaks.push_back(*peak);
      step();
    }
  }
  return roofs;
}
