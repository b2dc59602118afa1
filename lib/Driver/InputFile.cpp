// InputFile.cpp - see InputFile.h.
#include "lib/Driver/InputFile.h"

#include "dialects/Lab/Lab.h"
#include "lib/Build/BuildLab.h"
#include "lib/Driver/Diagnostics.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace labgen;

static LogicalResult checkOp(func::FuncOp func, const KernelSpec &spec) {
  std::string want = "lab." + std::string(name(spec.op));
  bool anyLab = false, found = false;
  func.walk([&](lab::LabAccess op) {
    anyLab = true;
    found |= op->getName().getStringRef() == want;
  });
  if (!anyLab || found)
    return success();
  return func.emitError("has no ")
         << want
         << ", the op of the spec; give the spec the file was made from";
}

static LogicalResult checkArguments(func::FuncOp func, const KernelSpec &spec) {
  std::vector<Argument> want = arguments(spec);
  ArrayRef<Type> got = func.getArgumentTypes();
  auto error = [&] {
    return func.emitError("function '") << func.getName() << "' ";
  };
  for (auto [i, argument] : llvm::enumerate(want)) {
    MemRefType type = memrefType(argument, *func.getContext());
    if (i == got.size())
      return error() << "has " << got.size() << " arguments, and the spec's '"
                     << argument.name << "' of type " << type
                     << " is missing; give it all " << want.size();
    if (got[i] != type)
      return error() << "has argument " << i << " of type " << got[i]
                     << ", and the spec's '" << argument.name << "' has type "
                     << type
                     << "; give the spec the file was made from, or correct "
                        "the argument";
  }
  ArrayRef<Type> range = got.drop_front(want.size());
  auto isBound = [](Type t) { return t.isIndex() || t.isSignlessInteger(64); };
  if (range.empty() || (range.size() == 2 && llvm::all_of(range, isBound)))
    return success();
  InFlightDiagnostic more = error()
                            << "has " << got.size() << " arguments, the spec "
                            << want.size() << ", and behind those stand ";
  llvm::interleaveComma(range, more);
  return more << "; leave them out, or give the range of work units, two of "
                 "type index or i64";
}

Result<OwningOpRef<ModuleOp>> labgen::readMlirFile(const std::string &path,
                                                   const std::string &text,
                                                   const KernelSpec &spec,
                                                   MLIRContext &context) {
  FirstError error(context);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, path),
                             llvm::SMLoc());
  auto module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return error.status();
  SmallVector<func::FuncOp> entries;
  for (auto func : module->getOps<func::FuncOp>())
    if (!func.isPrivate() && !func.isExternal())
      entries.push_back(func);
  if (entries.size() > 1)
    return Status::badInput(
        path + ": has " + std::to_string(entries.size()) +
        " public functions; leave one public and make the others private");
  for (func::FuncOp entry : entries)
    if (failed(checkOp(entry, spec)) || failed(checkArguments(entry, spec)))
      return error.status();
  return module;
}
