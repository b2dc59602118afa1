// DequantizeBody.cpp - codes times the scale of their group, on a static tile.
// The destination may be stored transposed (a packed operand of a gemm).
//
// On a CPU small groups go a register of groups (a batch) at a time, so that
// their scales are decoded at once; a step takes several registers of elements,
// of several groups where these are small.
#include "lib/Transforms/Bodies/Bodies.h"
#include "lib/Transforms/Bodies/PaddedLoad.h"
#include "lib/Transforms/Bodies/StridedStore.h"
#include "lib/Transforms/Bodies/Subgroup.h"
#include "lib/Transforms/Bodies/UnrolledSize.h"
#include "lib/Transforms/Numerics/FormatVectors.h"
#include "lib/Transforms/Vector/BodyBuilder.h"
#include "lib/Transforms/Vector/CodeVectors.h"

#include <limits>
#include <numeric>

using namespace mlir;
using namespace labgen;

namespace {

class Dequantizer {
public:
  Dequantizer(BodyBuilder &e, lab::DequantizeOp op)
      : e(e), op(op), subgroup(e), codes(e, op.getQ(), op.getCodeType()),
        codeFormat(e, *lab::formatOf(op.getCodeType())),
        scaleFormat(e, *lab::formatOf(op.getScaleFormat())),
        destination(e, op.getY()), rows(dimension(op.getY(), 0)),
        columns(dimension(op.getY(), 1)),
        group(lab::groupAlong(op.getGroup(), columns)) {}

  void run();

private:
  /// Of a group, as vector<1 x f32>, or of each of several elements; `zero`
  /// only where there are zero points.
  struct Scale {
    Value scale, zero;
  };
  /// Of n groups that follow one another, one an element.
  Scale scales(Value r, Value firstGroup, int64_t n) {
    Value row = op.getGroup() == lab::groupTensor ? e.index(0) : r;
    Scale s{scaleFormat.toFloat(e.load(op.getScale(), n, {row, firstGroup})),
            {}};
    if (op.getGlobal())
      s.scale = e.make<arith::MulFOp>(
          s.scale, e.broadcast(e.load(op.getGlobal(), 1, e.index(0)), n));
    if (elementType(op.getY()).isBF16())
      s.scale = withDefaultNaN(s.scale);
    if (op.getZero()) {
      CodeVectors zeros(e, op.getZero(), op.getCodeType());
      Value points = n == 1 ? e.broadcast(zeros.loadOne(row, firstGroup), 1)
                            : zeros.load(row, firstGroup, n);
      s.zero = codeFormat.toFloat(points);
    }
    return s;
  }
  /// One NaN for all, so that the products have no other.
  Value withDefaultNaN(Value x) {
    Value isNaN = e.make<arith::CmpFOp>(arith::CmpFPredicate::UNO, x, x);
    Value nan = e.floatSplat(cast<VectorType>(x.getType()).getDimSize(0),
                             std::numeric_limits<double>::quiet_NaN(),
                             e.b.getF32Type());
    return e.make<arith::SelectOp>(isNaN, nan, x);
  }
  Scale scale(Value r, Value groupIndex) { return scales(r, groupIndex, 1); }
  /// Codes as y has them.
  Value decode(Value code, const Scale &s) {
    int64_t n = cast<VectorType>(code.getType()).getDimSize(0);
    auto each = [&](Value v) {
      bool isOne = cast<VectorType>(v.getType()).getDimSize(0) == 1;
      return isOne ? e.broadcast(v, n) : v;
    };
    Value x = codeFormat.toFloat(code);
    if (s.zero) // exact, which it would not be among the codes
      x = e.make<arith::SubFOp>(x, each(s.zero));
    return e.narrow(e.make<arith::MulFOp>(x, each(s.scale)),
                    elementType(op.getY()), BodyBuilder::NaNs::Default);
  }
  /// n elements of row r from `column`, all of one group or with a scale each.
  Value piece(Value r, Value column, int64_t n, const Scale &s) {
    return decode(codes.load(r, column, n), s);
  }
  /// Elements of a step of a loop.
  int64_t stepSize() const { return 4 * e.lanes(e.b.getF32Type()); }
  void step(Value r, Value column, const Scale &s) {
    destination.store(piece(r, column, stepSize(), s), r, column,
                      e.kernel.nontemporal);
  }
  /// Whether steps and groups of a row fit together, and a batch of them in it.
  bool hasBatches();
  /// Groups of row r by batches; returns how many are done.
  int64_t batches(Value r);
  /// n elements of group `groupIndex` of row r, from column `start`.
  void groupOf(Value r, Value groupIndex, Value start, int64_t n);
  void elementwise();
  /// Groups dealt to several threads of a GPU.
  void share();
  /// Codes that may end within the tile.
  void fillUp();

