// PaddedLoad.cpp - see PaddedLoad.h.
#include "lib/Transforms/Bodies/PaddedLoad.h"

using namespace mlir;
using namespace labgen;

Value PaddedLoad::inside(Value r, int64_t at, int64_t n) {
  auto below = [&](Value index, Value size) {
    return e.make<arith::CmpIOp>(arith::CmpIPredicate::slt, index, size);
  };
  return e.make<arith::AndIOp>(below(r, rows),
                               below(e.index(at + n - 1), columns));
}

Value PaddedLoad::load(Value r, int64_t at, int64_t n,
                       function_ref<Value(int64_t, int64_t)> source) {
  VectorType type = e.vec(n, element);
  auto choice = e.create<scf::IfOp>(TypeRange{type}, inside(r, at, n),
                                    /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(e.b);
  e.b.setInsertionPointToStart(choice.thenBlock());
  e.create<scf::YieldOp>(source(at, n));
  e.b.setInsertionPointToStart(choice.elseBlock());
  Value edge = e.zeros(type);
  if (n > granule) {
    SmallVector<Value> elements;
    for (int64_t i = 0; i < n; i += granule) {
      Value part = load(r, at + i, granule, source);
      for (int64_t j = 0; j < granule; ++j)
        elements.push_back(e.extract(part, j));
    }
    edge = e.make<vector::FromElementsOp>(type, elements);
  }
  e.create<scf::YieldOp>(edge);
  return choice.getResult(0);
}
