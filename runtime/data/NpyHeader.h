// NpyHeader.h - the header of a .npy file.
//
// Versions 1 to 3 of NumPy's format (numpy.lib.format): magic, version, length
// and a Python dict with descr, fortran_order and shape.
#ifndef LABGEN_RUNTIME_DATA_NPYHEADER_H
#define LABGEN_RUNTIME_DATA_NPYHEADER_H

#include "lib/Support/Status.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace labgen {

struct NpyHeader {
  std::string descr; ///< as written: "<f4", "|u1", "|V2"
  bool fortranOrder = false;
  std::vector<int64_t> shape;
};

/// Reads the dict. Errors are the WHAT and WHAT TO DO without the file's name.
Result<NpyHeader> parseNpyHeader(std::string_view dict);
/// Magic to newline, version 1, padded so that the data starts at 64 bytes.
std::string npyHeaderBytes(const NpyHeader &header);
/// "(64, 256)", "(3,)", "()".
std::string pythonTuple(const std::vector<int64_t> &shape);

} // namespace labgen

#endif // LABGEN_RUNTIME_DATA_NPYHEADER_H
