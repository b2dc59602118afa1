// RoofFile.cpp - a probe where nothing is stored yet.
#include "runtime/measure/RoofFile.h"
#include "runtime/measure/Peaks.h"

#include <algorithm>
#include <fcntl.h>
#include <map>
#include <sys/file.h>
#include <unistd.h>

using namespace labgen;

namespace {

/// Holds the lock beside `path` while it lives; without one, goes on unlocked.
class FileLock {
public:
  explicit FileLock(const std::string &path)
      : file(open((path + ".lock").c_str(),
                  O_CREAT | O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
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

} // namespace

Result<MachineRoofs> labgen::loadOrProbe(const ProbeProgress &progress) {
  static std::map<std::string, MachineRoofs> known;
  std::string path = roofFilePath();
  auto remember = [&](MachineRoofs roofs) {
    return known.insert_or_assign(path, std::move(roofs)).first->second;
  };
  if (auto found = known.find(path); found != known.end())
    return found->second;
  if (std::optional<MachineRoofs> stored = storedRoofs())
    return remember(std::move(*stored));

  std::optional<FileLock> lock;
  if (makeRoofFolder()) {
    lock.emplace(path);
    // Another process may have finished its probe while we waited.
    if (std::optional<MachineRoofs> stored = storedRoofs())
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
