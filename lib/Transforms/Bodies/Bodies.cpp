// Bodies.cpp - see Bodies.h.
#include "lib/Transforms/Bodies/Bodies.h"

void labgen::registerBodies(mlir::DialectRegistry &registry) {
  registerAxpyBody(registry);
  registerCastBody(registry);
  registerCopyBody(registry);
  registerDequantizeBody(registry);
  registerEncodeBody(registry);
  registerExpBody(registry);
  registerGemmBody(registry);
  registerQuantizeBody(registry);
  registerReduceBody(registry);
}
