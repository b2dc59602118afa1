// Jit.cpp - LLVM's default pipeline, with the thread's argument put in place of
// the hook that tells it, and ORC's LLJIT.
#include "lib/Emulator/Jit/Jit.h"

#include "lib/Emulator/Jit/Libcalls.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"

using namespace llvm;

namespace labgen::emu {

struct Jit::Told {
  std::string error; ///< the first
  FrameSizes frames;
};

namespace {
/// By default LLVM prints errors and ends the process.
template <typename Told> class Listener final : public DiagnosticHandler {
public:
  explicit Listener(std::shared_ptr<Told> told) : told(std::move(told)) {}
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (auto *frame = dyn_cast<DiagnosticInfoStackSize>(&info)) {
      told->frames.largest =
          std::max(told->frames.largest, frame->getResourceSize());
      told->frames.all += frame->getResourceSize();
    } else if (info.getSeverity() == DS_Error && told->error.empty()) {
      raw_string_ostream stream(told->error);
      DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
    }
    return true;
  }

private:
  std::shared_ptr<Told> told;
};
} // namespace

static Status failure(Error error) {
  return Status::missing("the emulated device can't compile for this host: " +
                         toString(std::move(error)) + "; report the kernel");
}

Result<Jit> Jit::create() {
  static bool initialized = [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialized;
  Expected<orc::JITTargetMachineBuilder> builder =
      orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return failure(builder.takeError());
  Expected<std::unique_ptr<TargetMachine>> machine =
      builder->createTargetMachine();
  if (!machine)
    return failure(machine.takeError());
  Expected<std::unique_ptr<orc::LLJIT>> jit =
      orc::LLJITBuilder()
          .setJITTargetMachineBuilder(*builder)
          .setLinkProcessSymbolsByDefault(false)
          .setPlatformSetUp(orc::setUpInactivePlatform)
          .create();
  if (!jit)
    return failure(jit.takeError());
  orc::SymbolMap symbols;
  for (auto [name, address] : runtimeSymbols())
    symbols[(*jit)->mangleAndIntern(name)] = {
        orc::ExecutorAddr::fromPtr(address), JITSymbolFlags::Exported};
  if (Error error = (*jit)->getMainJITDylib().define(
          orc::absoluteSymbols(std::move(symbols))))
    return failure(std::move(error));
  return Jit(std::move(*machine), std::move(*jit));
}

Jit::Jit(std::unique_ptr<TargetMachine> machine,
         std::unique_ptr<orc::LLJIT> jit)
    : machine(std::move(machine)), told(std::make_shared<Told>()),
      jit(std::move(jit)) {}

FrameSizes Jit::frames() const { return told->frames; }

static void useThreadArgument(Module &module, StringRef entryPrefix) {
  Function *hook = module.getFunction("labgen_emu_thread");
  if (!hook)
    return;
  for (User *user : make_early_inc_range(hook->users())) {
    auto *call = cast<CallInst>(user);
    Function *function = call->getFunction();
    if (!function->getName().starts_with(entryPrefix))
      continue;
    call->replaceAllUsesWith(function->getArg(0));
    call->eraseFromParent();
  }
}

Status Jit::add(std::unique_ptr<Module> module,
                std::unique_ptr<LLVMContext> context, StringRef entryPrefix) {
  context->setDiagnosticHandler(std::make_unique<Listener<Told>>(told));
  for (Function &function : *module)
    if (!function.isDeclaration()) {
      function.addFnAttr("warn-stack-size", "0"); // tells every size
      function.addFnAttr("target-cpu", machine->getTargetCPU());
      function.addFnAttr("target-features", machine->getTargetFeatureString());
    }
  PassBuilder builder(machine.get());
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  ModulePassManager inlineKernels;
  inlineKernels.addPass(AlwaysInlinerPass());
  inlineKernels.run(*module, modules);
  useThreadArgument(*module, entryPrefix);
  modules.clear();
  builder.buildPerModuleDefaultPipeline(OptimizationLevel::O1)
      .run(*module, modules);
  if (Error error = jit->addIRModule(
          orc::ThreadSafeModule(std::move(module), std::move(context))))
    return failure(std::move(error));
  return {};
}

Result<void *> Jit::lookup(StringRef symbol) {
  std::string missing;
  jit->getExecutionSession().setErrorReporter(
      [&](Error error) { missing += toString(std::move(error)); });
  Expected<orc::ExecutorAddr> address = jit->lookup(symbol);
  jit->getExecutionSession().setErrorReporter(
      [](Error error) { consumeError(std::move(error)); });
  if (address && told->error.empty())
    return address->toPtr<void *>();
  std::string text = address ? told->error : toString(address.takeError());
  if (!told->error.empty())
    missing = told->error;
  return Status::badInput(
      "the device code can't be linked for this host: " +
      StringRef(missing.empty() ? text : missing).split('\n').first.str() +
      "; use another form");
}

} // namespace labgen::emu
