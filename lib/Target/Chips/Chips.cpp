// Chips.cpp - the table. Sources: NVIDIA, PTX ISA 9.0 (cvt, sections on
// targets) and CUDA C++ Programming Guide (compute capabilities); AMD, CDNA and
// RDNA instruction set manuals; LLVM 22's AMDGPU usage guide; banks of AMD's
// LDS: Composable Kernel's "LDS bank conflicts".
#include "lib/Target/Chips/Chips.h"

#include "lib/Support/Text.h"

using namespace labgen;

std::string_view labgen::name(Evidence evidence) {
  switch (evidence) {
  case Evidence::Silicon:
    return "silicon";
  case Evidence::Vendor:
    return "vendor";
  case Evidence::Assumed:
    return "assumed";
  }
  return "";
}

std::string_view labgen::name(NativeF8 native) {
  switch (native) {
  case NativeF8::None:
    return "none";
  case NativeF8::Ocp:
    return "ocp";
  case NativeF8::Fnuz:
    return "fnuz";
  }
  return "";
}

std::string_view labgen::name(NativeF6F4 native) {
  switch (native) {
  case NativeF6F4::None:
    return "none";
  case NativeF6F4::F4:
    return "f4";
  case NativeF6F4::All:
    return "f6, f4 and E8M0";
  }
  return "";
}

std::string ChipInfo::target() const {
  return (vendor == Vendor::Nvidia ? "nvvm:" : "rocdl:") + std::string(name);
}

std::vector<ChipField> labgen::fields(const ChipInfo &chip) {
  bool nvidia = chip.vendor == Vendor::Nvidia;
  int64_t code = chip.codeVersion.value;
  return {
      {"wave_size", "threads of a warp or wave",
       std::to_string(chip.waveSize.value), chip.waveSize.evidence},
      {"shared_bytes", "shared memory of a block, bytes",
       std::to_string(chip.sharedBytes.value), chip.sharedBytes.evidence},
      {"code_version", "version of the code",
       nvidia ? "PTX " + std::to_string(code / 10) + "." +
                    std::to_string(code % 10)
              : "code object " + std::to_string(code),
       chip.codeVersion.evidence},
      {"native_f8", "8-bit floats of its conversions",
       std::string(name(chip.f8.value)), chip.f8.evidence},
      {"native_f6_f4", "narrower formats of its conversions",
       std::string(name(chip.f6f4.value)), chip.f6f4.evidence},
  };
}

const std::vector<ChipInfo> &labgen::gpuChips() {
  constexpr auto V = Evidence::Vendor;
  constexpr int64_t KiB = 1024;
  constexpr auto None = NativeF8::None, Ocp = NativeF8::Ocp,
                 Fnuz = NativeF8::Fnuz;
  constexpr auto NoF4 = NativeF6F4::None, F4 = NativeF6F4::F4,
                 F6F4 = NativeF6F4::All;
  // NVIDIA: 48 KiB is what a kernel gets without asking the driver for more.
  // The PTX version is the first that knows all the kernel may use. gfx950 has
  // f6 by 16 or 32 values, more than a thread here holds.
  static const std::vector<ChipInfo> chips = {
      {"sm_80",
       Vendor::Nvidia,
       {32, V},
       {48 * KiB, V},
       {32, V},
       {70, V},
       {None, V},
       {NoF4, V}},
      {"sm_89",
       Vendor::Nvidia,
       {32, V},
       {48 * KiB, V},
       {32, V},
       {81, V},
       {Ocp, V},
       {NoF4, V}},
      {"sm_90a",
       Vendor::Nvidia,
       {32, V},
       {48 * KiB, V},
       {32, V},
       {80, V},
       {Ocp, V},
       {NoF4, V}},
      {"sm_100a",
       Vendor::Nvidia,
       {32, V},
       {48 * KiB, V},
       {32, V},
       {86, V},
       {Ocp, V},
       {F6F4, V}},
      {"sm_120a",
       Vendor::Nvidia,
       {32, V},
       {48 * KiB, V},
       {32, V},
       {87, V},
       {Ocp, V},
       {F6F4, V}},
      {"gfx90a",
       Vendor::Amd,
       {64, V},
       {64 * KiB, V},
       {32, V},
       {5, V},
       {None, V},
       {NoF4, V}},
      {"gfx942",
       Vendor::Amd,
       {64, V},
       {64 * KiB, V},
       {32, V},
       {5, V},
       {Fnuz, V},
       {NoF4, V}},
      {"gfx950",
       Vendor::Amd,
       {64, V},
       {160 * KiB, V},
       {64, V},
       {5, V},
       {Ocp, V},
       {F4, V}},
      {"gfx1100",
       Vendor::Amd,
       {32, V},
       {64 * KiB, V},
       {32, V},
       {5, V},
       {None, V},
       {NoF4, V}},
      {"gfx1201",
       Vendor::Amd,
       {32, V},
       {64 * KiB, V},
       {32, V},
       {5, V},
       {Ocp, V},
       {NoF4, V}},
  };
  return chips;
}

const ChipInfo *labgen::findChipByName(std::string_view name) {
  for (const ChipInfo &chip : gpuChips())
    if (chip.name == name)
      return &chip;
  return nullptr;
}

Result<const ChipInfo *> labgen::findGpuChip(std::string_view target) {
  std::vector<std::string> names;
  for (const ChipInfo &chip : gpuChips()) {
    if (chip.target() == target)
      return &chip;
    names.push_back(chip.target());
  }
  std::vector<std::string_view> views(names.begin(), names.end());
  return Status::badInput(
      "unknown GPU target '" + std::string(target) +
      "'; nearest: " + std::string(nearest(std::string(target), views)));
}
