// Specs.cpp - see Specs.h.
#include "dialects/Lab/Rules/Specs.h"

using namespace mlir;
using namespace labgen::lab;

int64_t labgen::lab::sizeOf(Value memref, unsigned dimension) {
  int64_t size = dim(memref, dimension);
  return ShapedType::isDynamic(size) ? 1 : size;
}

std::optional<labgen::Format> labgen::lab::elementFormat(Value memref) {
  return formatOf(element(memref));
}

LogicalResult
labgen::lab::checkSpec(Operation *op,
                       const FailureOr<labgen::KernelSpec> &spec) {
  if (failed(spec))
    return success();
  if (labgen::Status status = labgen::validate(*spec); !status)
    return op->emitOpError() << status.message();
  return success();
}
