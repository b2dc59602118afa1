// Quantize.cpp - the quantize oracle: groups to codes, scales and zero points.
//
// Groups that fit a chunk are read once. Longer ones take two passes, extremes
// first; both cut rows at multiples of eight codes, so that no two threads
// write the same byte of packed codes.
#include "runtime/check/numbers/Spans.h"
#include "runtime/check/numbers/StepTable.h"
#include "runtime/check/oracle/GroupScale.h"
#include "runtime/core/Chunks.h"
#include "runtime/core/Isa.h"
#include "runtime/core/Philox.h"

#include <cmath>
#include <cstring>
#include <numeric>

namespace labgen::oracle {
namespace {

/// Rounds half to even, shifts by the zero point and clamps.
LABGEN_INLINE uint8_t integerCode(float quotient, float zero, float low,
                                  float high) {
  float code = std::nearbyint(quotient) + zero;
  code = code < low ? low : code;
  code = code > high ? high : code;
  return uint8_t(int32_t(code));
}

LABGEN_CLONES void divideToCodes(const float *x, int64_t count, float divisor,
                                 float zero, float low, float high,
                                 uint8_t *codes) {
  for (int64_t i = 0; i < count; ++i)
    codes[i] = integerCode(x[i] / divisor, zero, low, high);
}

LABGEN_CLONES void multiplyToCodes(const float *x, int64_t count, float inverse,
                                   float zero, float low, float high,
                                   uint8_t *codes) {
  for (int64_t i = 0; i < count; ++i)
    codes[i] = integerCode(x[i] * inverse, zero, low, high);
}

EncodeRules rulesOf(const KernelSpec &spec) {
  return {spec.round, Overflow::Saturate, NanRule::Max, 0};
}

LABGEN_CLONES void quotients(const float *x, int64_t count, float divisor,
                             float *out) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = x[i] / divisor;
}

LABGEN_CLONES void products(const float *x, int64_t count, float inverse,
                            float *out) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = x[i] * inverse;
}

/// At most a chunk.
void encodeByTable(const StepTable &steps, const GroupScale &group,
                   const float *x, int64_t count, uint8_t *codes) {
  float scaled[chunkElements];
  uint32_t words[chunkElements];
  if (group.divides)
    quotients(x, count, group.divisor, scaled);
  else
    products(x, count, 1.0f / group.divisor, scaled);
  std::memcpy(words, scaled, size_t(count) * sizeof *words);
  steps.round(words, count);
  std::copy(words, words + count, codes);
}

void encodeGroup(const QuantizePlan &plan, const StepTable *steps,
                 const GroupScale &group, const float *x, int64_t count,
                 int64_t flat, uint8_t *codes) {
  const KernelSpec &spec = plan.spec;
  if (group.constant) {
    std::memset(codes, uint8_t(group.zero), size_t(count));
    return;
  }
  bool divides = group.divides;
  float inverse = 1.0f / group.divisor, zero = float(group.zero);
  if (plan.integer && spec.round == Rounding::Even) {
    if (divides)
      divideToCodes(x, count, group.divisor, zero, plan.low, plan.high, codes);
    else
      multiplyToCodes(x, count, inverse, zero, plan.low, plan.high, codes);
    return;
  }
  if (steps)
    return encodeByTable(*steps, group, x, count, codes);
  EncodeRules rules = rulesOf(spec);
  for (int64_t i = 0; i < count; ++i) {
    float quotient = divides ? x[i] / group.divisor : x[i] * inverse;
    if (spec.round == Rounding::Stochastic)
      rules.random = randomWord(spec.seed, flat + i);
    codes[i] = plan.integer
                   ? integerCode(float(roundTo(Format::I32, quotient, rules)),
                                 zero, plan.low, plan.high)
                   : uint8_t(encode(spec.out, quotient, rules));
  }
}

/// Largest finite magnitude of the parts of a tensor.
struct Amax {
  float value = 0;
  void merge(const Amax &other) { value = std::max(value, other.value); }
};

