// FatalErrors.h - errors of LLVM that end the process.
#ifndef LABGEN_LIB_DRIVER_FATALERRORS_H
#define LABGEN_LIB_DRIVER_FATALERRORS_H

#include "lib/Driver/Blame.h"

#include <functional>

namespace labgen {

/// `report` is called with an error of LLVM's before it ends the process. Once
/// per process.
void onFatalError(std::function<void(const Status &)> report);

/// Whom such an error is blamed on while it lives, and the file it is in.
class FatalErrorsBlame {
public:
  explicit FatalErrorsBlame(Given given, const std::string &file = "");
  ~FatalErrorsBlame();
  FatalErrorsBlame(const FatalErrorsBlame &) = delete;
  FatalErrorsBlame &operator=(const FatalErrorsBlame &) = delete;

private:
  Given givenBefore;
  std::string placeBefore;
};

} // namespace labgen

#endif // LABGEN_LIB_DRIVER_FATALERRORS_H
