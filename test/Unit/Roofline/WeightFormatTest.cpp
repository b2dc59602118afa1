// WeightFormatTest.cpp - bytes of quantized weights, scales billed.
#include "calculator/model/WeightFormat.h"
#include "test/Unit/Roofline/Models.h"

#include <gtest/gtest.h>

using namespace labgen;
using namespace labgen::test;

namespace {

WeightFormat format(const std::string &name) {
  Result<WeightFormat> found = findWeightFormat(name);
  EXPECT_TRUE(found) << found.status().message();
  return *found;
}
int64_t bytes(const std::string &text, const char *name) {
  Result<int64_t> result = weightBytes(model(text), format(name));
  EXPECT_TRUE(result) << result.status().message();
  return result ? *result : 0;
}

TEST(WeightFormat, BitsPerWeight) {
  for (auto [name, bits] : {std::pair("int8-g128", 8.125),
                            {"int4-g128", 4.125},
                            {"int4-g128-zp", 4.15625},
                            {"mxfp4", 4.25},
                            {"nvfp4", 4.5},
                            {"mxfp8", 8.25},
                            {"q4_0", 4.5},
                            {"q8_0", 8.5},
                            {"mxfp6", 6.25},
                            {"bf16", 16.0},
                            {"int4", 4.0}})
    EXPECT_DOUBLE_EQ(format(name).bitsPerWeight(), bits) << name;
  EXPECT_NEAR(format("fp8-block128").bitsPerWeight(), 8.00195, 5e-6);
}

TEST(WeightFormat, PlainFormatsTakeAllParameters) {
  EXPECT_EQ(bytes(llama2Text(), "bf16"), 2 * 6738415616);
  EXPECT_EQ(bytes(llama3Text(), "int8"), 8030261248);
  EXPECT_EQ(bytes(llama70Text(), "bf16"), 141107412992);
  EXPECT_EQ(bytes(llama70Text(), "int4"), 70553706496 / 2);
  EXPECT_EQ(bytes(mixtralText(), "f8E4M3FN"), 46702792704);
  // The formats of kernels are known by their names too.
  EXPECT_EQ(format("i8").bits, 8);
  EXPECT_EQ(format("fp16").bits, 16);
}

TEST(WeightFormat, LinearLayersQuantizedTheRestBf16) {
  int64_t linear = 6979321856, rest = 8030261248 - linear;
  EXPECT_EQ(bytes(llama3Text(), "int4-g128-zp"),
            linear / 2 + linear / 128 * 20 / 8 + 2 * rest);
  EXPECT_NEAR(double(bytes(llama3Text(), "int4-g128-zp")) / 1e9, 5.728, 5e-4);
  EXPECT_NEAR(double(bytes(llama3Text(), "mxfp4")) / 1e9, 5.810, 5e-4);
  EXPECT_NEAR(double(bytes(llama3Text(), "int8-g128")) / 1e9, 9.190, 5e-4);
  EXPECT_NEAR(double(bytes(llama70Text(), "int4-g128-zp")) / 1e9, 39.768, 5e-4);
}

TEST(WeightFormat, DeepseekBlockScales) {
  // 40,838,232 scales in the model proper; what is not quantized stays bf16,
  // the router's biases f32.
  ModelConfig c = model(deepseekV3Text());
  int64_t scales = 0;
  for (const Matrix &m : weightsOf(c).matrices)
    if (m.quantized && m.part != Part::Mtp)
      scales +=
          m.stored.get() * ((m.rows + 127) / 128) * ((m.cols + 127) / 128);
  EXPECT_EQ(scales, 40838232);
  EXPECT_NEAR(double(bytes(deepseekV3Text(), "fp8-block128")) / 1e9, 673.15,
              5e-3);
  // What a token reads at batch 1: 8 of the experts.
  EXPECT_DOUBLE_EQ(touchedBytes(c, format("fp8-block128"), 8), 37668475232.0);
}

TEST(WeightFormat, RaggedGroupsHaveAScaleToo) {
  Matrix m{Part::Ffn, "up", 3, 130, 1, 1, true};
  EXPECT_EQ(matrixBytes(format("int8-g128"), m).get(), 3 * 130 + 3 * 2 * 2);
  EXPECT_EQ(matrixBytes(format("int4-g128-zp"), m).get(),
            3 * 65 + (3 * 2 * 20 + 7) / 8);
  EXPECT_EQ(matrixBytes(format("fp8-block128"), m).get(), 3 * 130 + 2 * 4);
  // Rows start on a byte.
  Matrix odd{Part::Ffn, "up", 3, 5, 1, 1, true};
  EXPECT_EQ(matrixBytes(format("int4"), odd).get(), 9);
  // A drill's matrix: 64 x 256 in int8 with f16 scales per 128.
  Matrix drill{Part::Ffn, "W", 64, 256, 1, 1, true};
  EXPECT_EQ(matrixBytes(format("int8-g128"), drill).get(), 16640);
  EXPECT_EQ(matrixBytes(format("q8_0"), drill).get(), 17408);
}

TEST(WeightFormat, EmbeddingsAreLookedUpWhenUntied) {
  ModelConfig c = model(llama3Text());
  EXPECT_DOUBLE_EQ(touchedBytes(c, format("bf16"), 0),
                   2.0 * (8030261248.0 - 525336576.0));
  c.tied = true; // then the one matrix is the head
  EXPECT_DOUBLE_EQ(touchedBytes(c, format("bf16"), 0),
                   2.0 * (8030261248.0 - 525336576.0));
}

TEST(WeightFormat, UnknownNames) {
  Result<WeightFormat> none = findWeightFormat("int3");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.status().message().substr(0, 52),
            "unknown weight format 'int3'; did you mean 'int8'? (");
}

} // namespace
