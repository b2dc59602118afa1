// GemmCheck.cpp - matrix products, each element within its own bound.
//
// The reference is the f64 product of the stored inputs. With compute=i8 a
// second one, of the codes the contract says a is quantized to, holds c much
// tighter than the a-priori bound, which has to allow for that quantizing.
#include "lib/Spec/Bound.h"
#include "lib/Spec/ops/Gemm.h"
#include "runtime/check/Checks.h"
#include "runtime/check/Freivalds.h"
#include "runtime/check/GemmRows.h"
#include "runtime/check/numbers/Spans.h"
#include "runtime/check/oracle/Gemm.h"
#include "runtime/check/oracle/Oracle.h"
#include "runtime/core/Chunks.h"

#include <cmath>
#include <limits>
#include <memory>

namespace labgen {
namespace {

using oracle::DoubleSource;
using oracle::tileSize;
constexpr double infinity = std::numeric_limits<double>::infinity();

DoubleSource doublesOf(const Tensor &tensor) {
  const Argument &argument = tensor.argument();
  return [&tensor, format = argument.format, rowBytes = argument.rowBytes()](
             int64_t row, int64_t begin, int64_t count, double *out) {
    oracle::readDoubles(format, tensor.data() + row * rowBytes, begin, count,
                        out);
  };
}

/// a as compute=i8 quantizes it: groups as b's, absmax / 127, f32 scales.
struct QuantizedA {
  Tensor q, scale;
  std::unique_ptr<oracle::Dequantizer> codes;

  static Result<QuantizedA> make(const Judged &run) {
    KernelSpec spec;
    spec.op = Op::Quantize;
    spec.m = run.spec.m;
    spec.k = run.spec.k;
    spec.in = run.spec.a;
    spec.out = Format::I8;
    spec.group = run.spec.group;
    spec.scale = Format::F32;
    std::vector<Argument> all = arguments(spec); // x, q, scale
    Result<Tensor> q = Tensor::allocate(all[1]);
    if (!q)
      return q.status();
    Result<Tensor> scale = Tensor::allocate(all[2]);
    if (!scale)
      return scale.status();
    QuantizedA made{*q, *scale, nullptr};
    oracle::quantize(spec, spec.m, spec.k, oracle::floatsOf(run.input("a")),
                     {&made.q, &made.scale}, run.parallel);
    return made;
  }
};

class GemmJudge {
public:
  explicit GemmJudge(Judged &run)
      : run(run), spec(run.spec), c(run.output("c")),
        rows(rowsToCheck(spec, run.options.schedule, run.options.seed)),
        a(run.input("a")), b(run.input("b")) {
    if (spec.isQuantized())
      weights = std::make_unique<oracle::Dequantizer>(
          spec.group, spec.k, b, run.input("b_scale"),
          find(run.before, "b_zero"), find(run.before, "b_global"));
  }

  Status judge() {
    if (spec.quantizesA()) {
      Result<QuantizedA> made = QuantizedA::make(run);
      if (!made)
        return made.status();
      quantized = std::make_unique<QuantizedA>(std::move(*made));
      quantized->codes = std::make_unique<oracle::Dequantizer>(
          spec.group, spec.k, quantized->q, quantized->scale, nullptr, nullptr);
    }
    int64_t rowTiles = ceilDiv(int64_t(rows.size()), tileSize);
    int64_t columnTiles = ceilDiv(spec.n, tileSize);
    auto found = mapItems<Findings>(
        run.parallel, rowTiles * columnTiles, [&](int64_t i, Findings &part) {
          int64_t first = i / columnTiles * tileSize;
          int64_t j0 = i % columnTiles * tileSize;
          judgeTile(&rows[size_t(first)],
                    std::min(tileSize, int64_t(rows.size()) - first), j0,
                    std::min(tileSize, spec.n - j0), part);
        });
    if (found.differences.any())
      run.fail(found.differences.describe(c.argument()));
    run.verdict.error = found.error.finish();
    run.verdict.counts = found.counts;
    run.setBound(found.bound);
    if (int64_t(rows.size()) < spec.m && run.verdict.right)
      testAllRows();
    return Status::ok();
  }

private:
  /// All rows by Freivalds' test; what it does not prove right is judged
  /// element by element.
  void testAllRows() {
    ProductToTest product{spec, aExactly(), bExactly(), doublesOf(c), {}};
    if (spec.accumulate)
      product.added = doublesOf(run.input("c"));
    run.verdict.checked = "rows+freivalds";
    uint64_t key = freshKey(run.options.seed);
    double detects = 0;
    int64_t step = tileSize * columnsPerVector(spec);
    for (int64_t begin = 0; begin < spec.n && run.verdict.right;
         begin += step) {
      FreivaldsResult result = freivalds(product, begin, key, run.parallel);
      detects = std::max(detects, result.detects);
      settle(result.doubts);
    }
    run.verdict.detects = detects;
  }

