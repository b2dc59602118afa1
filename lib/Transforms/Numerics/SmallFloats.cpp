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

/// Of vectors between f32 and a small float.
static std::optional<Format> smallFormat(Type small, Type wide) {
  auto type = dyn_cast<VectorType>(small);
  if (!type || type.getRank() != 1 || type.isScalable() ||
      !getElementTypeOrSelf(wide).isF32())
    return std::nullopt;
  std::optional<Format> format = lab::formatOf(type.getElementType());
  return format && info(*format).bits <= 8 ? format : std::nullopt;
}

void labgen::forEachConversion(
    Operation *root, function_ref<void(arith::ExtFOp, Format)> extend,
    function_ref<void(arith::TruncFOp, Format)> truncate) {
  SmallVector<arith::ExtFOp> extensions;
  SmallVector<arith::TruncFOp> truncations;
  root->walk([&](arith::ExtFOp op) { extensions.push_back(op); });
  root->walk([&](arith::TruncFOp op) { truncations.push_back(op); });
  for (arith::ExtFOp op : extensions)
    if (auto format = smallFormat(op.getIn().getType(), op.getType()))
      extend(op, *format);
  for (arith::TruncFOp op : truncations)
    if (auto format = smallFormat(op.getType(), op.getIn().getType()))
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
