// Snippet.h - one instruction under test in a kernel around it: each thread
// loads %v (i32) from `in`, and stores what the snippet makes of it to `out`.
#ifndef LABGEN_TEST_UNIT_EMULATOR_SNIPPET_H
#define LABGEN_TEST_UNIT_EMULATOR_SNIPPET_H

#include "Device.h"

namespace labgen::emu {

/// Where a snippet runs.
struct Target {
  bool nvidia = true;
  std::string chip; ///< target-cpu of the kernel
  unsigned warpSize = 32;
};
inline const Target nvptx{true, "sm_90", 32}, gfx942{false, "gfx942", 64},
    gfx950{false, "gfx950", 64}, gfx1201{false, "gfx1201", 32};

/// Kernel `k(in, out)`; `body` defines %r of type `type` from %v and %t.
inline std::string snippet(const Target &target, const std::string &body,
                           const std::string &type = "i32") {
  std::string triple =
      target.nvidia ? "nvptx64-nvidia-cuda" : "amdgcn-amd-amdhsa";
  std::string id = target.nvidia ? "llvm.nvvm.read.ptx.sreg.tid.x"
                                 : "llvm.amdgcn.workitem.id.x";
  return "target triple = \"" + triple + "\"\ndefine " +
         (target.nvidia ? "ptx_kernel" : "amdgpu_kernel") +
         " void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {\n"
         "  %t = call i32 @" +
         id +
         "()\n  %pi = getelementptr i32, ptr addrspace(1) %in, i32 %t\n"
         "  %v = load i32, ptr addrspace(1) %pi, align 4\n" +
         body + "\n  %po = getelementptr " + type +
         ", ptr addrspace(1) %out, i32 %t\n  store " + type +
         " %r, ptr addrspace(1) %po, align 1\n  ret void\n}\n"
         "attributes #0 = { \"target-cpu\"=\"" +
         target.chip + "\" }\n";
}

/// Runs a snippet in one block; its findings, if any, fail the test.
template <typename T>
std::vector<T> runSnippet(const Target &target, const std::string &body,
                          const std::string &type,
                          const std::vector<uint32_t> &in) {
  Device device(snippet(target, body, type));
  unsigned bi = device.buffer("in", in, Role::Input),
           bo = device.output<T>("out", in.size());
  Report report = device.run("k", {1, 1, 1}, {uint32_t(in.size()), 1, 1},
                             {pointer(bi), pointer(bo)});
  expectClean(report);
  return device.read<T>(bo);
}

/// 1000 + lane for every lane of a warp.
inline std::vector<uint32_t> laneValues(const Target &target) {
  std::vector<uint32_t> values(target.warpSize);
  for (unsigned i = 0; i < target.warpSize; ++i)
    values[i] = 1000 + i;
  return values;
}

/// Each lane gets the value of lane `source(lane)`; -1: 0.
template <typename Source>
void expectMoved(const Target &target, const std::string &body, Source source) {
  std::vector<uint32_t> result =
      runSnippet<uint32_t>(target, body, "i32", laneValues(target));
  for (int lane = 0; lane < int(target.warpSize); ++lane) {
    int from = source(lane);
    EXPECT_EQ(result[lane], from < 0 ? 0u : 1000u + from)
        << body << "\nlane " << lane;
  }
}

} // namespace labgen::emu

#endif // LABGEN_TEST_UNIT_EMULATOR_SNIPPET_H