class Quantizer {
public:
  Quantizer(const KernelSpec &spec, int64_t rows, int64_t k,
            const FloatSource &source, const QuantizedTensors &out,
            const ParallelFor &parallel)
      : plan(spec), rows(rows), k(k), along(spec.group.along(k)),
        perRow(spec.group.kind == Group::Size ? ceilDiv(k, along) : 1),
        source(source), out(out), parallel(parallel) {
    if (!plan.integer && rows * k >= StepTable::worthwhile(spec.out))
      steps = StepTable::get(spec.out, rulesOf(spec));
  }

  QuantizeCounts run() {
    if (out.global)
      setGlobal();
    int64_t groups = spec().group.kind == Group::Tensor ? 1 : rows * perRow;
    if (plan.asymmetric)
      zeros.resize(size_t(groups));
    QuantizeCounts counts = dispatch();
    if (out.zero) // its pad bits too
      std::memset(out.zero->data(), 0, size_t(out.zero->byteSize()));
    for (int64_t g = 0; g < int64_t(zeros.size()); ++g)
      out.zero->setBits(g / perRow, g % perRow, uint8_t(zeros[size_t(g)]));
    return counts;
  }

private:
  const KernelSpec &spec() const { return plan.spec; }

  QuantizeCounts dispatch() {
    if (spec().group.kind == Group::Tensor)
      return wholeTensor();
    if (k == 0)
      return emptyRows();
    int64_t period = std::lcm(std::min<int64_t>(along, k), 8);
    if (k <= chunkElements || period <= chunkElements)
      return shortGroups(k <= chunkElements ? k
                                            : chunkElements / period * period);
    return longGroups();
  }

  void setGlobal() {
    Amax amax = mapChunks<Amax>(
        parallel, rows, k, chunkElements,
        [&](int64_t row, int64_t begin, int64_t count, Amax &part) {
          float x[chunkElements];
          source(row, begin, count, x);
          part.merge({finiteAmax(x, count)});
        });
    plan.global = globalScale(spec(), amax.value);
    std::memcpy(out.global->data(), &plan.global, sizeof plan.global);
  }

  GroupScale finish(int64_t row, int64_t group, const GroupStats &stats,
                    QuantizeCounts &counts) {
    GroupScale scale = scaleOfGroup(plan, stats, counts);
    out.scale->setBits(row, group, scale.bits);
    if (plan.asymmetric)
      zeros[size_t(row * perRow + group)] = int16_t(scale.zero);
    return scale;
  }

  /// Channels without elements are groups of zeros.
  QuantizeCounts emptyRows() {
    QuantizeCounts counts;
    if (spec().group.kind == Group::Channel)
      for (int64_t row = 0; row < rows; ++row)
        finish(row, 0, {}, counts);
    return counts;
  }

  /// One pass: a chunk holds whole groups.
  QuantizeCounts shortGroups(int64_t chunk) {
    return mapChunks<QuantizeCounts>(
        parallel, rows, k, chunk,
        [&](int64_t row, int64_t begin, int64_t count, QuantizeCounts &counts) {
          float x[chunkElements];
          uint8_t codes[chunkElements];
          source(row, begin, count, x);
          for (int64_t i = 0; i < count; i += along) {
            int64_t n = std::min(along, count - i);
            GroupScale scale =
                finish(row, (begin + i) / along, statsOf(x + i, n), counts);
            encodeGroup(plan, steps, scale, x + i, n, row * k + begin + i,
                        codes + i);
          }
          write(row, begin, count, codes);
        });
  }

  QuantizeCounts wholeTensor() {
    GroupStats stats = mapChunks<GroupStats>(
        parallel, rows, k, chunkElements,
        [&](int64_t row, int64_t begin, int64_t count, GroupStats &part) {
          float x[chunkElements];
          source(row, begin, count, x);
          part.merge(statsOf(x, count));
        });
    QuantizeCounts counts;
    std::vector<GroupScale> scales{finish(0, 0, stats, counts)};
    encodeAll(
        [&](int64_t, int64_t) -> const GroupScale & { return scales[0]; });
    return counts;
  }

