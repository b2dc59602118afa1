// Verify.cpp - what verifiers share. Each message names the constraint, the
// value given and the nearest legal one.
#include "dialects/Lab/Verify/Verify.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace labgen::lab;

bool labgen::lab::isCodeType(Type t) {
  std::optional<labgen::Format> format = formatOf(t);
  return format && labgen::isCode(*format);
}

LogicalResult labgen::lab::checkSize(Operation *op, StringRef what, int64_t got,
                                     int64_t want, const Twine &because) {
  if (!differ(got, want))
    return success();
  return op->emitOpError() << what << " is " << got << ", expected " << want
                           << " (" << because << ")";
}

LogicalResult labgen::lab::checkFloat(Operation *op, StringRef what, Type t) {
  if (t.isF32() || t.isF64() || t.isF16() || t.isBF16())
    return success();
  return op->emitOpError() << what << " must be f64, f32, bf16 or f16, got "
                           << t << "; nearest legal: f32";
}

LogicalResult labgen::lab::checkSeed(Operation *op, Rounding round,
                                     std::optional<uint64_t> seed,
                                     ValueRange position, size_t rank) {
  if (round != Rounding::Stochastic) {
    if (seed || !position.empty())
      return op->emitOpError()
             << (seed ? "seed" : "at") << " goes with round = stochastic, got "
             << stringifyRounding(round) << "; drop it";
    return success();
  }
  if (!seed)
    return op->emitOpError("round = stochastic needs a seed; nearest legal: "
                           "seed = 0 : ui64, or round = even");
  if (!position.empty() && position.size() != rank)
    return op->emitOpError("at has ")
           << position.size() << " indices, expected " << rank
           << (rank == 1 ? " (the flat index of the first element)"
                         : " (the flat index of the first element, and how far "
                           "apart rows are)");
  return success();
}

LogicalResult labgen::lab::checkElements(Operation *op, Value x, Type in,
                                         Value y, Type out,
                                         std::optional<int64_t> count) {
  for (auto [name, value, named] :
       {std::tuple("x", x, in), std::tuple("y", y, out)}) {
    std::optional<labgen::Format> format = formatOf(named);
    if (!format)
      return op->emitOpError(name)
             << " has no number format " << named << "; nearest legal: f32";
    Type storage = storageOf(*format, op->getContext());
    if (element(value) != storage)
      return op->emitOpError(name)
             << " of format " << named << " must be stored as " << storage
             << ", got " << element(value);
  }
  unsigned last = type(x).getRank() - 1;
  std::string what = last == 0 ? "length of " : "columns of ";
  int64_t xSize = dim(x, last), ySize = dim(y, last);
  unsigned xBits = codeBits(in), yBits = codeBits(out);
  bool xPacked = xBits % 8, yPacked = yBits % 8;
  if (count && !(xPacked && yPacked))
    return op->emitOpError("count goes with an x and a y that are both packed, "
                           "got ")
           << in << " and " << out << "; drop it";
  if (count && *count < 0)
    return op->emitOpError("count must be at least 0, got ") << *count;
  if (ShapedType::isDynamic(xSize) || ShapedType::isDynamic(ySize)) {
    if (xPacked && yPacked)
      return op->emitOpError(
          "needs static sizes where x and y are both packed");
    return success();
  }
  int64_t n = count      ? *count
              : !xPacked ? xSize
              : !yPacked ? ySize
                         : std::min(xSize * 8 / xBits, ySize * 8 / yBits);
  if (failed(
          checkSize(op, what + "x", xSize,
                    llvm::divideCeil(n * xBits, 8 * (xPacked ? 1 : xBits / 8)),
                    Twine(n) + " elements of " + Twine(xBits) + " bits")))
    return failure();
  return checkSize(op, what + "y", ySize,
                   llvm::divideCeil(n * yBits, 8 * (yPacked ? 1 : yBits / 8)),
                   Twine(n) + " elements of " + Twine(yBits) + " bits");
}
