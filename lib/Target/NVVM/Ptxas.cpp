// Ptxas.cpp - see Ptxas.h.
#include "lib/Target/NVVM/Ptxas.h"

#include "lib/Target/Codegen/Tool.h"
#include "llvm/Support/FileSystem.h"
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
  Result<MemoryFile> input = MemoryFile::make(ptx);
  if (!input)
    return input.status();
  Result<ToolAnswer> answer =
      runTool({*ptxas, "-arch=" + chip, "-O3", input->path(), "-o", cubin});
  if (!answer)
    return answer.status();
  if (answer->failure.empty())
    return Status::ok();
  llvm::sys::fs::remove(cubin);
  if (answer->crashed)
    return Status::badInput("the compiler's ptxas crashed (" + answer->failure +
                            "); run it again");
  return Status::badInput("ptxas refused the kernel (" + answer->said +
                          "); report it with the spec");
}
