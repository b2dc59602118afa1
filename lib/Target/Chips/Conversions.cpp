// Conversions.cpp - see Conversions.h. Sources: PTX ISA, cvt; AMD, CDNA 3 and 4
// and RDNA 4 ISA, V_CVT_*; both vendors' host versions of the same conversions
// (cuda_fp{4,6,8}.hpp, amd_hip_ocp_host.hpp).
//
// Not here: f32 to E8M0 (cvt.rp and cvt.rz drop the sign and make 0 of 0, where
// the contract has NaN; the rules of MX scales round the exponent of absmax,
// two integer instructions); f6 of gfx950, 16 or 32 values at a time, more than
// a thread has.
#include "lib/Target/Chips/Conversions.h"

#include <algorithm>

using namespace labgen;

static bool contains(const std::vector<Format> &formats, Format format) {
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

bool Conversions::extendsFrom(Format format) const {
  return contains(extends, format);
}

bool Conversions::truncatesTo(Format format) const {
  return contains(truncates, format);
}

static std::vector<Format> eightBits(NativeF8 native) {
  switch (native) {
  case NativeF8::None:
    return {};
  case NativeF8::Ocp:
    return {Format::F8E4M3FN, Format::F8E5M2};
  case NativeF8::Fnuz:
    return {Format::F8E4M3FNUZ, Format::F8E5M2FNUZ};
  }
  return {};
}

Conversions labgen::conversionsOf(const ChipInfo &chip) {
  Conversions result;
  result.onlySaturates = chip.vendor == Vendor::Nvidia;
  std::vector<Format> formats = eightBits(chip.f8.value);
  if (chip.f6f4.value == NativeF6F4::All)
    formats.insert(formats.end(), {Format::F6E2M3FN, Format::F6E3M2FN});
  if (chip.f6f4.value != NativeF6F4::None)
    formats.push_back(Format::F4E2M1FN);
  result.extends = result.truncates = formats;
  if (chip.f6f4.value == NativeF6F4::All)
    result.extends.push_back(Format::F8E8M0FNU);
  return result;
}
