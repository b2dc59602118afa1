// Registration.h - the only list of labgen's dialects, passes and pipelines.
#ifndef LABGEN_LIB_REGISTRATION_REGISTRATION_H
#define LABGEN_LIB_REGISTRATION_REGISTRATION_H

namespace mlir {
class DialectRegistry;
}

namespace labgen {

/// Adds the lab dialect with the bodies of its ops, and every upstream dialect,
/// extension and LLVM translation.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Registers labgen's passes and pipelines (`--lab-...`, `--labgen-...`).
void registerAllPasses();

} // namespace labgen

#endif // LABGEN_LIB_REGISTRATION_REGISTRATION_H
