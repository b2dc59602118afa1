// Diagnostics.cpp - see Diagnostics.h.
#include "lib/Driver/Diagnostics.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "mlir/Pass/Pass.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"

#include <algorithm>

using namespace mlir;
using namespace labgen;

FirstError::FirstError(MLIRContext &context)
    : handler(&context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error ||
            !text.empty())
          return success();
        if (auto at =
                diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
          place = at.getFilename().str() + ":" + std::to_string(at.getLine()) +
                  ":" + std::to_string(at.getColumn()) + ": ";
        text = diagnostic.str();
        for (std::string *line : {&place, &text})
          std::replace(line->begin(), line->end(), '\n', ' ');
        return success();
      }) {}

Status FirstError::status() const {
  std::string what = text.empty() ? "the parser gave no reason" : text;
  if (what.find("; ") == std::string::npos)
    what += "; correct it and try again";
  return Status::badInput(place + what);
}

Status FirstError::status(const std::string &step, Given given) const {
  return Status::badInput(place + blame(text, step, given).message());
}

void FailedPass::runAfterPassFailed(Pass *pass, Operation *) {
  if (name.empty())
    name = ("pass " + pass->getArgument()).str();
}

namespace {

struct FirstCodeError : llvm::DiagnosticHandler {
  explicit FirstCodeError(std::string &text) : text(text) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() != llvm::DS_Error || !text.empty())
      return true;
    llvm::raw_string_ostream out(text);
    llvm::DiagnosticPrinterRawOStream printer(out);
    info.print(printer);
    std::replace(text.begin(), text.end(), '\n', ' ');
    return true;
  }
  std::string &text;
};

} // namespace

void labgen::keepFirstError(llvm::LLVMContext &context, std::string &text) {
  context.setDiagnosticHandler(std::make_unique<FirstCodeError>(text));
}
