// Ptxas.cpp - see Ptxas.h.
#include "lib/Target/NVVM/Ptxas.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

#include <cstdlib>

#ifndef LABGEN_PTXAS_HINT
#error "the build says where it found ptxas, if it did"
#endif

using namespace labgen;

Result<std::string> labgen::findPtxas() {
  if (auto found = llvm::sys::findProgramByName("ptxas"))
    return *found;
  std::string toolkit = "/usr/local/cuda";
  if (const char *home = std::getenv("CUDA_HOME"))
    toolkit = home;
  for (const std::string &path :
       {toolkit + "/bin/ptxas", std::string(LABGEN_PTXAS_HINT)})
    if (llvm::sys::fs::can_execute(path))
      return path;
  return Status::missing("ptxas not found, which makes cubins; install the "
                         "CUDA toolkit or pip install nvidia-cuda-nvcc, or "
                         "leave --emit cubin out and take PTX");
}

Status labgen::assemblePtx(const std::string &ptx, const std::string &chip,
                           const std::string &cubin) {
  Result<std::string> ptxas = findPtxas();
  if (!ptxas)
    return ptxas.status();
  std::string log = cubin + ".log", arch = "-arch=" + chip;
  std::optional<llvm::StringRef> redirects[] = {std::nullopt, log, log};
  llvm::StringRef arguments[] = {*ptxas, arch, "-O3", ptx, "-o", cubin};
  int rc =
      llvm::sys::ExecuteAndWait(*ptxas, arguments, std::nullopt, redirects);
  std::string said;
  if (auto buffer = llvm::MemoryBuffer::getFile(log))
    said = (*buffer)->getBuffer().split('\n').first.str();
  llvm::sys::fs::remove(log);
  if (rc == 0)
    return Status::ok();
  llvm::sys::fs::remove(cubin);
  return Status::badInput("ptxas refused the kernel (" + said +
                          "); report it with the spec");
}
