// Facts.h - what labgen explain says of a lab, a fact a line.
#ifndef LABGEN_TOOLS_LABGEN_EXPLAIN_FACTS_H
#define LABGEN_TOOLS_LABGEN_EXPLAIN_FACTS_H

#include "lib/Spec/KernelSpec.h"

#include <string>
#include <vector>

namespace labgen {

struct Fact {
  std::string label, words;
};
using Facts = std::vector<Fact>;

/// Cast, exp, axpy and reduce.
Facts elementFacts(const KernelSpec &spec);
/// Quantize, dequantize and gemm.
Facts codeFacts(const KernelSpec &spec);
/// The bound on the error, and why it is that.
Fact boundFact(const KernelSpec &spec);

/// "each run of 32 neighbours along K", "each row", "the whole tensor".
std::string groupWords(const KernelSpec &spec);
/// "to nearest, ties to even".
std::string roundingWords(Rounding rounding);

} // namespace labgen

#endif // LABGEN_TOOLS_LABGEN_EXPLAIN_FACTS_H