  /// Judges elements in doubt until one is wrong.
  void settle(const std::vector<Doubt> &doubts) {
    constexpr int64_t atOnce = 1024;
    for (size_t i = 0; i < doubts.size() && run.verdict.right; i += atOnce) {
      auto count = std::min(atOnce, int64_t(doubts.size() - i));
      auto found = mapItems<Findings>(
          run.parallel, count, [&](int64_t d, Findings &part) {
            const Doubt &doubt = doubts[i + size_t(d)];
            judgeTile(&doubt.row, 1, doubt.column, doubt.columns, part);
          });
      if (found.differences.any())
        run.fail(found.differences.describe(c.argument()));
    }
  }

  /// The operands of the exact product of what the kernel multiplies: with
  /// compute=i8 codes times scales.
  DoubleSource aExactly() const {
    if (!quantized)
      return doublesOf(a);
    return [this](int64_t row, int64_t begin, int64_t count, double *out) {
      doublesOf(quantized->q)(row, begin, count, out);
      scaleBy(*quantized->codes, row, begin, count, out);
    };
  }
  DoubleSource bExactly() const {
    if (!quantized)
      return bValues();
    return [this](int64_t row, int64_t begin, int64_t count, double *out) {
      bCodes(row, begin, count, out);
      scaleBy(*weights, row, begin, count, out);
    };
  }
  static void scaleBy(const oracle::Dequantizer &scales, int64_t row,
                      int64_t begin, int64_t count, double *values) {
    int64_t along = scales.groupLength();
    for (int64_t i = 0; i < count;) {
      int64_t group = (begin + i) / along;
      int64_t end = std::min(count, (group + 1) * along - begin);
      for (double scale = scales.scaleOf(row, group); i < end; ++i)
        values[i] *= scale;
    }
  }
  /// b's codes less their zero points.
  void bCodes(int64_t row, int64_t begin, int64_t count, double *out) const {
    doublesOf(b)(row, begin, count, out);
    int64_t along = weights->groupLength();
    for (int64_t i = 0; spec.zero && i < count; ++i)
      out[i] -= weights->zeroOf(row, (begin + i) / along);
  }

  /// b as the kernel multiplies it: dequantized in f32.
  DoubleSource bValues() const {
    if (!weights)
      return doublesOf(b);
    return [this](int64_t row, int64_t begin, int64_t count, double *out) {
      float values[chunkElements];
      weights->floats(row, begin, count, values);
      std::copy(values, values + count, out);
    };
  }

  /// sum_k |b_k| s_a(k) / 2 for a tile.
  void activationSteps(const int64_t *aRows, int64_t count, int64_t j0,
                       int64_t columns, oracle::TileSums &out) const {
    auto steps = [&](int64_t row, int64_t begin, int64_t n, double *to) {
      int64_t along = quantized->codes->groupLength(), group = -1;
      double step = 0;
      for (int64_t i = 0; i < n; ++i) {
        if ((begin + i) / along != group) {
          group = (begin + i) / along;
          step = quantized->codes->scaleOf(row, group) / 2.0;
        }
        to[i] = step;
      }
    };
    oracle::TileProduct(steps, bValues(), spec.k)
        .run(aRows, count, j0, columns, out);
  }

  /// The exact product of codes and what f32 may add to it: per group a
  /// conversion, two scalings and an addition.
  struct Tight {
    oracle::TileSums sums, products;
  };
  void codeProduct(const int64_t *aRows, int64_t count, int64_t j0,
                   int64_t columns, Tight &out) const {
    auto scales = [](const oracle::Dequantizer &of) {
      return
          [&of](int64_t row, int64_t g) { return double(of.scaleOf(row, g)); };
    };
    oracle::GroupedProduct(
        doublesOf(quantized->q), scales(*quantized->codes),
        [this](int64_t row, int64_t begin, int64_t n, double *to) {
          bCodes(row, begin, n, to);
        },
        scales(*weights), spec.k, weights->groupLength())
        .run(aRows, count, j0, columns, out.sums, out.products);
  }