  /// Two passes: a group spans chunks, and a chunk at most `slots` groups.
  QuantizeCounts longGroups() {
    int64_t chunks = ceilDiv(k, chunkElements);
    int64_t slots = chunkElements / along + 2;
    std::vector<GroupStats> parts(size_t(rows * chunks * slots));
    mapChunks<Amax>(
        parallel, rows, k, chunkElements,
        [&](int64_t row, int64_t begin, int64_t count, Amax &) {
          float x[chunkElements];
          source(row, begin, count, x);
          GroupStats *slot =
              &parts[size_t((row * chunks + begin / chunkElements) * slots)];
          forGroups(begin, count, [&](int64_t, int64_t at, int64_t n) {
            *slot++ = statsOf(x + at, n);
          });
        });
    std::vector<GroupScale> scales(size_t(rows * perRow));
    QuantizeCounts counts;
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t g = 0; g < perRow; ++g) {
        GroupStats stats;
        int64_t last = std::min(k, (g + 1) * along) - 1;
        for (int64_t c = g * along / chunkElements; c <= last / chunkElements;
             ++c)
          stats.merge(parts[size_t((row * chunks + c) * slots + g -
                                   c * chunkElements / along)]);
        scales[size_t(row * perRow + g)] = finish(row, g, stats, counts);
      }
    encodeAll([&](int64_t row, int64_t g) -> const GroupScale & {
      return scales[size_t(row * perRow + g)];
    });
    return counts;
  }

  template <typename ScaleAt> void encodeAll(const ScaleAt &scaleAt) {
    mapChunks<Amax>(
        parallel, rows, k, chunkElements,
        [&](int64_t row, int64_t begin, int64_t count, Amax &) {
          float x[chunkElements];
          uint8_t codes[chunkElements];
          source(row, begin, count, x);
          forGroups(begin, count, [&](int64_t group, int64_t at, int64_t n) {
            encodeGroup(plan, steps, scaleAt(row, group), x + at, n,
                        row * k + begin + at, codes + at);
          });
          write(row, begin, count, codes);
        });
  }

  /// body(group, offset, count) for each piece of a group in a span.
  template <typename Body>
  void forGroups(int64_t begin, int64_t count, const Body &body) const {
    for (int64_t i = 0; i < count;) {
      int64_t group = (begin + i) / along;
      int64_t n = std::min(count - i, (group + 1) * along - begin - i);
      body(group, i, n);
      i += n;
    }
  }

  void write(int64_t row, int64_t begin, int64_t count, const uint8_t *codes) {
    writeCodes(spec().out, out.q->data() + row * out.q->argument().rowBytes(),
               begin, count, codes);
  }

  QuantizePlan plan;
  const StepTable *steps = nullptr; ///< of codes that are floats
  int64_t rows, k, along, perRow;
  const FloatSource &source;
  const QuantizedTensors &out;
  const ParallelFor &parallel;
  std::vector<int16_t> zeros; ///< kept apart: packed zero points share bytes
};

} // namespace

void QuantizeCounts::merge(const QuantizeCounts &other) {
  nan += other.nan;
  inf += other.inf;
  saturated += other.saturated;
  flushed += other.flushed;
  zeroGroups += other.zeroGroups;
  bound = std::max(bound, other.bound);
}

FloatSource floatsOf(const Tensor &tensor) {
  const Argument &argument = tensor.argument();
  return [&tensor, format = argument.format, rowBytes = argument.rowBytes()](
             int64_t row, int64_t begin, int64_t count, float *out) {
    readFloats(format, tensor.data() + row * rowBytes, begin, count, out);
  };
}

QuantizeCounts quantize(const KernelSpec &spec, int64_t rows, int64_t k,
                        const FloatSource &source, const QuantizedTensors &out,
                        const ParallelFor &parallel) {
  return Quantizer(spec, rows, k, source, out, parallel).run();
}

uint32_t randomWord(uint64_t seed, int64_t flat) {
  return philox(seed, uint64_t(flat), 0).w0;
}

} // namespace labgen::oracle
