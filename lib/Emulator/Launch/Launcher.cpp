// Launcher.cpp - blocks are dealt to workers; what two workers did to the same
// bytes is found afterwards.
//
// Workers keep their own shadows and never look at another's, which is what
// makes them fast. When two of them touched the same bytes in a way that may be
// a race, the launch is undone and run again on one worker, who sees the whole
// order: so findings don't depend on the number of workers.
#include "lib/Emulator/Launch/Launcher.h"

#include "lib/Emulator/Checks/Merge.h"
#include "lib/Emulator/HostThreads.h"
#include "lib/Emulator/Runtime/Scheduler.h"

#include <atomic>
#include <numeric>

namespace labgen::emu {

static std::string text(const Dim3 &size) {
  return std::to_string(size[0]) + "x" + std::to_string(size[1]) + "x" +
         std::to_string(size[2]);
}

Status Launcher::checkSizes(const Launch &launch,
                            const Options &options) const {
  uint64_t threads = 1, blocks = 1;
  for (unsigned i = 0; i < 3; ++i) {
    if (!launch.grid[i] || !launch.block[i])
      return Status::badInput("launch of " + text(launch.grid) + " blocks of " +
                              text(launch.block) +
                              " threads; no size may be 0");
    threads = std::min<uint64_t>(threads * launch.block[i], 1 << 20);
  }
  if (threads > 1024)
    return Status::badInput("block of " + text(launch.block) +
                            " threads; a GPU's has at most 1024");
  // Limits of gridDim, CUDA C++ Programming Guide, "Technical Specifications".
  if (launch.grid[0] > 0x7FFFFFFF || launch.grid[1] > 0xFFFF ||
      launch.grid[2] > 0xFFFF)
    return Status::badInput("grid of " + text(launch.grid) +
                            " blocks; at most 2147483647x65535x65535");
  for (uint32_t size : launch.grid)
    blocks *= size;
  if (blocks > options.maxThreads / threads)
    return Status::badInput(
        "launch of " + text(launch.grid) + " blocks of " + text(launch.block) +
        " threads is more than the " + std::to_string(options.maxThreads) +
        " threads the emulated device takes; choose a smaller shape");
  uint64_t shared = uint64_t(module.sharedBytes) + launch.dynamicShared;
  if (shared > Worker::sharedCapacity)
    return Status::badInput("block with " + std::to_string(shared) +
                            " bytes of shared memory; at most " +
                            std::to_string(Worker::sharedCapacity));
  return {};
}

Status Launcher::bindArguments(const Kernel &kernel,
                               llvm::ArrayRef<Argument> arguments,
                               Memory &memory) {
  if (arguments.size() != kernel.parameters.size())
    return Status::badInput("kernel '" + kernel.name + "' takes " +
                            std::to_string(kernel.parameters.size()) +
                            " arguments, " + std::to_string(arguments.size()) +
                            " given; give one for each");
  values.clear();
  parameters.clear();
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Argument &argument = arguments[i];
    const Parameter &parameter = kernel.parameters[i];
    std::string which =
        "argument " + std::to_string(i) + " of kernel '" + kernel.name + "'";
    std::vector<char> bytes = argument.bytes;
    if (argument.buffer) {
      if (!parameter.pointer)
        return Status::badInput(which + " is no pointer; give a scalar of " +
                                std::to_string(parameter.bytes) + " bytes");
      if (*argument.buffer >= memory.buffers().size())
        return Status::badInput(
            which + " is buffer " + std::to_string(*argument.buffer) + " of " +
            std::to_string(memory.buffers().size()) + "; allocate it first");
      char *address = memory.data(*argument.buffer) + argument.offset;
      bytes.assign(reinterpret_cast<char *>(&address),
                   reinterpret_cast<char *>(&address) + sizeof address);
    }
    if (bytes.size() != parameter.bytes)
      return Status::badInput(which + " has " +
                              std::to_string(parameter.bytes) + " bytes, " +
                              std::to_string(bytes.size()) + " given; give " +
                              (parameter.pointer ? "a buffer" : "its value"));
    values.push_back(std::move(bytes));
  }
  for (std::vector<char> &value : values)
    parameters.push_back(value.data());
  return {};
}

