// ReadIr.cpp - see ReadIr.h.
//
// LLVM's parsers end by upgrading debug information, which verifies the module
// and ends the process where it is broken. It is left alone, and the verifier
// asked here.
#include "lib/LlvmIr/ReadIr.h"

#include "llvm/AsmParser/AsmParserContext.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;
using namespace labgen;

static constexpr StringLiteral advice = "; correct the LLVM IR";

/// LLVM has no function for it: an option of its tools, of the whole process.
static void keepDebugInfoAsItIs() {
  auto &options = cl::getRegisteredOptions();
  if (cl::Option *option = options.lookup("disable-auto-upgrade-debug-info"))
    static_cast<cl::opt<bool> *>(option)->setValue(true);
}

static std::string position(StringRef name, unsigned line, unsigned column) {
  return (name + ":" + Twine(line) + ":" + Twine(column) + ": ").str();
}

/// The instruction of `function` that is printed as `line`.
static const Instruction *findPrinted(const Function &function,
                                      StringRef line) {
  for (const BasicBlock &block : function)
    for (const Instruction &instruction : block) {
      std::string text;
      raw_string_ostream(text) << instruction;
      if (StringRef(text).trim() == line.trim())
        return &instruction;
    }
  return nullptr;
}

/// Where the verifier's finding about `function` is; its first line names the
/// fault, the others are printed values.
static std::string placeOf(StringRef finding, const Function &function,
                           const AsmParserContext &places, StringRef name) {
  auto [what, values] = finding.split('\n');
  SmallVector<StringRef> lines;
  values.split(lines, '\n', -1, /*KeepEmpty=*/false);
  // Of two that do not dominate each other the user is the last.
  if (what.contains("dominate"))
    std::reverse(lines.begin(), lines.end());
  for (StringRef line : lines)
    if (const Instruction *at = findPrinted(function, line))
      if (auto range = places.getInstructionLocation(at))
        return position(name, range->Start.Line + 1, range->Start.Col + 1);
  if (auto range = places.getFunctionLocation(&function))
    return position(name, range->Start.Line + 1, range->Start.Col + 1);
  return (name + ": ").str();
}

static Status verify(const Module &module, const AsmParserContext &places,
                     StringRef name) {
  std::string finding;
  raw_string_ostream out(finding);
  for (const Function &function : module)
    if (verifyFunction(function, &out)) {
      StringRef what = StringRef(finding).split('\n').first;
      return Status::badInput(placeOf(finding, function, places, name) +
                              what.str() + " (function '" +
                              function.getName().str() + "')" + advice.str());
    }
  if (verifyModule(module, &out))
    return Status::badInput(
        (name + ": " + StringRef(finding).split('\n').first + advice).str());
  return Status::ok();
}

Result<std::unique_ptr<Module>> labgen::readIr(MemoryBufferRef buffer,
                                               LLVMContext &context) {
  keepDebugInfoAsItIs();
  StringRef name = buffer.getBufferIdentifier();
  SMDiagnostic error;
  AsmParserContext places;
  std::unique_ptr<Module> module = parseIR(buffer, error, context, {}, &places);
  if (!module) {
    std::string where =
        error.getLineNo() > 0
            ? position(name, error.getLineNo(), error.getColumnNo() + 1)
            : (name + ": ").str();
    return Status::badInput(where + error.getMessage().str() + advice.str());
  }
  if (Status broken = verify(*module, places, name); !broken)
    return broken;
  return module;
}
