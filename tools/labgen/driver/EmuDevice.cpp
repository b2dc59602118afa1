// EmuDevice.cpp - a manifest kernel's device IR in the emulator.
//
// Every run copies the arguments into the emulated memory and the results back,
// as a driver would; what the checks find and the counters count is the run's
// report.
#include "tools/labgen/driver/EmuDevice.h"

#include "lib/Emulator/Emulator.h"
#include "lib/Host/CpuInfo.h"
#include "lib/Spec/Cost.h"
#include "lib/Support/ReadFile.h"
#include "lib/Support/Sha256.h"
#include "runtime/core/Artifact.h"
#include "runtime/core/Device.h"

#include <algorithm>
#include <cstring>

namespace labgen {

namespace {

emu::Role roleOf(Role role) {
  switch (role) {
  case Role::Input:
    return emu::Role::Input;
  case Role::Output:
    return emu::Role::Output;
  case Role::InOut:
    return emu::Role::InOut;
  case Role::Workspace:
    return emu::Role::Workspace;
  }
  return emu::Role::InOut;
}

emu::Dim3 dim3(const std::vector<int64_t> &sizes) {
  return {uint32_t(sizes[0]), uint32_t(sizes[1]), uint32_t(sizes[2])};
}

/// A thread that makes more loop iterations than a thousand times its share of
/// the lab's bytes and operations has no end in sight.
uint64_t mostIterations(const KernelSpec &spec, const Launch &launch) {
  Cost all = cost(spec);
  double threads = 1;
  for (unsigned i = 0; i < 3; ++i)
    threads *= double(launch.grid[i]) * double(launch.block[i]);
  double share = (double(all.bytes()) + double(all.flops)) / threads;
  return uint64_t(std::min(1e18, 1000 * std::max(1.0, share)));
}

class EmuKernel final : public Kernel {
public:
  EmuKernel(const ManifestKernel &kernel, emu::Program program,
            emu::Options options)
      : spec(kernel.spec), arguments(kernel.arguments),
        launches(kernel.launches), program(std::move(program)),
        options(options) {}

  Status run(const std::vector<void *> &pointers) override {
    last = {};
    auto memory = emu::Memory::create();
    if (!memory)
      return memory.status();
    if (Status s = copyIn(**memory, pointers); !s)
      return s;
    emu::Counters counters;
    for (const Launch &launch : launches) {
      if (launch.grid[0] == 0)
        continue;
      options.maxIterations = mostIterations(spec, launch);
      Result<emu::Report> report =
          program.run({launch.entry, dim3(launch.grid), dim3(launch.block),
                       dynamicShared(launch)},
                      parameters, **memory, options);
      if (!report)
        return report.status();
      for (const emu::Finding &finding : report->findings)
        last.findings.push_back(finding.text());
      counters += report->counters;
      if (!report->completed)
        break;
    }
    last.counters = counters.entries();
    countArguments(**memory);
    copyOut(**memory, pointers);
    return Status::ok();
  }

  RunReport report() const override { return last; }

private:
  /// The manifest bills static arrays too.
  uint32_t dynamicShared(const Launch &launch) const {
    return uint32_t(std::max<int64_t>(0, launch.sharedBytes -
                                             int64_t(program.sharedBytes())));
  }

  Status copyIn(emu::Memory &memory, const std::vector<void *> &pointers) {
    parameters.clear();
    size_t next = 0;
    for (const ManifestArgument &argument : arguments) {
      Result<unsigned> buffer = memory.allocate(
          argument.name, uint64_t(argument.byteSize), roleOf(argument.role));
      if (!buffer)
        return buffer.status();
      parameters.push_back(emu::Argument::pointer(*buffer));
      if (argument.role == Role::Workspace)
        continue;
      const void *data = pointers[next++];
      if (argument.role != Role::Output)
        std::memcpy(memory.data(*buffer), data, size_t(argument.byteSize));
    }
    return Status::ok();
  }

  /// What is not written stays as the emulator made it, which no check passes.
  void copyOut(emu::Memory &memory, const std::vector<void *> &pointers) {
    size_t next = 0;
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].role == Role::Workspace)
        continue;
      void *data = pointers[next++];
      if (arguments[i].role != Role::Input)
        std::memcpy(data, memory.data(unsigned(i)),
                    size_t(arguments[i].byteSize));
    }
  }

  /// Distinct bytes of the lab's own arguments, over all launches: what the
  /// cost model counts.
  void countArguments(const emu::Memory &memory) {
    uint64_t read = 0, written = 0;
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].role == Role::Workspace)
        continue;
      emu::Usage usage = memory.usage(unsigned(i));
      // An output that a later launch reads back is no input of the lab.
      if (arguments[i].role != Role::Output)
        read += usage.bytesRead;
      if (arguments[i].role != Role::Input)
        written += usage.bytesWritten;
    }
    last.counters["argument_bytes_read"] = double(read);
    last.counters["argument_bytes_written"] = double(written);
  }

  KernelSpec spec;
  std::vector<ManifestArgument> arguments;
  std::vector<Launch> launches;
  emu::Program program;
  emu::Options options;
  std::vector<emu::Argument> parameters;
  RunReport last;
};

class EmuDevice final : public Device {
public:
  explicit EmuDevice(const DeviceRequest &request) {
    options.workers = request.threads ? unsigned(request.threads)
                                      : unsigned(hostCpu().cores.size());
    options.orderSeed = request.orderSeed;
  }

  std::string name() const override { return "emu"; }
  std::string chip() const override { return "emu"; }
  int threads() const override { return int(options.workers); }
  bool tellsTime() const override { return false; }
  bool runs(const std::string &target) const override {
    return target.compare(0, 5, "nvvm:") == 0 ||
           target.compare(0, 6, "rocdl:") == 0;
  }

  Result<std::unique_ptr<Kernel>> load(const ManifestKernel &kernel,
                                       const std::string &folder) override {
    // The row speaks for what would be run on a GPU.
    if (Result<std::string> whole = verifiedArtifact(kernel, folder); !whole)
      return whole.status();
    std::string path = folder + "/" + kernel.deviceIr;
    if (kernel.deviceIr.empty())
      return Status::badInput("the manifest names no device IR for " +
                              kernel.spec.str() + "; compile it again");
    Result<std::string> text = readFile(path);
    if (!text)
      return text.status();
    if (sha256(*text) != kernel.deviceIrSha256)
      return Status::badInput("device IR '" + path +
                              "' does not match the sha256 in its manifest; "
                              "compile the lab again");
    Result<emu::Program> program =
        emu::Program::load(llvm::MemoryBufferRef(*text, path));
    if (!program)
      return program.status();
    return std::unique_ptr<Kernel>(
        std::make_unique<EmuKernel>(kernel, std::move(*program), options));
  }

private:
  emu::Options options;
};

} // namespace

void addEmuDevice() {
  addDevice(
      "emu",
      [](const DeviceRequest &request) -> Result<std::unique_ptr<Device>> {
        return std::unique_ptr<Device>(std::make_unique<EmuDevice>(request));
      });
}

} // namespace labgen