  double tightBound(const Tight &tight, size_t at, double exact,
                    double added) const {
    constexpr double u = 0x1p-24;
    double groups = double(spec.scaleCols());
    // The second term allows for groups that end in several partial dots.
    double error =
        gamma(groups + 8, u) * (tight.sums.magnitude[at] + std::fabs(added)) +
        2 * u * tight.products.magnitude[at] +
        (tight.products.sum[at] + groups) * 0x1p-149;
    double reach = tight.products.magnitude[at] + std::fabs(added) + error;
    if (!(reach <= info(spec.acc).max))
      return infinity;
    if (spec.out != spec.acc)
      error += roundingError(spec.out, std::fabs(exact) + error);
    return std::fabs(exact) + error <= info(spec.out).max ? error : infinity;
  }

  /// At most tileSize rows and columns.
  void judgeTile(const int64_t *aRows, int64_t count, int64_t j0,
                 int64_t columns, Findings &found) const {
    oracle::TileSums product, steps;
    oracle::TileProduct reference(doublesOf(a), bValues(), spec.k);
    if (spec.acc == Format::F64)
      reference.runExactly(aRows, count, j0, columns, product);
    else
      reference.run(aRows, count, j0, columns, product);
    Tight tight;
    if (quantized) {
      activationSteps(aRows, count, j0, columns, steps);
      codeProduct(aRows, count, j0, columns, tight);
    }
    for (int64_t i = 0; i < count; ++i) {
      double exact[tileSize], result[tileSize], before[tileSize] = {};
      int64_t row = aRows[i], rowBytes = c.argument().rowBytes();
      oracle::readDoubles(spec.out, c.data() + row * rowBytes, j0, columns,
                          result);
      if (spec.accumulate)
        oracle::readDoubles(spec.out, run.input("c").data() + row * rowBytes,
                            j0, columns, before);
      for (int64_t j = 0; j < columns; ++j) {
        auto at = size_t(i * tileSize + j);
        exact[j] = product.sum[at] + before[j];
        if (spec.out == Format::I32) // sums of i32 wrap as machines do
          exact[j] = double(int32_t(uint32_t(int64_t(exact[j]))));
        double bound = gemmBound(spec, product.magnitude[at], exact[j],
                                 quantized ? steps.magnitude[at] : 0);
        double target = exact[j], allowed = bound, reach = 0;
        if (quantized) {
          target = tight.sums.sum[at] + before[j];
          allowed = tightBound(tight, at, target, before[j]);
          reach = tight.products.magnitude[at];
        }
        if (std::isfinite(bound))
          found.bound = std::max(found.bound, bound);
        bool right =
            std::isfinite(target)
                ? allowed == infinity ||
                      std::fabs(result[j] - target) <= allowed
                : acceptsSpecial(result[j],
                                 quantized ? Given{target, reach}
                                           : givenBy(row, j0 + j, before[j]));
        if (!right)
          found.differences.note(
              row * spec.n + j0 + j, c.bits(row, j0 + j),
              encode(spec.out, target, oracle::defaultRules(spec.out)),
              allowed);
      }
      found.countSpecials(result, columns);
      found.error.add(exact, result, columns);
    }
  }

  /// What the operands of one element ask for: the sum of its Inf and NaN
  /// terms (0 where there are none), the magnitudes of the others.
  struct Given {
    double specials = 0, magnitude = 0;
    void add(double term, bool isFinite) {
      if (isFinite)
        magnitude += std::fabs(term);
      else
        specials += term;
    }
  };

  /// Where finite terms may leave the accumulator, an Inf or NaN is up to the
  /// order of the sum, and a fused multiply-add may not even make the Inf.
  bool acceptsSpecial(double got, const Given &given) const {
    bool mayOverflow = 2 * given.magnitude > info(spec.acc).max;
    if (std::isnan(given.specials))
      return std::isnan(got);
    if (std::isinf(given.specials))
      return got == given.specials || (std::isnan(got) && mayOverflow);
    return mayOverflow;
  }
  Given givenBy(int64_t row, int64_t column, double before) const {
    Given given;
    given.add(before, std::isfinite(before));
    double as[chunkElements], bs[chunkElements];
    for (int64_t k = 0; k < spec.k; k += chunkElements) {
      int64_t n = std::min(chunkElements, spec.k - k);
      doublesOf(a)(row, k, n, as);
      bValues()(column, k, n, bs);
      for (int64_t i = 0; i < n; ++i)
        given.add(as[i] * bs[i], std::isfinite(as[i]) && std::isfinite(bs[i]));
    }
    return given;
  }

  Judged &run;
  const KernelSpec &spec;
  const Tensor &c;
  std::vector<int64_t> rows;
  const Tensor &a, &b;
  std::unique_ptr<oracle::Dequantizer> weights;
  std::unique_ptr<QuantizedA> quantized;
};

} // namespace

void checkGemm(Judged &run) {
  if (Status status = GemmJudge(run).judge(); !status)
    run.fail("not checked: " + status.message());
}

} // namespace labgen
