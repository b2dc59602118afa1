// Ptxas.h - NVIDIA's assembler, the one tool that makes cubins.
#ifndef LABGEN_LIB_TARGET_NVVM_PTXAS_H
#define LABGEN_LIB_TARGET_NVVM_PTXAS_H

#include "lib/Support/Status.h"

namespace labgen {

/// Where ptxas is: on the PATH, in a CUDA toolkit, or in the Python package
/// that the build found. Missing tells how to get it.
Result<std::string> findPtxas();

/// Assembles the text `ptx` for `chip` into the file `cubin`; what ptxas
/// refuses is bad input.
Status assemblePtx(const std::string &ptx, const std::string &chip,
                   const std::string &cubin);

} // namespace labgen

#endif // LABGEN_LIB_TARGET_NVVM_PTXAS_H
