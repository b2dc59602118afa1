// Codes.h - what ops with codes and scales share: quantize, dequantize, gemm.
#ifndef LABGEN_SPEC_OPS_CODES_H
#define LABGEN_SPEC_OPS_CODES_H

#include "lib/Spec/OpInfo.h"

namespace labgen {

bool contains(const Formats &formats, Format format);
/// f32, bf16, f16: what is quantized and dequantized.
Formats activationFormats();
/// Formats of the keys scale and zero.
Formats scaleFormats();
Formats zeroFormats();

/// Group, scale and zero points of codes of that type.
Status checkCodes(const KernelSpec &spec, Format code);

/// scale, zero and global of the codes, their names after `prefix`.
void addScales(const KernelSpec &spec, const std::string &prefix, Role role,
               std::vector<Argument> &out);

/// The ties of values that are quantized to `code` as the spec says.
TieGrid quantizeTies(const KernelSpec &spec, Format code);

/// "each run of 32 neighbours along K", "each row", "the whole tensor".
std::string groupWords(const KernelSpec &spec);
/// How a quantizer makes the scale of a group.
std::string scaleWords(const KernelSpec &quantizer);
/// The weight a code stands for.
std::string decodeWords(const KernelSpec &spec);

} // namespace labgen

#endif // LABGEN_SPEC_OPS_CODES_H
