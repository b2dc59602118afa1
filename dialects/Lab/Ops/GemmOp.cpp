// GemmOp.cpp - C <- A B^T, plain or with codes: its types, its tiles, its spec
// and its verifier.
#include "dialects/Lab/Rules/Accesses.h"
#include "dialects/Lab/Rules/Specs.h"
#include "dialects/Lab/Verify/Verify.h"

using namespace mlir;
using namespace labgen::lab;

Type GemmOp::getCodeType() { return namedType(*this, "code", getB()); }

Type GemmOp::getACodeType() { return namedType(*this, "a_code", getA()); }

Type GemmOp::getScaleFormat() {
  return namedType(*this, "scale_type", getBScale());
}

int64_t GemmOp::getDepth() {
  // Packed codes lie in bytes.
  auto fits = [](Value v, unsigned bits) {
    int64_t size = cast<MemRefType>(v.getType()).getDimSize(1);
    bool packed = bits % 8 != 0;
    return packed && !ShapedType::isDynamic(size) ? size * 8 / bits : size;
  };
  unsigned aBits = codeBits(getACodeType()), bBits = codeBits(getCodeType());
  int64_t a = fits(getA(), aBits), b = fits(getB(), bBits);
  if (aBits % 8 == 0)
    return a;
  return bBits % 8 == 0 ? b : std::min(a, b);
}

bool GemmOp::quantizesA() {
  return getComputeAttr() && getCompute()->isInteger(8) && !getAScale();
}

SmallVector<utils::IteratorType> GemmOp::getIterators() {
  using utils::IteratorType;
  return {IteratorType::parallel, IteratorType::parallel,
          IteratorType::reduction};
}

SmallVector<Access> GemmOp::getAccesses() {
  int64_t group = getGroup().value_or(1);
  SmallVector<Access> accesses = {
      {&getAMutable(), {{0}, codesAlong(2, getACodeType())}},
      {&getBMutable(), {{1}, codesAlong(2, getCodeType())}}};
  if (getAScale())
    accesses.push_back({&getAScaleMutable()[0], scaleDims(0, 2, group)});
  if (getBScale())
    accesses.push_back({&getBScaleMutable()[0], scaleDims(1, 2, group)});
  if (getBZero())
    accesses.push_back(
        {&getBZeroMutable()[0], zeroDims(1, 2, group, getCodeType())});
  accesses.push_back({&getCMutable(), {{0}, {1}}});
  return accesses;
}

int64_t GemmOp::getTileMultiple(unsigned dim) {
  if (quantizesA() && dim != 1)
    return 0; // the groups of A are not known yet
  if (dim < 2)
    return 1;
  return std::lcm(
      startMultiple(getGroup().value_or(1), getCodeType(), bool(getBZero())),
      codesAlong(2, getACodeType()).div);
}

int64_t GemmOp::getTileWithin(unsigned dim) {
  bool isInteger = getAScale() || quantizesA(); // which adds up whole groups
  return dim == 2 && getBScale() && !isInteger
             ? partsOf(*getGroup(), getCodeType(), bool(getBZero()))
             : 0;
}

LogicalResult GemmOp::adjustTile(Operation *tile,
                                 ArrayRef<OpFoldResult> offsets,
                                 ArrayRef<OpFoldResult>) {
  if (getAccumulate())
    return success();
  std::optional<int64_t> k = getConstantIntValue(offsets[2]);
  if (!k) // one op cannot overwrite at k = 0 and add elsewhere
    return emitOpError("overwrites c, so a tile at a variable k needs "
                       "`accumulate`: split off the first k tile");
  if (*k > 0)
    cast<GemmOp>(tile).setAccumulate(true);
  return success();
}

FailureOr<labgen::KernelSpec> GemmOp::getRules() {
  auto a = formatOf(getACodeType()), b = formatOf(getCodeType()),
       c = elementFormat(getC());
  if (!a || !b || !c || getAScale())
    return failure();
  bool bothCodes = isCodeType(getACodeType()) && isCodeType(getCodeType());
  if (!getBScale() && a != b && !bothCodes)
    return failure(); // a packed or staged copy of one operand
  labgen::KernelSpec spec;
  spec.op = labgen::Op::Gemm;
  spec.m = sizeOf(getC(), 0), spec.n = sizeOf(getC(), 1),
  spec.k = isStatic(*this) ? getDepth() : 1;
  spec.a = *a, spec.b = *b, spec.out = *c,
  spec.acc = labgen::defaultAccumulator(*a);
  spec.accumulate = getAccumulate();
  if (getBScale()) {
    auto s = formatOf(getScaleFormat());
    if (!s)
      return failure();
    spec.scale = *s;
    if (getBZero())
      spec.zero = *b;
    spec.group = labgen::Group::ofNumber(*getGroup());
    spec.compute = quantizesA() ? labgen::Format::I8 : labgen::Format::F32;
  }
  return spec;
}

