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

// What the elements of an operand may be, by its role. The spec narrows them
// further, by the attributes of the op.
class Lab_Element<list<string> predicates, string summary>
    : Type<Or<!foreach(p, predicates, CPred<"$_self." # p>)>, summary>;
defvar floats = ["isF64()", "isF32()", "isBF16()", "isF16()"];
defvar activations = ["isF32()", "isBF16()", "isF16()"];
defvar bytes = ["isSignlessInteger(8)"];

def Lab_Float : Lab_Element<floats, "f64, f32, bf16 or f16">;
def Lab_Activation : Lab_Element<activations, "f32, bf16 or f16">;
def Lab_Single : Lab_Element<["isF32()"], "f32">;
def Lab_Accumulator
    : Lab_Element<["isF64()", "isF32()", "isF16()"], "f64, f32 or f16">;
def Lab_Code
    : Lab_Element<bytes, "i8 (bytes of packed codes, whose type `code` names)">;
def Lab_ZeroPoint
    : Lab_Element<bytes, "i8 (bytes of zero points, packed as the codes are)">;
def Lab_Scale : Lab_Element<activations # bytes,
    "f32, bf16, f16 or i8 (the bits of f8 scales)">;
def Lab_Number : Lab_Element<floats # bytes # ["isSignlessInteger(32)"],
    "f64, f32, bf16, f16, i32 or i8 (bytes of packed codes)">;
def Lab_NarrowFloat : Lab_Element<activations # bytes,
    "f32, bf16, f16 or i8 (bytes of packed codes)">;
def Lab_Factor : Lab_Element<floats # bytes,
    "f64, f32, bf16, f16 or i8 (bytes of packed codes)">;
def Lab_Product : Lab_Element<floats # ["isSignlessInteger(32)"],
    "f64, f32, bf16, f16 or i32">;

class Lab_Ranked<int rank, Type element> : MemRefRankOf<[element], [rank]>;
class Lab_In<int rank, Type element>
    : Arg<Lab_Ranked<rank, element>, "", [MemRead]>;
class Lab_InOptional<int rank, Type element>
    : Arg<Optional<Lab_Ranked<rank, element>>, "", [MemRead]>;
class Lab_Out<int rank, Type element>
    : Arg<Lab_Ranked<rank, element>, "", [MemWrite]>;
class Lab_OutOptional<int rank, Type element>
    : Arg<Optional<Lab_Ranked<rank, element>>, "", [MemWrite]>;
class Lab_InOut<int rank, Type element>
    : Arg<Lab_Ranked<rank, element>, "", [MemRead, MemWrite]>;

// Where an op that rounds stochastically lies in the whole lab: the flat index
// of its first element, and of a matrix how far apart its rows' are. Empty for
// the whole.
def Lab_Position : Variadic<Index>;

#endif // LABGEN_DIALECTS_LAB_LABOPBASE
