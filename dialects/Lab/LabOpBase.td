// LabOpBase.td - what all ops of the lab dialect have in common.

#ifndef LABGEN_DIALECTS_LAB_LABOPBASE
#define LABGEN_DIALECTS_LAB_LABOPBASE

include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/TilingInterface.td"
include "dialects/Lab/LabAttrs.td"
include "dialects/Lab/LabDialect.td"
include "dialects/Lab/LabInterfaces.td"

// An op states its accesses; tiling and canonicalization follow from them, the
// same for every op.
class Lab_Op<string mnemonic, list<string> accessMethods,
             list<Trait> traits = []>
    : Op<Lab_Dialect, mnemonic, traits # [
        DeclareOpInterfaceMethods<DestinationStyleOpInterface>,
        DeclareOpInterfaceMethods<Lab_AccessInterface, accessMethods>,
        DeclareOpInterfaceMethods<TilingInterface, [
          "getLoopIteratorTypes", "getIterationDomain",
          "getTiledImplementation"]>]> {
  // The operands that the op writes, a MutableOperandRange in C++.
  code inits = ?;
  let hasVerifier = 1;
  // Absorbs memref.cast, so that sizes made static later reach the op.
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
  let extraClassDefinition = [{
    ::mlir::MutableOperandRange $cppClass::getDpsInitsMutable() {
      return }] # inits # [{;
    }
    ::llvm::SmallVector<::mlir::utils::IteratorType>
    $cppClass::getLoopIteratorTypes() {
      return getIterators();
    }
    ::llvm::SmallVector<::mlir::Range>
    $cppClass::getIterationDomain(::mlir::OpBuilder &b) {
      return ::labgen::lab::iterationDomain(*this, b);
    }
    ::mlir::FailureOr<::mlir::TilingResult> $cppClass::getTiledImplementation(
        ::mlir::OpBuilder &b, ::llvm::ArrayRef<::mlir::OpFoldResult> offsets,
        ::llvm::ArrayRef<::mlir::OpFoldResult> sizes) {
      return ::labgen::lab::makeTile(*this, b, offsets, sizes);
    }
    ::llvm::LogicalResult $cppClass::fold(
        FoldAdaptor, ::llvm::SmallVectorImpl<::mlir::OpFoldResult> &) {
      return ::labgen::lab::absorbCasts(*this);
    }
    ::llvm::LogicalResult $cppClass::canonicalize(
        $cppClass op, ::mlir::PatternRewriter &rewriter) {
      return ::labgen::lab::eraseIfNothingIsWritten(op, rewriter);
    }
  }];
}

class Lab_Ranked<int rank> : MemRefRankOf<[AnyType], [rank]>;
class Lab_In<int rank> : Arg<Lab_Ranked<rank>, "", [MemRead]>;
class Lab_InOptional<int rank>
    : Arg<Optional<Lab_Ranked<rank>>, "", [MemRead]>;
class Lab_Out<int rank> : Arg<Lab_Ranked<rank>, "", [MemWrite]>;
class Lab_OutOptional<int rank>
    : Arg<Optional<Lab_Ranked<rank>>, "", [MemWrite]>;
class Lab_InOut<int rank> : Arg<Lab_Ranked<rank>, "", [MemRead, MemWrite]>;

// Where an op that rounds stochastically lies in the whole lab: the flat index
// of its first element, and of a matrix how far apart its rows' are. Empty for
// the whole.
def Lab_Position : Variadic<Index>;

#endif // LABGEN_DIALECTS_LAB_LABOPBASE
