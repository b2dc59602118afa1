// ElementwiseCheck.cpp - dequantize, cast, exp and axpy, element by element.
//
// All but exp are compared bit for bit. Each pass streams: a chunk of inputs,
// the oracle's chunk of outputs, and the comparison, in buffers on the stack.
#include "lib/Spec/Bound.h"
#include "runtime/check/Checks.h"
#include "runtime/check/numbers/Spans.h"
#include "runtime/check/oracle/Elementwise.h"
#include "runtime/check/oracle/Oracle.h"
#include "runtime/core/Chunks.h"
#include "runtime/core/Isa.h"

#include <atomic>
#include <cmath>
#include <limits>

namespace labgen {
namespace {

/// One chunk of an op: its reference in f64 and the bytes the oracle wants,
/// the chunk's first element at the first byte.
struct Chunk {
  int64_t row, begin, count;
  double reference[chunkElements];
  alignas(8) std::byte want[chunkElements * 8];
};

/// Runs body over an output in chunks, compares and measures. `body` fills a
/// chunk; it may judge elements itself by noting differences (compared =
/// false).
template <typename Body> void checkOutput(Judged &run, const char *name,
                                          bool compared, const Body &body) {
  const Tensor &y = run.output(name);
  const Argument &argument = y.argument();
  int64_t columns = y.columns(), rowBytes = argument.rowBytes();
  auto found = mapChunks<Findings>(
      run.parallel, y.rows(), columns, chunkElements,
      [&](int64_t row, int64_t begin, int64_t count, Findings &part) {
        Chunk chunk;
        chunk.row = row;
        chunk.begin = begin;
        chunk.count = count;
        const std::byte *got =
            y.data() + row * rowBytes + packedBytes(argument.format, begin);
        double result[chunkElements];
        oracle::readDoubles(argument.format, got, 0, count, result);
        std::fill_n(chunk.want, sizeof chunk.want, std::byte(0));
        body(chunk, result, part);
        if (compared)
          part.differences.compare(argument.format, got, chunk.want, 0, count,
                                   row * columns + begin);
        part.error.add(chunk.reference, result, count);
      });
  if (found.differences.any())
    run.fail(found.differences.describe(argument));
  run.verdict.error = found.error.finish();
  if (run.spec.op == Op::Cast)
    run.verdict.error.maxCode = found.differences.maxCode;
  run.verdict.counts = found.counts;
  run.setBound(found.bound);
}

/// Largest magnitude that `format` rounds to a finite number.
double amaxOf(Format format, const double *values, int64_t count) {
  double largest = info(format).max;
  double limit = largest + roundingError(format, largest);
  double most = 0;
  for (int64_t i = 0; i < count; ++i) {
    double magnitude = std::fabs(values[i]);
    if (magnitude <= limit)
      most = std::max(most, magnitude);
  }
  return most;
}

/// Counts what became of each element; returns the largest magnitude that was
/// finite and stayed so.
LABGEN_CLONES double countCast(const double *from, const double *to,
                               int64_t count, RowCounts &counts) {
  constexpr double most = std::numeric_limits<double>::max();
  constexpr int64_t lanes = 8; // a maximum has no order the compiler may change
  double largest[lanes] = {};
  int64_t nan = 0, inf = 0, flush = 0;
  auto look = [&](int64_t i, double &lane) __attribute__((always_inline)) {
    double x = std::fabs(from[i]), y = std::fabs(to[i]);
    nan += (x != x) | (y != y);
    inf += (x > most) | (y > most);
    flush += (x > 0) & (y == 0);
    double finite = ((x <= most) & (y <= most)) ? x : 0.0;
    lane = lane > finite ? lane : finite;
  };
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (int64_t lane = 0; lane < lanes; ++lane)
      look(i + lane, largest[lane]);
  for (; i < count; ++i)
    look(i, largest[0]);
  counts.nan += nan;
  counts.inf += inf;
  counts.flush += flush;
  return *std::max_element(largest, largest + lanes);
}

/// Rounded to `first`, then to `second`: at most this far from `value`.
double twoRoundings(Format first, Format second, double value) {
  double error = roundingError(first, value);
  return first == second ? error : error + roundingError(second, value + error);
}

} // namespace

void checkDequantize(Judged &run) {
  const Tensor *global = find(run.before, "global");
  oracle::Dequantizer codes(run.spec.group, run.spec.k, run.input("q"),
                            run.input("scale"), find(run.before, "zero"),
                            global);
  Format out = run.spec.out;
  checkOutput(
      run, "y", true, [&](Chunk &chunk, const double *result, Findings &found) {
        float values[chunkElements];
        codes.floats(chunk.row, chunk.begin, chunk.count, values);
        oracle::writeFloats(out, chunk.want, 0, chunk.count, values);
        codes.doubles(chunk.row, chunk.begin, chunk.count, chunk.reference);
        found.countSpecials(result, chunk.count);
        double most = amaxOf(out, chunk.reference, chunk.count);
        double bound = twoRoundings(Format::F32, out, most);
        if (global) // scale * global is one more rounding
          bound += roundingError(Format::F32, most) * 2;
        found.bound = std::max(found.bound, bound);
      });
}

void checkCast(Judged &run) {
  const Tensor &x = run.input("x");
  oracle::Caster caster(run.spec);
  std::atomic<int64_t> firstNan{-1};
  bool refusesNan = run.spec.nan == NanRule::Error;
  double largest = info(run.spec.out).max;
  bool nearest =
      run.spec.round == Rounding::Even || run.spec.round == Rounding::Away;
  checkOutput(
      run, "y", true, [&](Chunk &chunk, const double *result, Findings &found) {
        oracle::readDoubles(run.spec.in, x.data(), chunk.begin, chunk.count,
                            chunk.reference);
        found.counts.sat +=
            caster.cast(x.data(), chunk.begin, chunk.count, chunk.want);
        double most =
            countCast(chunk.reference, result, chunk.count, found.counts);
        for (int64_t i = 0; refusesNan && i < chunk.count; ++i)
          if (std::isnan(chunk.reference[i])) {
            int64_t none = -1;
            firstNan.compare_exchange_strong(none, chunk.begin + i);
          }
        double bound = roundingError(run.spec.out, std::min(most, largest)) *
                       (nearest ? 1 : 2);
        found.bound = std::max({found.bound, bound, most - largest});
      });
  if (firstNan >= 0)
    run.fail(elementName(x.argument(), firstNan) +
             " is NaN, which nan=error does not allow");
}

void checkExp(Judged &run) {
  const Tensor &x = run.input("x"), &y = run.output("y");
  Format out = run.spec.out;
  checkOutput(run, "y", false,
              [&](Chunk &chunk, const double *result, Findings &found) {
                int64_t n = chunk.count;
                float xs[chunkElements];
                double nearest[chunkElements];
                oracle::readFloats(run.spec.in, x.data(), chunk.begin, n, xs);
                for (int64_t i = 0; i < n; ++i) {
                  chunk.reference[i] = std::exp(double(xs[i]));
                  xs[i] = float(chunk.reference[i]);
                }
                // The nearest f32 is the common case and the cheap one to tell.
                oracle::writeFloats(out, chunk.want, 0, n, xs);
                oracle::readDoubles(out, chunk.want, 0, n, nearest);
                for (int64_t i = 0; i < n; ++i) {
                  double exact = chunk.reference[i];
                  if (result[i] == nearest[i] ||
                      oracle::holds(oracle::expRange(exact), out, result[i]))
                    continue;
                  int64_t at = chunk.begin + i;
                  found.differences.note(at, y.bits(0, at),
                                         codeBits(out, chunk.want, i),
                                         twoRoundings(Format::F32, out, exact) +
                                             roundingError(Format::F32, exact));
                }
                found.countSpecials(result, n);
                double most = amaxOf(out, chunk.reference, n);
                found.bound =
                    std::max(found.bound, twoRoundings(Format::F32, out, most) +
                                              roundingError(Format::F32, most));
              });
}

void checkAxpy(Judged &run) {
  const Tensor &x = run.input("x"), &y = run.input("y");
  Format type = run.spec.type, acc = run.spec.acc;
  double alpha = run.input("alpha").value(0, 0);
  checkOutput(
      run, "y", true, [&](Chunk &chunk, const double *result, Findings &found) {
        int64_t n = chunk.count;
        oracle::axpy(run.spec, alpha, x.data(), y.data(), chunk.begin, n,
                     chunk.want, chunk.reference);
        found.countSpecials(result, n);
        double most = amaxOf(type, chunk.reference, n);
        found.bound = std::max(found.bound, twoRoundings(acc, type, most));
      });
}

} // namespace labgen
