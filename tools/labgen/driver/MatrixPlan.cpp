// MatrixPlan.cpp - expands a set, and keeps two matrices out of one folder.
#include "tools/labgen/driver/MatrixPlan.h"

#include "lib/Driver/Compile.h"
#include "lib/Support/Printable.h"
#include "lib/Support/Sha256.h"
#include "lib/Support/Text.h"
#include "lib/Support/Version.h"
#include "lib/Target/Chips/Chips.h"
#include "runtime/matrix/Matrix.h"
#include "runtime/matrix/Sets.h"
#include "tools/cli/Finish.h"
#include "tools/labgen/driver/Folder.h"
#include "tools/labgen/driver/Target.h"

#include <algorithm>
#include <filesystem>

namespace labgen {

namespace {

std::string checksum(const std::vector<KernelSpec> &cells) {
  std::string text;
  for (const KernelSpec &cell : cells)
    text += cell.str() + "\n";
  return sha256(text).substr(0, 16);
}

/// A word as a shell wants it.
std::string shellWord(const std::string &word) {
  const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                      "0123456789_-./:=,+@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos)
    return word;
  // What a terminal must not get stands escaped in $'...'.
  bool isPlain = printable(word) == word;
  std::string out;
  for (char c : word)
    if (c == '\'')
      out += isPlain ? "'\\''" : "\\'";
    else
      out += std::string(!isPlain && c == '\\' ? 1 : 0, '\\') + c;
  return isPlain ? "'" + out + "'" : "$'" + printable(out) + "'";
}

/// A compiler that was killed may do it the next time.
void dropCrashes(Manifest &manifest) {
  std::vector<ManifestKernel> &kernels = manifest.kernels;
  kernels.erase(std::remove_if(kernels.begin(), kernels.end(),
                               [](const ManifestKernel &kernel) {
                                 return isCompilerCrash(kernel.failure);
                               }),
                kernels.end());
}

} // namespace

Result<MatrixPlan> planMatrix(const Arguments &arguments) {
  MatrixPlan plan;
  const std::string &set = arguments.positional[0];
  Result<std::vector<KernelSpec>> specs = specsOf(set);
  if (!specs)
    return specs.status();
  plan.command = "labgen matrix " + shellWord(set);

  std::string target = arguments.value("--target").value_or("cpu:native");
  bool all = target == "all";
  Result<std::string> known = checkTarget(all ? "cpu:native" : target);
  if (!known)
    return known.status();
  plan.targets = {*known};
  if (all)
    for (const ChipInfo &chip : gpuChips())
      plan.targets.push_back(chip.target());
  if (arguments.has("--target"))
    plan.command += " --target " + shellWord(target);

  std::string filter = arguments.value("--filter").value_or("*");
  for (const KernelSpec &spec : *specs)
    if (matchesGlob(filter, spec.str()))
      plan.cells.push_back(spec);
  if (plan.cells.empty())
    return Status::badInput(
        "--filter " + labgen::quoted(filter) + " matches none of " +
        std::to_string(specs->size()) + " specs; see labgen list " + set);
  if (filter != "*")
    plan.command += " --filter " + shellWord(filter);
  plan.time = !arguments.has("--no-time");
  if (!plan.time)
    plan.command += " --no-time";

  if (std::optional<std::string> device = arguments.value("--device")) {
    if (*device != "emu")
      return Status::badInput("labgen matrix runs cpu targets on the cpu and, "
                              "with --device emu, GPU targets on the emulated "
                              "device; give that or leave --device out");
    plan.otherDevice = *device;
    plan.command += " --device emu";
  }

  std::optional<std::string> folder = arguments.value("-o");
  if (!folder || folder->empty())
    return Status::badInput("labgen matrix needs a folder; give -o DIR");
  plan.folder = *folder;
  plan.command += " -o " + shellWord(*folder);
  if (Status status = checkFolderTarget(plan.folder); !status)
    return status;

  // A file is told by what is in it: it may move.
  bool isSet = specsOfSet(set).has_value();
  plan.identity = (isSet ? set : "file") + " target=" + (all ? "all" : *known) +
                  " filter=" + filter + (plan.time ? "" : " no-time") +
                  (plan.otherDevice.empty() ? "" : " device=emu") +
                  " cells=" + std::to_string(plan.cells.size()) + ":" +
                  checksum(plan.cells);
  return plan;
}

Result<Manifest> openMatrixFolder(const MatrixPlan &plan) {
  std::error_code error;
  std::string file = plan.folder + "/manifest.json";
  if (std::filesystem::exists(file, error)) {
    Result<Manifest> manifest = Manifest::read(plan.folder);
    if (manifest && manifest->matrix.empty())
      return Status::badInput(plan.folder +
                              " holds kernels that are no matrix; choose "
                              "another -o");
    if (manifest && manifest->matrix != plan.identity)
      return Status::badInput(plan.folder + " holds another matrix (" +
                              manifest->matrix + "); choose another -o");
    if (manifest)
      dropCrashes(*manifest);
    return manifest;
  }
  if (std::filesystem::exists(plan.folder + "/rows.jsonl", error))
    return Status::badInput(plan.folder + " holds rows without a manifest; "
                                          "choose another -o");
  if (Status status = makeFolder(plan.folder + "/artifacts"); !status)
    return status;
  Manifest manifest;
  manifest.versions = {{"labgen", labgenVersion()},
                       {"git", gitRevision()},
                       {"llvm", llvmVersion()}};
  manifest.matrix = plan.identity;
  if (Status status = manifest.write(plan.folder); !status)
    return status;
  return manifest;
}

} // namespace labgen
