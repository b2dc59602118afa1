// CheckBench.cpp - how fast data is made and answers are judged.
//
// Prints nanoseconds of processor time an element, and the seconds a lab of
// 2^31 elements would take on two cores, for making the inputs and for the
// check of a right answer (the oracle's own). usage: labgen-bench-check
// [LOG2_ELEMENTS [SPEC...]]; %n in a spec stands for the elements, %m for the
// rows of 4096 that hold as many.
#include "lib/Host/CpuInfo.h"
#include "runtime/check/Check.h"
#include "runtime/check/numbers/Spans.h"
#include "runtime/check/oracle/Elementwise.h"
#include "runtime/check/oracle/Oracle.h"
#include "runtime/cpu/Pool.h"
#include "runtime/data/Data.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>

using namespace labgen;

namespace {

const std::vector<std::string> usual = {
    "cast:n=%n,in=f32,out=f8E4M3FN",
    "cast:n=%n,in=f32,out=f8E4M3FN,round=away,overflow=saturate",
    "cast:n=%n,in=f32,out=f8E4M3FN,round=stochastic,seed=1",
    "cast:n=%n,in=f32,out=f8E5M2FNUZ",
    "cast:n=%n,in=f32,out=f6E2M3FN",
    "cast:n=%n,in=f32,out=f4E2M1FN",
    "cast:n=%n,in=f32,out=f8E8M0FNU",
    "cast:n=%n,in=f32,out=i8",
    "cast:n=%n,in=f32,out=bf16",
    "cast:n=%n,in=f32,out=f16,round=zero",
    "cast:n=%n,in=f32,out=tf32",
    "cast:n=%n,in=f32,out=f64",
    "cast:n=%n,in=f32,out=i32",
    "cast:n=%n,in=f64,out=f32",
    "cast:n=%n,in=f64,out=f8E4M3FN",
    "cast:n=%n,in=i32,out=bf16",
    "cast:n=%n,in=bf16,out=f8E5M2",
    "cast:n=%n,in=f16,out=f32",
    "cast:n=%n,in=f8E4M3FN,out=bf16",
    "cast:n=%n,in=f4E2M1FN,out=f32",
    "cast:n=%n,in=i8,out=f32",
    "exp:n=%n,in=f32,out=f32",
    "axpy:n=%n,type=f32",
    "axpy:n=%n,type=bf16,acc=bf16",
    "reduce:n=%n,type=f32,kind=sum",
    "reduce:n=%n,type=f32,kind=dot,order=compensated",
    "reduce:n=%n,type=bf16,kind=max",
    "quantize:m=%m,k=4096,in=f32,out=i8,group=32,scale=f16",
    "quantize:m=%m,k=4096,in=f32,out=f4E2M1FN,group=16,scale=f8E4M3FN",
    "dequantize:m=%m,k=4096,in=i4,out=bf16,group=32,scale=f16",
    "dequantize:m=%m,k=4096,in=f8E4M3FN,out=f32,group=128,scale=f32"};

ParallelFor onAllCores() {
  Pool &pool = Pool::shared(int(hostCpu().cores.size()));
  return [&pool](int64_t n, const std::function<void(int64_t, int64_t)> &f) {
    pool.run(n, f);
  };
}

double processorSeconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

std::string replaced(std::string text, const std::string &from, int64_t n) {
  if (size_t at = text.find(from); at != text.npos)
    text.replace(at, from.size(), std::to_string(n));
  return text;
}

/// Calls body(begin, count) for [0, n) in pieces on all cores.
template <typename Body> void inPieces(int64_t n, const Body &body) {
  constexpr int64_t piece = 2048;
  onAllCores()((n + piece - 1) / piece, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i)
      body(i * piece, std::min(piece, n - i * piece));
  });
}

