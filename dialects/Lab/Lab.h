// Lab.h - the lab dialect's C++ face: ops, attributes, interfaces.
#ifndef LABGEN_DIALECTS_LAB_LAB_H
#define LABGEN_DIALECTS_LAB_LAB_H

#include "lib/Spec/Cost.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"

#include "dialects/Lab/LabEnums.h.inc"

namespace labgen::lab {

/// `group` attribute: at least 1, or one of these.
constexpr int64_t groupChannel = Group::channelNumber; ///< a whole row
constexpr int64_t groupTensor = Group::tensorNumber;   ///< the whole matrix

// Where the spec has an enum of the same name, enumerators are the same
// numbers, so that either may be cast to the other.
#define LABGEN_SAME(E, NAME, WORD)                                             \
  static_assert(uint32_t(E::NAME) == uint32_t(labgen::E::NAME),                \
                #E "::" #NAME " is another number in lib/Spec/KernelSpec.h");
LABGEN_ROUNDINGS(LABGEN_SAME, Rounding)
LABGEN_INT_RANGES(LABGEN_SAME, IntRange)
LABGEN_INVERSES(LABGEN_SAME, Inverse)
LABGEN_DIVISORS(LABGEN_SAME, Divisor)
LABGEN_SCALE_RULES(LABGEN_SAME, ScaleRule)
LABGEN_OVERFLOWS(LABGEN_SAME, Overflow)
LABGEN_KERNEL_NAN_RULES(LABGEN_SAME, NanRule)
LABGEN_REDUCE_KINDS(LABGEN_SAME, ReduceKind)
LABGEN_SUM_ORDERS(LABGEN_SAME, SumOrder)
#undef LABGEN_SAME

/// How one operand dimension is sliced: it follows iteration dimension `dim`,
/// whose index j lies at j * mul / div.
struct AccessDim {
  unsigned dim;
  int64_t mul = 1, div = 1;

  /// Not sliced: every tile sees the whole operand dimension.
  static constexpr unsigned whole = ~0u;
};

/// How one operand is sliced, a dimension at a time.
struct Access {
  mlir::OpOperand *operand;
  llvm::SmallVector<AccessDim, 2> dims;
  /// The operand may end before the tile does; its slice then does, too.
  bool clamp = false;
};

/// What a micro-kernel is told, as code writes it; `KernelAttr` is the same in
/// the IR, and says what each means. Nothing said: no value.
struct KernelParameters {
  std::optional<MicroKernel> kind;
  std::optional<IntegerDot> integerDot;
  llvm::SmallVector<mlir::Type> extend, truncate;
  std::optional<int64_t> prefetch; ///< bytes
  std::optional<int64_t> width;    ///< elements
  std::optional<int64_t> unroll;
  bool nontemporal = false;
  std::optional<int64_t> lanes;
};

/// Whether every memref of an op has a static shape.
bool isStatic(mlir::Operation *op);

} // namespace labgen::lab

#define GET_ATTRDEF_CLASSES
#include "dialects/Lab/LabAttrs.h.inc"
#include "dialects/Lab/LabInterfaces.h.inc"
#include "dialects/Lab/LabOpsDialect.h.inc"
#define GET_OP_CLASSES
#include "dialects/Lab/LabOps.h.inc"

namespace labgen::lab {

/// Name of the attribute that carries an op's schedule, and of the one that
/// carries its `kernel` part on the tiles.
constexpr llvm::StringLiteral scheduleAttrName = "schedule";
constexpr llvm::StringLiteral kernelAttrName = "kernel";
/// The micro-kernel's parameters on a tile; none: nothing is said.
KernelParameters kernelOf(mlir::Operation *tile);
/// Elements of a one-dimensional op whose bytes do not tell.
constexpr llvm::StringLiteral countAttrName = "count";
/// On the outermost loops of a tiled op: which launch they belong to.
constexpr llvm::StringLiteral phaseAttrName = "lab.phase";
/// On loops over blocks and threads: how many threads share an iteration.
constexpr llvm::StringLiteral threadsAttrName = "lab.threads";

/// The iteration domain, read from the operands that follow it one to one.
llvm::SmallVector<mlir::Range> iterationDomain(LabAccess op,
                                               mlir::OpBuilder &b);
/// The op on slices of its operands, as TilingInterface makes it; an error at
/// `op` where no tile may start there.
llvm::FailureOr<mlir::TilingResult>
makeTile(LabAccess op, mlir::OpBuilder &b,
         llvm::ArrayRef<mlir::OpFoldResult> offsets,
         llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// Reads and writes through what was cast, where that says more about sizes and
/// strides. Fails where it changes nothing.
llvm::LogicalResult absorbCasts(mlir::Operation *op);
/// Erases an op whose outputs all have no element.
llvm::LogicalResult
eraseIfNothingIsWritten(mlir::DestinationStyleOpInterface op,
                        mlir::PatternRewriter &rewriter);

/// max(0, min(size, end - offset)): what is there of a tile.
mlir::OpFoldResult clampedSize(mlir::OpBuilder &b, mlir::Location loc,
                               mlir::OpFoldResult size,
                               mlir::OpFoldResult offset,
                               mlir::OpFoldResult end);

/// Whether an offset is a multiple of `multiple` for sure: constants,
/// affine.apply, loop variables with constant bounds and steps.
bool provablyMultiple(mlir::OpFoldResult offset, int64_t multiple);

/// Whether tiles of this length, one after the other, each lie in one group
/// and start on a byte of packed codes.
bool arePartsOfGroups(LabAccess op, unsigned dim, int64_t tile);

/// Bits of one code in memory.
unsigned codeBits(mlir::Type code);
/// The type that an attribute of `op` names, else that of the elements.
mlir::Type namedType(mlir::Operation *op, llvm::StringRef attribute,
                     mlir::Value elements);

/// The number format a type stands for; nothing for types that are none.
std::optional<Format> formatOf(mlir::Type type);
/// The type that stands for a format.
mlir::Type typeOf(Format format, mlir::MLIRContext *context);
/// The memref element its codes lie in: the type itself for f64 to f16, i8 for
/// what is at most a byte.
mlir::Type storageOf(Format format, mlir::MLIRContext *context);

/// Whether a reduction adds; the others look for an extreme.
inline bool isSum(ReduceKind kind) {
  return kind == ReduceKind::Sum || kind == ReduceKind::Dot ||
         kind == ReduceKind::SumSq;
}

/// Elements of a cast or exp of static shape, or of a row of a softmax.
int64_t elementCount(LabAccess op);

/// Types of an op's memrefs, in the order of its operands (whose scalars have
/// none).
llvm::SmallVector<mlir::MemRefType> memrefTypes(mlir::Operation *op);

/// Elements of a group along a row of k elements (k itself for channel and
/// tensor groups, at least 1).
int64_t groupAlong(int64_t group, int64_t k);

} // namespace labgen::lab

#endif // LABGEN_DIALECTS_LAB_LAB_H
