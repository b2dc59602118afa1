// SandboxTest.cpp - whatever IR it is given, a kernel does no more than a
// kernel may: no host code, no host memory, no end of the process.
#include "Faults.h"

namespace labgen::emu {
namespace {

const std::string nvptxTriple = "target triple = \"nvptx64-nvidia-cuda\"\n";

void expectRefused(const std::string &text, const std::string &part) {
  Result<Program> program = tryLoad(text);
  ASSERT_FALSE(program) << text;
  const std::string &message = program.status().message();
  EXPECT_NE(message.find(part), std::string::npos)
      << "wanted: " << part << "\ngot: " << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  EXPECT_NE(message.find("; "), std::string::npos) << message;
}

TEST(Sandbox, ModuleAssembly) {
  for (const char *assembly : {".text\\0Aevil: ret", ".section .empty", " "})
    expectRefused(kernel("") + "module asm \"" + assembly + "\"\n",
                  "runs no module assembly");
}

TEST(Sandbox, InlineAssembly) {
  expectRefused(kernel("  call void asm sideeffect \"syscall\", \"\"()"),
                "runs no inline assembly: \"syscall\" (in k)");
  expectRefused(kernel("  %x = call i32 asm \"\", \"=r\"()"),
                "runs no inline assembly");
  // A barrier for the optimiser.
  expectClean(
      Trial(kernel("  call void asm sideeffect \"\", \"~{memory}\"()")).report);
}

TEST(Sandbox, NamesOfTheRuntime) {
  // Defined, declared, a variable, used or not.
  expectRefused(kernel("") + "define ptr @labgen_emu_store_global(ptr %t, ptr "
                             "%a, i64 %s) {\n  ret ptr %a\n}\n",
                "module has 'labgen_emu_store_global'");
  expectRefused(kernel("  call void @labgen_emu_exit(ptr null)") +
                    "declare void @labgen_emu_exit(ptr)\n",
                "module has 'labgen_emu_exit'");
  expectRefused(kernel("") + "declare void @labgen_emu_anything()\n",
                "module has 'labgen_emu_anything'");
  expectRefused(kernel("") +
                    "@labgen_emu_entry.0 = addrspace(1) global i32 0\n",
                "module has 'labgen_emu_entry.0'");
}

TEST(Sandbox, IfuncsAndAliases) {
  std::string function = "define void @f() {\n  ret void\n}\n"
                         "define ptr @r() {\n  ret ptr @f\n}\n";
  expectRefused(kernel("") + function + "@i = ifunc void (), ptr @r\n",
                "no ifuncs and the module has 'i'");
  expectRefused(kernel("") + function + "@a = alias void (), ptr @f\n",
                "no aliases and the module has 'a'");
}

TEST(Sandbox, FunctionsOfTheHost) {
  const std::string declared = "declare i32 @system(ptr)\n";
  expectRefused(kernel("  %x = call i32 @system(ptr null)") + declared,
                "calls 'system', which it does not define");
  // Its address alone, in code and in variables of all forms.
  expectRefused(kernel("  store i64 ptrtoint (ptr @system to i64), ptr "
                       "addrspace(1) %out") +
                    declared,
                "no address of 'system'");
  for (const char *value : {"i64 ptrtoint (ptr @system to i64)", "ptr @system",
                            "{ i32, ptr } { i32 1, ptr @system }",
                            "ptr getelementptr (i8, ptr @system, i64 4)"})
    expectRefused(kernel("") + declared + "@g = addrspace(1) global " + value +
                      "\n",
                  "(in variable 'g')");
  expectRefused(kernel("") + "@environ = external global ptr\n"
                             "@g = addrspace(1) global ptr @environ\n",
                "address of 'environ'");
  // Through a pointer, or with another type than it has.
  expectRefused(kernel("  %f = load ptr, ptr addrspace(1) %in\n"
                       "  call void %f()"),
                "follows no function pointers");
  expectRefused(kernel("  call void @f(i64 1)") +
                    "define void @f(ptr %p) {\n  ret void\n}\n",
                "follows no function pointers");
  expectRefused(kernel("  call void inttoptr (i64 4096 to ptr)()"),
                "follows no function pointers");
}

TEST(Sandbox, IntrinsicsOfTheHost) {
  for (const char *call :
       {"%x = call ptr @llvm.returnaddress(i32 0)",
        "%x = call ptr @llvm.frameaddress.p0(i32 0)",
        "%x = call ptr @llvm.addressofreturnaddress.p0()",
        "%x = call ptr @llvm.thread.pointer.p0()",
        "%x = call ptr @llvm.sponentry.p0()",
        "%x = call i64 @llvm.readcyclecounter()",
        "%x = call i64 @llvm.read_register.i64(metadata !{!\"rsp\"})",
        "%x = call ptr @llvm.stacksave.p0()", "call void @llvm.x86.int(i8 3)",
        "%x = call i32 @llvm.x86.rdpid()",
        "call void @llvm.clear_cache(ptr null, ptr null)",
        "call void (i64, i32, ...) @llvm.experimental.stackmap(i64 0, i32 0)",
        "%x = call ptr @llvm.eh.dwarf.cfa(i32 0)"})
    expectRefused(kernel(std::string("  ") + call), "no model of intrinsic");
}

TEST(Sandbox, WhatOnlyHostsHave) {
  expectRefused(kernel("") + "@t = thread_local global i32 0\n",
                "no thread-local variables");
  expectRefused(kernel("") + "@s1 = addrspace(1) global i32 0, section "
                             "\".init_array\"\n",
                "names a section");
  expectRefused(
      kernel("") + "define void @c() {\n  ret void\n}\n"
                   "@llvm.global_ctors = appending global [1 x { i32, ptr, ptr "
                   "}] [{ i32, ptr, ptr } { i32 1, ptr @c, ptr null }]\n",
      "runs no constructors");
  expectRefused(kernel("") + "declare i32 @p(...)\ndefine void @f() "
                             "personality ptr @p {\n  ret void\n}\n",
                "no personality");
  expectRefused(kernel("") + "define void @f() prefix i64 1 {\n  ret void\n}\n",
                "prefix");
  expectRefused(kernel("") +
                    "define void @f() prologue i8 144 {\n  ret void\n}\n",
                "prologue");
  expectRefused(kernel("") + "define void @f(...) {\n  ret void\n}\n",
                "no variable arguments");
  // A segment of the host's.
  expectRefused(
      kernel("  %a = alloca i32\n  %g = addrspacecast ptr %a to ptr "
             "addrspace(257)\n  %v = load i32, ptr addrspace(257) %g"),
      "no address space 257");
  expectRefused(kernel("  %x = fadd x86_fp80 poison, poison"), "type x86_fp80");
  expectRefused(kernel("  %a = alloca <vscale x 4 x i32>"), "vscale");
  expectRefused(kernel("  %p = getelementptr i8, ptr blockaddress(@k, %l), i64 "
                       "1\n  br label %l\nl:"),
                "blockaddress(@k");
  expectRefused(kernel("  indirectbr ptr null, [label %l]\nl:"),
                "model of this instruction");
  expectRefused(
      kernel("  %v = load atomic i128, ptr addrspace(1) %in monotonic, "
             "align 16"),
      "more than 8 bytes");
  expectRefused(kernel("  store atomic <1 x i32> zeroinitializer, ptr "
                       "addrspace(1) %out release, align 16"),
                "atomic access of a vector");
  expectRefused(kernel("  %a = alloca i32, align 8192"),
                "alignment this large");
  expectRefused(kernel("  %a = alloca [1000000 x i32]"),
                "more than 524288 bytes of local variables");
  expectRefused(kernel("") +
                    "@g = addrspace(1) global [1099511627776 x i64] undef\n",
                "type of this size");
}

TEST(Sandbox, NamesOfTheHostMeanNothing) {
  // Own functions called as libc's and libm's are no such.
  Trial run(kernel("  %a = sitofp i32 %t to float\n"
                   "  %e = call float @expf(float %a)\n"
                   "  %x = call float @llvm.exp.f32(float 0.0)\n"
                   "  %s = fadd float %e, %x\n"
                   "  %i = fptosi float %s to i32\n"
                   "  %q = getelementptr i32, ptr addrspace(1) %out, i32 %t\n"
                   "  store i32 %i, ptr addrspace(1) %q, align 4") +
            "define float @expf(float %x) noinline {\n"
            "  %y = fadd float %x, 1.0\n  ret float %y\n}\n"
            "define ptr @memcpy(ptr %a, ptr %b, i64 %n) {\n  ret ptr %a\n}\n");
  expectClean(run.report);
  EXPECT_EQ(run.device.read<uint32_t>(run.out)[40], 42u);
}

TEST(Sandbox, IntrinsicsBelongToAVendor) {
  // A matrix instruction of warps of 32 lanes where there are 64, and so on.
  const std::string amd = "target triple = \"amdgcn-amd-amdhsa\"\n"
                          "define amdgpu_kernel void @k() #0 {\n";
  auto end = [](const std::string &features) {
    return "\n  ret void\n}\nattributes #0 = { \"target-cpu\"=\"gfx1201\" "
           "\"target-features\"=\"" +
           features + "\" }\n";
  };
  expectRefused(
      amd +
          "  %d = call { i32, i32, i32, i32 } "
          "@llvm.nvvm.mma.m16n8k16.row.col.satfinite.s8(i32 1, i32 1, "
          "i32 1, i32 1, i32 1, i32 1, i32 1)" +
          end(""),
      "no intrinsic 'llvm.nvvm.mma.m16n8k16.row.col.satfinite.s8' on "
      "amdgcn");
  expectRefused(kernel("  %x = call i32 @llvm.amdgcn.workitem.id.x()"),
                "no intrinsic 'llvm.amdgcn.workitem.id.x' on nvptx64");
  expectRefused(amd +
                    "  %d = call <8 x float> "
                    "@llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> "
                    "poison, <8 x half> poison, <8 x float> poison)" +
                    end("+wavefrontsize64"),
                "only in warps of 32 lanes");
  // Overloaded with types that its function does not expect.
  for (const char *call :
       {"%d = call i1000 @llvm.amdgcn.ballot.i1000(i1 true)",
        "%d = call i16 @llvm.amdgcn.wave.reduce.umax.i16(i16 1, i32 0)"}) {
    Result<Program> program = tryLoad(amd + "  " + call + end(""));
    EXPECT_FALSE(program) << call;
  }
  Result<Program> program = tryLoad(
      amd +
      "  %d = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v2f16("
      "<2 x half> zeroinitializer, <2 x half> zeroinitializer, <8 x float> "
      "zeroinitializer)\n"
      "  %b = call i1 @llvm.amdgcn.inverse.ballot.i200(i200 -1)" +
      end(""));
  ASSERT_TRUE(program) << program.status().message();
  auto memory = Memory::create();
  EXPECT_TRUE(program->run({"k", {1, 1, 1}, {32, 1, 1}, 0}, {}, **memory));
}

TEST(Sandbox, UnreachableIsAFinding) {
  std::string text =
      kernel("  %c = icmp eq i32 %t, 7\n  br i1 %c, label %u, label %e\nu:\n"
             "  unreachable\ne:");
  Report report = Trial(text).report;
  expectFinding(report, Check::Memcheck, "unreachable executed");
  EXPECT_EQ(report.findings[0].thread, (std::array<uint32_t, 3>{7, 0, 0}));
  EXPECT_FALSE(report.completed);
  // What a switch leaves out becomes no jump to nowhere.
  expectFinding(Trial(kernel("  switch i32 %t, label %u [ i32 0, label %a\n"
                             "i32 1, label %f i32 2, label %a i32 3, label %f "
                             "i32 4, label %a ]\na:\n  br label %e\n"
                             "f:\n  br label %e\nu:\n  unreachable\ne:"))
                    .report,
                Check::Memcheck, "unreachable executed");
}

// The code generator makes an address of a variable index, and leaves out the
// comparison where it can prove one superfluous.
TEST(Sandbox, ElementsStayInTheirVector) {
  const std::string far = "element beyond its vector";
  for (const char *index : {"sub nuw i32 3, %n", "add nsw i32 %n, 4",
                            "sub i32 0, %n", "or disjoint i32 %n, 4"}) {
    std::string vector =
        "  %v = insertelement <4 x i32> zeroinitializer, i32 %t, i32 0\n"
        "  %n = add i32 %t, 4\n  %i = " +
        std::string(index) + "\n";
    expectFinding(
        Trial(kernel(vector + "  %e = extractelement <4 x i32> %v, i32 %i\n"
                              "  store i32 %e, ptr addrspace(1) %out, align 4"))
            .report,
        Check::Memcheck, far);
    expectFinding(
        Trial(kernel(vector +
                     "  %w = insertelement <4 x i32> %v, i32 7, i32 %i\n"
                     "  %e = call i32 @llvm.vector.reduce.xor.v4i32(<4 x i32> "
                     "%w)\n  store i32 %e, ptr addrspace(1) %out, align 4"))
            .report,
        Check::Memcheck, far);
  }
  // Saturated, 15 is an element.
  expectClean(
      Trial(kernel("  %f = uitofp i32 %t to float\n"
                   "  %g = fadd float %f, 1.0e9\n"
                   "  %i = fptoui float %g to i4\n"
                   "  %j = zext i4 %i to i32\n"
                   "  %e = extractelement <16 x i32> splat (i32 1), i32 "
                   "%j\n  store i32 %e, ptr addrspace(1) %out, align 4"))
          .report);
}

TEST(Sandbox, OddIntegersInRecords) {
  for (const char *type :
       {"[4 x i2]", "{ i2, i8, i16 }", "{ i32, [2 x i1] }", "[2 x <3 x i3>]"})
    expectRefused(kernel("  %g = load volatile " + std::string(type) +
                         ", ptr addrspace(1) %out, align 1"),
                  "load of an array or a record with odd integers");
}

TEST(Sandbox, BrokenPromisesStayInside) {
  // Each would let the host's optimiser do as it likes.
  for (const char *body :
       {"  call void @llvm.assume(i1 false)",
        "  br i1 poison, label %a, label %f\na:\n  br label %f\nf:",
        "  switch i32 undef, label %a [ i32 1, label %f ]\na:\n  br label %f\n"
        "f:",
        // A comparison is no proof of what it compares.
        "  %c = icmp eq i64 undef, 0\n  br i1 %c, label %a, label %f\na:\n"
        "  br label %f\nf:",
        "  %o = shl i32 %t, 99\n  %s = icmp ult i32 %o, 5\n"
        "  br i1 %s, label %a, label %f\na:\n  br label %f\nf:",
        "  %m = and i32 undef, 3\n  switch i32 %m, label %a [ i32 1, label %f "
        "]\na:\n  br label %f\nf:",
        "  %a = alloca i32\n  %v = load i32, ptr %a, align 4, !range !{i32 0, "
        "i32 1}\n  %i = urem i32 %v, 64"}) {
    Report report = Trial(kernel(body)).report;
    EXPECT_TRUE(report.completed) << body;
  }
  std::string callee =
      "define noalias nonnull align 64 dereferenceable(64) ptr "
      "@f(ptr returned noundef nonnull align 64 "
      "dereferenceable(64) %p) noreturn memory(none) "
      "willreturn naked {\n  ret ptr null\n}\n";
  expectFinding(Trial(kernel("  %p = call ptr @f(ptr undef)\n"
                             "  store i32 1, ptr %p, align 4") +
                      callee)
                    .report,
                Check::Memcheck, "write through a pointer to no buffer");
}

TEST(Sandbox, DivisionByZero) {
  for (const char *body :
       {"%d = udiv i32 7, %t", "%d = srem i32 %t, %t",
        "%v = insertelement <2 x i32> <i32 1, i32 1>, i32 %t, i32 1\n"
        "  %d = sdiv <2 x i32> <i32 5, i32 6>, %v",
        "%w = zext i32 %t to i128\n  %d = udiv i128 9, %w"}) {
    Report report = Trial(kernel(std::string("  ") + body)).report;
    expectFinding(report, Check::Memcheck, "integer division by zero");
    EXPECT_EQ(report.findings[0].count, 1u);
    EXPECT_TRUE(report.completed);
  }
  // The one that overflows wraps.
  Trial run(kernel("  %m = sub i32 0, 1\n  %d = sdiv i32 -2147483648, %m\n"
                   "  %q = getelementptr i32, ptr addrspace(1) %out, i32 %t\n"
                   "  store i32 %d, ptr addrspace(1) %q, align 4"));
  expectClean(run.report);
  EXPECT_EQ(run.device.read<uint32_t>(run.out)[0], 0x80000000u);
}

TEST(Sandbox, OddBitsComeFromWholeBytes) {
  // The byte holds 0xFF; only two of its bits count, here and in a table.
  Device device(kernel("  %p = getelementptr i8, ptr addrspace(1) %in, i32 %t\n"
                       "  %v = load i2, ptr addrspace(1) %p, align 1\n"
                       "  switch i2 %v, label %d [ i2 0, label %a i2 1, label "
                       "%f i2 2, label %c ]\na:\n  br label %e\nf:\n  br label "
                       "%e\nc:\n  br label %e\nd:\n  br label %e\ne:\n"
                       "  %r = phi i32 [ 10, %a ], [ 11, %f ], [ 12, %c ], [ "
                       "13, %d ]\n"
                       "  %q = getelementptr i32, ptr addrspace(1) %out, i32 %t"
                       "\n  store i32 %r, ptr addrspace(1) %q, align 4"));
  unsigned in = device.buffer("in", std::vector<uint8_t>(32, 0xFE)),
           out = device.output<uint32_t>("out", 32);
  expectClean(
      device.run("k", {1, 1, 1}, {32, 1, 1}, {pointer(in), pointer(out)}));
  EXPECT_EQ(device.read<uint32_t>(out)[5], 12u);
}

TEST(Sandbox, SerialKernelsLive) {
  // One thread does all the work, a hundred times what the bound says.
  Device device(kernel(
      "  %z = icmp eq i32 %t, 0\n  br i1 %z, label %l, label %e\nl:\n"
      "  %i = phi i32 [ 0, %0 ], [ %j, %l ]\n  %j = add i32 %i, 1\n"
      "  %p = getelementptr i32, ptr addrspace(1) %in, i32 0\n"
      "  %v = load i32, ptr addrspace(1) %p, align 4\n"
      "  %k = icmp ult i32 %j, 100000\n  br i1 %k, label %l, label %e\ne:"));
  device.options.maxIterations = 1000;
  unsigned in = device.buffer("in", std::vector<uint32_t>(64), Role::Input);
  expectClean(
      device.run("k", {1, 1, 1}, {64, 1, 1}, {pointer(in), pointer(in)}));
  device.options.leastSeconds = 0;
  expectFinding(
      device.run("k", {1, 1, 1}, {64, 1, 1}, {pointer(in), pointer(in)}),
      Check::Synccheck, "loop without an end in sight");
}

TEST(Sandbox, CallsWithoutEnd) {
  // 2^60 calls, never deep.
  std::string text = kernel("  call void @f0()");
  for (int i = 0; i < 60; ++i) {
    std::string next = "  call void @f" + std::to_string(i + 1) + "()\n";
    text += "define void @f" + std::to_string(i) + "() {\n" + next + next +
            "  ret void\n}\n";
  }
  text += "define void @f60() {\n"
          "  store volatile i32 1, ptr addrspace(3) @s\n  ret void\n}\n";
  Device device(text);
  device.options.maxIterations = 1000;
  device.options.leastSeconds = 0;
  unsigned in = device.buffer("in", std::vector<uint32_t>(64), Role::Input);
  Report report =
      device.run("k", {1, 1, 1}, {1, 1, 1}, {pointer(in), pointer(in)});
  expectFinding(report, Check::Synccheck, "loop without an end in sight");
}

} // namespace
} // namespace labgen::emu