  BodyBuilder &e;
  lab::DequantizeOp op;
  Subgroup subgroup;
  CodeVectors codes;
  FormatVectors codeFormat, scaleFormat;
  StridedStore destination;
  int64_t rows, columns, group;
};

void Dequantizer::groupOf(Value r, Value groupIndex, Value start, int64_t n) {
  Scale s = scale(r, groupIndex);
  int64_t whole = n / stepSize() * stepSize();
  e.forLoop(0, whole, stepSize(), [&](Value i) {
    Value column = e.add(start, i);
    e.prefetch(op.getQ(), r, column);
    step(r, column, s);
  });
  int64_t at = whole, lanes = e.lanes(e.b.getF32Type());
  for (int64_t count : pieces(n - whole, lanes, codes.granule())) {
    Value column = e.add(start, at);
    destination.store(piece(r, column, count, s), r, column);
    at += count;
  }
}

bool Dequantizer::hasBatches() {
  int64_t size = stepSize(), lanes = e.lanes(e.b.getF32Type());
  return !destination.isTransposed() && op.getGroup() > 0 &&
         (size % group == 0 || group % size == 0) &&
         lanes * group % size == 0 && columns / group >= lanes;
}

int64_t Dequantizer::batches(Value r) {
  int64_t lanes = e.lanes(e.b.getF32Type());
  int64_t done = columns / group / lanes * lanes;
  // From memory a processor broadcasts as it multiplies.
  Value scaleOf = e.localBuffer(lanes, e.b.getF32Type()), zeroOf;
  if (op.getZero())
    zeroOf = e.localBuffer(lanes, e.b.getF32Type());
  e.forLoop(0, done, lanes, [&](Value firstGroup) {
    Scale all = scales(r, firstGroup, lanes);
    e.store(all.scale, scaleOf, e.index(0));
    if (zeroOf)
      e.store(all.zero, zeroOf, e.index(0));
    Value start = e.mul(firstGroup, group);
    e.forLoop(0, lanes * group, stepSize(), [&](Value i) {
      Value own = e.make<arith::DivUIOp>(i, e.index(group));
      auto each = [&](Value buffer) {
        SmallVector<Value> parts;
        int64_t width = std::min(group, stepSize());
        for (int64_t g = 0; g * width < stepSize(); ++g)
          parts.push_back(e.broadcast(e.load(buffer, 1, e.add(own, g)), width));
        return e.concat(parts);
      };
      Value column = e.add(start, i);
      e.prefetch(op.getQ(), r, column);
      step(r, column, {each(scaleOf), zeroOf ? each(zeroOf) : Value()});
    });
  });
  return done;
}

void Dequantizer::elementwise() {
  e.forLoop(0, rows, 1, [&](Value r) {
    e.forLoop(0, columns, 1, [&](Value column) {
      Value g = e.make<arith::DivUIOp>(column, e.index(group));
      Value code = e.broadcast(codes.loadOne(r, column), 1);
      destination.store(decode(code, scale(r, g)), r, column);
    });
  });
}

void Dequantizer::share() {
  int64_t width = e.lanes(elementType(op.getY()));
  e.forLoop(0, rows, 1, [&](Value r) {
    auto oneGroup = [&](Value g, Value start, int64_t n) {
      Scale s = scale(r, g);
      subgroup.deal(n, width, [&](Value at, int64_t count) {
        Value column = e.add(start, at);
        int64_t done = 0;
        for (int64_t part : pieces(count, width, codes.granule())) {
          Value own = e.add(column, done);
          destination.store(piece(r, own, part, s), r, own);
          done += part;
        }
      });
    };
    e.forLoop(0, columns / group, 1,
              [&](Value g) { oneGroup(g, e.mul(g, group), group); });
    if (int64_t rest = columns % group)
      oneGroup(e.index(columns / group), e.index(columns - rest), rest);
  });
}

void Dequantizer::fillUp() {
  int64_t bits = lab::codeBits(op.getCodeType());
  Value bytes = e.make<memref::DimOp>(op.getQ(), 1);
  Value codesOfRow = e.make<arith::DivUIOp>(e.mul(bytes, 8), e.index(bits));
  // Pieces of one group each.
  int64_t lanes = std::min<int64_t>(e.lanes(e.b.getF32Type()), columns);
  if (group < columns)
    lanes = std::gcd(lanes, group);
  bool sharesBytes = lanes % codes.granule();
  PaddedLoad padded(e, e.make<memref::DimOp>(op.getQ(), 0), codesOfRow,
                    elementType(op.getY()), sharesBytes ? 1 : codes.granule());
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t at = 0; at < columns; at += lanes) {
      Value row = e.index(r);
      Value v = padded.load(
          row, at, std::min(lanes, columns - at), [&](int64_t from, int64_t n) {
            Value column = e.index(from);
            Value code = sharesBytes ? codes.loadUnaligned(row, column, n)
                                     : codes.load(row, column, n);
            return decode(code, scale(row, e.index(from / group)));
          });
      destination.store(v, row, e.index(at));
    }
}

