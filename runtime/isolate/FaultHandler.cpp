// FaultHandler.cpp - a signal handler that only compares addresses.
#include "runtime/isolate/FaultHandler.h"

#include <csignal>
#include <ucontext.h>

namespace labgen {
namespace {

Fault *watched = nullptr;
Tensors *tensors = nullptr;

bool wasWrite(void *context) {
#ifdef __x86_64__
  constexpr greg_t writeBit = 2; // of the page fault's error code
  auto *state = static_cast<ucontext_t *>(context);
  return state->uc_mcontext.gregs[REG_ERR] & writeBit;
#else
  (void)context;
  return true;
#endif
}

void onFault(int number, siginfo_t *info, void *context) {
  for (size_t i = 0; !watched->happened && i < tensors->size(); ++i) {
    const Tensor &tensor = (*tensors)[i];
    if (!tensor.surrounds(info->si_addr))
      continue;
    watched->argument = int32_t(i);
    watched->offset = static_cast<std::byte *>(info->si_addr) - tensor.data();
    watched->isWrite = wasWrite(context);
    watched->happened = 1;
  }
  signal(number, SIG_DFL); // happens again, for good
}

} // namespace

void watchFaults(Fault &fault, Tensors memory) {
  watched = &fault;
  tensors = new Tensors(std::move(memory)); // as long as the process
  struct sigaction action = {};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
  sigaction(SIGBUS, &action, nullptr);
}

static std::string byteCount(int64_t count) {
  return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

std::string describeFault(const Fault &fault, const ManifestKernel &kernel) {
  if (!fault.happened || fault.argument < 0 ||
      size_t(fault.argument) >= kernel.arguments.size())
    return "";
  const ManifestArgument &argument = kernel.arguments[size_t(fault.argument)];
  std::string text = fault.isWrite ? "it wrote " : "it read ";
  int64_t offset = fault.offset, last = argument.byteSize - 1;
  if (offset < 0)
    return text + byteCount(-offset) + " before the first one of " +
           argument.name;
  if (offset > last)
    return text + byteCount(offset - last) + " behind the last one of " +
           argument.name;
  return text + "byte " + std::to_string(offset) + " of the " +
         std::string(name(argument.role)) + " " + argument.name;
}

} // namespace labgen
