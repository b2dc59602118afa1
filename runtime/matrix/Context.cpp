// Context.cpp - asks the system.
#include "runtime/matrix/Context.h"

#include "lib/Host/CpuInfo.h"
#include "lib/Support/Version.h"

#include <ctime>
#include <fstream>
#include <unistd.h>

namespace labgen {

static std::string utcNow() {
  std::time_t now = std::time(nullptr);
  std::tm parts;
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

/// "performance", "powersave", ...; null where the system does not say.
static Json frequencyGovernor() {
  std::ifstream file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  std::string word;
  return file >> word ? Json(word) : Json();
}

ReportContext hostContext(const Manifest &manifest) {
  const CpuInfo &cpu = hostCpu();
  Json::Object caches = {{"l1_bytes", cpu.l1Bytes},
                         {"l2_bytes", cpu.l2Bytes},
                         {"llc_bytes", cpu.llcBytes}};
  Json::Object versions = {{"labgen", fullVersion()}};
  for (const auto &[name, version] : manifest.versions)
    versions.push_back(
        {name == "llvm" ? name : "compiled_by_" + name, version});
  return {{"date", utcNow()},
          {"cpu", cpu.model},
          {"isa", cpu.vectorIsa()},
          {"cores", int64_t(cpu.cores.size())},
          {"caches", std::move(caches)},
          {"page_bytes", int64_t(sysconf(_SC_PAGESIZE))},
          {"frequency_governor", frequencyGovernor()},
          {"matrix", manifest.matrix},
          {"versions", std::move(versions)}};
}

} // namespace labgen
