// Cpus.cpp - server CPUs, one socket.
//
// No vendor prints these peaks: they are cores x operations per clock x base
// clock (f64: 16 on Zen 4, 32 on Zen 5 and Sapphire Rapids; AMX: 1024 bf16 and
// 2048 int8), and bandwidth is channels x MT/s x 8 B. A boosting core beats its
// base clock, so a row may pass these. Capacity depends on what is plugged in.
#include "lib/Roofline/chips/Tables.h"

namespace labgen::chips {

std::vector<Chip> cpus() {
  constexpr auto derived = Confidence::Derived,
                 unsure = Confidence::Unconfirmed;
  return {
      Row("EPYC 9654", {"AMD EPYC 9654"}, "cpu:znver4", core, 96)
          .memory({}, 0.4608, "12 channels of DDR5-4800", derived)
          .caches(96, 384, "AMD data sheet")
          .from(arithmetic, 2.4, derived)
          .vector(Format::F64, 3.69, 16)
          .vector(Format::F32, 7.37, 32)
          .from("avx512_bf16 at twice the f32 rate", 2.4, unsure)
          .vector(Format::BF16, 14.75, 64)
          .done(),
      Row("EPYC 9755", {"AMD EPYC 9755"}, "cpu:znver5", core, 128)
          .memory({}, 0.576, "12 channels of DDR5-6000 (0.614 with DDR5-6400)",
                  unsure)
          .caches(128, 512, "AMD data sheet", unsure)
          .from(arithmetic, 2.7, unsure)
          .vector(Format::F64, 11.06, 32)
          .vector(Format::F32, 22.1, 64)
          .from("avx512_bf16 at twice the f32 rate", 2.7, unsure)
          .vector(Format::BF16, 44.2, 128)
          .done(),
      Row("Xeon 8480+", {"Intel Xeon Platinum 8480+"}, "cpu:sapphirerapids",
          core, 56)
          .memory({}, 0.3072, "8 channels of DDR5-4800", derived)
          .caches(112, 105, "Intel data sheet")
          .from(arithmetic, 2.0, derived)
          .vector(Format::F64, 3.58, 32)
          .vector(Format::F32, 7.17, 64)
          .matrix({Format::BF16}, 114.7, 1024)
          .matrix({Format::I8}, 229.4, 2048)
          .done(),
  };
}

} // namespace labgen::chips
