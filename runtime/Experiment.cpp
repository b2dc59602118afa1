// Experiment.cpp - predict, make data, run once, check, time, judge.
//
// The run that is checked is the first one; the timed runs come after it, on
// the same arguments. What a kernel updates in place is put back every thousand
// runs: y <- a x + y and c <- a b + c grow by the same amount each time, so
// until then values stay below a thousand first results, which keeps even f16
// finite, and nothing shrinks into subnormals.
#include "runtime/Experiment.h"
#include "lib/Roofline/chips/Chip.h"
#include "lib/Spec/Version.h"
#include "runtime/HostParallel.h"
#include "runtime/check/Npy.h"
#include "runtime/cpu/Pool.h"
#include "runtime/measure/CacheState.h"
#include "runtime/measure/RoofFile.h"
#include "runtime/measure/RowRoof.h"
#include "runtime/measure/Sampler.h"
#include "runtime/report/Progress.h"

#include <cstring>

using namespace labgen;

namespace {

constexpr int64_t runsPerReset = 1000;

/// This machine's roofs.
std::optional<MachineRoofs> roofsFor(const Device &device) {
  if (device.name() != "cpu")
    return std::nullopt;
  Progress progress("probe");
  Result<MachineRoofs> roofs = loadOrProbe([&](int done, int total) {
    progress.show(size_t(done), size_t(total), "roofs of this machine");
  });
  if (!roofs)
    return std::nullopt;
  return *roofs;
}

/// From the datasheet of the row's chip, since nobody measured it here.
void predictOnProduct(const ManifestKernel &kernel, Row &row) {
  Result<Chip> chip = ChipTable().find(row.chip);
  if (!chip)
    return;
  ChipPrediction prediction = predictOn(kernel.spec, *chip);
  if (prediction.achievable) {
    row.predictedSeconds = prediction.achievable->seconds;
    row.regime = prediction.achievable->regime;
  }
  row.roof = datasheetRoof(kernel.spec, *chip, kernel.isa);
}

class Experiment {
public:
  Experiment(const ManifestKernel &kernel, Device &device,
             const RunOptions &options)
      : kernel(kernel), spec(kernel.spec), device(device), options(options),
        row(plannedRow(kernel, device, options)) {}

  Result<Row> run(const std::string &folder) {
    if (!kernel.failure.empty()) {
      row.status = RowStatus::Skipped;
      row.reason = kernel.failure;
      return row;
    }
    if (Status status = checkNames(); !status)
      return status;
    if (!device.runs(kernel.target))
      return Status::missing("device " + device.name() + " does not run " +
                             kernel.target +
                             "; use a device of that target, or emu for a GPU");
    Result<std::unique_ptr<Kernel>> loaded = device.load(kernel, folder);
    if (!loaded)
      return loaded.status();
    if (Status status = prepare(); !status)
      return status;

    Kernel &code = **loaded;
    if (Status ran = code.run(pointers); !ran) {
      row.status = RowStatus::Error;
      row.reason = ran.message();
      return row;
    }
    RunReport report = code.report();
    row.findings = std::move(report.findings);
    row.counters = std::move(report.counters);
    judge();
    if (Status written = writeOutputs(); !written)
      return written;
    if (row.status != RowStatus::Ok || !options.time || !device.tellsTime())
      return row;
    if (Status timed = time(code); !timed) {
      row.status = RowStatus::Error;
      row.reason = timed.message();
      return row;
    }
    compareWithRoof();
    return row;
  }

private:
  /// Every --input and --output must name an argument of that role.
  Status checkNames() const {
    auto check = [&](const std::map<std::string, std::string> &files, Role role,
                     const char *what) {
      for (const auto &[wanted, path] : files) {
        std::string names;
        bool found = false;
        for (const Argument &argument : arguments(spec))
          if (argument.role == role || argument.role == Role::InOut) {
            found |= argument.name == wanted;
            names += (names.empty() ? "" : ", ") + argument.name;
          }
        if (!found)
          return Status::badInput(spec.str() + " has no " + what + " '" +
                                  wanted + "'; it has " + names);
      }
      return Status::ok();
    };
    if (Status inputs = check(options.inputs, Role::Input, "input"); !inputs)
      return inputs;
    return check(options.outputs, Role::Output, "output");
  }

  /// Makes the data and the argument list.
  Status prepare() {
    Result<Tensors> data = makeData(spec, options.dist, options.seed,
                                    hostParallel("data", row.spec));
    if (!data)
      return data.status();
    before = std::move(*data);
    for (const auto &[name, path] : options.inputs)
      if (Status read = readNpy(path, *find(before, name)); !read)
        return read;
    for (const Tensor &tensor : before) {
      Result<Tensor> copy = tensor.copy();
      if (!copy)
        return copy.status();
      after.push_back(std::move(*copy));
    }
    for (const ManifestArgument &argument : kernel.arguments) {
      if (argument.role == Role::Workspace)
        continue;
      Tensor *tensor = find(after, argument.name);
      if (!tensor || tensor->byteSize() != argument.byteSize)
        return Status::badInput("the manifest's argument '" + argument.name +
                                "' (" + std::to_string(argument.byteSize) +
                                " bytes) is not one of " + spec.str() +
                                "; compile the lab again");
      pointers.push_back(tensor->data());
    }
    return Status::ok();
  }

