// Manifest.h - what the compile side tells the run side.
//
// A folder of artifacts has one manifest.json; it holds all that is needed to
// run, check and time the kernels without a compiler. This class both writes
// and reads it; docs/schema/manifest.schema.json describes it for others.
#ifndef LABGEN_SPEC_MANIFEST_H
#define LABGEN_SPEC_MANIFEST_H

#include "lib/Spec/Cost.h"
#include "lib/Spec/KernelSpec.h"
#include "lib/Support/Json.h"

#include <map>
#include <string>
#include <vector>

namespace labgen {

/// One entry point of an artifact. On the CPU it is called over 0..units.
struct Launch {
  std::string entry;
  std::vector<int64_t> grid = {1, 1, 1};
  std::vector<int64_t> block = {1, 1, 1};
  int64_t sharedBytes = 0;
  int64_t units = 1;
};

struct ManifestArgument : Argument {
  int64_t byteSize = 0;
  int64_t alignment = 64;
};

struct ManifestKernel {
  KernelSpec spec;
  std::string target; ///< as asked: "cpu:native"
  std::string cpu;    ///< cpu targets: the CPU it was compiled for
  /// CPU: features the code uses ("avx512f"). GPU: "simt" or "valu", then its
  /// matrix instructions where it has some ("mma").
  std::vector<std::string> isa;
  std::string artifact; ///< file, relative to the folder
  std::string sha256;   ///< of that file
  /// GPU targets: the LLVM IR the artifact is made of, which the emulated
  /// device runs; a file like the artifact.
  std::string deviceIr, deviceIrSha256;
  std::vector<ManifestArgument> arguments; ///< ABI order, workspaces last
  std::vector<Launch> launches;            ///< run in order
  std::string schedule;                    ///< the schedule attribute's text
  /// Why there is no artifact (an unsupported combination, a compiler crash);
  /// empty when there is one.
  std::string failure;
};

struct Manifest {
  std::map<std::string, std::string> versions; ///< labgen, git, llvm
  std::string matrix; ///< canonical text of what was asked, to resume by
  std::vector<ManifestKernel> kernels;

  Json toJson() const;
  static Result<Manifest> fromJson(const Json &json);
  /// Reads folder/manifest.json.
  static Result<Manifest> read(const std::string &folder);
  /// Writes folder/manifest.json under a temporary name and renames it.
  Status write(const std::string &folder) const;
};

} // namespace labgen

#endif // LABGEN_SPEC_MANIFEST_H
