// BodyBuilder.cpp - see BodyBuilder.h.
#include "lib/Transforms/Vector/BodyBuilder.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <numeric>

using namespace mlir;
using namespace labgen;

/// Of every CPU there are schedules for.
static constexpr int64_t cacheLine = 64;

static bool isInThreadLoop(Operation *op) {
  for (auto forall = op->getParentOfType<scf::ForallOp>(); forall;
       forall = forall->getParentOfType<scf::ForallOp>())
    for (Attribute mapping : forall.getMapping().value_or(ArrayAttr()))
      if (isa<gpu::GPUThreadMappingAttr>(mapping))
        return true;
  return false;
}

BodyBuilder::BodyBuilder(Operation *op, int64_t vectorBytes)
    : b(op), loc(op->getLoc()), vectorBytes(vectorBytes),
      isSimt(isInThreadLoop(op)), kernel(lab::kernelOf(op)) {}

Value BodyBuilder::floatSplat(int64_t n, double value, Type element) {
  auto attr =
      DenseElementsAttr::get(vec(n, element), b.getFloatAttr(element, value));
  return make<arith::ConstantOp>(attr);
}

Value BodyBuilder::intSplat(int64_t n, int64_t value, unsigned bits) {
  auto element = b.getIntegerType(bits);
  APInt number(bits, static_cast<uint64_t>(value), /*isSigned=*/false,
               /*implicitTrunc=*/true);
  return make<arith::ConstantOp>(
      DenseElementsAttr::get(vec(n, element), number));
}

Value BodyBuilder::zeros(VectorType type) {
  return make<arith::ConstantOp>(b.getZeroAttr(type));
}

Value BodyBuilder::firstLanes(int64_t count, int64_t lanes) {
  SmallVector<bool> present(lanes, false);
  std::fill_n(present.begin(), count, true);
  return make<arith::ConstantOp>(DenseElementsAttr::get(
      vec(lanes, b.getI1Type()), ArrayRef<bool>(present)));
}

Value BodyBuilder::broadcast(Value value, int64_t n) {
  if (isa<VectorType>(value.getType()))
    value = extract(value, 0);
  return make<vector::BroadcastOp>(vec(n, value.getType()), value);
}

Value BodyBuilder::load(Value memref, int64_t n, ValueRange at) {
  return make<vector::LoadOp>(vec(n, elementType(memref)), memref, at);
}

/// The memref behind subviews of unit stride, and the indices there.
static Value lookThroughViews(BodyBuilder &e, Value memref,
                              SmallVectorImpl<Value> &at) {
  while (auto view = memref.getDefiningOp<memref::SubViewOp>()) {
    if (!view.hasUnitStride() || view.getDroppedDims().any())
      break;
    for (auto [index, offset] : llvm::zip(at, view.getMixedOffsets()))
      index = e.add(index, getValueOrCreateConstantIndexOp(e.b, e.loc, offset));
    memref = view.getSource();
  }
  return memref;
}

/// Whether an index that bodies work out is a multiple for sure.
static bool isMultiple(Value index, int64_t of) {
  Operation *op = index.getDefiningOp();
  if (auto sum = dyn_cast_or_null<arith::AddIOp>(op))
    return isMultiple(sum.getLhs(), of) && isMultiple(sum.getRhs(), of);
  if (auto product = dyn_cast_or_null<arith::MulIOp>(op)) {
    auto factor = getConstantIntValue(product.getRhs());
    if (factor && *factor > 0)
      return isMultiple(product.getLhs(), of / std::gcd(of, *factor));
  }
  if (auto quotient = dyn_cast_or_null<arith::DivUIOp>(op))
    if (auto by = getConstantIntValue(quotient.getRhs()))
      return isMultiple(quotient.getLhs(), of * *by);
  return lab::provablyMultiple(index, of);
}

/// Whether n elements at some indices of an aligned buffer start at a multiple
/// of their size.
static bool isAligned(Value memref, ValueRange at, int64_t n) {
  auto type = cast<MemRefType>(memref.getType());
  if (!isa<BlockArgument>(memref) || !type.getLayout().isIdentity())
    return false;
  int64_t rowLength = type.getRank() == 2 ? type.getDimSize(1) : 0;
  return rowLength % n == 0 && isMultiple(at.back(), n);
}

void BodyBuilder::store(Value vector, Value memref, ValueRange at,
                        bool nontemporal) {
  // A store around the caches must be aligned, and upstream forgets that it is
  // one when it folds a subview into it: none is left to fold.
  SmallVector<Value> indices(at);
  auto type = cast<VectorType>(vector.getType());
  Value whole =
      nontemporal ? lookThroughViews(*this, memref, indices) : Value();
  if (!whole || !isAligned(whole, indices, type.getNumElements())) {
    create<vector::StoreOp>(vector, memref, at);
    return;
  }
  int64_t bytes = type.getNumElements() * type.getElementTypeBitWidth() / 8;
  create<vector::StoreOp>(vector, whole, indices, /*nontemporal=*/true,
                          llvm::MaybeAlign(std::min(bytes, vectorBytes)));
}

