// Target.cpp - tables of target names and the checks that read them.
#include "tools/labgen/Target.h"

#include "lib/Spec/Text.h"
#include "lib/Target/CPU/CpuTarget.h"
#include "tools/cli/Drivers.h"

namespace labgen {

const std::vector<GpuTarget> &gpuTargets() {
  static const std::vector<GpuTarget> targets = {
      {"nvvm:sm_80", "A100 80 SXM"},    {"nvvm:sm_89", "L40S"},
      {"nvvm:sm_90a", "H100 SXM"},      {"nvvm:sm_100a", "B200"},
      {"nvvm:sm_120a", "RTX 5090"},     {"rocdl:gfx90a", "MI250X (one GCD)"},
      {"rocdl:gfx942", "MI300X"},       {"rocdl:gfx950", "MI355X"},
      {"rocdl:gfx1100", "RX 7900 XTX"}, {"rocdl:gfx1201", "RX 9070 XT"}};
  return targets;
}

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
  for (const GpuTarget &gpu : gpuTargets()) {
    if (gpu.target == target)
      return Status::badInput("target " + target +
                              " is not built into this labgen yet; use a cpu "
                              "target such as cpu:native");
    names.push_back(gpu.target);
  }
  return Status::badInput("unknown target " + quoted(target) +
                          "; did you mean " + quoted(nearest(target, names)) +
                          "?");
}

/// "cuda:0" for "cuda:" with a number behind it.
static bool isNumbered(const std::string &device, std::string_view prefix) {
  return device.rfind(prefix, 0) == 0 &&
         parseDecimal(std::string_view(device).substr(prefix.size()));
}

Result<std::string> checkDevice(const std::string &device,
                                const std::string &target) {
  if (device.empty() || device == "cpu")
    return std::string("cpu");
  if (device == "emu")
    return Status::badInput("device emu runs GPU targets and " + target +
                            " is none; leave --device out");
  for (const Driver &driver : {cudaDriver(), hipDriver()}) {
    if (!isNumbered(device, driver.prefix))
      continue;
    if (!driver.found)
      return Status::missing("no " + driver.title +
                             " driver on this machine; run it on cpu");
    return Status::missing("device " + device +
                           " is not built into this labgen yet; run it on cpu");
  }
  return Status::badInput(
      "unknown device " + quoted(device) + "; did you mean " +
      quoted(nearest(device, {"cpu", "cuda:0", "hip:0", "emu"})) + "?");
}

} // namespace labgen
