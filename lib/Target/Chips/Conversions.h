// Conversions.h - which conversions between f32 and small floats a chip has
// instructions for.
#ifndef LABGEN_LIB_TARGET_CHIPS_CONVERSIONS_H
#define LABGEN_LIB_TARGET_CHIPS_CONVERSIONS_H

#include "lib/Spec/Format.h"
#include "lib/Target/Chips/Chips.h"

namespace labgen {

/// A format is named only where the instruction gives the bits of the
/// expansion, or where what it does otherwise can be mended around it.
struct Conversions {
  std::vector<Format> extends;   ///< to f32, exactly
  std::vector<Format> truncates; ///< from f32, to nearest even
  /// Whether truncations give the largest value where the format has Inf.
  bool onlySaturates = false;

  bool extendsFrom(Format format) const;
  bool truncatesTo(Format format) const;
};

Conversions conversionsOf(const ChipInfo &chip);

} // namespace labgen

#endif // LABGEN_LIB_TARGET_CHIPS_CONVERSIONS_H
