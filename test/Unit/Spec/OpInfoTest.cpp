// OpInfoTest.cpp - every op's room is whole: what the compiler cannot see to be
// missing is named here.
#include "lib/Spec/OpInfo.h"

#include <gtest/gtest.h>

#include <map>

using namespace labgen;

namespace {

/// One spec of each op, without and with its optional parts.
const std::map<Op, std::vector<const char *>> examples = {
    {Op::Quantize,
     {"quantize:m=3,k=70,in=f32,out=i8,group=32,scale=f32",
      "quantize:m=3,k=70,in=f32,out=f4E2M1FN,group=16,scale=f8E4M3FN"}},
    {Op::Dequantize,
     {"dequantize:m=3,k=70,in=u4,out=bf16,group=32,scale=f16,zero=u4"}},
    {Op::Cast, {"cast:n=70,in=f32,out=f8E4M3FN"}},
    {Op::Exp, {"exp:n=70,in=f32,out=f16"}},
    {Op::Axpy, {"axpy:n=70,type=bf16"}},
    {Op::Reduce,
     {"reduce:n=70,type=f32,kind=dot", "reduce:n=70,type=i8,kind=max"}},
    {Op::Softmax,
     {"softmax:m=3,n=70,in=f32,out=bf16",
      "softmax:m=3,n=70,in=f32,out=f32,shift=no"}},
    {Op::Gemm,
     {"gemm:m=3,n=5,k=70,a=bf16,b=bf16",
      "gemm:m=3,n=5,k=70,a=f32,b=i4,group=32,scale=f16,compute=i8"}},
};

/// Calls body(spec, info) for each example.
template <typename Body> void forExamples(const Body &body) {
  for (const auto &[op, texts] : examples)
    for (const char *text : texts) {
      SCOPED_TRACE(text);
      Result<KernelSpec> spec = KernelSpec::parse(text);
      ASSERT_TRUE(spec) << spec.status().message();
      ASSERT_EQ(spec->op, op);
      body(*spec, info(op));
    }
}

TEST(OpInfo, EveryOpHasItsRoomAndAnExampleHere) {
  for (Op op : enumerators<Op>()) {
    EXPECT_EQ(info(op).op, op) << name(op);
    EXPECT_TRUE(examples.count(op)) << "no example of " << name(op);
  }
}

TEST(OpInfo, RequiredKeysAreKeysAndTypesHaveFormats) {
  for (Op op : enumerators<Op>()) {
    const OpInfo &row = info(op);
    Names keys = row.keyNames();
    for (std::string_view key : row.required)
      EXPECT_TRUE(std::count(keys.begin(), keys.end(), key))
          << row.name() << " requires " << key << ", which is no key of it";
    for (const SpecKey *key : row.keys) {
      if (key->format) {
        EXPECT_FALSE(row.formats(key->name).empty())
            << row.name() << " takes no format as " << key->name;
      }
    }
  }
}

TEST(OpInfo, ArgumentsAreReadAndWritten) {
  forExamples([](const KernelSpec &spec, const OpInfo &row) {
    int inputs = 0, outputs = 0, codes = 0;
    for (const Argument &argument : row.arguments(spec)) {
      inputs += argument.role != Role::Output;
      outputs += argument.role != Role::Input;
      codes += argument.kind == ArgumentKind::Codes;
    }
    EXPECT_GT(inputs, 0);
    EXPECT_GT(outputs, 0);
    EXPECT_EQ(codes, spec.isQuantized() ? 1 : 0);
    EXPECT_EQ(row.codes(spec).has_value(), spec.isQuantized());
  });
}

TEST(OpInfo, CostBoundAndUnitsAreStated) {
  forExamples([](const KernelSpec &spec, const OpInfo &row) {
    EXPECT_GT(row.flops(spec).value, 0);
    EXPECT_FALSE(row.units(spec).formats.empty());
    RelativeBound bound = row.relativeBound(spec);
    EXPECT_GE(bound.relative, 0);
    EXPECT_FALSE(bound.to.empty());
    EXPECT_FALSE(row.boundWords(spec).empty());
  });
}

TEST(OpInfo, ReportsAndExplanationsSaySomething) {
  auto stored = [](const KernelSpec &, float) { return std::string("stored"); };
  forExamples([&](const KernelSpec &spec, const OpInfo &row) {
    EXPECT_FALSE(row.formatsText(spec).empty());
    EXPECT_FALSE(row.shapeText(spec).empty());
    Facts facts = row.explain(spec, stored);
    EXPECT_GE(facts.size(), 2u);
    for (const Fact &fact : facts)
      EXPECT_FALSE(fact.label.empty() || fact.words.empty()) << fact.label;
  });
}

} // namespace
