// LabDialect.td - the dialect itself: what it is for and what it depends on.

#ifndef LABGEN_DIALECTS_LAB_LABDIALECT
#define LABGEN_DIALECTS_LAB_LABDIALECT

include "mlir/IR/DialectBase.td"

def Lab_Dialect : Dialect {
  let name = "lab";
  let summary = "Numerics and performance labs on memory";
  let description = [{
    Ops are whole labs (quantize a matrix, multiply two) on memrefs in
    destination style: a lab is a memory experiment, so every byte that moves
    is an operand. All of them implement TilingInterface through one small
    access interface, so one pass tiles any of them by its schedule, and only
    the bodies of static tiles are written by hand.

    Codes narrower than a byte are packed along the last dimension of a
    `memref<...xi8>`, each row starting on a byte, low bits first; the `code`
    attribute then names their type (`i4`, `f4E2M1FN`).
  }];
  let cppNamespace = "::labgen::lab";
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Adds the attributes; in the file that holds their storage.
    void registerAttributes();
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::memref::MemRefDialect"];
}

#endif // LABGEN_DIALECTS_LAB_LABDIALECT
