// Topology.cpp - caches and cores of this machine, as this process sees them.
//
// Containers, guests and affinity masks all shrink a machine; sizes and counts
// here are those of the part the process may use.
#include "lib/Host/CpuInfo.h"

#include <algorithm>
#include <cpuid.h>
#include <fstream>
#include <map>
#include <sched.h>
#include <set>
#include <sstream>

using namespace labgen;

namespace {

std::string readLine(const std::string &path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// "32K", "1024K", "32M" in bytes; 0 when it is no size.
int64_t parseSize(const std::string &text) {
  std::istringstream in(text);
  int64_t size = 0;
  char unit = 0;
  in >> size >> unit;
  return unit == 'K' ? size << 10 : unit == 'M' ? size << 20 : size;
}

/// CPUs the cgroup's quota pays for, rounded up; 0 when there is none.
int quotaCores() {
  auto limit = [](const std::string &quota, const std::string &period) {
    double q = std::atof(quota.c_str()), p = std::atof(period.c_str());
    return q > 0 && p > 0 ? int((q + p - 1) / p) : 0;
  };
  std::string group;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);)
    if (line.compare(0, 3, "0::") == 0)
      group = line.substr(3);
  for (const std::string &dir :
       {"/sys/fs/cgroup" + group + "/", std::string("/sys/fs/cgroup/")}) {
    std::istringstream max(readLine(dir + "cpu.max"));
    std::string quota, period;
    if (max >> quota >> period)
      if (int cores = limit(quota, period))
        return cores;
  }
  std::string v1 = "/sys/fs/cgroup/cpu/cpu.cfs_";
  return limit(readLine(v1 + "quota_us"), readLine(v1 + "period_us"));
}

/// Deterministic cache parameters: leaf 4 (Intel) or 0x8000001d (AMD).
detail::CacheSizes cpuidCaches() {
  detail::CacheSizes sizes;
  for (uint32_t leaf : {4u, 0x8000001du})
    for (uint32_t i = 0; i < 8; ++i) {
      uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
      if (!__get_cpuid_count(leaf, i, &eax, &ebx, &ecx, &edx) ||
          (eax & 31) == 0)
        break;
      constexpr uint32_t instructions = 2;
      if ((eax & 31) == instructions)
        continue;
      int64_t ways = (ebx >> 22) + 1, partitions = (ebx >> 12 & 1023) + 1,
              line = (ebx & 4095) + 1, sets = int64_t(ecx) + 1;
      int64_t size = ways * partitions * line * sets;
      uint32_t level = eax >> 5 & 7;
      (level == 1 ? sizes.l1 : level == 2 ? sizes.l2 : sizes.llc) = size;
    }
  return sizes;
}

} // namespace

detail::CacheSizes detail::cacheSizes(const std::vector<int> &cores) {
  struct Level {
    int64_t size = 0;
    std::set<std::string> instances;
  };
  std::map<int, Level> levels;
  for (int core : cores)
    for (int i = 0; i < 8; ++i) {
      std::string dir = "/sys/devices/system/cpu/cpu" + std::to_string(core) +
                        "/cache/index" + std::to_string(i) + "/";
      std::string level = readLine(dir + "level");
      if (level.empty())
        break;
      int64_t size = parseSize(readLine(dir + "size"));
      if (size <= 0 || readLine(dir + "type") == "Instruction")
        continue;
      Level &entry = levels[std::atoi(level.c_str())];
      entry.size = std::max(entry.size, size);
      entry.instances.insert(readLine(dir + "shared_cpu_list"));
    }

  CacheSizes sizes;
  if (levels.count(1) && levels.count(2)) {
    sizes.l1 = levels[1].size;
    sizes.l2 = levels[2].size;
    const Level &last = levels.rbegin()->second;
    sizes.llc = last.size * int64_t(last.instances.size());
  } else {
    sizes = cpuidCaches();
  }
  // A hypervisor may hide everything; then the smallest caches of any server
  // in use keep footprints apart, if not exactly.
  if (sizes.l1 <= 0)
    sizes.l1 = 32 << 10;
  if (sizes.l2 <= 0)
    sizes.l2 = 256 << 10;
  sizes.llc = std::max(sizes.llc, sizes.l2);
  return sizes;
}

std::vector<int> detail::usableCores() {
  std::vector<int> cores = threadCores();
  if (cores.empty())
    cores = {0};
  std::map<int, int> siblingRank;
  std::map<std::string, int> seen;
  for (int core : cores) {
    std::string siblings =
        readLine("/sys/devices/system/cpu/cpu" + std::to_string(core) +
                 "/topology/thread_siblings_list");
    siblingRank[core] = siblings.empty() ? 0 : seen[siblings]++;
  }
  std::sort(cores.begin(), cores.end(), [&](int a, int b) {
    return std::pair(siblingRank[a], a) < std::pair(siblingRank[b], b);
  });
  int quota = quotaCores();
  if (quota > 0 && size_t(quota) < cores.size())
    cores.resize(quota);
  return cores;
}

std::vector<int> labgen::threadCores() {
  for (int count = 1024; count <= 1 << 20; count *= 4) {
    cpu_set_t *set = CPU_ALLOC(count);
    size_t bytes = CPU_ALLOC_SIZE(count);
    std::vector<int> cores;
    bool read = sched_getaffinity(0, bytes, set) == 0;
    for (int i = 0; read && i < count; ++i)
      if (CPU_ISSET_S(i, bytes, set))
        cores.push_back(i);
    CPU_FREE(set);
    if (read)
      return cores;
  }
  return {};
}

bool labgen::setThreadCores(const std::vector<int> &cores) {
  if (cores.empty())
    return false;
  int count = *std::max_element(cores.begin(), cores.end()) + 1;
  cpu_set_t *set = CPU_ALLOC(count);
  size_t bytes = CPU_ALLOC_SIZE(count);
  CPU_ZERO_S(bytes, set);
  for (int core : cores)
    CPU_SET_S(core, bytes, set);
  bool moved = sched_setaffinity(0, bytes, set) == 0;
  CPU_FREE(set);
  return moved;
}
