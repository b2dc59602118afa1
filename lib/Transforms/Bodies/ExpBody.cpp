// ExpBody.cpp - exp on a static run of elements.
#include "lib/Transforms/Bodies/Bodies.h"
#include "lib/Transforms/Bodies/ElementVectors.h"
#include "lib/Transforms/Numerics/Exp.h"
#include "lib/Transforms/Numerics/FormatVectors.h"

using namespace mlir;
using namespace labgen;

namespace {

struct ExpBody : lab::LabBody::ExternalModel<ExpBody, lab::ExpOp> {
  LogicalResult lower(Operation *op, int64_t vectorBytes) const {
    if (failed(requireStatic(op)))
      return failure();
    auto exp = cast<lab::ExpOp>(op);
    BodyBuilder e(op, vectorBytes);
    Format in = *lab::formatOf(exp.getInType()),
           out = *lab::formatOf(exp.getOutType());
    FormatVectors source(e, in), result(e, out);
    CastRules rules = CastRules::defaultsOf(out);
    forAllElements(e, lab::elementCount(exp), exp.getX(), in, exp.getY(), out,
                   /*unroll=*/true, [&](Value raw, Value) {
                     return result.fromFloat(expFloat(e, source.toFloat(raw)),
                                             rules);
                   });
    op->erase();
    return success();
  }
};

} // namespace

void labgen::registerExpBody(DialectRegistry &registry) {
  registerBody<lab::ExpOp, ExpBody>(registry);
}
