// SpecErrorsTest.cpp - every way a spec can be wrong, with its one line.
#include "lib/Spec/KernelSpec.h"

#include <gtest/gtest.h>

using namespace labgen;

namespace {

const std::string quantizeTo = "quantize:m=4,k=64,in=f32,";

struct Fault {
  std::string text;
  /// What the line must hold, ending in what to do.
  std::vector<std::string> parts;
};

const Fault faults[] = {
    // The op.
    {"", {"names no op; ", "quantize"}},
    {":n=1", {"names no op"}},
    {"axpi:n=1,type=f32", {"unknown op 'axpi'; ", "'axpy'"}},
    {"Axpy:n=1,type=f32", {"unknown op 'Axpy'; ", "'axpy'"}},
    {"axpy", {"'axpy' has no keys; ", "axpy:n=VALUE,type=VALUE"}},
    {" axpy:n=1,type=f32", {"unknown op ' axpy'"}},
    // Items.
    {"axpy:", {"missing keys 'n', 'type' for axpy; add n=VALUE,type=VALUE"}},
    {"axpy:n=1", {"missing key 'type' for axpy; add type=VALUE"}},
    {"axpy:n=1,type=f32,", {"ends in a comma; remove it"}},
    {"axpy:n=1,,type=f32", {"empty item before a comma; remove the comma"}},
    {"axpy:,n=1,type=f32", {"empty item before a comma; remove the comma"}},
    {"axpy:,", {"empty item before a comma"}},
    {"axpy:n=1,n=1,type=f32", {"'n' is given twice; give it once"}},
    {"axpy:n=1,typ=f32", {"unknown key 'typ' for axpy; ", "'type'"}},
    {"quantize:gruop=3",
     {"unknown key 'gruop' for quantize; did you mean "
      "'group'?"}},
    {"axpy:m=1,n=1,type=f32", {"unknown key 'm' for axpy; "}},
    {"axpy:n,type=f32", {"'n' has no value; write n=VALUE"}},
    {"axpy:n=,type=f32", {"'n' has no value; write n=VALUE"}},
    {"axpy:n=1, type=f32", {"unknown key ' type' for axpy; ", "'type'"}},
    {"axpy:=1", {"unknown key '' for axpy; "}},
    {"axpy:n=1,type=f32\n", {"unknown type 'f32\\x0a'", "'f32'"}},
    // Sizes.
    {"axpy:n=-1,type=f32", {"n='-1' is not a size; use a plain decimal"}},
    {"axpy:n=1e6,type=f32", {"n='1e6' is not a size; "}},
    {"axpy:n=0x10,type=f32", {"n='0x10' is not a size; "}},
    {"axpy:n=+5,type=f32", {"n='+5' is not a size; "}},
    {"axpy:n=007,type=f32", {"n='007' is not a size; "}},
    {"axpy:n=1.0,type=f32", {"n='1.0' is not a size; "}},
    {"axpy:n=9223372036854775808,type=f32", {"is not a size; "}},
    {"axpy:n=99999999999999999999999,type=f32", {"is not a size; "}},
    {"axpy:n=9223372036854775807,type=f32",
     {"the size of x does not fit 64 bits; use smaller sizes"}},
    {"axpy:n=1152921504606846976,type=f32",
     {"the bytes of all arguments do not fit 64 bits; "}},
    {"quantize:m=4294967296,k=4294967296,in=f32,out=i8,group=32,scale=f32",
     {"the size of x does not fit 64 bits; "}},
    {"quantize:m=4611686018427387904,k=0,in=f32,out=i8,group=channel,scale=f32",
     {"the size of scale does not fit 64 bits; "}},
    {"gemm:m=2147483648,n=2147483648,k=2147483648,a=f32,b=f32",
     {"does not fit 64 bits; "}},
    {"gemm:m=4194304,n=4194304,k=4194304,a=f32,b=f32",
     {"the FLOPs do not fit 64 bits; "}},
    // Groups.
    {quantizeTo + "out=i8,scale=f32,group=0",
     {"group='0' is not a group; the nearest legal one is 1"}},
    {quantizeTo + "out=i8,scale=f32,group=-2",
     {"group='-2' is not a group; the nearest legal one is -1 (channel)"}},
    {quantizeTo + "out=i8,scale=f32,group=chanel",
     {"group='chanel' is not a group; did you mean 'channel'?"}},
    {quantizeTo + "out=i8,scale=f32,group=32.0", {"is not a group; "}},
    {quantizeTo + "out=i8,scale=f32,group=9223372036854775808",
     {"is not a group; use a plain decimal integer"}},
    {quantizeTo + "out=i8,scale=f32", {"missing key 'group' for quantize"}},
    {quantizeTo + "out=i8,group=32", {"missing key 'scale' for quantize"}},
    // Types.
    {"axpy:n=1,type=fp33",
     {"unknown type 'fp33' for type; did you mean 'f32'?",
      "(f64, f32, bf16 or f16)"}},
    {"axpy:n=1,type=i8",
     {"type='i8' is not a type of axpy's type; use f64, "
      "f32, bf16 or f16"}},
    {"cast:n=1,in=f32,out=f8E4M3FNUX", {"did you mean 'f8E4M3FNUZ'?"}},
    {quantizeTo + "out=f32,group=32,scale=f32",
     {"out='f32' is not a type of quantize's out; use ", "i8, i4, u8 or u4"}},
    {quantizeTo + "out=e8m0,group=32,scale=f32", {"is not a type of"}},
    {"quantize:m=1,k=1,in=f64,out=i8,group=1,scale=f32",
     {"in='f64' is not a type of quantize's in; use f32, bf16 or f16"}},
    {"exp:n=1,in=f64,out=f32", {"in='f64' is not a type of exp's in; "}},
    {quantizeTo + "out=i8,group=32,scale=i8", {"scale='i8' is not a type of"}},
    {quantizeTo + "out=i8,group=32,scale=none", {"unknown type 'none'"}},
    // Scales, zero points and rules.
    {quantizeTo + "out=i8,group=32,scale=f8E8M0FNU",
     {"scale=f8E8M0FNU does not go with i8 codes; use f32, f16 or bf16"}},
    {quantizeTo + "out=f8E5M2,group=16,scale=f8E4M3FN",
     {"scale=f8E4M3FN does not go with f8E5M2 codes; use f32, f16, bf16 or "
      "f8E8M0FNU"}},
    {quantizeTo + "out=e2m1,group=16,scale=f8E8M0FNU",
     {"scale=f8E8M0FNU needs group=32; use group=32"}},
    {quantizeTo + "out=e2m1,group=channel,scale=f8E8M0FNU", {"needs group=32"}},
    {quantizeTo + "out=e2m1,group=32,scale=f32,zero=i4",
     {"zero=i4 goes with integer codes only, not f4E2M1FN; use zero=none"}},
    {quantizeTo + "out=i8,group=32,scale=f32,zero=u8",
     {"zero=u8 does not match the codes; use zero=i8 or zero=none"}},
    {quantizeTo + "out=u4,group=32,scale=f32,zero=u8",
     {"zero=u8 does not match the codes; use zero=u4"}},
    {quantizeTo + "out=u8,group=32,scale=f32",
     {"u8 codes need a zero point; add zero=u8"}},
    {"dequantize:m=1,k=1,in=u4,out=f32,group=1,scale=f32",
     {"u4 codes need a zero point; add zero=u4"}},
    {quantizeTo + "out=i8,group=32,scale=f32,rule=floor",
     {"rule goes with scale=f8E8M0FNU only; "}},
    {quantizeTo + "out=e2m1,group=32,scale=e8m0,rule=flor",
     {"unknown value 'flor' for rule; did you mean 'floor'? (floor, rceil, "
      "ceil or even)"}},
    {quantizeTo + "out=e2m1,group=32,scale=f32,range=full",
     {"range goes with symmetric i8 and i4 codes only; remove range"}},
    {quantizeTo + "out=i8,group=32,scale=f32,zero=i8,range=narrow",
     {"range goes with symmetric i8 and i4 codes only; remove range"}},
    {quantizeTo + "out=e2m1,group=32,scale=e8m0,divisor=unrounded",
     {"divisor=unrounded does not go with scale=f8E8M0FNU", "use "
                                                            "divisor=stored"}},
    // Rounding and seeds.
    {quantizeTo + "out=i8,group=32,scale=f32,round=stochastic",
     {"round=stochastic needs a seed; add seed=NUMBER"}},
    {quantizeTo + "out=i8,group=32,scale=f32,seed=0",
     {"seed goes with round=stochastic only; remove seed"}},
    {"cast:n=1,in=f32,out=f16,round=stochastic,seed=-1",
     {"seed='-1' is not a seed; "}},
    {"cast:n=1,in=f32,out=f16,round=nearest",
     {"unknown value 'nearest' for "
      "round; "}},
    {"cast:n=1,in=f32,out=f4E2M1FN,overflow=ieee",
     {"overflow=ieee does not go with out=f4E2M1FN, which has neither Inf nor "
      "NaN; use overflow=saturate"}},
    {"cast:n=1,in=f32,out=i8,overflow=ieee", {"use overflow=saturate"}},
    {"cast:n=1,in=f32,out=u4,nan=propagate",
     {"nan=propagate does not go with out=u4, which has no NaN; use nan=max"}},
    // Accumulators and orders.
    {"axpy:n=1,type=f32,acc=f16",
     {"acc=f16 does not go with f32; use f32 or "
      "f64"}},
    {"axpy:n=1,type=f64,acc=f32", {"acc=f32 does not go with f64; use f64"}},
    {"reduce:n=1,type=i8,kind=sum,acc=f32", {"use i32"}},
    {"reduce:n=1,type=f32,kind=max,order=blocked",
     {"kind=max takes no order; remove order or use sum, dot or sumsq"}},
    {"reduce:n=1,type=f32,kind=absmax,block=16384", {"takes no block; "}},
    {"reduce:n=1,type=f32,kind=sum,order=sequential,block=4",
     {"order=sequential takes no block; "}},
    {"reduce:n=1,type=f32,kind=sum,block=1",
     {"block=1 is too small for order=blocked; use block=2 or more"}},
    {"reduce:n=1,type=f32,kind=sum,order=compensated,block=1", {"block=2"}},
    {"reduce:n=1,type=f32,kind=sum,order=pairwise,block=0", {"block=1"}},
    {"reduce:n=1,type=f32,kind=mean", {"unknown value 'mean' for kind; "}},
    {"reduce:n=16777216,type=i8,kind=sum",
     {"n=16777216 could overflow the i32 accumulator; use n=16777215 or less"}},
    {"reduce:n=33026,type=u8,kind=dot", {"use n=33025 or less"}},
    // gemm.
    {"gemm:m=1,n=1,k=1,a=f32,b=f16", {"b=f16 does not go with a=f32; use b="}},
    {"gemm:m=1,n=1,k=1,a=i8,b=f32", {"b=f32 does not go with a=i8; use b=i8"}},
    {"gemm:m=1,n=1,k=1,a=f64,b=i8,group=1,scale=f32", {"use b=f64"}},
    {"gemm:m=1,n=1,k=1,a=f8E5M2,b=i8", {"b=i8 does not go with a=f8E5M2"}},
    {"gemm:m=1,n=1,k=1,a=f32,b=i8,scale=f32",
     {"missing key 'group' for gemm with i8 codes; add group=32"}},
    {"gemm:m=1,n=1,k=1,a=f32,b=i8,group=32",
     {"missing key 'scale' for gemm with i8 codes; add scale=f32"}},
    {"gemm:m=1,n=1,k=1,a=f32,b=f32,group=32",
     {"group goes where codes meet floats only", "remove group"}},
    {"gemm:m=1,n=1,k=1,a=i8,b=i8,scale=f32", {"remove scale"}},
    {"gemm:m=1,n=1,k=1,a=i8,b=i8,zero=i8", {"remove zero"}},
    {"gemm:m=1,n=1,k=1,a=f32,b=f32,compute=f32", {"remove compute"}},
    {"gemm:m=1,n=1,k=1,a=f32,b=e2m1,group=32,scale=f32,compute=i8",
     {"compute=i8 needs integer codes, not b=f4E2M1FN; use compute=f32"}},
    {"gemm:m=1,n=1,k=1,a=f32,b=i8,group=1,scale=f32,acc=f64", {"use f32"}},
    {"gemm:m=1,n=1,k=1,a=f32,b=f32,out=i32",
     {"out=i32 does not go with "
      "acc=f32; use out=f32"}},
    {"gemm:m=1,n=1,k=1,a=i8,b=i8,out=f32", {"use out=i32"}},
    {"gemm:m=1,n=1,k=131072,a=i8,b=i8",
     {"k=131072 could overflow the i32 accumulator; use k=131071 or less"}},
    {"gemm:m=1,n=1,k=65794,a=u8,b=i8", {"use k=65793 or less"}},
    {"gemm:m=1,n=1,k=1,a=f32,b=f32,accumulate=true",
     {"unknown value 'true' for accumulate; "}},
};

TEST(SpecErrors, EachIsOneLineThatSaysWhatToDo) {
  for (const Fault &fault : faults) {
    SCOPED_TRACE(fault.text);
    Result<KernelSpec> spec = KernelSpec::parse(fault.text);
    ASSERT_FALSE(spec);
    EXPECT_EQ(spec.status().exitCode(), ExitCode::BadInput);
    const std::string &line = spec.status().message();
    for (const std::string &part : fault.parts)
      EXPECT_NE(line.find(part), line.npos) << line;
    EXPECT_EQ(line.find('\n'), line.npos) << line;
    EXPECT_NE(line.find("; "), line.npos) << line;
  }
}

TEST(SpecErrors, HugeAndBinaryTextIsAnError) {
  EXPECT_FALSE(KernelSpec::parse(std::string(1 << 20, 'x')));
  EXPECT_FALSE(KernelSpec::parse("axpy:" + std::string(1 << 20, 'x')));
  EXPECT_FALSE(KernelSpec::parse("axpy:n=" + std::string(1 << 20, '9')));
  EXPECT_FALSE(KernelSpec::parse(std::string_view("axpy:n=1\0,type=f32", 18)));
  Result<KernelSpec> spec = KernelSpec::parse("a\xff\x01:");
  ASSERT_FALSE(spec);
  EXPECT_NE(spec.status().message().find("'a\\xff\\x01'"), std::string::npos);
}

TEST(SpecErrors, ASpecBuiltByFieldsIsHeldToTheSameRules) {
  KernelSpec spec =
      *KernelSpec::parse("quantize:m=4,k=64,in=f32,out=i8,group=32,scale=f16");
  EXPECT_TRUE(validate(spec));
  KernelSpec bad = spec;
  bad.m = -1;
  EXPECT_FALSE(validate(bad));
  bad = spec;
  bad.out = Format::F32;
  EXPECT_FALSE(validate(bad));
  bad = spec;
  bad.group = {};
  EXPECT_FALSE(validate(bad));
  bad = spec;
  bad.group = {Group::Size, 0};
  EXPECT_FALSE(validate(bad));
  bad = spec;
  bad.scale.reset();
  EXPECT_FALSE(validate(bad));
  bad = spec;
  bad.rule = ScaleRule::Ceil;
  EXPECT_FALSE(validate(bad));
  bad = spec;
  bad.seed = 3;
  EXPECT_FALSE(validate(bad));
  // A field the op has no key for does not count.
  bad = spec;
  bad.order = SumOrder::Pairwise;
  bad.n = 5;
  EXPECT_TRUE(validate(bad));
}

} // namespace
