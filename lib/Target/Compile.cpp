// Compile.cpp - see Compile.h.
#include "lib/Target/Compile.h"

#include "lib/Build/BuildLab.h"
#include "lib/Registration/Registration.h"
#include "lib/Spec/AtomicFile.h"
#include "lib/Spec/Sha256.h"
#include "lib/Target/Backend.h"
#include "lib/Target/Diagnostics.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace labgen;

std::string_view labgen::name(Stage stage) {
  static constexpr std::string_view names[] = {"lab",    "tiled", "vector",
                                               "target", "llvm",  "artifact"};
  return names[static_cast<int>(stage)];
}

std::optional<Stage> labgen::parseStage(std::string_view text) {
  for (int i = 0; i <= static_cast<int>(Stage::Artifact); ++i)
    if (name(static_cast<Stage>(i)) == text)
      return static_cast<Stage>(i);
  return std::nullopt;
}

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

static Status runPipeline(ModuleOp module, const Backend &backend,
                          StringRef stop) {
  PassManager pm(module.getContext());
  if (Status s = backend.addPasses(pm, stop); !s)
    return s;
  FirstError error(*module.getContext());
  if (failed(pm.run(module)))
    return error.status();
  return Status::ok();
}

static Result<std::unique_ptr<llvm::Module>>
translate(ModuleOp module, const Backend &backend, llvm::LLVMContext &context) {
  FirstError error(*module.getContext());
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(backend.codeOf(module), context);
  if (!translated)
    return error.status();
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
                                  Stage stop) {
  Stage last = std::min(stop, Stage::Target);
  if (Status s = runPipeline(module, backend,
                             StringRef(name(last).data(), name(last).size()));
      !s)
    return s;
  if (stop <= Stage::Target)
    return print(module);
  llvm::LLVMContext context;
  auto translated = translate(module, backend, context);
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
  return textAt(**module, **backend, stop);
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
                   const std::string &folder, ManifestKernel &kernel) {
  if (Status s = backend.emit(module, optimized, folder, kernel); !s)
    return s;
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
              const CompileOptions &options, const std::string &folder) {
  ManifestKernel kernel = startKernel(spec, backend, options);
  if (Status s = runPipeline(module, backend, "scheduled"); !s)
    return s;
  kernel.schedule = chosenSchedule(module);
  if (Status s = runPipeline(module, backend, "target"); !s)
    return s;
  llvm::LLVMContext context;
  auto translated = translate(module, backend, context);
  if (!translated)
    return translated.status();
  if (Status s = emit(**translated, backend, options.optimized, folder, kernel);
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
  return compileModule(**module, spec, **backend, options, folder);
}

/// A lab op in the file must be the one the spec names.
static Status checkOp(ModuleOp module, const KernelSpec &spec,
                      const std::string &path) {
  std::string want = "lab." + std::string(name(spec.op));
  Status status = Status::ok();
  for (auto func : module.getOps<func::FuncOp>()) {
    if (func.isPrivate() || func.isExternal())
      continue;
    bool anyLab = false, found = false;
    func.walk([&](lab::LabAccess op) {
      anyLab = true;
      found |= op->getName().getStringRef() == want;
    });
    if (anyLab && !found)
      status = Status::badInput(path + ": has no " + want +
                                ", the op of the spec; give the spec the file "
                                "was made from");
  }
  return status;
}

static Result<ManifestKernel>
compileLlFile(const std::string &path, const std::string &text,
              const KernelSpec &spec, const Backend &backend,
              const CompileOptions &options, const std::string &folder) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module =
      llvm::parseAssembly(llvm::MemoryBufferRef(text, path), error, context);
  if (!module)
    return Status::badInput(path + ":" + std::to_string(error.getLineNo()) +
                            ":" + std::to_string(error.getColumnNo() + 1) +
                            ": " + error.getMessage().str() +
                            "; correct the LLVM IR");
  std::string why;
  llvm::raw_string_ostream out(why);
  if (llvm::verifyModule(*module, &out))
    return Status::badInput(path + ": " +
                            StringRef(why).split('\n').first.str() +
                            "; correct the LLVM IR");
  ManifestKernel kernel = startKernel(spec, backend, options);
  if (Status s = emit(*module, backend, options.optimized, folder, kernel); !s)
    return Status::badInput(path + ": " + s.message());
  return kernel;
}

/// The module of a .mlir file, with the schedule the user asks for.
static Result<OwningOpRef<ModuleOp>> readModule(const std::string &path,
                                                const std::string &text,
                                                const KernelSpec &spec,
                                                const CompileOptions &options) {
  MLIRContext &context = sharedContext();
  FirstError error(context);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, path),
                             llvm::SMLoc());
  auto module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return error.status();
  if (Status s = checkOp(*module, spec, path); !s)
    return s;
  if (Status s = setSchedule(*module, options.schedule); !s)
    return s;
  return module;
}

/// An error that begins with the file it is about.
static Status inFile(const std::string &path, const Status &why) {
  if (StringRef(why.message()).starts_with(path))
    return why;
  return Status::badInput(path + ": " + why.message());
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
  auto module = readModule(path, *text, spec, options);
  if (!module)
    return module.status();
  auto made = textAt(**module, **backend, stop);
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
  auto module = readModule(path, *text, spec, options);
  if (!module)
    return module.status();
  auto kernel = compileModule(**module, spec, **backend, options, folder);
  if (!kernel)
    return inFile(path, kernel.status());
  return kernel;
}