/// A gemm without scales: both sides floats, both codes of floats, or both
/// integers. A packed or staged copy of one may have been widened already.
static LogicalResult verifyPlainGemm(GemmOp op) {
  Type a = op.getACodeType(), b = op.getCodeType(), c = element(op.getC());
  int64_t k = op.getDepth();
  for (auto [type, value] : {std::pair(a, op.getA()), std::pair(b, op.getB())})
    if (isCodeType(type) &&
        failed(checkCodes(op, type, value, dim(value, 0), k)))
      return failure();
  bool codes = isCodeType(a) && isCodeType(b) &&
               isa<IntegerType>(a) == isa<IntegerType>(b);
  auto widens = [](Type narrow, Type wide) {
    bool small = isa<FloatType>(narrow) && isCodeType(narrow);
    return wide.isF32() && (narrow.isBF16() || narrow.isF16() || small);
  };
  if (a != b && !codes && !widens(a, b) && !widens(b, a))
    return op.emitOpError("a and b must have one element type (one of them may "
                          "be widened to f32) or both be integers or both f8, "
                          "f6 or f4 codes, got ")
           << a << " and " << b;
  if (!isCodeType(b) && failed(checkSize(op, "columns of b", dim(op.getB(), 1),
                                         k, "k, the columns of a")))
    return failure();
  if (!isCodeType(a) && !isa<FloatTF32Type>(a) &&
      failed(checkFloat(op, "a", a)))
    return failure();
  bool integers = isCodeType(a) && isa<IntegerType>(a);
  Type f32 = Float32Type::get(op.getContext());
  Type want = integers    ? Type(IntegerType::get(op.getContext(), 32))
              : a.isF64() ? a
                          : f32;
  if (c != want && !(want == f32 && (c.isBF16() || c.isF16())))
    return op.emitOpError("c must be ")
           << want << " for " << a << " inputs, got " << c;
  return success();
}

/// Types and shapes of a gemm whose B is codes with scales.
static LogicalResult verifyScaledGemm(GemmOp op) {
  if (!op.getGroup())
    return op.emitOpError("b_scale needs a group");
  int64_t group = *op.getGroup(), n = dim(op.getC(), 1), m = dim(op.getC(), 0),
          k = dim(op.getA(), 1);
  if (failed(checkGroup(op, group)) ||
      failed(checkCodes(op, op.getCodeType(), op.getB(), n, k)) ||
      failed(checkScaleType(op, op.getScaleFormat(), op.getBScale(),
                            op.getBGlobal())) ||
      failed(checkScale(op, op.getBScale(), group, n, k)) ||
      failed(checkZero(op, op.getCodeType(), op.getBZero(), group, n, k)))
    return failure();
  if (op.getComputeAttr() && !op.getCompute()->isF32() &&
      !op.getCompute()->isSignlessInteger(8))
    return op.emitOpError("compute must be f32 or i8, got ")
           << *op.getCompute();
  Type c = element(op.getC());
  if (!c.isF32() && !c.isBF16() && !c.isF16())
    return op.emitOpError(
               "c must be f32, bf16 or f16 with scaled weights, got ")
           << c;
  if ((op.getAScale() || op.quantizesA()) &&
      !isa<IntegerType>(op.getCodeType()))
    return op.emitOpError("compute = i8 needs integer codes, got ")
           << op.getCodeType() << "; nearest legal: compute = f32";
  if (!op.getAScale())
    return checkFloat(op, "a", element(op.getA()));
  if (!element(op.getA()).isSignlessInteger(8))
    return op.emitOpError("a must be i8 codes where it has a_scale, got ")
           << element(op.getA());
  return checkScale(op, op.getAScale(), group, m, k);
}

LogicalResult GemmOp::verify() {
  if (failed(checkSize(*this, "rows of a", dim(getA(), 0), dim(getC(), 0),
                       "m, the rows of c")) ||
      failed(checkSize(*this, "rows of b", dim(getB(), 0), dim(getC(), 1),
                       "n, the columns of c")))
    return failure();
  if (getBScale() && getACodeAttr())
    return emitOpError("a_code goes without b_scale; a of ")
           << getACodeType() << " codes has a_scale, or none";
  if (getBScale())
    return success(succeeded(verifyScaledGemm(*this)) &&
                   succeeded(checkSpec(*this)));
  if (getAScale() || getBZero() || getGroup() || getComputeAttr())
    return emitOpError("a_scale, b_zero, group and compute need b_scale");
  return success(succeeded(verifyPlainGemm(*this)) &&
                 succeeded(checkSpec(*this)));
}
