// FatalErrors.cpp - see FatalErrors.h. LLVM's handlers are of the process, so
// what they need is, too.
#include "lib/Driver/FatalErrors.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"

using namespace labgen;

static std::function<void(const Status &)> reportFatal;
static Given fatalGiven = Given::Spec;
static std::string fatalPlace; ///< "FILE: ", or empty

// "Cannot select: 0x5581: ch = NVPTXISD::CALL 0x5590, ..." and, on a line of
// its own, "In function: f": a node of a graph that nobody sees.
static std::string describe(llvm::StringRef reason) {
  auto [first, rest] = reason.trim().split('\n');
  llvm::StringRef node = first;
  if (!node.consume_front("Cannot select: 0x"))
    return first.str();
  node = node.split(" = ").second.take_until(
      [](char c) { return c == ' ' || c == ',' || c == '<'; });
  llvm::StringRef function = rest.split("In function: ").second;
  std::string what = "the chip has no instruction for " + node.str() + " (in " +
                     function.split('\n').first.str() + ")";
  return fatalGiven == Given::File ? what + "; write it in another form" : what;
}

static void handleFatalError(void *, const char *reason, bool) {
  std::string what = describe(reason);
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
