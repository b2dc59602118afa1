// CodeVectors.h - vectors of integer codes in and out of packed memory.
#ifndef LABGEN_LIB_TRANSFORMS_BODIES_CODEVECTORS_H
#define LABGEN_LIB_TRANSFORMS_BODIES_CODEVECTORS_H

#include "lib/Transforms/Bodies/BodyBuilder.h"

namespace labgen {

/// n codes of 4 or 6 bits as vector<n x i8>, from the bytes they are packed in,
/// low bits first; zero extended, or sign extended (4 bits). 6-bit codes come
/// in fours.
mlir::Value unpackCodes(BodyBuilder &e, mlir::Value bytes, int64_t n,
                        unsigned bits, bool isSigned);
/// The reverse; bits of a code above its width are ignored.
mlir::Value packCodes(BodyBuilder &e, mlir::Value codes, unsigned bits);

/// Codes of one type in a [rows, bytes] matrix. Columns count codes; where two
/// share a byte, a piece starts on an even one.
class CodeVectors {
public:
  CodeVectors(BodyBuilder &e, mlir::Value matrix, mlir::Type code)
      : e(e), matrix(matrix), packed(lab::codeBits(code) == 4) {}

  /// Codes [column, column + n) of a row as vector<n x i8>, sign extended.
  mlir::Value load(mlir::Value row, mlir::Value column, int64_t n);
  void store(mlir::Value codes, mlir::Value row, mlir::Value column,
             bool nontemporal = false);
  /// The same at any column, one code at a time where two share a byte.
  mlir::Value loadUnaligned(mlir::Value row, mlir::Value column, int64_t n);
  /// One code at any column, odd ones too, as i8.
  mlir::Value loadOne(mlir::Value row, mlir::Value column);
  /// The counterpart; the codes of a row must come in order, since an even
  /// column starts a byte and an odd one completes it.
  void storeOne(mlir::Value code, mlir::Value row, mlir::Value column);
  bool isPacked() const { return packed; }

private:
  /// The byte that holds the code at an even column.
  mlir::Value byteOf(mlir::Value column);
  /// Whether a column is even, as i1.
  mlir::Value isEven(mlir::Value column);
  mlir::Value constant(int64_t byte);

  BodyBuilder &e;
  mlir::Value matrix;
  bool packed; ///< two codes to the byte, low nibble first
};

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_BODIES_CODEVECTORS_H
