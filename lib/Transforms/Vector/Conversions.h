// Conversions.h - which conversions between f32 and small floats are an
// instruction of a GPU: the one table, by the word that a schedule says.
//
// The word is made from the capability table (lib/Target/GPU/Schedule.cpp); a
// row is here only where the instruction gives the bits of the expansion, or
// where what it does otherwise is mended around it.
#ifndef LABGEN_LIB_TRANSFORMS_VECTOR_CONVERSIONS_H
#define LABGEN_LIB_TRANSFORMS_VECTOR_CONVERSIONS_H

#include "lib/Spec/Format.h"
#include "llvm/ADT/StringRef.h"

namespace labgen {

struct NativeConversion {
  /// Of the schedule's `convert`; a longer word has what a shorter one has.
  llvm::StringRef convert;
  Format format;
  /// LLVM's intrinsics, for two values at a time; empty where there is none.
  llvm::StringRef encode, decode;

  bool isNvidia() const { return convert.starts_with("nvvm"); }
};

/// The row of a format, or null.
const NativeConversion *findNativeConversion(llvm::StringRef convert,
                                             Format format);

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_VECTOR_CONVERSIONS_H
