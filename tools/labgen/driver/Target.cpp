// Target.cpp - tables of target names and the checks that read them.
#include "tools/labgen/driver/Target.h"

#include "lib/Support/Text.h"
#include "lib/Target/CPU/CpuTarget.h"
#include "lib/Target/Chips/Chips.h"
#include "tools/cli/Drivers.h"

namespace labgen {

const std::vector<std::string_view> &cpuTargets() {
  static const std::vector<std::string_view> targets = {
      "cpu:native",         "cpu:x86-64-v3",     "cpu:x86-64-v4",
      "cpu:haswell",        "cpu:broadwell",     "cpu:skylake",
      "cpu:skylake-avx512", "cpu:cascadelake",   "cpu:cooperlake",
      "cpu:icelake-server", "cpu:alderlake",     "cpu:sapphirerapids",
      "cpu:emeraldrapids",  "cpu:graniterapids", "cpu:znver1",
      "cpu:znver2",         "cpu:znver3",        "cpu:znver4",
      "cpu:znver5"};
  return targets;
}

Result<std::string> checkTarget(const std::string &target) {
  std::string canonical = target == "cpu" ? "cpu:native" : target;
  if (canonical.rfind("cpu:", 0) == 0) {
    Result<CpuTarget> known = resolveCpu(canonical.substr(4));
    if (!known)
      return known.status();
    return canonical;
  }
  std::vector<std::string_view> names = cpuTargets();
  std::vector<std::string> gpus;
  for (const ChipInfo &chip : gpuChips()) {
    if (chip.target() == target)
      return target;
    gpus.push_back(chip.target());
  }
  names.insert(names.end(), gpus.begin(), gpus.end());
  return Status::badInput("unknown target " + quoted(target) +
                          "; did you mean " + quoted(nearest(target, names)) +
                          "?");
}

/// "cuda:0" for "cuda:" with a number behind it.
static bool isNumbered(const std::string &device, std::string_view prefix) {
  return device.rfind(prefix, 0) == 0 &&
         parseDecimal(std::string_view(device).substr(prefix.size()));
}

std::string defaultDevice(const std::string &target) {
  if (target.rfind("nvvm:", 0) == 0)
    return "cuda:0";
  return target.rfind("rocdl:", 0) == 0 ? "hip:0" : "cpu";
}

static Status missingDriver(const Driver &driver, const std::string &target) {
  if (!driver.found)
    return Status::missing("no " + driver.title + " driver (" + driver.library +
                           ") on this machine; install " + driver.package +
                           ", or run " + target + " with --device emu");
  return Status::missing("this labgen cannot run kernels through " +
                         driver.library + " yet; run " + target +
                         " with --device emu");
}

Result<std::string> checkDevice(const std::string &asked,
                                const std::string &target) {
  std::string own = defaultDevice(target);
  bool isCpu = own == "cpu";
  const std::string &device = asked.empty() ? own : asked;
  if (device == "cpu") {
    if (isCpu)
      return device;
    return Status::badInput("device cpu does not run " + target +
                            "; use --device " + own + " or --device emu");
  }
  if (device == "emu") {
    if (!isCpu)
      return device;
    return Status::badInput("device emu runs GPU targets and " + target +
                            " is none; leave --device out");
  }
  for (const Driver &driver : {cudaDriver(), hipDriver()}) {
    if (!isNumbered(device, driver.prefix))
      continue;
    if (!isCpu && own.rfind(driver.prefix, 0) != 0)
      return Status::badInput("device " + device + " does not run " + target +
                              "; use --device " + own + " or --device emu");
    return missingDriver(driver, isCpu ? "a GPU target" : target);
  }
  return Status::badInput(
      "unknown device " + quoted(device) + "; did you mean " +
      quoted(nearest(device, {"cpu", "cuda:0", "hip:0", "emu"})) + "?");
}

} // namespace labgen
