// Nvidia.cpp - NVIDIA GPUs, dense peaks.
//
// Its pages print tensor peaks with 2:4 sparsity (H100: 1979 bf16), twice the
// figures here. GeForce chips run f16, bf16 and fp8 at half rate when they
// accumulate in f32, which is what a gemm does; both rates are listed. Tensor
// and vector clocks differ on H100 (1.83 and 1.98 GHz) and on B200 and GB200,
// whose f32 and f64 the data sheet prints as whole TFLOP/s; announcements
// before it had more (80 and 90 for f32). f6 runs at the rate of f8.
#include "lib/Roofline/chips/Tables.h"

namespace labgen::chips {

namespace {

constexpr auto unsure = Confidence::Unconfirmed;
constexpr double mibGb = 1048576.0 / 1e9;
const std::vector<Format> half = {Format::BF16, Format::F16};
const std::vector<Format> fp8 = {Format::F8E4M3FN, Format::F8E5M2};
const std::vector<Format> fp6 = {Format::F6E2M3FN, Format::F6E3M2FN};
const std::vector<Format> fp4 = {Format::F4E2M1FN};

Row ampere(const char *name, double gb, double tbps, double driverGb) {
  Row row(name, {}, "nvvm:sm_80", sm, 108);
  row.memory(gb, tbps, mlEngineering);
  if (driverGb > 0)
    row.driver(driverGb, "nvidia-smi");
  return row.caches(40, {}, aiconfigurator)
      .from(mlEngineering, 1.41)
      .vector(Format::F64, 9.7, 64)
      .matrix({Format::F64}, 19.5, 128)
      .vector(Format::F32, 19.5, 128)
      .matrix({Format::TF32}, 156, 1024)
      .matrix(half, 312, 2048)
      .matrix({Format::I8}, 624, 4096)
      .matrix({Format::I4}, 1248, 8192);
}

Row hopper(const char *name, const char *alias, double gb, double tbps) {
  return Row(name, {alias}, "nvvm:sm_90a", sm, 132)
      .memory(gb, tbps, aiconfigurator)
      .caches(50, {}, aiconfigurator)
      .from(h100Whitepaper, 1.98)
      .vector(Format::F64, 33.5, 128)
      .matrix({Format::F64}, 66.9, 256)
      .vector(Format::F32, 66.9, 256)
      .from(h100Whitepaper, 1.83)
      .matrix({Format::TF32}, 494.7, 2048)
      .matrix(half, 989.4, 4096)
      .matrix(fp8, 1978.9, 8192)
      .matrix({Format::I8}, 1978.9, 8192);
}

/// Blackwell data-centre GPUs. `f64` is of vector and tensor units alike, `t`
/// is the bf16 tensor peak; vectors and tensors have clocks of their own.
Row blackwell(const char *name, int64_t units, double f64, double f32,
              double vectorGhz, double t, double ghz, const char *source,
              Confidence c) {
  return Row(name, {}, "nvvm:sm_100a", sm, units)
      .from(blackwellSheet, vectorGhz, c)
      .vector(Format::F64, f64, 128)
      .matrix({Format::F64}, f64, 128)
      .vector(Format::F32, f32, 256)
      .from(source, ghz, c)
      .matrix({Format::TF32}, t / 2, 4096)
      .matrix(half, t, 8192)
      .matrix(fp8, 2 * t, 16384)
      .matrix(fp6, 2 * t, 16384)
      .matrix({Format::I8}, 2 * t, 16384)
      .matrix(fp4, 4 * t, 32768);
}

} // namespace

std::vector<Chip> nvidia() {
  return {
      ampere("A100 40 SXM", 40, 1.555, 0).done(),
      ampere("A100 80 SXM", 80, 2.039, 81920 * mibGb).byDefault().done(),
      ampere("A100 80 PCIe", 80, 1.935, 81920 * mibGb).done(),
      hopper("H100 SXM", "H100", 80, 3.35)
          .byDefault()
          .driver(81559 * mibGb, "nvidia-smi")
          .done(),
      Row("H100 PCIe", {}, "nvvm:sm_90a", sm, 114)
          .memory(80, 2.0, mlEngineering)
          .driver(81559 * mibGb, "nvidia-smi")
          .caches(50, {}, aiconfigurator)
          .from(mlEngineering, 1.755)
          .vector(Format::F64, 25.6, 128)
          .matrix({Format::F64}, 51.2, 256)
          .vector(Format::F32, 51.2, 256)
          .from(mlEngineering, 1.62)
          .matrix({Format::TF32}, 378, 2048)
          .matrix(half, 756.5, 4096)
          .matrix(fp8, 1513, 8192)
          .matrix({Format::I8}, 1513, 8192)
          .done(),
      hopper("H200 SXM", "H200", 141, 4.8)
          .driver(150.7, "nvidia-smi", unsure)
          .done(),
      blackwell("B200", 148, 37, 75, 1.965, 2250, 1.856, aiconfigurator,
                Confidence::Datasheet)
          .byDefault()
          .memory(180, 7.7, aiconfigurator)
          .driver(178 * 1.073741824, driverQuery)
          .caches(126.5, {}, driverQuery)
          .done(),
      blackwell("GB200", 152, 40, 80, 2.056, 2500, 2.008, mlEngineering, unsure)
          .memory(186, 8.0, aiconfigurator)
          .caches(126, {}, aiconfigurator, unsure)
          .done(),
      Row("L4", {}, "nvvm:sm_89", sm, 58)
          .memory(24, 0.300, aiconfigurator)
          .driver(23034 * mibGb, "nvidia-smi")
          .caches(48, {}, vendorSheet, unsure)
          .from(vendorSheet, 2.04, unsure)
          .vector(Format::F64, 0.47, 4)
          .from(aiconfigurator, 2.04)
          .vector(Format::F32, 30.3, 256)
          .matrix({Format::TF32}, 60, 512)
          .matrix(half, 121, 1024)
          .matrix(fp8, 242, 2048)
          .matrix({Format::I8}, 242, 2048)
          .done(),
      Row("L40S", {}, "nvvm:sm_89", sm, 142)
          .byDefault()
          .memory(48, 0.864, mlEngineering)
          .caches(96, {}, vendorSheet, unsure)
          .from(arithmetic, 2.52, unsure)
          .vector(Format::F64, 1.43, 4)
          .from(vendorSheet, 2.52, unsure)
          .matrix({Format::I4}, 733, 2048)
          .from(mlEngineering, 2.52)
          .vector(Format::F32, 91.6, 256)
          .matrix({Format::TF32}, 183, 512)
          .matrix(fp8, 733, 2048)
          .matrix({Format::I8}, 733, 2048)
          .from(mlEngineering, 2.49)
          .matrix(half, 362.05, 1024)
          .done(),
      Row("RTX 4090", {"GeForce RTX 4090"}, "nvvm:sm_89", sm, 128)
          .memory(24, 1.008, adaWhitepaper)
          .caches(72, {}, adaWhitepaper)
          .from(adaWhitepaper, 2.52)
          .vector(Format::F64, 1.29, 4)
          .vector(Format::F32, 82.6, 256)
          .matrix({Format::TF32}, 82.6, 256)
          .matrix(half, 165.2, 512)
          .matrix({Format::F16}, 330.3, 1024, Format::F16)
          .matrix(fp8, 330.3, 1024)
          .matrix(fp8, 660.6, 2048, Format::F16)
          .matrix({Format::I8}, 660.6, 2048)
          .matrix({Format::I4}, 1321, 4096)
          .done(),
      Row("RTX 5090", {"GeForce RTX 5090"}, "nvvm:sm_120a", sm, 170)
          .byDefault()
          .memory(32, 1.792, blackwellWhitepaper)
          .caches(96, {}, vendorSheet, unsure)
          .from(vendorSheet, 2.407, unsure)
          .vector(Format::F64, 1.64, 4)
          .from(blackwellWhitepaper, 2.407)
          .vector(Format::F32, 104.8, 256)
          .matrix({Format::TF32}, 104.8, 256)
          .matrix(half, 209.5, 512)
          .matrix({Format::F16}, 419, 1024, Format::F16)
          .matrix(fp8, 419, 1024)
          .matrix(fp8, 838, 2048, Format::F16)
          .matrix({Format::I8}, 838, 2048)
          .matrix(fp4, 1676, 4096)
          .from("the rate of f8, whose instruction it shares", 2.407, unsure)
          .matrix(fp6, 419, 1024)
          .done(),
  };
}

} // namespace labgen::chips
