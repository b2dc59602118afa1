// StoredRoofs.cpp - the file between runs: its name, its reading and writing.
#include "lib/Host/CpuInfo.h"
#include "lib/Support/AtomicFile.h"
#include "lib/Support/ReadFile.h"
#include "lib/Support/Sha256.h"
#include "runtime/measure/RoofFile.h"

#include <cstdlib>
#include <filesystem>

using namespace labgen;

namespace {

/// What must be the same for stored roofs to hold.
std::string machineKey() {
  constexpr const char *tableVersion = "2";
  const CpuInfo &cpu = hostCpu();
  std::string key = tableVersion;
  for (const std::string &part :
       {cpu.model, cpu.signature, cpu.vectorIsa(), std::to_string(cpu.l1Bytes),
        std::to_string(cpu.l2Bytes), std::to_string(cpu.llcBytes),
        std::to_string(cpu.cores.size())})
    key += "|" + part;
  return key;
}

std::string cacheFolder() {
  const char *cache = std::getenv("XDG_CACHE_HOME");
  // The XDG rules want a relative path ignored.
  if (cache && *cache == '/')
    return std::string(cache) + "/labgen";
  const char *home = std::getenv("HOME");
  return home && *home ? std::string(home) + "/.cache/labgen" : "";
}

} // namespace

std::string labgen::roofFilePath() {
  std::string folder = cacheFolder();
  return folder.empty() ? ""
                        : folder + "/roofs-" +
                              sha256(machineKey()).substr(0, 16) + ".json";
}

std::optional<MachineRoofs> labgen::storedRoofs() {
  std::string path = roofFilePath();
  std::error_code none;
  if (!std::filesystem::exists(path, none))
    return std::nullopt;
  Result<std::string> text = readFile(path);
  if (!text)
    return std::nullopt;
  Result<Json> json = Json::parse(*text);
  if (!json)
    return std::nullopt;
  Result<MachineRoofs> roofs = MachineRoofs::fromJson(*json);
  if (!roofs || roofs->conditions["machine"] != machineKey())
    return std::nullopt;
  return *roofs;
}

bool labgen::makeRoofFolder() {
  std::string path = roofFilePath();
  if (path.empty())
    return false;
  std::error_code failed;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(),
                                      failed);
  return !failed;
}

Status labgen::storeRoofs(const MachineRoofs &roofs) {
  std::string path = roofFilePath();
  if (path.empty())
    return Status::badInput(
        "nowhere to keep the roofs; set XDG_CACHE_HOME or HOME");
  if (!makeRoofFolder())
    return Status::badInput("cannot make the folder of '" + path +
                            "'; set XDG_CACHE_HOME to a writable one");
  MachineRoofs stamped = roofs;
  stamped.conditions["machine"] = machineKey();
  return writeFile(path, stamped.toJson().dump(2) + "\n");
}
