// Words.h - sentences that explanations of several ops share.
#ifndef LABGEN_SPEC_OPS_WORDS_H
#define LABGEN_SPEC_OPS_WORDS_H

#include "lib/Spec/OpInfo.h"

namespace labgen {

/// Six digits, with an exponent where the number is large or small.
std::string numberText(double value);
/// "f32".
inline std::string formatText(Format format) {
  return std::string(name(format));
}
/// "f32 -> i8", of the keys in and out.
std::string conversionText(const KernelSpec &spec);

/// "to nearest, ties to even".
std::string roundingWords(Rounding rounding);
/// What one rounding to the type `out` does, from its row of the format table.
Facts castFacts(const KernelSpec &cast);
/// The same of f32 results that are cast as the contract's default has it; of
/// overflow and NaN alone.
Facts resultFacts(Format out);

} // namespace labgen

#endif // LABGEN_SPEC_OPS_WORDS_H