void BodyBuilder::prefetch(Value memref, Value row, Value column,
                           int64_t elements) {
  int64_t ahead = kernel.prefetch.value_or(0);
  if (ahead == 0)
    return;
  int64_t bytes = elementType(memref).getIntOrFloatBitWidth() / 8;
  for (int64_t line = 0; line < std::max<int64_t>(elements * bytes, 1);
       line += cacheLine) {
    SmallVector<Value> at;
    if (row)
      at.push_back(row);
    at.push_back(add(column, (ahead + line) / bytes));
    create<memref::PrefetchOp>(memref, at, /*isWrite=*/false,
                               /*localityHint=*/3, /*isDataCache=*/true);
  }
}

Value BodyBuilder::localBuffer(int64_t n, Type element) {
  auto func = b.getInsertionBlock()->getParentOp();
  while (!isa<FunctionOpInterface>(func))
    func = func->getParentOp();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(
      &cast<FunctionOpInterface>(func).getFunctionBody().front());
  // Where threads share memory, this is each thread's own.
  Attribute space;
  if (isSimt)
    space =
        gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Private);
  return make<memref::AllocaOp>(
      MemRefType::get({n}, element, MemRefLayoutAttrInterface(), space),
      b.getI64IntegerAttr(64));
}

Value BodyBuilder::padded(int64_t count, int64_t lanes, Type element,
                          function_ref<Value(int64_t, int64_t)> load,
                          int64_t granule) {
  if (count == lanes)
    return load(0, lanes);
  Value whole = zeros(vec(lanes, element));
  int64_t done = 0;
  for (int64_t n : pieces(count, lanes, granule)) {
    whole = make<vector::InsertStridedSliceOp>(
        load(done, n), whole, ArrayRef<int64_t>{done}, ArrayRef<int64_t>{1});
    done += n;
  }
  return whole;
}

Value BodyBuilder::widen(Value vector) {
  auto type = cast<VectorType>(vector.getType());
  Type element = type.getElementType();
  VectorType f32 = type.clone(b.getF32Type());
  if (element.isF16())
    return make<arith::ExtFOp>(f32, vector);
  if (!element.isBF16())
    return vector;
  // By bits: exact, and independent of what a target does with bf16.
  VectorType i32 = type.clone(b.getI32Type());
  Value bits = make<arith::BitcastOp>(type.clone(b.getI16Type()), vector);
  bits = make<arith::ExtUIOp>(i32, bits);
  bits = make<arith::ShLIOp>(bits, intSplat(type.getDimSize(0), 16, 32));
  return make<arith::BitcastOp>(f32, bits);
}

Value BodyBuilder::narrow(Value vector, Type element, NaNs nan) {
  auto type = cast<VectorType>(vector.getType());
  int64_t n = type.getDimSize(0);
  if (element == type.getElementType())
    return vector;
  if (!element.isBF16())
    return make<arith::TruncFOp>(type.clone(element), vector);
  // By bits, for the same reasons and because AVX512-BF16's conversion flushes
  // subnormals: one more in the kept half where the cut one is above the
  // middle, or on it beside an odd one.
  auto splat = [&](int64_t value) { return intSplat(n, value, 16); };
  Value bits = make<arith::BitcastOp>(type.clone(b.getI32Type()), vector);
  Value high = lanePieces(bits, 16, 1), low = lanePieces(bits, 16, 0);
  Value odd = make<arith::AndIOp>(high, splat(1));
  Value up = make<arith::CmpIOp>(arith::CmpIPredicate::ugt, low,
                                 make<arith::SubIOp>(splat(0x8000), odd));
  Value half =
      make<arith::SelectOp>(up, make<arith::AddIOp>(high, splat(1)), high);
  if (nan == NaNs::Any) { // keeps its sign and becomes quiet
    Value isNaN =
        make<arith::CmpFOp>(arith::CmpFPredicate::UNO, vector, vector);
    half = make<arith::SelectOp>(isNaN, make<arith::OrIOp>(high, splat(0x40)),
                                 half);
  }
  return make<arith::BitcastOp>(type.clone(element), half);
}

Value BodyBuilder::slice(Value vector, int64_t first, int64_t n) {
  return make<vector::ExtractStridedSliceOp>(vector, ArrayRef<int64_t>{first},
                                             ArrayRef<int64_t>{n},
                                             ArrayRef<int64_t>{1});
}

