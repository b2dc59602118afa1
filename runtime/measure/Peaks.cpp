// Peaks.cpp - peak loops in inline assembly.
//
// Assembly, because the loops are for ISAs the file is not compiled for, and
// because a compiler that sees dead arithmetic removes it. Twelve independent
// accumulators cover latency x throughput of every core so far; operands are
// zeros, so nothing is ever subnormal.
#include "runtime/measure/Peaks.h"
#include "lib/Host/CpuInfo.h"

#include <sstream>

using namespace labgen;

namespace {

// Baseline code owns xmm0-15 alone; the wider halves are nobody's.
#define VECTOR_CLOBBERS                                                        \
  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",      \
      "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "cc"
#define EACH_ACCUMULATOR(X)                                                    \
  X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)

#define CLEAR_SSE(r) "xorps %%xmm" #r ", %%xmm" #r "\n"
#define CLEAR_VEX(r) "vxorps %%xmm" #r ", %%xmm" #r ", %%xmm" #r "\n"

/// A loop of `STEP(accumulator)` over all accumulators; operands in registers
/// 14 and 15, 12 and 13 are scratch.
#define PEAK_LOOP(NAME, CLEAR, STEP, FINISH)                                   \
  void NAME(int64_t iterations) {                                              \
    __asm__ volatile(EACH_ACCUMULATOR(CLEAR) CLEAR(12) CLEAR(13) CLEAR(14)     \
                         CLEAR(15) ".p2align 5\n1:\n" EACH_ACCUMULATOR(        \
                             STEP) "dec %0\n"                                  \
                                   "jnz 1b\n" FINISH                           \
                     : "+r"(iterations)::VECTOR_CLOBBERS);                     \
  }

// Without fused multiply-add: half multiplies, half adds.
#define MUL_ADD_PS(r) "mulps %%xmm14, %%xmm" #r "\naddps %%xmm15, %%xmm" #r "\n"
#define MUL_ADD_PD(r) "mulpd %%xmm14, %%xmm" #r "\naddpd %%xmm15, %%xmm" #r "\n"
PEAK_LOOP(ssePs, CLEAR_SSE, MUL_ADD_PS, "")
PEAK_LOOP(ssePd, CLEAR_SSE, MUL_ADD_PD, "")

#define YMM3(op, r) op " %%ymm14, %%ymm15, %%ymm" #r "\n"
#define ZMM3(op, r) op " %%zmm14, %%zmm15, %%zmm" #r "\n"
#define FMA_PS_YMM(r) YMM3("vfmadd231ps", r)
#define FMA_PD_YMM(r) YMM3("vfmadd231pd", r)
#define FMA_PS_ZMM(r) ZMM3("vfmadd231ps", r)
#define FMA_PD_ZMM(r) ZMM3("vfmadd231pd", r)
#define FMA_PH_ZMM(r) ZMM3("vfmadd231ph", r)
#define DOT_BF16_ZMM(r) ZMM3("vdpbf16ps", r)
#define DOT_I8_ZMM(r) ZMM3("vpdpbusd", r)
#define DOT_I8_YMM(r) YMM3("%{vex%} vpdpbusd", r)
PEAK_LOOP(fmaPsYmm, CLEAR_VEX, FMA_PS_YMM, "vzeroupper\n")
PEAK_LOOP(fmaPdYmm, CLEAR_VEX, FMA_PD_YMM, "vzeroupper\n")
PEAK_LOOP(fmaPsZmm, CLEAR_VEX, FMA_PS_ZMM, "vzeroupper\n")
PEAK_LOOP(fmaPdZmm, CLEAR_VEX, FMA_PD_ZMM, "vzeroupper\n")
PEAK_LOOP(fmaPhZmm, CLEAR_VEX, FMA_PH_ZMM, "vzeroupper\n")
PEAK_LOOP(dotBf16Zmm, CLEAR_VEX, DOT_BF16_ZMM, "vzeroupper\n")
PEAK_LOOP(dotI8Zmm, CLEAR_VEX, DOT_I8_ZMM, "vzeroupper\n")
PEAK_LOOP(dotI8Ymm, CLEAR_VEX, DOT_I8_YMM, "vzeroupper\n")

// int8 without a dot instruction: words by pmaddwd, or bytes to words to
// doublewords, the fewest instructions that stay exact.
#define MADD_WD_SSE(r)                                                         \
  "movdqa %%xmm14, %%xmm12\npmaddwd %%xmm15, %%xmm12\n"                        \
  "paddd %%xmm12, %%xmm" #r "\n"
