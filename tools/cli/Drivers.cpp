// Drivers.cpp - asks the loader.
#include "tools/cli/Drivers.h"

#include <dlfcn.h>

namespace labgen {

static Driver look(std::string title, std::string prefix, std::string library,
                   std::string package) {
  void *handle = dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (handle)
    dlclose(handle);
  return {std::move(title), std::move(prefix), std::move(library),
          std::move(package), handle != nullptr};
}

Driver cudaDriver() {
  return look("CUDA", "cuda:", "libcuda.so.1", "NVIDIA's driver");
}

Driver hipDriver() { return look("HIP", "hip:", "libamdhip64.so", "ROCm"); }

} // namespace labgen
