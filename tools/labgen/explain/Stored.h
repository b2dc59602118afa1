// Stored.h - what becomes of a group of equal values, as the oracle has it.
#ifndef LABGEN_TOOLS_LABGEN_EXPLAIN_STORED_H
#define LABGEN_TOOLS_LABGEN_EXPLAIN_STORED_H

#include "lib/Spec/KernelSpec.h"

namespace labgen {

/// "scale 0, zero point 0, codes 0; all of it dequantizes to 0", of a group
/// that holds `value` and is quantized as the spec says.
std::string storedWords(const KernelSpec &quantizer, float value);

} // namespace labgen

#endif // LABGEN_TOOLS_LABGEN_EXPLAIN_STORED_H
