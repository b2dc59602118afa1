// ErrorsTest.cpp - what can't be loaded or launched is refused in one line that
// names it.
#include "Faults.h"

namespace labgen::emu {
namespace {

std::string loadError(const std::string &text) {
  Result<Program> program = tryLoad(text);
  if (program)
    return "";
  EXPECT_EQ(program.status().message().find('\n'), std::string::npos);
  return program.status().message();
}

void expectLoadError(const std::string &text, const std::string &part) {
  EXPECT_NE(loadError(text).find(part), std::string::npos)
      << "wanted: " << part << "\ngot: " << loadError(text);
}

TEST(LoadErrors, BrokenText) {
  std::string good = kernel("");
  expectLoadError(good.substr(0, good.size() / 2), "test.ll:");
  expectLoadError("not IR", "test.ll:1:1");
  expectLoadError("", "nvptx64 and amdgcn");
  expectLoadError(kernel("  %x = add i32 %nothing, 1"), "use of undefined");
  std::string truncated = "BC\xC0\xDE";
  expectLoadError(truncated + std::string(60, '\1'), "test.ll");
}

TEST(LoadErrors, OtherArchitecture) {
  expectLoadError("target triple = \"x86_64-pc-linux-gnu\"\n"
                  "define void @f() {\n  ret void\n}\n",
                  "x86_64-pc-linux-gnu");
}

TEST(LoadErrors, NothingWithoutAModelIsSkipped) {
  expectLoadError(kernel("  %c = call i64 @llvm.nvvm.read.ptx.sreg.clock64()"),
                  "no model of intrinsic 'llvm.nvvm.read.ptx.sreg.clock64'");
  expectLoadError(kernel("  call void asm sideeffect \"bar.sync 0;\", \"\"()"),
                  "no inline assembly: \"bar.sync 0;\" (in k)");
  expectLoadError("target triple = \"nvptx64-nvidia-cuda\"\n"
                  "declare float @__nv_expf(float)\n"
                  "define ptx_kernel void @k(ptr addrspace(1) %p) {\n"
                  "  %x = call float @__nv_expf(float 1.0)\n"
                  "  store float %x, ptr addrspace(1) %p\n  ret void\n}\n",
                  "calls '__nv_expf'");
  expectLoadError(
      kernel("  %x = call <4 x i32> @llvm.masked.gather.v4i32.v4p1(<4 x ptr "
             "addrspace(1)> poison, <4 x i1> poison, <4 x i32> poison)"),
      "llvm.masked.gather");
  expectLoadError("target triple = \"nvptx64-nvidia-cuda\"\n"
                  "define void @f() {\n  ret void\n}\n",
                  "no kernel");
}

TEST(LoadErrors, WarpSize) {
  Result<Program> program = tryLoad(kernel(""), 16);
  ASSERT_FALSE(program);
  EXPECT_NE(program.status().message().find("16"), std::string::npos);
}

TEST(LoadErrors, TooMuchSharedMemory) {
  expectLoadError("target triple = \"nvptx64-nvidia-cuda\"\n"
                  "@big = internal addrspace(3) global [300000 x i8] undef\n"
                  "define ptx_kernel void @k() {\n"
                  "  store i8 1, ptr addrspace(3) @big\n  ret void\n}\n",
                  "262144 bytes");
}

struct LaunchError {
  LaunchError() : device(kernel("")) {
    in = device.buffer("in", std::vector<uint32_t>(4));
  }
  std::string message(const Launch &launch, std::vector<Argument> arguments) {
    Result<Report> report =
        device.program->run(launch, arguments, *device.memory, device.options);
    return report ? "" : report.status().message();
  }
  void expect(const Launch &launch, std::vector<Argument> arguments,
              const std::string &part) {
    std::string text = message(launch, arguments);
    EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos);
  }
  Device device;
  unsigned in;
};

TEST(LaunchErrors, EntryArgumentsAndSizes) {
  LaunchError error;
  std::vector<Argument> good{pointer(error.in), pointer(error.in)};
  EXPECT_EQ(error.message({"k", {1, 1, 1}, {32, 1, 1}, 0}, good), "");
  error.expect({"kernel", {1, 1, 1}, {32, 1, 1}, 0}, good,
               "no kernel 'kernel' in the device code; it has k");
  error.expect({"k", {1, 1, 1}, {32, 1, 1}, 0}, {pointer(error.in)},
               "takes 2 arguments, 1 given");
  error.expect({"k", {1, 1, 1}, {32, 1, 1}, 0},
               {pointer(error.in), scalar(1.0f)},
               "argument 1 of kernel 'k' has 8 bytes, 4 given");
  error.expect({"k", {1, 1, 1}, {32, 1, 1}, 0}, {pointer(error.in), pointer(9)},
               "is buffer 9 of 1");
  error.expect({"k", {0, 1, 1}, {32, 1, 1}, 0}, good, "no size may be 0");
  error.expect({"k", {1, 1, 1}, {1025, 1, 1}, 0}, good, "at most 1024");
  error.expect({"k", {1, 1, 1}, {65536, 65536, 2}, 0}, good, "at most 1024");
  error.expect({"k", {1, 65536, 1}, {1, 1, 1}, 0}, good, "65535");
  error.expect({"k", {0x7FFFFFFF, 65535, 65535}, {1024, 1, 1}, 0}, good,
               "choose a smaller shape");
  error.expect({"k", {1, 1, 1}, {1, 1, 1}, 300000}, good, "shared memory");
}

TEST(LaunchErrors, PointerForAScalar) {
  Device device("target triple = \"nvptx64-nvidia-cuda\"\n"
                "define ptx_kernel void @k(i64 %n) {\n  ret void\n}\n");
  unsigned in = device.buffer("in", std::vector<uint32_t>(4));
  Result<Report> report = device.program->run(
      {"k", {1, 1, 1}, {1, 1, 1}, 0}, {pointer(in)}, *device.memory, {});
  ASSERT_FALSE(report);
  EXPECT_NE(report.status().message().find("is no pointer"), std::string::npos);
}

TEST(LaunchErrors, RecursionWithoutEnd) {
  Device device(R"(
target triple = "nvptx64-nvidia-cuda"
define i32 @f(i32 %n) noinline {
  %m = add i32 %n, 1
  %r = call i32 @f(i32 %m)
  %s = mul i32 %r, %n
  ret i32 %s
}
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r = call i32 @f(i32 %t)
  store i32 %r, ptr addrspace(1) %p
  ret void
})");
  unsigned out = device.output<uint32_t>("out", 1);
  Report report = device.run("k", {1, 1, 1}, {1, 1, 1}, {pointer(out)});
  expectFinding(report, Check::Memcheck, "stack overflow");
  EXPECT_FALSE(report.completed);
}

TEST(Memory, LimitsAreSaid) {
  std::unique_ptr<Memory> memory = std::move(*Memory::create());
  EXPECT_FALSE(memory->allocate("huge", uint64_t(1) << 40, Role::Output));
  for (unsigned i = 0; i < Memory::maxBuffers; ++i)
    ASSERT_TRUE(memory->allocate("b", 4, Role::Output));
  Result<unsigned> more = memory->allocate("b", 4, Role::Output);
  ASSERT_FALSE(more);
  EXPECT_NE(more.status().message().find("62 buffers"), std::string::npos);
}

} // namespace
} // namespace labgen::emu