Value BodyBuilder::extended(Value vector, int64_t n) {
  auto type = cast<VectorType>(vector.getType());
  if (type.getDimSize(0) == n)
    return vector;
  return make<vector::InsertStridedSliceOp>(
      vector, zeros(vec(n, type.getElementType())), ArrayRef<int64_t>{0},
      ArrayRef<int64_t>{1});
}

Value BodyBuilder::concat(ArrayRef<Value> vectors) {
  Value all = vectors.front();
  for (Value next : vectors.drop_front()) {
    SmallVector<int64_t> order(cast<VectorType>(all.getType()).getDimSize(0) +
                               cast<VectorType>(next.getType()).getDimSize(0));
    std::iota(order.begin(), order.end(), 0);
    all = shuffle(all, next, order);
  }
  return all;
}

Value BodyBuilder::lanePieces(Value vector, unsigned bits, int64_t piece) {
  auto type = cast<VectorType>(vector.getType());
  Type narrow = b.getIntegerType(bits);
  int64_t n = type.getDimSize(0), wide = type.getElementTypeBitWidth();
  if (isSimt) {
    Value shift = intSplat(n, piece * bits, wide);
    return make<arith::TruncIOp>(vec(n, narrow),
                                 make<arith::ShRUIOp>(vector, shift));
  }
  int64_t ratio = wide / bits;
  // By shuffles of two registers, which a target with byte permutes does in one
  // step.
  int64_t registers = lanes(type.getElementType());
  int64_t most = n % (2 * registers) == 0 ? registers : n;
  auto pieces = [&](Value from) {
    return make<vector::BitCastOp>(vec(most * ratio, narrow), from);
  };
  SmallVector<Value> parts;
  for (int64_t at = 0; at < n; at += 2 * most) {
    bool two = most < n;
    Value low = pieces(two ? slice(vector, at, most) : vector);
    Value high = two ? pieces(slice(vector, at + most, most)) : low;
    SmallVector<int64_t> order;
    for (int64_t i = 0; i < (two ? 2 * most : most); ++i)
      order.push_back(i * ratio + piece);
    parts.push_back(shuffle(low, high, order));
  }
  return concat(parts);
}

SmallVector<Value> BodyBuilder::transpose(ArrayRef<Value> rows) {
  // log2(n) rounds of interleaving row i with row i + n/2.
  int64_t n = rows.size();
  SmallVector<int64_t> low, high;
  for (int64_t i = 0; i < n; ++i) {
    int64_t lane = i / 2 + (i % 2) * n;
    low.push_back(lane), high.push_back(lane + n / 2);
  }
  SmallVector<Value> now(rows);
  for (int64_t round = 1; round < n; round *= 2) {
    SmallVector<Value> next;
    for (int64_t i = 0; i < n / 2; ++i) {
      next.push_back(shuffle(now[i], now[i + n / 2], low));
      next.push_back(shuffle(now[i], now[i + n / 2], high));
    }
    now = std::move(next);
  }
  return now;
}

void BodyBuilder::forLoop(int64_t from, int64_t to, int64_t step,
                          function_ref<void(Value)> body) {
  if (from >= to)
    return;
  if (from + step >= to)
    return body(index(from));
  auto loop = create<scf::ForOp>(index(from), index(to), index(step));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

SmallVector<Value> BodyBuilder::forLoop(
    int64_t from, int64_t to, int64_t step, ArrayRef<Value> carried,
    function_ref<SmallVector<Value>(Value, ArrayRef<Value>)> body) {
  if (from >= to)
    return SmallVector<Value>(carried);
  if (from + step >= to)
    return body(index(from), carried);
  auto loop = create<scf::ForOp>(index(from), index(to), index(step), carried);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> arguments(loop.getRegionIterArgs());
  SmallVector<Value> results = body(loop.getInductionVar(), arguments);
  if (!carried.empty()) // else the loop came with its terminator
    create<scf::YieldOp>(results);
  return SmallVector<Value>(loop.getResults());
}

SmallVector<int64_t> labgen::pieces(int64_t n, int64_t lanes, int64_t granule) {
  SmallVector<int64_t> result(n / lanes, lanes);
  int64_t rest = n % lanes;
  for (int64_t piece = lanes / 2; piece >= granule && rest; piece /= 2)
    if (rest >= piece) {
      result.push_back(piece);
      rest -= piece;
    }
  if (rest)
    result.push_back(rest);
  return result;
}

LogicalResult labgen::requireStatic(Operation *op) {
  for (MemRefType type : lab::memrefTypes(op))
    if (!type.hasStaticShape())
      return op->emitOpError("tile is not static: ")
             << type << "; tile it so that every size is known";
  return success();
}