  void judge() {
    Verdict verdict =
        check(spec, before, after, hostParallel("check", row.spec),
              {kernel.schedule, options.seed});
    row.status = verdict.right ? RowStatus::Ok : RowStatus::Wrong;
    row.reason = verdict.right ? "" : verdict.reason;
    if (verdict.right && !row.findings.empty()) {
      row.status = RowStatus::Wrong;
      row.reason = row.findings.front();
    }
    row.error = verdict.error;
    row.bound = verdict.bound;
    row.checked = verdict.checked;
    if (verdict.detects)
      row.counters["freivalds_detects"] = *verdict.detects;
    row.counts = verdict.counts;
  }

  Status writeOutputs() const {
    for (const auto &[name, path] : options.outputs)
      if (Status written = writeNpy(path, *find(after, name)); !written)
        return written;
    return Status::ok();
  }

  Status time(Kernel &code) {
    bool cold = isCold(footprint(spec)), flushed = cold;
    Pool &pool = Pool::shared(device.threads());
    int64_t runsLeft = runsPerReset;
    auto beforeSample = [&](int64_t runs) {
      if ((runsLeft -= runs) < 0) {
        runsLeft = runsPerReset - runs;
        resetInPlace();
      }
      if (cold)
        flushed &= flushCaches(pool);
    };
    SamplingPolicy policy;
    policy.limitSeconds = options.timeLimitSeconds;
    Result<TimeStats> stats = sampleTimes(
        policy, !cold, [&] { return code.run(pointers); }, beforeSample);
    if (!stats)
      return stats.status();
    row.time = *stats;
    row.cache = !cold ? "llc" : flushed ? "cold" : "warm";
    if (row.cost->bytes() > 0)
      row.gbps = double(row.cost->bytes()) / stats->median / 1e9;
    if (row.cost->flops > 0)
      row.gflops = double(row.cost->flops) / stats->median / 1e9;
    return Status::ok();
  }

  void resetInPlace() {
    for (size_t i = 0; i < after.size(); ++i)
      if (after[i].argument().role == Role::InOut)
        std::memcpy(after[i].data(), before[i].data(),
                    size_t(after[i].byteSize()));
  }

  void compareWithRoof() {
    // The roof's arrays are as large as the lab's: make room for them.
    before.clear();
    after.clear();
    if (device.name() != "cpu")
      return;
    for (bool again : {false, true}) {
      Result<RowRoof> roof =
          roofBeside(spec, kernel.isa, device.threads(), again);
      if (!roof) {
        row.findings.push_back("no roof: " + roof.status().message());
        return;
      }
      row.roof = *roof;
      row.reason = aboveRoof(row);
      if (row.reason.empty())
        return;
    }
    row.status = RowStatus::Suspect;
  }

  const ManifestKernel &kernel;
  const KernelSpec &spec;
  Device &device;
  const RunOptions &options;
  Row row;
  Tensors before, after;
  std::vector<void *> pointers;
};

} // namespace

std::string labgen::productOf(const std::string &target,
                              const RunOptions &options) {
  std::string_view product = defaultProduct(target);
  return product.empty() || options.chip.empty() ? std::string(product)
                                                 : options.chip;
}

Row labgen::plannedRow(const ManifestKernel &kernel, Device &device,
                       const RunOptions &options) {
  Row row;
  row.spec = kernel.spec.str();
  row.target = kernel.target;
  row.device = device.name();
  row.chip = productOf(kernel.target, options);
  bool isGpu = !row.chip.empty();
  if (!isGpu)
    row.chip = device.chip();
  row.cost = cost(kernel.spec);
  row.schedule = kernel.schedule;
  row.threads = device.threads();
  row.seed = options.seed;
  row.dist = name(options.dist);
  row.version = fullVersion();
  if (isGpu)
    predictOnProduct(kernel, row);
  else if (std::optional<MachineRoofs> roofs = roofsFor(device))
    if (std::optional<Prediction> prediction =
            predict(kernel.spec, *row.cost, *roofs, device.threads())) {
      row.predictedSeconds = prediction->seconds;
      row.regime = prediction->regime;
    }
  return row;
}

Result<Row> labgen::runExperiment(const ManifestKernel &kernel,
                                  const std::string &folder, Device &device,
                                  const RunOptions &options) {
  return Experiment(kernel, device, options).run(folder);
}
