// Faults.h - small kernels for the checks, and a launch of one.
#ifndef LABGEN_TEST_UNIT_EMULATOR_FAULTS_H
#define LABGEN_TEST_UNIT_EMULATOR_FAULTS_H

#include "Device.h"

namespace labgen::emu {

inline std::string withShared(const std::string &functions) {
  return "target triple = \"nvptx64-nvidia-cuda\"\n"
         "@s = internal addrspace(3) global [256 x i32] undef, align 4\n"
         "@other = internal addrspace(3) global [8 x i32] undef, align 4\n" +
         functions;
}

/// A kernel `k(in, out)` of i32; `body` has %t, the thread's number.
inline std::string kernel(const std::string &body) {
  return withShared("define ptx_kernel void @k(ptr addrspace(1) %in, ptr "
                    "addrspace(1) %out) {\n"
                    "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                    "  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n" +
                    body + "\n  ret void\n}\n");
}

inline const std::string barrier =
    "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n";

/// Runs `k` on 64 elements in, 64 out.
struct Trial {
  explicit Trial(const std::string &text, Dim3 grid = {1, 1, 1},
                 Dim3 block = {64, 1, 1}, unsigned workers = 1)
      : device(text) {
    std::vector<uint32_t> values(64);
    for (uint32_t i = 0; i < 64; ++i)
      values[i] = i;
    device.options.workers = workers;
    in = device.buffer("in", values, Role::Input);
    out = device.output<uint32_t>("out", 64);
    report = device.run("k", grid, block, {pointer(in), pointer(out)});
  }
  Device device;
  unsigned in, out;
  Report report;
};

inline std::string copyElement(const std::string &from, const std::string &to) {
  return "  %p = getelementptr i32, ptr addrspace(1) %in, i32 " + from +
         "\n  %v = load i32, ptr addrspace(1) %p, align 4\n"
         "  %q = getelementptr i32, ptr addrspace(1) %out, i32 " +
         to + "\n  store i32 %v, ptr addrspace(1) %q, align 4\n";
}

} // namespace labgen::emu

#endif // LABGEN_TEST_UNIT_EMULATOR_FAULTS_H