void Dequantizer::run() {
  if (op.getPad())
    return fillUp();
  if (subgroup.size() > 1)
    return share();
  int64_t lanes = e.lanes(e.b.getF32Type());
  if (codes.sharesBytes(group) && group < columns)
    return elementwise();
  // Blocks of a transposed destination that lie within one group.
  if (destination.isTransposed() && (group % lanes == 0 || group >= columns)) {
    destination.fill(
        lanes,
        [&](Value r, Value column, int64_t n) {
          Value g = e.make<arith::DivUIOp>(column, e.index(group));
          return piece(r, column, n, scale(r, g));
        },
        codes.granule());
    return;
  }
  e.forLoop(0, rows, 1, [&](Value r) {
    int64_t done = hasBatches() ? batches(r) : 0;
    e.forLoop(done, columns / group, 1,
              [&](Value g) { groupOf(r, g, e.mul(g, group), group); });
    if (int64_t rest = columns % group)
      groupOf(r, e.index(columns / group), e.index(columns - rest), rest);
  });
}

} // namespace

static LogicalResult lowerDequantize(lab::DequantizeOp op,
                                     int64_t vectorBytes) {
  if (failed(op.getPad() ? checkUnrolledElements(op, op.getY())
                         : requireStatic(op)))
    return failure();
  BodyBuilder e(op, vectorBytes);
  Dequantizer(e, op).run();
  op->erase();
  return success();
}

namespace {
struct DequantizeBody
    : lab::LabBody::ExternalModel<DequantizeBody, lab::DequantizeOp> {
  LogicalResult lower(Operation *op, int64_t vectorBytes) const {
    return lowerDequantize(cast<lab::DequantizeOp>(op), vectorBytes);
  }
  bool dealsToThreads(Operation *) const { return true; }
};
} // namespace

void labgen::registerDequantizeBody(DialectRegistry &registry) {
  registerBody<lab::DequantizeOp, DequantizeBody>(registry);
}
