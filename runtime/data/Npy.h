// Npy.h - tensors in and out of NumPy's .npy files.
//
// C order, native byte order, codes unpacked to one element each; the mapping
// of formats to NumPy types is the contract's ("Files"). A wrong dtype, shape
// or order, a code outside its type or a truncated file is bad input that names
// the file and what was expected.
#ifndef LABGEN_RUNTIME_DATA_NPY_H
#define LABGEN_RUNTIME_DATA_NPY_H

#include "runtime/core/Tensor.h"

namespace labgen {

/// Reads `path` into `tensor` (its argument says what is expected).
Status readNpy(const std::string &path, Tensor &tensor);
/// Writes under a temporary name and renames; refuses a target that exists and
/// is not a regular file.
Status writeNpy(const std::string &path, const Tensor &tensor);

} // namespace labgen

#endif // LABGEN_RUNTIME_DATA_NPY_H
