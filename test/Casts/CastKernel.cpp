// CastKernel.cpp - see CastKernel.h.
#include "test/Casts/CastKernel.h"

#include "lib/Driver/Compile.h"
#include "runtime/core/Artifact.h"

#include "gtest/gtest.h"

#include <dlfcn.h>
#include <filesystem>

using namespace labgen;

std::unique_ptr<CastKernel> CastKernel::make(const std::string &spec,
                                             const std::string &target) {
  Result<KernelSpec> parsed = KernelSpec::parse(spec);
  if (!parsed) {
    ADD_FAILURE() << spec << ": " << parsed.status().message();
    return nullptr;
  }
  std::unique_ptr<CastKernel> made(new CastKernel);
  std::string pattern =
      (std::filesystem::temp_directory_path() / "labgen-cast-XXXXXX").string();
  if (!mkdtemp(pattern.data())) {
    ADD_FAILURE() << "no temporary folder like " << pattern;
    return nullptr;
  }
  made->folder = pattern;
  CompileOptions options;
  options.target = target;
  Result<ManifestKernel> kernel =
      compileToArtifact(*parsed, options, made->folder);
  if (!kernel) {
    ADD_FAILURE() << spec << ": " << kernel.status().message();
    return nullptr;
  }
  made->kernel = *kernel;
  return made->open() ? std::move(made) : nullptr;
}

bool CastKernel::open() {
  Result<std::string> path = verifiedArtifact(kernel, folder);
  if (!path) {
    ADD_FAILURE() << path.status().message();
    return false;
  }
  library = dlopen(path->c_str(), RTLD_NOW | RTLD_LOCAL);
  bool single = kernel.launches.size() == 1 && kernel.arguments.size() == 2;
  if (library && single)
    entry = reinterpret_cast<Entry>(
        dlsym(library, kernel.launches[0].entry.c_str()));
  if (!entry) {
    ADD_FAILURE() << kernel.spec.str() << " is not one entry of x and y";
    return false;
  }
  Result<Tensor> x = Tensor::allocate(kernel.arguments[0]);
  Result<Tensor> y = Tensor::allocate(kernel.arguments[1]);
  if (!x || !y) {
    ADD_FAILURE() << "no memory for " << kernel.spec.str();
    return false;
  }
  input = *x;
  output = *y;
  return true;
}

CastKernel::~CastKernel() {
  if (library)
    dlclose(library);
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
}

bool CastKernel::run() {
  void *arguments[] = {input->data(), output->data()};
  entry(arguments, 0, kernel.launches[0].units);
  EXPECT_TRUE(output->brokenGuard().empty()) << spec().str();
  int64_t used = spec().n * info(spec().out).storageBits % 8;
  bool clean =
      used == 0 || output->as<uint8_t>()[output->byteSize() - 1] >> used == 0;
  EXPECT_TRUE(clean) << spec().str() << ": pad bits are not zero";
  return clean && output->brokenGuard().empty();
}
