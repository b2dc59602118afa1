// CodeVectors.h - vectors of integer codes in and out of packed memory.
#ifndef LABGEN_LIB_TRANSFORMS_VECTOR_CODEVECTORS_H
#define LABGEN_LIB_TRANSFORMS_VECTOR_CODEVECTORS_H

#include "lib/Transforms/Vector/BodyBuilder.h"

namespace labgen {

/// n codes of 4 or 6 bits as vector<n x i8>, from the bytes they are packed in,
/// low bits first; zero extended, or sign extended (4 bits). 6-bit codes come
/// in fours.
mlir::Value unpackCodes(BodyBuilder &e, mlir::Value bytes, int64_t n,
                        unsigned bits, bool isSigned);
/// The reverse; bits of a code above its width are ignored.
mlir::Value packCodes(BodyBuilder &e, mlir::Value codes, unsigned bits);

/// Codes of one format in a [rows, bytes] matrix, as i8: signed integers sign
/// extended, unsigned ones and floats as their bits. Columns count codes.
class CodeVectors {
public:
  CodeVectors(BodyBuilder &e, mlir::Value matrix, mlir::Type code);

  /// Codes that share bytes: pieces start at multiples of it, and only the last
  /// one of a row may be shorter.
  int64_t granule() const { return bits == 4 ? 2 : bits == 6 ? 4 : 1; }
  /// Whether groups of this size, more than one to a row, share bytes.
  bool sharesBytes(int64_t group) const { return group % granule(); }

  /// Codes [column, column + n) of a row as vector<n x i8>.
  mlir::Value load(mlir::Value row, mlir::Value column, int64_t n);
  /// The same in two steps, so that few registers hold what is not needed yet:
  /// the bytes of n codes, followed by zeros as if there were `width`; then
  /// some of them, from a multiple of the granule on.
  mlir::Value loadPacked(mlir::Value row, mlir::Value column, int64_t n,
                         int64_t width);
  mlir::Value unpack(mlir::Value packed, int64_t from, int64_t n);
  void store(mlir::Value codes, mlir::Value row, mlir::Value column,
             bool nontemporal = false);
  /// The same at any column, one code at a time where bytes are shared.
  mlir::Value loadUnaligned(mlir::Value row, mlir::Value column, int64_t n);
  /// One code at any column, as i8.
  mlir::Value loadOne(mlir::Value row, mlir::Value column);
  /// The counterpart; the codes of a row must come in order, since each
  /// completes the byte that the one before began.
  void storeOne(mlir::Value code, mlir::Value row, mlir::Value column);

private:
  /// The byte in which the code at a column starts.
  mlir::Value byteOf(mlir::Value column);
  /// How many bits into it, as i16.
  mlir::Value shiftOf(mlir::Value column);
  int64_t bytesOf(int64_t n) const { return (n * bits + 7) / 8; }

  BodyBuilder &e;
  mlir::Value matrix;
  int64_t bits;
  bool isSigned;
  bool isNative; ///< an instruction converts bytes of codes as they lie
};

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_VECTOR_CODEVECTORS_H
