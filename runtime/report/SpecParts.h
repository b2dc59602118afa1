// SpecParts.h - parts of a spec as the cells of a report.
#ifndef LABGEN_RUNTIME_REPORT_SPECPARTS_H
#define LABGEN_RUNTIME_REPORT_SPECPARTS_H

#include "lib/Spec/KernelSpec.h"

#include <string>

namespace labgen {

// Each is empty where the lab has no such part.
std::string
formatsOf(const KernelSpec &spec);           ///< "f32 -> i8", "f32 x i4 -> f32"
std::string groupOf(const KernelSpec &spec); ///< "32", "channel", "tensor"
std::string scaleOf(const KernelSpec &spec); ///< type of the scales
/// How a quantizer makes a scale: E8M0's rule, what absmax is divided by, or
/// the range over the steps.
std::string ruleOf(const KernelSpec &spec);
std::string zeroOf(const KernelSpec &spec); ///< type of the zero points

} // namespace labgen

#endif // LABGEN_RUNTIME_REPORT_SPECPARTS_H