#define MADD_UBSW_YMM(r)                                                       \
  "vpmaddubsw %%ymm14, %%ymm15, %%ymm12\n"                                     \
  "vpmaddwd %%ymm14, %%ymm12, %%ymm13\n"                                       \
  "vpaddd %%ymm13, %%ymm" #r ", %%ymm" #r "\n"
#define MADD_UBSW_ZMM(r)                                                       \
  "vpmaddubsw %%zmm14, %%zmm15, %%zmm12\n"                                     \
  "vpmaddwd %%zmm14, %%zmm12, %%zmm13\n"                                       \
  "vpaddd %%zmm13, %%zmm" #r ", %%zmm" #r "\n"
PEAK_LOOP(maddSse, CLEAR_SSE, MADD_WD_SSE, "")
PEAK_LOOP(maddYmm, CLEAR_VEX, MADD_UBSW_YMM, "vzeroupper\n")
PEAK_LOOP(maddZmm, CLEAR_VEX, MADD_UBSW_ZMM, "vzeroupper\n")

// AMX: four accumulator tiles from two by two operand tiles, 16 rows of 64
// bytes each (palette 1).
struct alignas(64) TileConfig {
  uint8_t palette = 1, startRow = 0, reserved[14] = {};
  uint16_t columnBytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
constexpr int tileProducts = 4;

#define TILE_LOOP(NAME, PRODUCT)                                               \
  void NAME(int64_t iterations) {                                              \
    TileConfig config;                                                         \
    __asm__ volatile("ldtilecfg %1\n"                                          \
                     "tilezero %%tmm0\ntilezero %%tmm1\n"                      \
                     "tilezero %%tmm2\ntilezero %%tmm3\n"                      \
                     "tilezero %%tmm4\ntilezero %%tmm5\n"                      \
                     "tilezero %%tmm6\ntilezero %%tmm7\n1:\n" PRODUCT          \
                     " %%tmm6, %%tmm4, %%tmm0\n" PRODUCT                       \
                     " %%tmm7, %%tmm4, %%tmm1\n" PRODUCT                       \
                     " %%tmm6, %%tmm5, %%tmm2\n" PRODUCT                       \
                     " %%tmm7, %%tmm5, %%tmm3\n"                               \
                     "dec %0\njnz 1b\ntilerelease\n"                           \
                     : "+r"(iterations)                                        \
                     : "m"(config)                                             \
                     : "cc");                                                  \
  }
TILE_LOOP(tileBf16, "tdpbf16ps")
TILE_LOOP(tileI8, "tdpbssd")

constexpr int64_t accumulators = 12;

} // namespace

const std::vector<PeakLoop> &labgen::peakLoops() {
  // Flops of one step: lanes, times products per lane, times two.
  constexpr int64_t n = accumulators;
  static const std::vector<PeakLoop> loops = {
      {Format::F64, "sse2", "", {}, n * 4, ssePd},
      {Format::F64, "avx2", "avx2,fma", {}, n * 8, fmaPdYmm},
      {Format::F64, "avx512", "avx512f", {}, n * 16, fmaPdZmm},
      {Format::F32, "sse2", "", {}, n * 8, ssePs},
      {Format::F32, "avx2", "avx2,fma", {}, n * 16, fmaPsYmm},
      {Format::F32, "avx512", "avx512f", {}, n * 32, fmaPsZmm},
      {Format::F16, "avx512_fp16", "avx512fp16", Format::F16, n * 64, fmaPhZmm},
      {Format::BF16, "avx512_bf16", "avx512bf16", {}, n * 64, dotBf16Zmm},
      {Format::BF16, "amx", "amx-bf16", {}, tileProducts * 16384, tileBf16},
      {Format::I8, "sse2", "", {}, n * 16, maddSse},
      {Format::I8, "avx2", "avx2", {}, n * 64, maddYmm},
      {Format::I8, "avx512", "avx512bw", {}, n * 128, maddZmm},
      {Format::I8, "avx_vnni", "avxvnni", {}, n * 64, dotI8Ymm},
      {Format::I8, "avx512_vnni", "avx512vnni", {}, n * 128, dotI8Zmm},
      {Format::I8, "amx", "amx-int8", {}, tileProducts * 32768, tileI8},
  };
  return loops;
}

bool labgen::hasAll(const std::vector<std::string> &features,
                    const char *needs) {
  CpuInfo asked;
  asked.features = features;
  std::istringstream list(needs);
  for (std::string feature; std::getline(list, feature, ',');)
    if (!asked.has(feature))
      return false;
  return true;
}
