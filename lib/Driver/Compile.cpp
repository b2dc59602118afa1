// Compile.cpp - see Compile.h.
#include "lib/Driver/Compile.h"

#include "lib/Build/BuildLab.h"
#include "lib/Driver/Backend.h"
#include "lib/Driver/Diagnostics.h"
#include "lib/Driver/FatalErrors.h"
#include "lib/Driver/InputFile.h"
#include "lib/Driver/Leftovers.h"
#include "lib/LlvmIr/ReadIr.h"
#include "lib/Registration/Registration.h"
#include "lib/Support/ReadFile.h"
#include "lib/Support/Sha256.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace labgen;

std::string labgen::llvmVersion() { return LLVM_VERSION_STRING; }

/// One context for the process, without threads: children are forked.
static MLIRContext &sharedContext() {
  static MLIRContext *context = [] {
    DialectRegistry registry;
    registerAllDialects(registry);
    auto *made = new MLIRContext(registry, MLIRContext::Threading::DISABLED);
    made->loadDialect<lab::LabDialect, func::FuncDialect>();
    return made;
  }();
  return *context;
}

void labgen::prepareCompiler() {
  sharedContext();
  (void)Backend::resolve("cpu:native");
}

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out);
  out << "\n";
  return text;
}

/// Puts the user's schedule on the lab op of a module.
static Status setSchedule(ModuleOp module, const std::string &text) {
  if (text.empty())
    return Status::ok();
  // A row shows the whole attribute; its inside is enough.
  bool whole = StringRef(text).trim().starts_with("#lab.schedule");
  FirstError error(*module.getContext());
  Attribute schedule = parseAttribute(
      whole ? text : "#lab.schedule<" + text + ">", module.getContext());
  if (!schedule)
    return Status::badInput("schedule: " + error.status().message());
  module.walk(
      [&](lab::LabAccess op) { op->setAttr(lab::scheduleAttrName, schedule); });
  return Status::ok();
}

/// The lab module of a spec, with the schedule the user asks for.
static Result<OwningOpRef<ModuleOp>>
buildScheduledLab(const KernelSpec &spec, const CompileOptions &options) {
  auto module = buildLab(spec, sharedContext());
  if (!module)
    return module;
  if (Status s = setSchedule(**module, options.schedule); !s)
    return s;
  return module;
}

static Given givenBy(const CompileOptions &options) {
  return options.schedule.empty() ? Given::Spec : Given::Schedule;
}

static Status runPipeline(ModuleOp module, const Backend &backend,
                          StringRef stop, Given given) {
  PassManager pm(module.getContext());
  if (Status s = backend.addPasses(pm, stop); !s)
    return s;
  std::string failedPass;
  pm.addInstrumentation(std::make_unique<FailedPass>(failedPass));
  FirstError error(*module.getContext());
  FatalErrorsBlame fatal(given);
  if (failed(pm.run(module)))
    return error.status(failedPass, given);
  return Status::ok();
}

/// Lets instructions of device IR keep the line of the file that they stem
/// from, for findings of the emulated device and for profilers.
static Status keepLines(ModuleOp module) {
  PassManager pm(module.getContext());
  LLVM::DIScopeForLLVMFuncOpPassOptions options;
  options.emissionKind = LLVM::DIEmissionKind::DebugDirectivesOnly;
  pm.addPass(LLVM::createDIScopeForLLVMFuncOpPass(options));
  FirstError error(*module.getContext());
  if (failed(pm.run(module)))
    return error.status("debug locations", Given::File);
  return Status::ok();
}

static Result<std::unique_ptr<llvm::Module>>
translate(ModuleOp module, const Backend &backend, llvm::LLVMContext &context,
          Given given) {
  FirstError error(*module.getContext());
  Operation *code = backend.kernelModuleOf(module);
  std::unique_ptr<llvm::Module> translated;
  if (succeeded(checkLowered(code)))
    translated = translateModuleToLLVMIR(code, context);
  if (!translated)
    return error.status("translation to LLVM IR", given);
  return translated;
}

Result<std::string> labgen::generateLabModule(const KernelSpec &spec) {
  auto module = buildLab(spec, sharedContext());
  if (!module)
    return module.status();
  return print(**module);
}

/// The IR of `module` at `stop`.
static Result<std::string> textAt(ModuleOp module, const Backend &backend,
                                  Stage stop, Given given) {
  Stage last = std::min(stop, Stage::Target);
  if (Status s = runPipeline(module, backend, name(last), given); !s)
    return s;
  if (stop <= Stage::Target)
    return print(module);
  llvm::LLVMContext context;
  auto translated = translate(module, backend, context, given);
  if (!translated)
    return translated.status();
  std::string text;
  llvm::raw_string_ostream out(text);
  (*translated)->print(out, nullptr);
  return text;
}

Result<std::string> labgen::compileToText(const KernelSpec &spec,
                                          const CompileOptions &options,
                                          Stage stop) {
  auto backend = Backend::resolve(options.target, options.form);
  if (!backend)
    return backend.status();
  auto module = buildScheduledLab(spec, options);
  if (!module)
    return module.status();
  return textAt(**module, **backend, stop, givenBy(options));
}

/// What the manifest says before any code is made.
static ManifestKernel startKernel(const KernelSpec &spec,
                                  const Backend &backend,
                                  const CompileOptions &options) {
  ManifestKernel kernel;
  kernel.spec = spec;
  kernel.target = options.target;
  // A file name that is short, legal and tells specs apart.
  backend.start(kernel, std::string(name(spec.op)) + "-" +
                            sha256(spec.str() + "@" + options.target + "@" +
                                   options.schedule)
                                .substr(0, 16));
  for (const Argument &argument : arguments(spec)) {
    ManifestArgument full;
    static_cast<Argument &>(full) = argument;
    full.byteSize = argument.bytes();
    kernel.arguments.push_back(std::move(full));
  }
  return kernel;
}

