// Program.cpp - loading a module and running launches of it on workers.
#include "lib/Emulator/Emulator.h"

#include "lib/Emulator/Compile/Admit.h"
#include "lib/Emulator/Compile/Retarget.h"
#include "lib/Emulator/Jit/Jit.h"
#include "lib/Emulator/Launch/Launcher.h"
#include "lib/LlvmIr/ReadIr.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace labgen::emu {

Argument Argument::pointer(unsigned buffer, int64_t offset) {
  Argument argument;
  argument.buffer = buffer;
  argument.offset = offset;
  return argument;
}

struct Program::Impl {
  explicit Impl(Jit jit) : jit(std::move(jit)) {}
  Jit jit;
  Retargeted target;
  std::vector<GlobalVariableRange> variables;
  std::vector<LoadedKernel> kernels;
  std::unique_ptr<Launcher> launcher;
};

Program::Program(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Program::Program(Program &&) noexcept = default;
Program &Program::operator=(Program &&) noexcept = default;
Program::~Program() = default;

Result<Program> Program::load(MemoryBufferRef ir, unsigned warpSize) {
  auto context = std::make_unique<LLVMContext>();
  Result<std::unique_ptr<Module>> module = readIr(ir, *context);
  if (!module)
    return module.status();
  return load(std::move(*module), std::move(context), warpSize);
}

Result<Program> Program::load(std::unique_ptr<Module> givenModule,
                              std::unique_ptr<LLVMContext> givenContext,
                              unsigned warpSize) {
  // In this order, so that the module goes first.
  std::unique_ptr<LLVMContext> context = std::move(givenContext);
  std::unique_ptr<Module> module = std::move(givenModule);
  if (!fibersSupported())
    return Status::missing("the emulated device needs an x86-64 host; run "
                           "there, or on a GPU");
  if (warpSize != 0 && warpSize != 32 && warpSize != 64)
    return Status::badInput("warp size " + std::to_string(warpSize) +
                            "; it is 32 or 64");
  std::string broken;
  raw_string_ostream stream(broken);
  if (verifyModule(*module, &stream))
    return Status::badInput("the device code is broken IR: " +
                            StringRef(broken).split('\n').first.str() +
                            "; mend the IR");
  const Triple &triple = module->getTargetTriple();
  if (!triple.isNVPTX() && !triple.isAMDGCN())
    return Status::badInput("the emulated device runs nvptx64 and amdgcn and "
                            "the code is for '" +
                            triple.str() + "'; compile it for a GPU");

  if (Status status = admit(*module); !status)
    return status;

  Result<Jit> jit = Jit::create();
  if (!jit)
    return jit.status();
  auto impl = std::make_unique<Impl>(std::move(*jit));
  Result<Retargeted> target =
      retarget(*module, impl->jit.triple(), impl->jit.layout(), warpSize);
  if (!target)
    return target.status();
  impl->target = std::move(*target);
  // What a model makes of types it did not expect.
  if (verifyModule(*module, &stream))
    return Status::badInput("the emulated device has no model of: " +
                            StringRef(broken).split('\n').first.str() +
                            "; use another form");
  if (Status status = impl->jit.add(std::move(module), std::move(context),
                                    "labgen_emu_entry.");
      !status)
    return status;

  for (const Kernel &kernel : impl->target.kernels) {
    Result<void *> address = impl->jit.lookup(kernel.symbol);
    if (!address)
      return address.status();
    impl->kernels.push_back(
        {&kernel, reinterpret_cast<void (*)(Thread *, void **)>(*address)});
  }
  FrameSizes frames = impl->jit.frames();
  impl->target.info.largestFrame = frames.largest;
  impl->target.info.stackBytes = frames.all + 2 * frames.largest;
  for (const StaticVariable &variable : impl->target.variables) {
    Result<void *> address = impl->jit.lookup(variable.symbol);
    if (!address)
      return address.status();
    impl->variables.push_back({variable.name, static_cast<char *>(*address),
                               variable.bytes, variable.constant});
  }
  impl->launcher =
      std::make_unique<Launcher>(impl->target.info, impl->variables);
  return Program(std::move(impl));
}

std::vector<std::string> Program::kernels() const {
  std::vector<std::string> names;
  for (const LoadedKernel &kernel : impl->kernels)
    names.push_back(kernel.kernel->name);
  return names;
}

unsigned Program::warpSize() const { return impl->target.info.warpSize; }

uint64_t Program::sharedBytes() const { return impl->target.info.sharedBytes; }

Result<Report> Program::run(const Launch &launch, ArrayRef<Argument> arguments,
                            Memory &memory, const Options &options) {
  for (const LoadedKernel &kernel : impl->kernels)
    if (kernel.kernel->name == launch.entry)
      return impl->launcher->run(kernel, launch, arguments, memory, options);
  std::string names;
  for (const std::string &name : kernels())
    names += (names.empty() ? "" : ", ") + name;
  return Status::badInput("no kernel '" + launch.entry +
                          "' in the device code; it has " + names);
}

} // namespace labgen::emu
