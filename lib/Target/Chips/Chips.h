// Chips.h - what code for a GPU may use: the capability table.
//
// Asked before code is made, so that nothing unsupported reaches LLVM's back
// ends, which abort. How fast a chip is stands in lib/Roofline.
#ifndef LABGEN_LIB_TARGET_CHIPS_CHIPS_H
#define LABGEN_LIB_TARGET_CHIPS_CHIPS_H

#include "lib/Support/Status.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace labgen {

enum class Vendor { Nvidia, Amd };

/// Where a fact comes from.
enum class Evidence {
  Silicon, ///< seen on the chip itself
  Vendor,  ///< the vendor's documents, or LLVM's tables made from them
  Assumed  ///< likely, not looked up
};
std::string_view name(Evidence evidence);

template <typename T> struct Fact {
  T value;
  Evidence evidence;
};

/// Which 8-bit floats the conversion instructions know.
enum class NativeF8 { None, Ocp, Fnuz };
std::string_view name(NativeF8 native);

/// Which narrower floats, and E8M0, they know as well.
enum class NativeF6F4 { None, F4, All };
std::string_view name(NativeF6F4 native);

struct ChipInfo {
  std::string_view name; ///< LLVM's: "sm_90a", "gfx942"
  Vendor vendor;
  Fact<int64_t> waveSize;    ///< threads that run in step
  Fact<int64_t> sharedBytes; ///< shared memory (LDS) of a block, at most
  Fact<int64_t> banks;       ///< of that memory, 4 bytes wide
  Fact<int64_t> codeVersion; ///< PTX ISA x 10, or AMD code object version
  Fact<NativeF8> f8;         ///< f32 <-> f8E4M3, f8E5M2
  Fact<NativeF6F4> f6f4;     ///< f32 <-> f6, f4; f32 <- E8M0

  /// "nvvm:sm_90a", "rocdl:gfx942".
  std::string target() const;
};

const std::vector<ChipInfo> &gpuChips();

/// One field of the table as text, for people and for docs/gpu.md.
struct ChipField {
  std::string_view key;   ///< of JSON: "wave_size"
  std::string_view title; ///< in words, with the unit
  std::string value;
  Evidence evidence;
};
std::vector<ChipField> fields(const ChipInfo &chip);

/// The chip that LLVM calls so, "gfx942"; null for one that isn't in the table.
const ChipInfo *findChipByName(std::string_view name);

/// The chip of a target such as "nvvm:sm_90a"; the error names the nearest.
Result<const ChipInfo *> findGpuChip(std::string_view target);

} // namespace labgen

#endif // LABGEN_LIB_TARGET_CHIPS_CHIPS_H
