// Bodies.h - the body of each lab op on a static tile, as its LabBody. Each
// file here registers the model of its op.
#ifndef LABGEN_LIB_TRANSFORMS_BODIES_BODIES_H
#define LABGEN_LIB_TRANSFORMS_BODIES_BODIES_H

#include "dialects/Lab/Lab.h"

namespace labgen {

/// Gives OpT its body once the dialect is loaded.
template <typename OpT, typename Model>
void registerBody(mlir::DialectRegistry &registry) {
  registry.addExtension(+[](mlir::MLIRContext *context, lab::LabDialect *) {
    OpT::template attachInterface<Model>(*context);
  });
}

void registerAxpyBody(mlir::DialectRegistry &registry);
void registerCastBody(mlir::DialectRegistry &registry);
void registerCopyBody(mlir::DialectRegistry &registry);
void registerDequantizeBody(mlir::DialectRegistry &registry);
void registerEncodeBody(mlir::DialectRegistry &registry);
void registerExpBody(mlir::DialectRegistry &registry);
void registerGemmBody(mlir::DialectRegistry &registry);
void registerQuantizeBody(mlir::DialectRegistry &registry);
void registerReduceBody(mlir::DialectRegistry &registry);
void registerSoftmaxBody(mlir::DialectRegistry &registry);

/// All of them.
inline void registerBodies(mlir::DialectRegistry &registry) {
  registerAxpyBody(registry);
  registerCastBody(registry);
  registerCopyBody(registry);
  registerDequantizeBody(registry);
  registerEncodeBody(registry);
  registerExpBody(registry);
  registerGemmBody(registry);
  registerQuantizeBody(registry);
  registerReduceBody(registry);
  registerSoftmaxBody(registry);
}

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_BODIES_BODIES_H