Status Launcher::prepareWorkers(unsigned count, Memory &memory,
                                const Options &options) {
  while (workers.size() < count)
    workers.push_back(std::make_unique<Worker>(module, variables));
  for (unsigned i = 0; i < count; ++i) {
    Worker &worker = *workers[i];
    if (!worker.prepare() || !worker.global.startLaunch(memory))
      return Status::missing("no memory for the emulated device; take a "
                             "smaller shape or fewer workers");
    worker.bufferNames.clear();
    for (const Buffer &buffer : memory.buffers())
      worker.bufferNames.push_back(buffer.name);
    worker.initcheck = options.initcheck;
    worker.racecheck = options.racecheck;
    worker.counting = options.counters;
    worker.patience.start(std::max<uint64_t>(1, options.maxIterations),
                          options.leastSeconds);
    worker.findings.clear();
    worker.counters = Counters();
    worker.stopped = false;
    worker.block = Block();
  }
  return {};
}

// The i-th block to run: with a seed, steps through all of them in an order
// that looks random (a step without common divisor with their number).
static uint64_t blockAt(uint64_t i, uint64_t blocks,
                        std::optional<uint64_t> seed) {
  if (!seed)
    return i;
  std::mt19937_64 random(*seed);
  uint64_t start = random() % blocks, step = random() % blocks | 1;
  while (std::gcd(step, blocks) != 1)
    step += 2;
  return uint64_t((static_cast<unsigned __int128>(i) * step + start) % blocks);
}

void Launcher::runBlocks(const LoadedKernel &kernel, const Launch &launch,
                         unsigned count, const Options &options) {
  uint64_t blocks = uint64_t(launch.grid[0]) * launch.grid[1] * launch.grid[2];
  Shares shares(blocks, count);
  std::atomic<bool> stopped{false}, failed{false};
  auto work = [&](unsigned index) {
    Worker &worker = *workers[index];
    worker.entry = kernel.entry;
    worker.parameters = parameters.data();
    Scheduler scheduler(worker, launch, kernel.kernel->fibers,
                        options.orderSeed);
    if (!scheduler.prepare()) {
      failed = true;
      return;
    }
    shares.forEach(index, [&](uint64_t i) {
      if (stopped)
        return false;
      worker.block.iterations = worker.patience.portion();
      scheduler.runBlock(blockAt(i, blocks, options.orderSeed));
      if (worker.stopped)
        stopped = true;
      return true;
    });
    worker.counters.flops += worker.block.flops;
    worker.block.flops = 0;
  };
  onThreads(count, work);
  outOfMemory = failed;
}

Report Launcher::report(unsigned count, const Options &options) const {
  Report report;
  Findings findings;
  report.completed = true;
  for (unsigned i = 0; i < count; ++i) {
    findings.merge(workers[i]->findings);
    report.counters += workers[i]->counters;
    report.completed &= !workers[i]->stopped;
  }
  report.findings = findings.list(module.sites, options.maxFindings);
  return report;
}

Result<Report> Launcher::run(const LoadedKernel &kernel, const Launch &launch,
                             llvm::ArrayRef<Argument> arguments, Memory &memory,
                             const Options &options) {
  if (Status status = checkSizes(launch, options); !status)
    return status;
  if (Status status = bindArguments(*kernel.kernel, arguments, memory); !status)
    return status;
  uint64_t blocks = uint64_t(launch.grid[0]) * launch.grid[1] * launch.grid[2];
  unsigned count =
      unsigned(std::min<uint64_t>(std::max(1u, options.workers), blocks));

  if (count > 1)
    snapshot.take(memory, variables, count);
  for (;;) {
    if (Status status = prepareWorkers(count, memory, options); !status)
      return status;
    runBlocks(kernel, launch, count, options);
    if (outOfMemory)
      return Status::missing("no memory for the stacks of the emulated "
                             "device's threads; use fewer workers");
    std::vector<const GlobalShadow *> shadows;
    for (unsigned i = 0; i < count; ++i)
      shadows.push_back(&workers[i]->global);
    Merge merge(std::move(shadows), memory);
    if (!merge.hasConflict()) {
      Report result = report(count, options);
      merge.addTo(result.counters);
      return result;
    }
    snapshot.restore();
    count = 1;
  }
}

} // namespace labgen::emu
