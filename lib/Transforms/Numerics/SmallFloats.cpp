// SmallFloats.cpp - see SmallFloats.h.
#include "lib/Transforms/Numerics/SmallFloats.h"

using namespace mlir;
using namespace labgen;

static VectorType lanesOf(Value like, Type element) {
  return cast<VectorType>(like.getType()).clone(element);
}

/// Integers as wide as a float.
static Type bitsOf(BodyBuilder &e, Type type) {
  return e.b.getIntegerType(type.getIntOrFloatBitWidth());
}

Value labgen::extendCodes(BodyBuilder &e, Value codes, Type type) {
  if (!bitsOf(e, type).isInteger(8))
    codes = e.make<arith::TruncIOp>(lanesOf(codes, bitsOf(e, type)), codes);
  Value x = e.make<arith::BitcastOp>(lanesOf(codes, type), codes);
  return e.make<arith::ExtFOp>(lanesOf(codes, e.b.getF32Type()), x);
}

Value labgen::truncateToCodes(BodyBuilder &e, Value x, Type type) {
  x = e.make<arith::TruncFOp>(lanesOf(x, type), x);
  Value codes = e.make<arith::BitcastOp>(lanesOf(x, bitsOf(e, type)), x);
  return bitsOf(e, type).isInteger(8)
             ? codes
             : e.make<arith::ExtUIOp>(lanesOf(x, e.b.getI8Type()), codes);
}

/// The format of a vector of small floats.
static std::optional<Format> smallFormat(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || vector.getRank() != 1 || vector.isScalable() ||
      !isa<FloatType>(vector.getElementType()))
    return std::nullopt;
  std::optional<Format> format = lab::formatOf(vector.getElementType());
  return format && info(*format).bits <= 8 ? format : std::nullopt;
}

static bool isF32(Value v) { return elementType(v).isF32(); }

/// Upstream folds a conversion to f32 and one from it into one, which no target
/// has: it goes by way of f32 again.
static void splitConversions(Operation *root) {
  root->walk([](Operation *op) {
    bool isConversion =
        isa<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp>(
            op);
    if (!isConversion)
      return;
    Value in = op->getOperand(0), out = op->getResult(0);
    bool fromSmall = smallFormat(in.getType()) && !isF32(out);
    bool toSmall = smallFormat(out.getType()) && !isF32(in);
    if (!fromSmall && !toSmall)
      return;
    OpBuilder b(op);
    Type f32 = lanesOf(in, b.getF32Type());
    auto make = [&](auto kind, Type type, Value v) -> Value {
      return decltype(kind)::create(b, op->getLoc(), type, v);
    };
    Value middle = isa<arith::SIToFPOp>(op)   ? make(arith::SIToFPOp(), f32, in)
                   : isa<arith::UIToFPOp>(op) ? make(arith::UIToFPOp(), f32, in)
                                              : make(arith::ExtFOp(), f32, in);
    bool widens = elementType(out).getIntOrFloatBitWidth() > 32;
    out.replaceAllUsesWith(
        widens ? make(arith::ExtFOp(), out.getType(), middle)
               : make(arith::TruncFOp(), out.getType(), middle));
    op->erase();
  });
}

void labgen::forEachConversion(
    Operation *root, function_ref<void(arith::ExtFOp, Format)> extend,
    function_ref<void(arith::TruncFOp, Format)> truncate) {
  splitConversions(root);
  SmallVector<arith::ExtFOp> extensions;
  SmallVector<arith::TruncFOp> truncations;
  root->walk([&](arith::ExtFOp op) { extensions.push_back(op); });
  root->walk([&](arith::TruncFOp op) { truncations.push_back(op); });
  for (arith::ExtFOp op : extensions)
    if (auto format = smallFormat(op.getIn().getType());
        format && isF32(op.getOut()))
      extend(op, *format);
  for (arith::TruncFOp op : truncations)
    if (auto format = smallFormat(op.getType()); format && isF32(op.getIn()))
      truncate(op, *format);
}

Value labgen::codesOf(BodyBuilder &e, arith::ExtFOp op) {
  Value x = op.getIn();
  Type i8 = e.b.getI8Type();
  auto bitcast = x.getDefiningOp<arith::BitcastOp>();
  Value codes =
      bitcast
          ? bitcast.getIn()
          : e.make<arith::BitcastOp>(lanesOf(x, bitsOf(e, elementType(x))), x);
  if (elementType(codes) == i8)
    return codes;
  auto cut = codes.getDefiningOp<arith::TruncIOp>();
  return cut && elementType(cut.getIn()) == i8
             ? cut.getIn()
             : e.make<arith::ExtUIOp>(lanesOf(codes, i8), codes);
}

void labgen::replaceByCodes(BodyBuilder &e, arith::TruncFOp op, Value codes) {
  Type bits = bitsOf(e, elementType(op.getOut()));
  auto narrow = [&](Value wide) {
    return elementType(wide) == bits
               ? wide
               : e.make<arith::TruncIOp>(lanesOf(wide, bits), wide);
  };
  for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
    auto bitcast = dyn_cast<arith::BitcastOp>(user);
    if (!bitcast || elementType(bitcast.getOut()) != bits)
      continue;
    for (Operation *reader : llvm::make_early_inc_range(bitcast->getUsers()))
      if (isa<arith::ExtUIOp>(reader) &&
          reader->getResult(0).getType() == codes.getType()) {
        reader->getResult(0).replaceAllUsesWith(codes);
        reader->erase();
      }
    if (!bitcast->use_empty())
      bitcast.getOut().replaceAllUsesWith(narrow(codes));
    bitcast->erase();
  }
  if (!op->use_empty())
    op.getOut().replaceAllUsesWith(
        e.make<arith::BitcastOp>(op.getType(), narrow(codes)));
  op->erase();
}
