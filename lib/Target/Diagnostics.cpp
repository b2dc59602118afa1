// Diagnostics.cpp - see Diagnostics.h.
#include "lib/Target/Diagnostics.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

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
          text = at.getFilename().str() + ":" + std::to_string(at.getLine()) +
                 ":" + std::to_string(at.getColumn()) + ": ";
        text += diagnostic.str();
        std::replace(text.begin(), text.end(), '\n', ' ');
        return success();
      }) {}

Status FirstError::status() const {
  std::string what = text.empty() ? "the compiler gave no reason" : text;
  if (what.find("; ") == std::string::npos)
    what += "; correct it and try again";
  return Status::badInput(what);
}
