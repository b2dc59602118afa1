// KernelSpecTest.cpp - specs that parse: canonical text, defaults, arguments.
#include "lib/Spec/KernelSpec.h"

#include <gtest/gtest.h>

using namespace labgen;

namespace {

KernelSpec parsed(std::string_view text) {
  Result<KernelSpec> spec = KernelSpec::parse(text);
  EXPECT_TRUE(spec) << text << ": " << spec.status().message();
  return spec ? *spec : KernelSpec();
}

/// "name role format [shape]; ..."
std::string signature(std::string_view text) {
  std::string out;
  for (const Argument &argument : arguments(parsed(text))) {
    out += argument.name + " " + std::string(name(argument.role)) + " " +
           std::string(name(argument.format)) + " [";
    for (size_t i = 0; i < argument.shape.size(); ++i)
      out += (i ? "," : "") + std::to_string(argument.shape[i]);
    out += "]; ";
  }
  return out;
}

struct TextPair {
  const char *text, *canonical; ///< canonical null: text is canonical
};

const TextPair specs[] = {
    {"quantize:m=64,k=256,in=f32,out=i8,group=32,scale=f16", nullptr},
    {"quantize:scale=half,group=-1,out=int8,in=float,k=256,m=64",
     "quantize:m=64,k=256,in=f32,out=i8,group=channel,scale=f16"},
    {"quantize:m=0,k=0,in=bf16,out=i4,group=tensor,scale=bf16,range=full",
     nullptr},
    {"quantize:m=1,k=1,in=f32,out=i8,group=9223372036854775807,scale=f32",
     nullptr},
    {"quantize:m=4,k=8,in=f32,out=i8,group=32,scale=f16,zero=none,"
     "range=narrow,round=even,inverse=divide,divisor=stored",
     "quantize:m=4,k=8,in=f32,out=i8,group=32,scale=f16"},
    {"quantize:m=4,k=8,in=f32,out=i8,group=32,scale=f16,round=away,"
     "inverse=reciprocal,divisor=unrounded",
     nullptr},
    {"quantize:m=4,k=8,in=f16,out=u4,group=8,scale=f32,zero=uint4",
     "quantize:m=4,k=8,in=f16,out=u4,group=8,scale=f32,zero=u4"},
    {"quantize:m=4,k=8,in=f32,out=i8,group=8,scale=f32,zero=i8", nullptr},
    {"quantize:m=4,k=64,in=f32,out=f4E2M1FN,group=32,scale=f8E8M0FNU,rule="
     "rceil",
     nullptr},
    {"quantize:m=4,k=64,in=f32,out=e4m3fn,group=32,scale=e8m0,rule=floor",
     "quantize:m=4,k=64,in=f32,out=f8E4M3FN,group=32,scale=f8E8M0FNU"},
    {"quantize:m=4,k=64,in=f32,out=e2m1,group=16,scale=fp8e4nv",
     "quantize:m=4,k=64,in=f32,out=f4E2M1FN,group=16,scale=f8E4M3FN"},
    {"quantize:m=4,k=64,in=f32,out=f6E3M2FN,group=16,scale=bf16,round="
     "stochastic,seed=0",
     nullptr},
    {"quantize:seed=18446744073709551615,round=stochastic,m=4,k=64,in=f32,out="
     "i4,group=16,scale=bf16",
     "quantize:m=4,k=64,in=f32,out=i4,group=16,scale=bf16,round=stochastic,"
     "seed=18446744073709551615"},
    {"dequantize:m=3,k=5,in=i4,out=f32,group=2,scale=f16", nullptr},
    {"dequantize:m=3,k=5,in=u8,out=bf16,group=2,scale=f16,zero=u8", nullptr},
    {"cast:n=7,in=f32,out=f8E5M2", nullptr},
    {"cast:n=7,in=f32,out=f8E5M2,overflow=ieee,nan=propagate,round=even",
     "cast:n=7,in=f32,out=f8E5M2"},
    {"cast:n=7,in=f32,out=f8E5M2,overflow=saturate,nan=max", nullptr},
    {"cast:n=7,in=f64,out=f4E2M1FN,overflow=saturate,nan=max",
     "cast:n=7,in=f64,out=f4E2M1FN"},
    {"cast:n=7,in=i32,out=bf16,round=stochastic,seed=5", nullptr},
    {"cast:n=7,in=f32,out=i8,nan=error", nullptr},
    {"exp:n=9,in=f16,out=f8E4M3FN", nullptr},
    {"axpy:n=1000,type=f32", nullptr},
    {"axpy:n=1000,type=f16,acc=f32", "axpy:n=1000,type=f16"},
    {"axpy:n=1000,type=f16,acc=f16", nullptr},
    {"axpy:n=1000,type=f64,acc=f64", "axpy:n=1000,type=f64"},
    {"reduce:n=10,type=f32,kind=sum,order=blocked,block=16384",
     "reduce:n=10,type=f32,kind=sum"},
    {"reduce:n=10,type=f32,kind=dot,order=pairwise,block=128",
     "reduce:n=10,type=f32,kind=dot,order=pairwise"},
    {"reduce:n=10,type=f32,kind=sumsq,order=pairwise,block=16384", nullptr},
    {"reduce:n=10,type=bf16,kind=sum,order=pairwise,block=1", nullptr},
    {"reduce:n=10,type=f16,kind=sum,order=compensated,block=2", nullptr},
    {"reduce:n=10,type=f64,kind=sum,order=sequential", nullptr},
    {"reduce:n=10,type=f32,kind=absmax", nullptr},
    {"reduce:n=10,type=u8,kind=sum,acc=i32", "reduce:n=10,type=u8,kind=sum"},
    {"gemm:m=1,n=2,k=3,a=f32,b=f32", nullptr},
    {"gemm:m=1,n=2,k=3,a=bf16,b=bf16,acc=f32,out=f32,accumulate=no",
     "gemm:m=1,n=2,k=3,a=bf16,b=bf16"},
    {"gemm:m=1,n=2,k=3,a=f16,b=f16,acc=f16,out=f16,accumulate=yes", nullptr},
    {"gemm:m=1,n=2,k=3,a=f64,b=f64,acc=f64,out=f64",
     "gemm:m=1,n=2,k=3,a=f64,b=f64"},
    {"gemm:m=1,n=2,k=131071,a=i8,b=i8,acc=i32,out=i32",
     "gemm:m=1,n=2,k=131071,a=i8,b=i8"},
    {"gemm:m=1,n=2,k=65793,a=u8,b=i8", nullptr},
    {"gemm:m=1,n=2,k=3,a=f32,b=i4,group=64,scale=f16,compute=i8", nullptr},
    {"gemm:m=1,n=2,k=3,a=f16,b=u4,group=64,scale=f16,zero=u4,out=f16", nullptr},
    {"gemm:m=1,n=2,k=3,a=f32,b=f4E2M1FN,group=32,scale=f8E8M0FNU,compute=f32",
     "gemm:m=1,n=2,k=3,a=f32,b=f4E2M1FN,group=32,scale=f8E8M0FNU"},
    {"gemm:m=1,n=2,k=3,a=f8E4M3FN,b=f8E5M2", nullptr},
};

TEST(KernelSpec, PrintsCanonicallyAndReadsItBack) {
  for (const TextPair &pair : specs) {
    std::string canonical = pair.canonical ? pair.canonical : pair.text;
    EXPECT_EQ(parsed(pair.text).str(), canonical);
    EXPECT_EQ(parsed(canonical).str(), canonical);
    EXPECT_TRUE(validate(parsed(pair.text))) << pair.text;
  }
}

TEST(KernelSpec, DefaultsThatFollowFromTypes) {
  KernelSpec cast = parsed("cast:n=1,in=f32,out=f16");
  EXPECT_EQ(cast.overflow, Overflow::Ieee);
  EXPECT_EQ(cast.nan, NanRule::Propagate);
  cast = parsed("cast:n=1,in=f32,out=i8");
  EXPECT_EQ(cast.overflow, Overflow::Saturate);
  EXPECT_EQ(cast.nan, NanRule::Max);
  cast = parsed("cast:n=1,in=f32,out=f6E2M3FN");
  EXPECT_EQ(cast.overflow, Overflow::Saturate);
  EXPECT_EQ(cast.nan, NanRule::Max);
  cast = parsed("cast:n=1,in=f32,out=f8E8M0FNU");
  EXPECT_EQ(cast.overflow, Overflow::Ieee);
  EXPECT_EQ(
      parsed("quantize:m=1,k=1,in=f32,out=f8E5M2,group=1,scale=f32").overflow,
      Overflow::Saturate);
  EXPECT_EQ(parsed("gemm:m=1,n=1,k=1,a=i8,b=i8").acc, Format::I32);
  EXPECT_EQ(parsed("gemm:m=1,n=1,k=1,a=i8,b=i8").out, Format::I32);
  EXPECT_EQ(parsed("gemm:m=1,n=1,k=1,a=f64,b=f64").out, Format::F64);
  EXPECT_EQ(
      parsed("gemm:m=1,n=1,k=1,a=bf16,b=i8,group=1,scale=f32,compute=i8").acc,
      Format::F32);
  EXPECT_EQ(parsed("reduce:n=1,type=f64,kind=max").acc, Format::F64);
  EXPECT_EQ(parsed("reduce:n=1,type=f32,kind=sum,order=pairwise").block, 128);
  EXPECT_EQ(parsed("reduce:n=1,type=f32,kind=sum,order=compensated").block,
            16384);
}

TEST(KernelSpec, Groups) {
  auto spec = [](const std::string &group, const char *k) {
    return parsed("quantize:m=5,k=" + std::string(k) +
                  ",in=f32,out=i8,scale=f32,group=" + group);
  };
  EXPECT_EQ(spec("32", "63").scaleCols(), 2);
  EXPECT_EQ(spec("32", "64").scaleCols(), 2);
  EXPECT_EQ(spec("32", "65").scaleCols(), 3);
  EXPECT_EQ(spec("32", "0").scaleCols(), 0);
  EXPECT_EQ(spec("9223372036854775807", "7").scaleCols(), 1);
  EXPECT_EQ(spec("channel", "0").scaleCols(), 1);
  EXPECT_EQ(spec("channel", "7").scaleRows(), 5);
  EXPECT_EQ(spec("tensor", "7").scaleRows(), 1);
  EXPECT_EQ(spec("tensor", "7").scaleCols(), 1);
  EXPECT_EQ(spec("channel", "7").group.along(7), 7);
  EXPECT_EQ(spec("tensor", "0").group.along(0), 1);
  EXPECT_EQ(spec("3", "7").group.along(7), 3);
}

TEST(KernelSpec, ArgumentsAreTheContractsTable) {
  EXPECT_EQ(signature("quantize:m=2,k=5,in=f32,out=i4,group=2,scale=f16"),
            "x input f32 [2,5]; q output i4 [2,5]; scale output f16 [2,3]; ");
  EXPECT_EQ(signature("quantize:m=2,k=5,in=f32,out=u4,group=channel,scale=f16,"
                      "zero=u4"),
            "x input f32 [2,5]; q output u4 [2,5]; scale output f16 [2,1]; "
            "zero output u4 [2,1]; ");
  EXPECT_EQ(signature("quantize:m=2,k=5,in=bf16,out=e2m1,group=tensor,scale="
                      "e4m3fn"),
            "x input bf16 [2,5]; q output f4E2M1FN [2,5]; scale output "
            "f8E4M3FN [1,1]; global output f32 [1]; ");
  EXPECT_EQ(signature("dequantize:m=2,k=5,in=i8,out=f16,group=4,scale=f32,"
                      "zero=i8"),
            "q input i8 [2,5]; scale input f32 [2,2]; zero input i8 [2,2]; "
            "y output f16 [2,5]; ");
  EXPECT_EQ(signature("cast:n=3,in=f64,out=i8"),
            "x input f64 [3]; y output i8 [3]; ");
  EXPECT_EQ(signature("exp:n=3,in=f16,out=f32"),
            "x input f16 [3]; y output f32 [3]; ");
  EXPECT_EQ(signature("axpy:n=3,type=bf16"),
            "alpha input bf16 []; x input bf16 [3]; y inout bf16 [3]; ");
  EXPECT_EQ(signature("reduce:n=3,type=f16,kind=sumsq"),
            "x input f16 [3]; r output f32 []; ");
  EXPECT_EQ(signature("reduce:n=3,type=f16,kind=dot"),
            "x input f16 [3]; y input f16 [3]; r output f32 []; ");
  EXPECT_EQ(signature("gemm:m=2,n=3,k=5,a=f32,b=e2m1,group=2,scale=e4m3fn"),
            "a input f32 [2,5]; b input f4E2M1FN [3,5]; b_scale input f8E4M3FN "
            "[3,3]; b_global input f32 [1]; c output f32 [2,3]; ");
  EXPECT_EQ(signature("gemm:m=2,n=3,k=5,a=f32,b=u8,group=channel,scale=f32,"
                      "zero=u8,accumulate=yes"),
            "a input f32 [2,5]; b input u8 [3,5]; b_scale input f32 [3,1]; "
            "b_zero input u8 [3,1]; c inout f32 [2,3]; ");
}

TEST(KernelSpec, ArgumentBytes) {
  Argument packed{"q", Role::Output, Format::I4, {3, 5}};
  EXPECT_EQ(packed.elements(), 15);
  EXPECT_EQ(packed.rowBytes(), 3); // each row starts on a byte
  EXPECT_EQ(packed.bytes(), 9);
  Argument scalar{"r", Role::Output, Format::F32, {}};
  EXPECT_EQ(scalar.elements(), 1);
  EXPECT_EQ(scalar.bytes(), 4);
  Argument empty{"x", Role::Input, Format::F64, {0, 7}};
  EXPECT_EQ(empty.elements(), 0);
  EXPECT_EQ(empty.bytes(), 0);
  EXPECT_EQ(empty.rowBytes(), 56);
}

TEST(KernelSpec, RolesReadBack) {
  for (Role role : {Role::Input, Role::Output, Role::InOut, Role::Workspace})
    EXPECT_EQ(parseWord<Role>(name(role)), role);
  EXPECT_EQ(parseWord<Role>("in"), std::nullopt);
}

} // namespace
