// CpuInfo.cpp - processor features by cpuid and xgetbv.
//
// A table of bits, so that adding a feature is one line. Sources: Intel SDM
// vol. 2A (CPUID) and AMD APM vol. 3 appendix E; names are LLVM's.
#include "lib/Host/CpuInfo.h"

#include <algorithm>
#include <array>
#include <cpuid.h>
#include <cstring>
#include <optional>
#include <sys/syscall.h>
#include <unistd.h>

using namespace labgen;

namespace {

enum Register { Eax, Ebx, Ecx, Edx };
/// Register state the operating system must save for a feature to be usable.
enum class OsState { None, Ymm, Zmm, Tile };

struct FeatureBit {
  const char *name;
  uint32_t leaf, subleaf;
  Register reg;
  int bit;
  OsState state;
};

constexpr FeatureBit featureTable[] = {
    {"sse3", 1, 0, Ecx, 0, OsState::None},
    {"pclmul", 1, 0, Ecx, 1, OsState::None},
    {"ssse3", 1, 0, Ecx, 9, OsState::None},
    {"fma", 1, 0, Ecx, 12, OsState::Ymm},
    {"cx16", 1, 0, Ecx, 13, OsState::None},
    {"sse4.1", 1, 0, Ecx, 19, OsState::None},
    {"sse4.2", 1, 0, Ecx, 20, OsState::None},
    {"crc32", 1, 0, Ecx, 20, OsState::None},
    {"movbe", 1, 0, Ecx, 22, OsState::None},
    {"popcnt", 1, 0, Ecx, 23, OsState::None},
    {"aes", 1, 0, Ecx, 25, OsState::None},
    {"xsave", 1, 0, Ecx, 26, OsState::None},
    {"avx", 1, 0, Ecx, 28, OsState::Ymm},
    {"f16c", 1, 0, Ecx, 29, OsState::Ymm},
    {"rdrnd", 1, 0, Ecx, 30, OsState::None},
    {"fsgsbase", 7, 0, Ebx, 0, OsState::None},
    {"bmi", 7, 0, Ebx, 3, OsState::None},
    {"avx2", 7, 0, Ebx, 5, OsState::Ymm},
    {"bmi2", 7, 0, Ebx, 8, OsState::None},
    {"avx512f", 7, 0, Ebx, 16, OsState::Zmm},
    {"avx512dq", 7, 0, Ebx, 17, OsState::Zmm},
    {"rdseed", 7, 0, Ebx, 18, OsState::None},
    {"adx", 7, 0, Ebx, 19, OsState::None},
    {"avx512ifma", 7, 0, Ebx, 21, OsState::Zmm},
    {"clflushopt", 7, 0, Ebx, 23, OsState::None},
    {"clwb", 7, 0, Ebx, 24, OsState::None},
    {"avx512cd", 7, 0, Ebx, 28, OsState::Zmm},
    {"sha", 7, 0, Ebx, 29, OsState::None},
    {"avx512bw", 7, 0, Ebx, 30, OsState::Zmm},
    {"avx512vl", 7, 0, Ebx, 31, OsState::Zmm},
    {"avx512vbmi", 7, 0, Ecx, 1, OsState::Zmm},
    {"avx512vbmi2", 7, 0, Ecx, 6, OsState::Zmm},
    {"gfni", 7, 0, Ecx, 8, OsState::None},
    {"vaes", 7, 0, Ecx, 9, OsState::Ymm},
    {"vpclmulqdq", 7, 0, Ecx, 10, OsState::Ymm},
    {"avx512vnni", 7, 0, Ecx, 11, OsState::Zmm},
    {"avx512bitalg", 7, 0, Ecx, 12, OsState::Zmm},
    {"avx512vpopcntdq", 7, 0, Ecx, 14, OsState::Zmm},
    {"rdpid", 7, 0, Ecx, 22, OsState::None},
    {"avx512vp2intersect", 7, 0, Edx, 8, OsState::Zmm},
    {"amx-bf16", 7, 0, Edx, 22, OsState::Tile},
    {"avx512fp16", 7, 0, Edx, 23, OsState::Zmm},
    {"amx-tile", 7, 0, Edx, 24, OsState::Tile},
    {"amx-int8", 7, 0, Edx, 25, OsState::Tile},
    {"avxvnni", 7, 1, Eax, 4, OsState::Ymm},
    {"avx512bf16", 7, 1, Eax, 5, OsState::Zmm},
    {"amx-fp16", 7, 1, Eax, 21, OsState::Tile},
    {"avxifma", 7, 1, Eax, 23, OsState::Ymm},
    {"avxvnniint8", 7, 1, Edx, 4, OsState::Ymm},
    {"avxneconvert", 7, 1, Edx, 5, OsState::Ymm},
    {"amx-complex", 7, 1, Edx, 8, OsState::Tile},
    {"avxvnniint16", 7, 1, Edx, 10, OsState::Ymm},
    {"sahf", 0x80000001, 0, Ecx, 0, OsState::None},
    {"lzcnt", 0x80000001, 0, Ecx, 5, OsState::None},
    {"sse4a", 0x80000001, 0, Ecx, 6, OsState::None},
    {"prfchw", 0x80000001, 0, Ecx, 8, OsState::None},
};

/// What every x86-64 has (this program runs, so it is there).
constexpr const char *baseline[] = {"64bit", "x87",  "cmov", "cx8",
                                    "mmx",   "fxsr", "sse",  "sse2"};

std::array<uint32_t, 4> cpuid(uint32_t leaf, uint32_t subleaf = 0) {
  std::array<uint32_t, 4> r{};
  // Leaf 7 says in eax how many subleaves it has; a higher one returns noise.
  if (leaf == 7 && subleaf > 0 && cpuid(7, 0)[Eax] < subleaf)
    return r;
  __get_cpuid_count(leaf, subleaf, &r[Eax], &r[Ebx], &r[Ecx], &r[Edx]);
  return r;
}

uint64_t enabledState() {
  constexpr uint32_t osxsave = 1u << 27;
  if (!(cpuid(1)[Ecx] & osxsave))
    return 0;
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return uint64_t(high) << 32 | low;
}

/// Linux hands out AMX tile state on request only, once per process.
bool requestTiles() {
  constexpr long archReqXcompPerm = 0x1023, xtileData = 18;
  return syscall(SYS_arch_prctl, archReqXcompPerm, xtileData) == 0;
}

bool osSaves(OsState state, uint64_t enabled) {
  constexpr uint64_t ymm = 0x6, zmm = 0xe6, tile = 0x60000;
  switch (state) {
  case OsState::None:
    return true;
  case OsState::Ymm:
    return (enabled & ymm) == ymm;
  case OsState::Zmm:
    return (enabled & zmm) == zmm;
  case OsState::Tile:
    return (enabled & tile) == tile;
  }
  return false;
}

std::vector<std::string> detectFeatures() {
  std::vector<std::string> found(std::begin(baseline), std::end(baseline));
  uint64_t enabled = enabledState();
  std::optional<bool> tiles;
  for (const FeatureBit &f : featureTable) {
    if (!(cpuid(f.leaf, f.subleaf)[f.reg] >> f.bit & 1) ||
        !osSaves(f.state, enabled))
      continue;
    if (f.state == OsState::Tile) {
      if (!tiles)
        tiles = requestTiles();
      if (!*tiles)
        continue;
    }
    found.push_back(f.name);
  }
  return found;
}

std::string brandString() {
  char text[49] = {};
  for (uint32_t i = 0; i < 3; ++i) {
    std::array<uint32_t, 4> r = cpuid(0x80000002 + i);
    std::memcpy(text + 16 * i, r.data(), 16);
  }
  std::string brand = text;
  size_t first = brand.find_first_not_of(' ');
  size_t last = brand.find_last_not_of(' ');
  return first == std::string::npos ? "x86-64"
                                    : brand.substr(first, last - first + 1);
}

std::string signatureString() {
  uint32_t eax = cpuid(1)[Eax];
  uint32_t family = eax >> 8 & 15, model = eax >> 4 & 15;
  if (family == 6 || family == 15)
    model |= eax >> 12 & 0xf0;
  if (family == 15)
    family += eax >> 20 & 255;
  return std::to_string(family) + "." + std::to_string(model) + "." +
         std::to_string(eax & 15);
}

/// "amx-int8", "AMX_INT8" and "amxint8" are one feature.
std::string plainName(std::string_view feature) {
  std::string plain;
  for (char c : feature)
    if (c != '-' && c != '_' && c != '.' && c != '+')
      plain += c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  return plain;
}

bool contains(const std::vector<std::string> &features,
              std::string_view feature) {
  std::string wanted = plainName(feature);
  return std::any_of(
      features.begin(), features.end(),
      [&](const std::string &f) { return plainName(f) == wanted; });
}

} // namespace

bool CpuInfo::has(std::string_view feature) const {
  return contains(features, feature);
}

std::string CpuInfo::vectorIsa() const { return labgen::vectorIsa(features); }

std::string labgen::vectorIsa(const std::vector<std::string> &features) {
  if (contains(features, "avx512f"))
    return "avx512";
  return contains(features, "avx2") ? "avx2" : "sse2";
}

const CpuInfo &labgen::hostCpu() {
  static const CpuInfo info = [] {
    CpuInfo host;
    host.model = brandString();
    host.signature = signatureString();
    host.features = detectFeatures();
    host.cores = detail::usableCores();
    detail::CacheSizes caches = detail::cacheSizes(host.cores);
    host.l1Bytes = caches.l1;
    host.l2Bytes = caches.l2;
    host.llcBytes = caches.llc;
    return host;
  }();
  return info;
}