/// What the oracle wants, in the outputs.
void answer(const KernelSpec &spec, const Tensors &before, Tensors &after) {
  auto in = [&](const char *name) { return find(before, name); };
  auto out = [&](const char *name) { return find(after, name); };
  switch (spec.op) {
  case Op::Cast: {
    oracle::Caster caster(spec);
    return inPieces(spec.n, [&](int64_t begin, int64_t count) {
      caster.cast(in("x")->data(), begin, count,
                  out("y")->data() + packedBytes(spec.out, begin));
    });
  }
  case Op::Exp:
    return inPieces(spec.n, [&](int64_t begin, int64_t count) {
      float values[2048];
      oracle::readFloats(spec.in, in("x")->data(), begin, count, values);
      for (int64_t i = 0; i < count; ++i)
        values[i] = float(std::exp(double(values[i])));
      oracle::writeFloats(spec.out, out("y")->data(), begin, count, values);
    });
  case Op::Axpy:
    return inPieces(spec.n, [&](int64_t begin, int64_t count) {
      double reference[2048];
      oracle::axpy(spec, in("alpha")->value(0, 0), in("x")->data(),
                   in("y")->data(), begin, count,
                   out("y")->data() + packedBytes(spec.type, begin), reference);
    });
  case Op::Reduce: {
    double r = oracle::reduce(spec, *in("x"), in("y"), onAllCores()).value;
    return oracle::writeDoubles(spec.acc, out("r")->data(), 0, 1, &r);
  }
  case Op::Quantize:
    oracle::quantize(spec, spec.m, spec.k, oracle::floatsOf(*in("x")),
                     {out("q"), out("scale"), out("zero"), out("global")},
                     onAllCores());
    return;
  case Op::Dequantize: {
    oracle::Dequantizer codes(spec.group, spec.k, *in("q"), *in("scale"),
                              in("zero"), in("global"));
    int64_t rowBytes = out("y")->argument().rowBytes();
    return inPieces(spec.m * spec.k, [&](int64_t begin, int64_t count) {
      float values[2048]; // rows are multiples of a piece
      codes.floats(begin / spec.k, begin % spec.k, count, values);
      oracle::writeFloats(spec.out,
                          out("y")->data() + begin / spec.k * rowBytes,
                          begin % spec.k, count, values);
    });
  }
  default:
    return;
  }
}

bool measure(const std::string &pattern, int64_t n) {
  Result<KernelSpec> spec =
      KernelSpec::parse(replaced(replaced(pattern, "%n", n), "%m", n / 4096));
  if (!spec) {
    std::fprintf(stderr, "error: %s\n", spec.status().message().c_str());
    return false;
  }
  double start = processorSeconds();
  Result<Tensors> data = makeData(*spec, Distribution::Normal, 1, onAllCores());
  if (!data) {
    std::fprintf(stderr, "error: %s\n", data.status().message().c_str());
    return false;
  }
  double made = processorSeconds();
  Tensors after;
  for (const Tensor &tensor : *data)
    after.push_back(*tensor.copy());
  answer(*spec, *data, after);
  double ready = processorSeconds();
  Verdict verdict = check(*spec, *data, after, onAllCores());
  double judged = processorSeconds();
  auto line = [&](double seconds) {
    double nanoseconds = seconds / double(n) * 1e9;
    std::printf("%8.2f %7.1f", nanoseconds, nanoseconds * 1.073741824);
  };
  line(made - start);
  line(judged - ready);
  std::printf("  %s%s\n", spec->str().c_str(),
              verdict.right ? "" : (": wrong: " + verdict.reason).c_str());
  std::fflush(stdout);
  return verdict.right;
}

} // namespace

int main(int argc, char **argv) {
  int log2 = argc > 1 ? std::atoi(argv[1]) : 26;
  std::vector<std::string> specs(argv + std::min(argc, 2), argv + argc);
  if (log2 < 12 || log2 > 33) {
    std::fprintf(stderr, "error: elements are 2^12 to 2^33; give 12 to 33\n");
    return 1;
  }
  std::printf("          make           check\n"
              "      ns 2^31, s      ns 2^31, s\n");
  bool right = true;
  for (const std::string &spec : specs.empty() ? usual : specs)
    right &= measure(spec, int64_t(1) << log2);
  return right ? 0 : 1;
}