/// The schedule of the op that moves most of the lab's data, as text.
static std::string chosenSchedule(ModuleOp module) {
  std::string text;
  int64_t most = -1;
  module.walk([&](lab::LabAccess op) {
    Attribute schedule = op->getAttr(lab::scheduleAttrName);
    int64_t bytes = 0;
    for (MemRefType memref : lab::memrefTypes(op)) {
      if (memref.hasStaticShape())
        bytes += memref.getNumElements() * memref.getElementTypeBitWidth() / 8;
    }
    if (!schedule || bytes < most)
      return;
    most = bytes;
    text.clear();
    llvm::raw_string_ostream(text) << schedule;
  });
  return text;
}

static Status emit(llvm::Module &module, const Backend &backend, bool optimized,
                   const std::string &folder, ManifestKernel &kernel,
                   Given given) {
  std::string reported;
  keepFirstError(module.getContext(), reported);
  FatalErrorsBlame fatal(given);
  if (Status s = backend.emit(module, optimized, folder, kernel); !s)
    return s;
  if (!reported.empty())
    return blame(reported, "code generation by LLVM", given);
  auto sumOf = [&](const std::string &file, std::string &sum) {
    if (file.empty())
      return Status::ok();
    auto bytes = readFile(folder + "/" + file);
    if (bytes)
      sum = sha256(*bytes);
    return bytes.status();
  };
  if (Status s = sumOf(kernel.deviceIr, kernel.deviceIrSha256); !s)
    return s;
  return sumOf(kernel.artifact, kernel.sha256);
}

static Result<ManifestKernel>
compileModule(ModuleOp module, const KernelSpec &spec, const Backend &backend,
              const CompileOptions &options, const std::string &folder,
              Given given) {
  ManifestKernel kernel = startKernel(spec, backend, options);
  if (Status s = runPipeline(module, backend, "scheduled", given); !s)
    return s;
  kernel.schedule = chosenSchedule(module);
  if (Status s = runPipeline(module, backend, "target", given); !s)
    return s;
  if (given == Given::File && !kernel.deviceIr.empty())
    if (Status s = keepLines(module); !s)
      return s;
  llvm::LLVMContext context;
  auto translated = translate(module, backend, context, given);
  if (!translated)
    return translated.status();
  if (Status s =
          emit(**translated, backend, options.optimized, folder, kernel, given);
      !s)
    return s;
  return kernel;
}

Result<ManifestKernel> labgen::compileToArtifact(const KernelSpec &spec,
                                                 const CompileOptions &options,
                                                 const std::string &folder) {
  auto backend = Backend::resolve(options.target, options.form);
  if (!backend)
    return backend.status();
  auto module = buildScheduledLab(spec, options);
  if (!module)
    return module.status();
  return compileModule(**module, spec, **backend, options, folder,
                       givenBy(options));
}

/// An error that begins with the file it is about.
static Status inFile(const std::string &path, const Status &why) {
  if (StringRef(why.message()).starts_with(path))
    return why;
  return Status::badInput(path + ": " + why.message());
}

static Result<ManifestKernel>
compileLlFile(const std::string &path, const std::string &text,
              const KernelSpec &spec, const Backend &backend,
              const CompileOptions &options, const std::string &folder) {
  llvm::LLVMContext context;
  FatalErrorsBlame fatal(Given::File, path);
  auto module = readIr(llvm::MemoryBufferRef(text, path), context);
  if (!module)
    return module.status();
  if (Status s = checkLaunchShape(**module, options.launch); !s)
    return inFile(path, s);
  ManifestKernel kernel = startKernel(spec, backend, options);
  if (Status s = emit(**module, backend, options.optimized, folder, kernel,
                      Given::File);
      !s)
    return inFile(path, s);
  setLaunchShape(options.launch, kernel);
  return kernel;
}

/// The module of a .mlir file, with the schedule the user asks for.
static Result<OwningOpRef<ModuleOp>>
readScheduledModule(const std::string &path, const std::string &text,
                    const KernelSpec &spec, const CompileOptions &options) {
  auto module = readMlirFile(path, text, spec, sharedContext());
  if (!module)
    return module;
  if (Status s = setSchedule(**module, options.schedule); !s)
    return s;
  return module;
}

Result<std::string> labgen::compileFileToText(const std::string &path,
                                              const KernelSpec &spec,
                                              const CompileOptions &options,
                                              Stage stop) {
  auto backend = Backend::resolve(options.target, options.form);
  if (!backend)
    return backend.status();
  auto text = readFile(path);
  if (!text)
    return text.status();
  auto module = readScheduledModule(path, *text, spec, options);
  if (!module)
    return module.status();
  FatalErrorsBlame fatal(Given::File, path);
  auto made = textAt(**module, **backend, stop, Given::File);
  if (!made)
    return inFile(path, made.status());
  return made;
}

Result<ManifestKernel>
labgen::compileFileToArtifact(const std::string &path, const KernelSpec &spec,
                              const CompileOptions &options,
                              const std::string &folder) {
  auto backend = Backend::resolve(options.target, options.form);
  if (!backend)
    return backend.status();
  auto text = readFile(path);
  if (!text)
    return text.status();
  if (StringRef(path).ends_with(".ll"))
    return compileLlFile(path, *text, spec, **backend, options, folder);
  auto module = readScheduledModule(path, *text, spec, options);
  if (!module)
    return module.status();
  auto kernel =
      compileModule(**module, spec, **backend, options, folder, Given::File);
  if (!kernel)
    return inFile(path, kernel.status());
  return kernel;
}
