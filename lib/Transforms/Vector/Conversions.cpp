// Conversions.cpp - the table. Sources: PTX ISA, cvt; AMD, CDNA 3 and 4 and
// RDNA 4 ISA, V_CVT_*; both vendors' host versions of the same conversions
// (cuda_fp{4,6,8}.hpp, amd_hip_ocp_host.hpp).
//
// Not here: f32 to E8M0 (cvt.rp and cvt.rz drop the sign and make 0 of 0, where
// the contract has NaN; the rules of MX scales round the exponent of absmax,
// two integer instructions); f6 of gfx950, 16 or 32 values at a time, more than
// a thread has.
#include "lib/Transforms/Vector/Conversions.h"

using namespace labgen;

const NativeConversion *labgen::findNativeConversion(llvm::StringRef convert,
                                                     Format format) {
  static constexpr NativeConversion table[] = {
      {"nvvm", Format::F8E4M3FN, "llvm.nvvm.ff.to.e4m3x2.rn",
       "llvm.nvvm.e4m3x2.to.f16x2.rn"},
      {"nvvm", Format::F8E5M2, "llvm.nvvm.ff.to.e5m2x2.rn",
       "llvm.nvvm.e5m2x2.to.f16x2.rn"},
      {"nvvm-f6f4", Format::F6E2M3FN, "llvm.nvvm.ff.to.e2m3x2.rn.satfinite",
       "llvm.nvvm.e2m3x2.to.f16x2.rn"},
      {"nvvm-f6f4", Format::F6E3M2FN, "llvm.nvvm.ff.to.e3m2x2.rn.satfinite",
       "llvm.nvvm.e3m2x2.to.f16x2.rn"},
      {"nvvm-f6f4", Format::F4E2M1FN, "llvm.nvvm.ff.to.e2m1x2.rn.satfinite",
       "llvm.nvvm.e2m1x2.to.f16x2.rn"},
      {"nvvm-f6f4", Format::F8E8M0FNU, "", "llvm.nvvm.ue8m0x2.to.bf16x2"},
      {"amdgcn-ocp", Format::F8E4M3FN, "llvm.amdgcn.cvt.pk.fp8.f32",
       "llvm.amdgcn.cvt.pk.f32.fp8"},
      {"amdgcn-ocp", Format::F8E5M2, "llvm.amdgcn.cvt.pk.bf8.f32",
       "llvm.amdgcn.cvt.pk.f32.bf8"},
      {"amdgcn-fnuz", Format::F8E4M3FNUZ, "llvm.amdgcn.cvt.pk.fp8.f32",
       "llvm.amdgcn.cvt.pk.f32.fp8"},
      {"amdgcn-fnuz", Format::F8E5M2FNUZ, "llvm.amdgcn.cvt.pk.bf8.f32",
       "llvm.amdgcn.cvt.pk.f32.bf8"},
      {"amdgcn-ocp-f4", Format::F4E2M1FN, "llvm.amdgcn.cvt.scalef32.pk.fp4.f32",
       "llvm.amdgcn.cvt.scalef32.pk.f32.fp4"},
  };
  for (const NativeConversion &row : table)
    if (row.format == format && convert.starts_with(row.convert))
      return &row;
  return nullptr;
}
