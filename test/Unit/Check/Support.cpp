// Support.cpp - right outputs by the oracle; gemm by a plain triple loop.
#include "Support.h"

#include "runtime/check/numbers/Spans.h"
#include "runtime/check/oracle/Elementwise.h"
#include "runtime/check/oracle/Oracle.h"
#include "runtime/check/oracle/Softmax.h"

#include <cmath>
#include <thread>

namespace labgen::test {

const ParallelFor serial =
    [](int64_t n, const std::function<void(int64_t, int64_t)> &body) {
      body(0, n);
    };

const ParallelFor pieces =
    [](int64_t n, const std::function<void(int64_t, int64_t)> &body) {
      auto run = [&](int64_t first) {
        for (int64_t i = first; i < n; i += 2)
          body(i, i + 1);
      };
      std::thread other(run, 1);
      run(0);
      other.join();
    };

KernelSpec parsed(const std::string &text) {
  Result<KernelSpec> spec = KernelSpec::parse(text);
  EXPECT_TRUE(bool(spec)) << text << ": " << spec.status().message();
  return spec ? *spec : KernelSpec();
}

Tensors dataFor(const KernelSpec &spec, Distribution d, uint64_t seed) {
  Result<Tensors> data = makeData(spec, d, seed, pieces);
  EXPECT_TRUE(bool(data)) << data.status().message();
  return *data;
}

Tensors copied(const Tensors &tensors) {
  Tensors copies;
  for (const Tensor &tensor : tensors)
    copies.push_back(*tensor.copy());
  return copies;
}

/// The f64 product of what is stored; with compute=i8 of quantized a, plain.
static void multiply(const KernelSpec &spec, const Tensors &data, Tensor &c) {
  const Tensor &a = *find(data, "a"), &b = *find(data, "b");
  std::vector<double> as = valuesOf(a), bs = valuesOf(b);
  int64_t k = spec.k, along = spec.group.along(k);
  auto quantizeA = [&](int64_t row, int64_t begin, int64_t end) {
    float amax = 0;
    for (int64_t i = begin; i < end; ++i)
      amax = std::fmax(amax, std::fabs(float(as[size_t(row * k + i)])));
    float s = amax / 127.0f;
    for (int64_t i = begin; i < end; ++i) {
      double &x = as[size_t(row * k + i)];
      x = s == 0 ? 0 : std::nearbyint(float(x) / s) * double(s);
    }
  };
  for (int64_t i = 0; spec.quantizesA() && i < spec.m; ++i)
    for (int64_t g = 0; g < k; g += along)
      quantizeA(i, g, std::min(k, g + along));
  if (const Tensor *scale = find(data, "b_scale")) {
    const Tensor *zero = find(data, "b_zero");
    for (int64_t j = 0; j < spec.n; ++j)
      for (int64_t i = 0; i < k; ++i) {
        double z = zero ? zero->value(j, i / along) : 0;
        double &x = bs[size_t(j * k + i)];
        x = float(x - z) * float(scale->value(j, i / along));
      }
  }
  for (int64_t i = 0; i < spec.m; ++i)
    for (int64_t j = 0; j < spec.n; ++j) {
      double sum = spec.accumulate ? c.value(i, j) : 0;
      for (int64_t p = 0; p < k; ++p)
        sum += as[size_t(i * k + p)] * bs[size_t(j * k + p)];
      c.setBits(i, j, encode(spec.out, sum, oracle::defaultRules(spec.out)));
    }
}

Tensors rightOutputs(const KernelSpec &spec, const Tensors &data) {
  Tensors out = copied(data);
  switch (spec.op) {
  case Op::Quantize:
    oracle::quantize(spec, spec.m, spec.k, oracle::floatsOf(*find(data, "x")),
                     {find(out, "q"), find(out, "scale"), find(out, "zero"),
                      find(out, "global")},
                     pieces);
    break;
  case Op::Dequantize: {
    oracle::Dequantizer codes(spec.group, spec.k, *find(data, "q"),
                              *find(data, "scale"), find(data, "zero"),
                              find(data, "global"));
    Tensor &y = *find(out, "y");
    std::vector<float> row(size_t(spec.k));
    for (int64_t i = 0; i < spec.m; ++i) {
      codes.floats(i, 0, spec.k, row.data());
      oracle::writeFloats(spec.out, y.data() + i * y.argument().rowBytes(), 0,
                          spec.k, row.data());
    }
    break;
  }
  case Op::Cast:
    oracle::Caster(spec).cast(find(data, "x")->data(), 0, spec.n,
                              find(out, "y")->data());
    break;
  case Op::Exp: {
    const Tensor &x = *find(data, "x");
    Tensor &y = *find(out, "y");
    for (int64_t i = 0; i < spec.n; ++i)
      y.setBits(0, i,
                encode(spec.out, float(std::exp(x.value(0, i))),
                       oracle::defaultRules(spec.out)));
    break;
  }
  case Op::Axpy: {
    std::vector<double> reference(size_t(spec.n));
    const Tensor &x = *find(data, "x"), &y = *find(data, "y");
    for (int64_t i = 0; i < spec.n; ++i)
      oracle::axpy(spec, find(data, "alpha")->value(0, 0), x.data(), y.data(),
                   i, 1, find(out, "y")->data() + packedBytes(spec.type, i),
                   &reference[size_t(i)]);
    break;
  }
  case Op::Reduce: {
    double r =
        oracle::reduce(spec, *find(data, "x"), find(data, "y"), pieces).value;
    oracle::writeDoubles(spec.acc, find(out, "r")->data(), 0, 1, &r);
    break;
  }
  case Op::Softmax: {
    Tensor &y = *find(out, "y");
    std::fill_n(y.data(), y.byteSize(), std::byte(0));
    for (int64_t i = 0; i < spec.m; ++i) {
      oracle::Softmax row(spec, *find(data, "x"), i);
      for (int64_t j = 0; j < spec.n; ++j)
        y.setBits(
            i, j,
            encode(spec.out, row.nearest(j), oracle::defaultRules(spec.out)));
    }
    break;
  }
  case Op::Gemm:
    multiply(spec, data, *find(out, "c"));
    break;
  }
  return out;
}

Tensor tensorOf(const std::string &name, Format format,
                std::vector<int64_t> shape, const std::vector<double> &values) {
  Tensor tensor = *Tensor::allocate({name, Role::Input, format, shape});
  EXPECT_EQ(tensor.argument().elements(), int64_t(values.size()));
  for (int64_t i = 0; i < int64_t(values.size()); ++i)
    tensor.setBits(
        i / tensor.columns(), i % tensor.columns(),
        encode(format, values[size_t(i)], oracle::defaultRules(format)));
  return tensor;
}

std::vector<double> valuesOf(const Tensor &tensor) {
  std::vector<double> values;
  for (int64_t i = 0; i < tensor.rows(); ++i)
    for (int64_t j = 0; j < tensor.columns(); ++j)
      values.push_back(tensor.value(i, j));
  return values;
}

} // namespace labgen::test
