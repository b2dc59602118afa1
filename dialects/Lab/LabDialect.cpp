// LabDialect.cpp - registers the dialect and holds the small pieces of syntax
// that its assembly formats call.
#include "dialects/Lab/Lab.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace labgen::lab;

#include "dialects/Lab/LabEnums.cpp.inc"
#include "dialects/Lab/LabInterfaces.cpp.inc"
#include "dialects/Lab/LabOpsDialect.cpp.inc"

/// `group` prints as a number, `channel` or `tensor`.
static ParseResult parseGroup(OpAsmParser &parser, IntegerAttr &group) {
  int64_t value;
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword(&keyword, {"channel", "tensor"}))) {
    value = keyword == "channel" ? groupChannel : groupTensor;
  } else {
    OptionalParseResult number = parser.parseOptionalInteger(value);
    if (!number.has_value())
      return parser.emitError(
          loc, "expected a group: a number of elements, channel or tensor");
    if (failed(*number))
      return failure();
    if (value < 1)
      return parser.emitError(loc, "group must be at least 1, got ")
             << value << "; nearest legal: 1 (or channel, tensor)";
  }
  group = parser.getBuilder().getI64IntegerAttr(value);
  return success();
}

static void printGroup(OpAsmPrinter &printer, Operation *, IntegerAttr group) {
  int64_t value = group.getInt();
  if (value == groupChannel)
    printer << "channel";
  else if (value == groupTensor)
    printer << "tensor";
  else
    printer << value;
}

/// `dot blocked`: what a reduction computes, and in which order. Their words
/// alone, as part of the op's name.
static ParseResult parseKindAndOrder(OpAsmParser &parser, ReduceKindAttr &kind,
                                     SumOrderAttr &order) {
  FailureOr<ReduceKind> kindWord = FieldParser<ReduceKind>::parse(parser);
  if (failed(kindWord))
    return failure();
  FailureOr<SumOrder> orderWord = FieldParser<SumOrder>::parse(parser);
  if (failed(orderWord))
    return failure();
  kind = ReduceKindAttr::get(parser.getContext(), *kindWord);
  order = SumOrderAttr::get(parser.getContext(), *orderWord);
  return success();
}

static void printKindAndOrder(OpAsmPrinter &printer, Operation *,
                              ReduceKindAttr kind, SumOrderAttr order) {
  printer << stringifyReduceKind(kind.getValue()) << ' '
          << stringifySumOrder(order ? order.getValue() : SumOrder::Blocked);
}

#define GET_OP_CLASSES
#include "dialects/Lab/LabOps.cpp.inc"

void LabDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/Lab/LabOps.cpp.inc"
      >();
  registerAttributes();
}

/// The type an attribute names, else that of the elements themselves.
Type labgen::lab::namedType(Operation *op, StringRef attribute,
                            Value elements) {
  if (auto named = op->getAttrOfType<TypeAttr>(attribute))
    return named.getValue();
  return getElementTypeOrSelf(elements.getType());
}

SmallVector<MemRefType> labgen::lab::memrefTypes(Operation *op) {
  SmallVector<MemRefType> types;
  for (Type t : op->getOperandTypes())
    if (auto memref = dyn_cast<MemRefType>(t))
      types.push_back(memref);
  return types;
}

bool labgen::lab::isStatic(Operation *op) {
  return llvm::all_of(memrefTypes(op),
                      [](MemRefType t) { return t.hasStaticShape(); });
}

unsigned labgen::lab::codeBits(Type code) {
  return isa<FloatTF32Type>(code) ? 32 : code.getIntOrFloatBitWidth();
}

std::optional<labgen::Format> labgen::lab::formatOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  // MLIR spells unsigned types ui8; labgen's u8 is an alias of it.
  std::optional<Format> format = parseFormat(text);
  // An alias that MLIR has as another type is no answer.
  if (format && typeOf(*format, type.getContext()) != type)
    return std::nullopt;
  return format;
}

Type labgen::lab::typeOf(Format format, MLIRContext *context) {
  if (format == Format::U8 || format == Format::U4)
    return IntegerType::get(context, info(format).bits, IntegerType::Unsigned);
  return parseType(llvm::StringRef(name(format)), context);
}

Type labgen::lab::storageOf(Format format, MLIRContext *context) {
  switch (format) {
  case Format::TF32:
    return Float32Type::get(context);
  case Format::F64:
  case Format::F32:
  case Format::BF16:
  case Format::F16:
  case Format::I32:
    return typeOf(format, context);
  default:
    return IntegerType::get(context, 8);
  }
}

int64_t labgen::lab::groupAlong(int64_t group, int64_t k) {
  return group > 0 ? group : std::max<int64_t>(k, 1);
}
