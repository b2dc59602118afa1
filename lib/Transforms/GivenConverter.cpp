// GivenConverter.cpp - see GivenConverter.h.
#include "lib/Transforms/GivenConverter.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace labgen;

LogicalResult labgen::checkConverter(Operation *op, lab::ScheduleAttr schedule,
                                     StringRef name,
                                     ArrayRef<std::string> legal) {
  auto given = schedule.getLeaf().getAs<StringAttr>("convert");
  if (!given || llvm::is_contained(legal, given.getValue()))
    return success();
  InFlightDiagnostic error = op->emitOpError("schedule converts by ")
                             << given << ", which " << name
                             << " does not have; legal: ";
  llvm::interleaveComma(legal, error, [&](const std::string &word) {
    error << '"' << word << '"';
  });
  return error;
}
