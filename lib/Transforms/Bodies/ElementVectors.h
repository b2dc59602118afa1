// ElementVectors.h - vectors of raw elements of any format in a run of memory.
#ifndef LABGEN_LIB_TRANSFORMS_BODIES_ELEMENTVECTORS_H
#define LABGEN_LIB_TRANSFORMS_BODIES_ELEMENTVECTORS_H

#include "lib/Spec/Format.h"
#include "lib/Transforms/Vector/BodyBuilder.h"

namespace labgen {

/// A memref<n x element>, or of packed bytes. Raw elements are what the memref
/// holds (f64, f32, f16, bf16 as integers of 16 bits) or codes in i8. Positions
/// count elements; those of packed formats are multiples of 8.
class ElementVectors {
public:
  ElementVectors(BodyBuilder &e, mlir::Value run, Format format)
      : e(e), run(run), format(format), bits(info(format).storageBits),
        raw(elementType(run)) {
    if (raw.isBF16())
      raw = e.b.getI16Type();
  }

  /// `lanes` elements of which the first `count` are read; the others are 0.
  mlir::Value load(mlir::Value at, int64_t count, int64_t lanes);
  /// Asks for what lies the schedule's distance ahead of `count` elements.
  void prefetch(mlir::Value at, int64_t count);
  /// The first `count` elements of a vector; pad bits of a last byte are zero.
  void store(mlir::Value codes, mlir::Value at, int64_t count,
             bool nontemporal = false);

private:
  mlir::Value byteOf(mlir::Value at);
  mlir::Value firstOf(mlir::Value codes, int64_t count);
  mlir::Value asRaw(mlir::Value v);

  BodyBuilder &e;
  mlir::Value run;
  Format format;
  int64_t bits;
  mlir::Type raw; ///< of the vectors handed out
};

/// Runs `convert` over n elements of `x` and stores what it gives in `y`: as
/// many registers at a time as fill one of bytes or of 4-bit codes (with
/// `unroll`), then one by one, then a padded rest. `convert` is told where its
/// elements lie.
void forAllElements(
    BodyBuilder &e, int64_t n, mlir::Value x, Format in, mlir::Value y,
    Format out, bool unroll,
    llvm::function_ref<mlir::Value(mlir::Value raw, mlir::Value at)> convert);

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_BODIES_ELEMENTVECTORS_H
