// BandwidthProbe.cpp - one bandwidth: arrays, variants, samples.
#include "lib/Host/CpuInfo.h"
#include "runtime/measure/CacheState.h"
#include "runtime/measure/Probe.h"
#include "runtime/measure/SampleStats.h"
#include "runtime/measure/Sampler.h"
#include "runtime/measure/stream/Stream.h"

#include <algorithm>

using namespace labgen;

namespace {

constexpr int64_t lineBytes = 64;
// Arrays start at different offsets within a page: equal ones make loads wait
// for stores of the same low address bits.
constexpr int64_t offsetBytes = 13 * lineBytes;
constexpr double sampleSeconds = 1e-3;

class Streams {
public:
  Streams(Mix mix, int64_t footprintBytes, Pool &pool, std::string isa)
      : mix(mix), isa(std::move(isa)), pool(pool), shape(stream::shape(mix)),
        cold(isCold(footprintBytes)) {
    int64_t stepBytes =
        lineBytes * (shape.linesA + shape.linesB + shape.linesC);
    steps = std::max<int64_t>(footprintBytes / stepBytes, pool.threads());
  }

  Status allocate() {
    int64_t bytesA = steps * shape.linesA * lineBytes;
    int64_t bytesB = steps * shape.linesB * lineBytes;
    int64_t bytesC = steps * shape.linesC * lineBytes;
    Result<Tensor> made =
        scratchMemory(bytesA + bytesB + bytesC + 3 * offsetBytes, pool);
    if (!made)
      return made.status();
    memory.push_back(*made);
    char *base = memory[0].as<char>();
    arrays = {base, base + bytesA + offsetBytes,
              base + bytesA + bytesB + 2 * offsetBytes};
    return Status::ok();
  }

  Bandwidth measure(int effort) {
    std::vector<Candidate> candidates;
    bool inL1 = footprint() <= hostCpu().l1Bytes * pool.threads();
    for (bool nonTemporal : {false, true})
      for (bool prefetch : {false, true})
        // In L1 neither can help.
        if (stream::Kernel kernel =
                stream::kernel(isa, mix, {nonTemporal, prefetch});
            kernel && !(inL1 && (nonTemporal || prefetch)))
          candidates.push_back({kernel, nonTemporal, 0, {}});
    for (Candidate &candidate : candidates)
      sample(candidate, cold ? 1 : 2);
    Candidate &best =
        *std::min_element(candidates.begin(), candidates.end(),
                          [](const Candidate &a, const Candidate &b) {
                            return a.best() < b.best();
                          });
    sample(best, (cold ? 3 : 14) * effort);
    double counted = double(steps * shape.countedLines * lineBytes);
    return {mix,
            footprint(),
            pool.threads(),
            counted / best.best() / 1e9,
            best.nonTemporal,
            isa};
  }

private:
  struct Candidate {
    stream::Kernel kernel;
    bool nonTemporal;
    int64_t passes; ///< per sample; 0 until the first was timed
    std::vector<double> secondsPerPass;

    double best() const { return quantile(secondsPerPass, fastQuantile); }
  };

  int64_t footprint() const {
    return steps * lineBytes * (shape.linesA + shape.linesB + shape.linesC);
  }

  void sample(Candidate &candidate, int samples) {
    if (candidate.passes == 0) {
      candidate.passes = 1;
      // In the caches the first pass warms them up and sizes the samples.
      if (!cold)
        candidate.passes = std::max<int64_t>(
            1, int64_t(sampleSeconds / seconds(candidate.kernel, 1)));
    }
    for (int i = 0; i < samples; ++i)
      candidate.secondsPerPass.push_back(
          seconds(candidate.kernel, candidate.passes) /
          double(candidate.passes));
  }

  double seconds(stream::Kernel kernel, int64_t passes) {
    if (cold)
      flushCaches(pool);
    Timer timer;
    if (passes == 1) {
      pool.run(steps,
               [&](int64_t begin, int64_t end) { kernel(arrays, begin, end); });
    } else {
      // Each thread stays with its share, or the share would be what has to
      // fit the cache.
      int64_t threads = pool.threads();
      pool.run(threads, [&](int64_t begin, int64_t end) {
        for (int64_t pass = 0; pass < passes; ++pass)
          kernel(arrays, steps * begin / threads, steps * end / threads);
      });
    }
    return timer.seconds();
  }

  Mix mix;
  std::string isa;
  Pool &pool;
  stream::Shape shape;
  bool cold;
  int64_t steps;
  Tensors memory;
  stream::Arrays arrays{};
};

} // namespace

Result<Bandwidth> labgen::probeBandwidth(Mix mix, int64_t footprintBytes,
                                         int threads, const std::string &isa,
                                         int effort) {
  int64_t most = std::max<int64_t>(16 * hostCpu().llcBytes, 512 << 20);
  Pool::Pin pin;
  Streams streams(mix, std::min(footprintBytes, most), Pool::shared(threads),
                  isa);
  if (Status status = streams.allocate(); !status)
    return status;
  return streams.measure(effort);
}
