// InputChangeTest.cpp - inputs change within what is legal, and change back.
#include "runtime/isolate/InputChange.h"
#include "runtime/data/Data.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>

using namespace labgen;

namespace {

const ParallelFor serial =
    [](int64_t n, const std::function<void(int64_t, int64_t)> &body) {
      body(0, n);
    };

Tensors dataOf(const KernelSpec &spec) {
  Result<Tensors> data = makeData(spec, Distribution::Normal, 1, serial);
  EXPECT_TRUE(data);
  return *data;
}

std::vector<uint64_t> codes(const Tensor &tensor) {
  std::vector<uint64_t> all;
  for (int64_t r = 0; r < tensor.rows(); ++r)
    for (int64_t i = 0; i < tensor.columns(); ++i)
      all.push_back(tensor.bits(r, i));
  return all;
}

std::string bytesOf(const Tensor &tensor) {
  return {tensor.as<char>(), size_t(tensor.byteSize())};
}

const char *const specs[] = {
    "axpy:n=5000,type=f32",
    "cast:n=70001,in=f32,out=bf16",
    "quantize:m=3,k=77,in=bf16,out=i4,group=32,scale=f32",
    "dequantize:m=3,k=77,in=i4,out=f32,group=32,scale=f32",
    "dequantize:m=30,k=640,in=f6E2M3FN,out=f32,group=32,scale=f8E8M0FNU",
    "dequantize:m=5,k=13,in=f6E3M2FN,out=f32,group=32,scale=f8E8M0FNU",
    "reduce:n=999,type=f16,kind=dot",
    "gemm:m=4,n=4,k=100,a=f32,b=i8,group=32,scale=f32"};

TEST(InputChange, MovesElementsOfOneInput) {
  for (const char *text : specs)
    for (uint64_t random : {uint64_t(0), ~uint64_t(0), uint64_t(0x123456789ab)})
      for (int64_t bytes : {sampleChangeBytes, lastChangeBytes}) {
        SCOPED_TRACE(text);
        KernelSpec spec = *KernelSpec::parse(text);
        InputChange change = drawChange(spec, bytes, random);
        ASSERT_GE(change.argument, 0);
        Tensors data = dataOf(spec);
        Tensor &tensor = data[size_t(change.argument)];
        EXPECT_EQ(tensor.argument().role, Role::Input);
        EXPECT_GT(tensor.argument().elements(), 1);
        EXPECT_LE(change.size, bytes);
        EXPECT_GE(change.offset, 0);
        EXPECT_LE(change.offset + change.size, tensor.byteSize());

        std::vector<uint64_t> was = codes(tensor);
        std::string first = bytesOf(tensor);
        ChangingInput input(spec, data);
        input.apply(change);
        std::vector<uint64_t> is = codes(tensor);
        EXPECT_NE(was, is);
        std::sort(was.begin(), was.end());
        std::sort(is.begin(), is.end());
        EXPECT_EQ(was, is); // no code that was not there before
        EXPECT_EQ(tensor.brokenGuard(), "");

        // The judge makes the same change; the next one starts from the first.
        std::string changed = bytesOf(tensor);
        std::string own = first;
        applyChange(spec, change,
                    reinterpret_cast<const std::byte *>(&first[0]) +
                        change.offset,
                    reinterpret_cast<std::byte *>(&own[0]) + change.offset);
        EXPECT_EQ(own, changed);
        input.apply({});
        EXPECT_EQ(bytesOf(tensor), first);
      }
}

TEST(InputChange, PadBitsStayZero) {
  KernelSpec spec = *KernelSpec::parse(
      "dequantize:m=3,k=77,in=i4,out=f32,group=32,scale=f32");
  Tensors data = dataOf(spec);
  ChangingInput(spec, data).apply(drawChange(spec, lastChangeBytes, 99));
  for (int64_t row = 0; row < 3; ++row)
    EXPECT_EQ(data[0].as<uint8_t>()[row * 39 + 38] >> 4, 0);
}

TEST(InputChange, SumsGetOtherElements) {
  for (const char *text :
       {"reduce:n=999,type=f32,kind=sum", "reduce:n=999,type=bf16,kind=sumsq",
        "reduce:n=999,type=f64,kind=max", "reduce:n=999,type=i8,kind=sum"}) {
    SCOPED_TRACE(text);
    KernelSpec spec = *KernelSpec::parse(text);
    Tensors data = dataOf(spec);
    std::vector<double> was;
    for (int64_t i = 0; i < 999; ++i)
      was.push_back(data[0].value(0, i));
    ChangingInput(spec, data).apply(drawChange(spec, lastChangeBytes, 5));
    for (int64_t i = 0; i < 999; ++i) {
      double is = data[0].value(0, i);
      if (isInteger(spec.type))
        EXPECT_EQ(std::abs(is - was[size_t(i)]), 1) << i;
      else
        EXPECT_EQ(is, 2 * was[size_t(i)]) << i;
    }
  }
}

TEST(InputChange, LabsOfOneElementHaveNone) {
  for (const char *text : {"axpy:n=1,type=f32", "cast:n=0,in=f32,out=bf16"})
    EXPECT_LT(drawChange(*KernelSpec::parse(text), lastChangeBytes, 7).argument,
              0);
}

} // namespace
