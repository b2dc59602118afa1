// RoofFile.cpp - loads and stores the probe's table.
#include "runtime/measure/RoofFile.h"
#include "lib/Spec/AtomicFile.h"
#include "lib/Spec/Sha256.h"
#include "runtime/cpu/CpuInfo.h"
#include "runtime/measure/Peaks.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <sys/file.h>
#include <unistd.h>

using namespace labgen;

namespace {

/// What must be the same for stored roofs to hold.
std::string machineKey() {
  constexpr const char *tableVersion = "1";
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

/// Holds the lock beside `path` while it lives; without one, goes on unlocked.
class FileLock {
public:
  explicit FileLock(const std::string &path)
      : file(open((path + ".lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC,
                  0644)) {
    if (file >= 0)
      while (flock(file, LOCK_EX) != 0 && errno == EINTR) {
      }
  }
  ~FileLock() {
    if (file >= 0)
      close(file);
  }
  FileLock(const FileLock &) = delete;
  FileLock &operator=(const FileLock &) = delete;

private:
  int file;
};

std::optional<MachineRoofs> load(const std::string &path) {
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

/// Makes the folder `path` lies in; false when it cannot (or has none).
bool makeFolder(const std::string &path) {
  if (path.empty())
    return false;
  std::error_code failed;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(),
                                      failed);
  return !failed;
}

} // namespace

std::string labgen::roofFilePath() {
  std::string folder = cacheFolder();
  return folder.empty() ? ""
                        : folder + "/roofs-" +
                              sha256(machineKey()).substr(0, 16) + ".json";
}

Status labgen::storeRoofs(const MachineRoofs &roofs) {
  std::string path = roofFilePath();
  if (path.empty())
    return Status::badInput(
        "nowhere to keep the roofs; set XDG_CACHE_HOME or HOME");
  if (!makeFolder(path))
    return Status::badInput("cannot make the folder of '" + path +
                            "'; set XDG_CACHE_HOME to a writable one");
  MachineRoofs stamped = roofs;
  stamped.conditions["machine"] = machineKey();
  return writeFile(path, stamped.toJson().dump(2) + "\n");
}

Result<MachineRoofs> labgen::loadOrProbe(const ProbeProgress &progress) {
  static std::map<std::string, MachineRoofs> known;
  std::string path = roofFilePath();
  auto remember = [&](MachineRoofs roofs) {
    return known.insert_or_assign(path, std::move(roofs)).first->second;
  };
  if (auto found = known.find(path); found != known.end())
    return found->second;
  if (std::optional<MachineRoofs> stored = load(path))
    return remember(std::move(*stored));

  std::optional<FileLock> lock;
  if (makeFolder(path)) {
    lock.emplace(path);
    // Another process may have finished its probe while we waited.
    if (std::optional<MachineRoofs> stored = load(path))
      return remember(std::move(*stored));
  }
  Result<MachineRoofs> probed = probeMachine(progress);
  if (!probed)
    return probed;
  // Where nothing can be stored the next process measures again, that is all.
  (void)bool(storeRoofs(*probed));
  return remember(std::move(*probed));
}

MachineRoofs labgen::reachable(MachineRoofs roofs,
                               const std::vector<std::string> &features) {
  auto beyond = [&](const Peak &peak) {
    for (const PeakLoop &loop : peakLoops())
      if (loop.format == peak.format && loop.isa == peak.isa)
        return !hasAll(features, loop.needs);
    return true;
  };
  roofs.peaks.erase(
      std::remove_if(roofs.peaks.begin(), roofs.peaks.end(), beyond),
      roofs.peaks.end());
  return roofs;
}
