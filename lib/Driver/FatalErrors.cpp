// FatalErrors.cpp - see FatalErrors.h. LLVM's handlers are of the process, so
// what they need is, too.
#include "lib/Driver/FatalErrors.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"

using namespace labgen;

static std::function<void(const Status &)> reportFatal;
static Given fatalGiven = Given::Spec;
static std::string fatalPlace; ///< "FILE: ", or empty

static void handleFatalError(void *, const char *reason, bool) {
  std::string what = llvm::StringRef(reason).trim().split('\n').first.str();
  Status why = blame(what, "code generation by LLVM", fatalGiven);
  reportFatal(Status::badInput(fatalPlace + why.message()));
}

void labgen::onFatalError(std::function<void(const Status &)> report) {
  reportFatal = std::move(report);
  llvm::install_fatal_error_handler(handleFatalError);
}

FatalErrorsBlame::FatalErrorsBlame(Given given, const std::string &file)
    : givenBefore(fatalGiven), placeBefore(fatalPlace) {
  fatalGiven = given;
  if (!file.empty())
    fatalPlace = file + ": ";
}

FatalErrorsBlame::~FatalErrorsBlame() {
  fatalGiven = givenBefore;
  fatalPlace = placeBefore;
}
