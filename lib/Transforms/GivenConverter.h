// GivenConverter.h - checks the converter that a given schedule names: another
// target's instructions do not exist, or read another format.
#ifndef LABGEN_LIB_TRANSFORMS_GIVENCONVERTER_H
#define LABGEN_LIB_TRANSFORMS_GIVENCONVERTER_H

#include "dialects/Lab/Lab.h"

namespace labgen {

/// An error at `op` where the leaf's `convert` is none of `legal`, which are
/// those of the target `name`; "" stands for none.
llvm::LogicalResult checkConverter(mlir::Operation *op,
                                   lab::ScheduleAttr schedule,
                                   llvm::StringRef name,
                                   llvm::ArrayRef<std::string> legal);

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_GIVENCONVERTER_H
