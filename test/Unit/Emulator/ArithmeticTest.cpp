// ArithmeticTest.cpp - math, rounded math and integer instructions on values
// with known results.
#include "Snippet.h"

#include <cmath>
#include <cstring>

namespace labgen::emu {
namespace {

uint32_t bitsOf(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  return bits;
}

float unary(const Target &target, const std::string &name, float value) {
  return runSnippet<float>(target,
                           "  %a = bitcast i32 %v to float\n  %r = call float "
                           "@llvm." +
                               name + "(float %a)",
                           "float", {bitsOf(value)})[0];
}

float binary(const std::string &name, float a, const std::string &b) {
  return runSnippet<float>(nvptx,
                           "  %a = bitcast i32 %v to float\n  %r = call float "
                           "@llvm.nvvm." +
                               name + "(float %a, float " + b + ")",
                           "float", {bitsOf(a)})[0];
}

uint32_t integer(const Target &target, const std::string &body, uint32_t v) {
  return runSnippet<uint32_t>(target, body, "i32", {v})[0];
}

TEST(Arithmetic, Functions) {
  EXPECT_EQ(unary(nvptx, "nvvm.ex2.approx.f32", 3.0f), 8.0f);
  EXPECT_EQ(unary(nvptx, "nvvm.lg2.approx.f", 8.0f), 3.0f);
  EXPECT_EQ(unary(nvptx, "nvvm.rcp.rn.f", 4.0f), 0.25f);
  EXPECT_EQ(unary(nvptx, "nvvm.rsqrt.approx.f", 16.0f), 0.25f);
  EXPECT_EQ(unary(nvptx, "nvvm.sqrt.approx.f", 9.0f), 3.0f);
  EXPECT_EQ(unary(nvptx, "nvvm.round.f", 2.5f), 2.0f);
  EXPECT_EQ(unary(nvptx, "nvvm.saturate.f", NAN), 0.0f);
  EXPECT_EQ(unary(nvptx, "nvvm.saturate.f", 1.5f), 1.0f);
  EXPECT_EQ(unary(gfx942, "amdgcn.exp2.f32", -1.0f), 0.5f);
  EXPECT_EQ(unary(gfx942, "amdgcn.log.f32", 0.125f), -3.0f);
  EXPECT_EQ(unary(gfx942, "amdgcn.rcp.f32", -8.0f), -0.125f);
  EXPECT_EQ(unary(gfx942, "amdgcn.rsq.f32", 4.0f), 0.5f);
  EXPECT_NEAR(unary(gfx942, "amdgcn.sin.f32", 0.25f), 1.0f, 1e-6);
  EXPECT_EQ(unary(gfx942, "amdgcn.fract.f32", -0.25f), 0.75f);
  EXPECT_EQ(unary(gfx942, "amdgcn.frexp.mant.f32", 12.0f), 0.75f);
}

TEST(Arithmetic, MinimaAndMaxima) {
  EXPECT_EQ(binary("fmin.f", NAN, "2.0"), 2.0f);
  EXPECT_EQ(binary("fmax.f", 1.0f, "2.0"), 2.0f);
  EXPECT_TRUE(std::isnan(binary("fmax.nan.f", NAN, "2.0")));
  EXPECT_TRUE(std::signbit(binary("fmin.f", 0.0f, "-0.0")));
  EXPECT_FALSE(std::signbit(binary("fmax.f", -0.0f, "0.0")));
}

TEST(Arithmetic, RoundingModes) {
  // 1 + 2^-24 is half way between 1 and its successor.
  EXPECT_EQ(binary("add.rn.f", 1.0f, "0x3E70000000000000"), 1.0f);
  EXPECT_EQ(binary("add.rp.f", 1.0f, "0x3E70000000000000"), 0x1.000002p0f);
  EXPECT_EQ(binary("add.rm.f", -1.0f, "0xBE70000000000000"), -0x1.000002p0f);
  EXPECT_EQ(binary("add.rz.f", -1.0f, "0xBE70000000000000"), -1.0f);
  // 1 / 3 to nearest is above it.
  EXPECT_EQ(binary("div.rp.f", 1.0f, "3.0"), 1.0f / 3);
  EXPECT_EQ(binary("div.rm.f", 1.0f, "3.0"), std::nextafter(1.0f / 3, 0.0f));
  EXPECT_EQ(integer(nvptx,
                    "  %a = bitcast i32 %v to float\n"
                    "  %r = call i32 @llvm.nvvm.f2i.rm(float %a)",
                    bitsOf(-1.5f)),
            uint32_t(-2));
  EXPECT_EQ(integer(nvptx,
                    "  %a = bitcast i32 %v to float\n"
                    "  %r = call i32 @llvm.nvvm.f2i.rz(float %a)",
                    bitsOf(3e9f)),
            0x7FFFFFFFu);
  EXPECT_EQ(runSnippet<float>(nvptx,
                              "  %r = call float @llvm.nvvm.i2f.rz(i32 %v)",
                              "float", {0x7FFFFFFF})[0],
            0x1.fffffep30f);
}

TEST(Arithmetic, SmallFusedMultiplyAddRoundsOnce) {
  // In bf16, (1 + 2^-7)^2 = 1 + 2^-6 + 2^-14; adding 2^-8 gives a tie to which
  // 2^-14 adds. And a product that is a tie by itself with a far smaller c,
  // which f32 and f64 lose: (1 + 2^-1)(1 + 2^-7) = 1.51171875.
  std::string body = "  %a = trunc i32 %v to i16\n"
                     "  %x = bitcast i16 %a to bfloat\n"
                     "  %r = call bfloat @llvm.fma.bf16(bfloat %x, bfloat "
                     "0xR3F81, bfloat 0xR0001)";
  // 0x3FC0 = 1.5; the exact sum is just above the tie of 0x3FC1 and 0x3FC2.
  EXPECT_EQ(runSnippet<uint16_t>(nvptx, body, "bfloat", {0x3FC0})[0], 0x3FC2);
  body.replace(body.find("0xR0001"), 7, "0xR8001");
  EXPECT_EQ(runSnippet<uint16_t>(nvptx, body, "bfloat", {0x3FC0})[0], 0x3FC1);
}

TEST(Arithmetic, SmallFloatsWithoutHostSupport) {
  // bf16 arithmetic, and f16 conversions, go through library calls on hosts
  // without instructions for them.
  std::string sum = "  %a = trunc i32 %v to i16\n"
                    "  %x = bitcast i16 %a to bfloat\n"
                    "  %r = fadd bfloat %x, 0xR3B80"; // + 2^-8
  EXPECT_EQ(runSnippet<uint16_t>(nvptx, sum, "bfloat", {0x3F80})[0], 0x3F80);
  EXPECT_EQ(runSnippet<uint16_t>(nvptx, sum, "bfloat", {0x3F81})[0], 0x3F82);
  EXPECT_EQ(runSnippet<uint16_t>(nvptx,
                                 "  %f = uitofp i32 %v to float\n"
                                 "  %r = fptrunc float %f to half",
                                 "half", {2049})[0],
            0x6800);
}

TEST(Arithmetic, Integers) {
  EXPECT_EQ(integer(nvptx,
                    "  %r = call i32 @llvm.nvvm.prmt(i32 %v, i32 1985229328, "
                    "i32 37137)", // 0x76543210, selector 0x9111
                    0x33228180),
            0xFF818181u);
  EXPECT_EQ(integer(gfx942,
                    "  %r = call i32 @llvm.amdgcn.perm(i32 %v, i32 1985229328, "
                    "i32 201786628)", // 0x0C070504
                    0x33221180),
            0x00331180u);
  // (1, -2, 3, -4) . (2, 2, 2, 2) + 10
  EXPECT_EQ(integer(nvptx,
                    "  %r = call i32 @llvm.nvvm.idp4a.s.s(i32 %v, i32 "
                    "33686018, i32 10)",
                    0xFC03FE01),
            6u);
  EXPECT_EQ(integer(nvptx,
                    "  %r = call i32 @llvm.nvvm.idp4a.u.u(i32 %v, i32 "
                    "33686018, i32 10)",
                    0xFC03FE01),
            1030u);
  EXPECT_EQ(integer(gfx942,
                    "  %r = call i32 @llvm.amdgcn.sdot4(i32 %v, i32 33686018, "
                    "i32 10, i1 false)",
                    0xFC03FE01),
            6u);
  EXPECT_EQ(integer(gfx942,
                    "  %r = call i32 @llvm.amdgcn.sdot4(i32 2139062143, i32 "
                    "2139062143, i32 2147483640, i1 true)",
                    0),
            0x7FFFFFFFu);
  EXPECT_EQ(integer(gfx1201,
                    "  %r = call i32 @llvm.amdgcn.sudot4(i1 true, i32 %v, i1 "
                    "false, i32 -16711936, i32 0, i1 false)", // 0xFF00FF00
                    0xFC03FE01),
            uint32_t(-6 * 255));
  EXPECT_EQ(integer(nvptx,
                    "  %r = call i32 @llvm.nvvm.mulhi.i(i32 %v, i32 65536)",
                    uint32_t(-65536)),
            uint32_t(-1));
  EXPECT_EQ(integer(gfx942,
                    "  %r = call i32 @llvm.amdgcn.ubfe.i32(i32 %v, i32 8, i32 "
                    "4)",
                    0xABCD),
            0xBu);
  EXPECT_EQ(integer(gfx942,
                    "  %r = call i32 @llvm.amdgcn.sbfe.i32(i32 %v, i32 8, i32 "
                    "4)",
                    0xABCD),
            uint32_t(-5));
  EXPECT_EQ(integer(gfx942,
                    "  %r = call i32 @llvm.amdgcn.mul.i24.i32(i32 %v, i32 2)",
                    0xFFFFFFFF),
            uint32_t(-2));
}

TEST(Arithmetic, BufferDescriptorsBoundTheirRange) {
  Device device(R"(
target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %a = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 0, i64 128, i32 159744)
  %b = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %out, i16 0, i64 192, i32 159744)
  %o = shl i32 %t, 2
  %v = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %a, i32 %o, i32 0, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %v, ptr addrspace(8) %b, i32 %o, i32 0, i32 0)
  ret void
})");
  std::vector<uint32_t> in(64, 5), before(64, 9);
  unsigned a = device.buffer("in", in, Role::Input),
           b = device.buffer("out", before);
  Report report =
      device.run("k", {1, 1, 1}, {64, 1, 1}, {pointer(a), pointer(b)});
  expectClean(report);
  EXPECT_EQ(report.counters.bytesRead, 128u);
  std::vector<uint32_t> out = device.read<uint32_t>(b);
  for (unsigned i = 0; i < 64; ++i)
    EXPECT_EQ(out[i], i < 32 ? 5u : i < 48 ? 0u : 9u);
}

} // namespace
} // namespace labgen::emu
