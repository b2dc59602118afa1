// Amd.cpp - AMD GPUs, dense peaks.
//
// MI250X shows itself to programs as two devices; both the card and one die
// stand here. gfx942 computes the FNUZ kinds of fp8, gfx950 and gfx12 the OCP
// kinds. TF32 matrix instructions exist on gfx942 only. f6 and f4 run at one
// rate on gfx950.
#include "lib/Roofline/chips/Tables.h"

namespace labgen::chips {

namespace {

constexpr auto unsure = Confidence::Unconfirmed;
const std::vector<Format> half = {Format::BF16, Format::F16};
const std::vector<Format> fp8 = {Format::F8E4M3FN, Format::F8E5M2};
const std::vector<Format> f6f4 = {Format::F4E2M1FN, Format::F6E2M3FN,
                                  Format::F6E3M2FN};
const std::vector<Format> fp8Fnuz = {Format::F8E4M3FNUZ, Format::F8E5M2FNUZ};

/// MI200 dies; `share` is the part of 220 CUs.
Row cdna2(const char *name, std::vector<std::string> aliases, int64_t units,
          double gb, double tbps, double l2, double v, double m, double t,
          const char *source) {
  return Row(name, std::move(aliases), "rocdl:gfx90a", cdnaCu, units)
      .memory(gb, tbps, source)
      .caches(l2, {}, rocmSpecs)
      .from(source, 1.7)
      .vector(Format::F64, v, 128)
      .matrix({Format::F64}, m, 256)
      .vector(Format::F32, v, 128)
      .matrix({Format::F32}, m, 256)
      .matrix(half, t, 1024)
      .matrix({Format::I8}, t, 1024);
}

Row cdna3(const char *name, double gb, double tbps, const char *source) {
  return Row(name, {}, "rocdl:gfx942", cdnaCu, 304)
      .memory(gb, tbps, source)
      .caches(32, 256, rocmSpecs)
      .from(source, 2.1)
      .vector(Format::F64, 81.7, 128)
      .matrix({Format::F64}, 163.4, 256)
      .vector(Format::F32, 163.4, 256)
      .matrix({Format::F32}, 163.4, 256)
      .matrix({Format::TF32}, 653.7, 1024)
      .matrix(half, 1307.4, 2048)
      .matrix(fp8Fnuz, 2614.9, 4096)
      .matrix({Format::I8}, 2614.9, 4096);
}

Row cdna4(const char *name, const char *source, double ghz) {
  return Row(name, {}, "rocdl:gfx950", cdnaCu, 256)
      .memory(288, 8.0, source)
      .caches(32, 256, rocmSpecs)
      .from(source, ghz);
}

} // namespace

std::vector<Chip> amd() {
  return {
      cdna2("MI210", {}, 104, 64, 1.638, 8, 22.6, 45.3, 181, amdSheets).done(),
      cdna2("MI250X", {}, 220, 128, 3.277, 16, 47.9, 95.7, 383, mlEngineering)
          .done(),
      cdna2("MI250X (one GCD)", {"MI250X GCD"}, 110, 64, 1.638, 8, 23.9, 47.9,
            191.5, "half of the MI250X card")
          .byDefault()
          .done(),
      cdna3("MI300X", 192, 5.3, amdSheets)
          .byDefault()
          .driver(192 * 1.073741824, rocmSpecs)
          .done(),
      cdna3("MI325X", 256, 6.0, mlEngineering).done(),
      cdna4("MI350X", amdSheets, 2.2)
          .vector(Format::F64, 72.1, 128)
          .matrix({Format::F64}, 72.1, 128)
          .vector(Format::F32, 144.2, 256)
          .matrix({Format::F32}, 144.2, 256)
          .matrix(half, 2306.9, 4096)
          .matrix(fp8, 4614, 8192)
          .matrix({Format::I8}, 4614, 8192)
          .matrix(f6f4, 9227, 16384)
          .done(),
      cdna4("MI355X", mlEngineering, 2.4)
          .byDefault()
          .vector(Format::F64, 78.6, 128)
          .matrix({Format::F64}, 78.6, 128)
          .vector(Format::F32, 157.3, 256)
          .matrix({Format::F32}, 157.3, 256)
          .matrix(half, 2516.6, 4096)
          .matrix(fp8, 5033.2, 8192)
          .matrix({Format::I8}, 5033.2, 8192)
          .matrix(f6f4, 10066, 16384)
          .done(),
      Row("RX 7900 XTX", {"Radeon RX 7900 XTX"}, "rocdl:gfx1100", rdnaCu, 96)
          .byDefault()
          .memory(24, 0.960, hmcTech)
          .caches(6, 96, rocmSpecs)
          .from(arithmetic, 2.5, unsure)
          .vector(Format::F64, 1.92, 8)
          .from(hmcTech, 2.5)
          .vector(Format::F32, 61.4, 256) // both issue ports
          .matrix(half, 122.8, 512)
          .matrix({Format::I8}, 122.8, 512)
          .matrix({Format::I4}, 245.8, 1024)
          .done(),
      Row("RX 9070 XT", {"Radeon RX 9070 XT"}, "rocdl:gfx1201", rdnaCu, 64)
          .byDefault()
          .memory(16, 0.640, hmcTech)
          .caches(8, 64, rocmSpecs)
          .from(vendorSheet, 2.97, unsure)
          .vector(Format::F64, 0.76, 4)
          .from(hmcTech, 2.97)
          .vector(Format::F32, 48.7, 256)
          .matrix(half, 195, 1024)
          .matrix(fp8, 389, 2048)
          .matrix({Format::I8}, 389, 2048)
          .matrix({Format::I4}, 779, 4096)
          .done(),
  };
}

} // namespace labgen::chips
