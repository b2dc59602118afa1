// Experiment.cpp - predict, make data, run once, check, time, check again.
//
// This process is the judge: it keeps the data, and the kernel runs in another
// one. Two runs are judged, the first and one after the last sample, on
// restored arguments and spoiled outputs. Part of an input differs in the last
// run, so that an answer kept from before is wrong.
#include "runtime/experiment/Experiment.h"
#include "lib/Roofline/chips/Chip.h"
#include "lib/Support/Version.h"
#include "runtime/check/Freivalds.h"
#include "runtime/cpu/HostParallel.h"
#include "runtime/cpu/Pool.h"
#include "runtime/data/Npy.h"
#include "runtime/isolate/IsolatedKernel.h"
#include "runtime/measure/CacheState.h"
#include "runtime/measure/RoofFile.h"
#include "runtime/measure/RowRoof.h"
#include "runtime/report/Progress.h"

using namespace labgen;

namespace {

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
    if (Status able = device.canRun(kernel); !able)
      return able;
    if (Status status = prepare(); !status)
      return status;
    Result<std::unique_ptr<IsolatedKernel>> started = IsolatedKernel::start(
        kernel, folder, device, before, options.kernelSeconds);
    if (!started)
      return started.status();
    Status status = measure(**started);
    if (!status && (*started)->death().empty())
      return status;
    started->reset(); // the roof's arrays need its memory
    if (!status)
      fail(status.message());
    if (row.time)
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

  Status prepare() {
    Result<Tensors> data = makeData(spec, options.dist, options.seed,
                                    hostParallel("data", row.spec));
    if (!data)
      return data.status();
    before = std::move(*data);
    for (const auto &[name, path] : options.inputs)
      if (Status read = readNpy(path, *find(before, name)); !read)
        return read;
    cold = isCold(footprint(spec));
    // Made here, the buffer that is read to empty the caches is there for the
    // kernels of all processes.
    if (cold && timed())
      flushCaches(Pool::shared(device.threads()));
    return Status::ok();
  }

  bool timed() const { return options.time && device.tellsTime(); }

  void fail(const std::string &reason) {
    row.status = RowStatus::Error;
    row.reason = reason;
    row.time.reset();
    row.cache.clear();
  }

  /// Load, run, check, time, run, check. A failure that is the kernel's own is
  /// in the row.
  Status measure(IsolatedKernel &code) {
    if (Status loaded = code.load(); !loaded)
      return loaded;
    if (std::string why = code.sandboxMissing();
        !why.empty() && options.sandboxMissing)
      options.sandboxMissing(why);
    if (Status ran = runAndJudge(code, false); !ran)
      return ran;
    if (Status written = writeOutputs(code.after()); !written)
      return written;
    if (row.status != RowStatus::Ok || !timed())
      return Status::ok();
    Result<TimeStats> stats = takeTime(code);
    if (!stats) {
      fail(stats.status().message());
      return Status::ok();
    }
    if (Status ran = runAndJudge(code, true); !ran)
      return ran;
    if (row.status == RowStatus::Ok)
      setTime(*stats, code.cachesFlushed());
    return Status::ok();
  }

  /// The first run on the data as it is, or the last one on changed inputs, and
  /// its verdict. What the kernel itself reports as an error is in the row.
  Status runAndJudge(IsolatedKernel &code, bool isLast) {
    Status ran = code.run(isLast ? changeInputs() : InputChange());
    if (!ran && !code.death().empty())
      return ran;
    Result<RunReport> report = ran ? code.report() : Result<RunReport>(ran);
    if (!report) {
      fail(report.status().message());
      return Status::ok();
    }
    Verdict verdict =
        check(spec, before, code.after(), hostParallel("check", row.spec),
              {kernel.schedule, options.seed});
    if (verdict.right && !report->findings.empty()) {
      verdict.right = false;
      verdict.reason = report->findings.front();
    }
    // The numbers of a right row are those of the first run.
    if (!isLast || !verdict.right)
      judge(verdict, std::move(*report));
    if (isLast && !verdict.right)
      row.reason = "in a run after the timed ones, " + row.reason;
    return Status::ok();
  }

  void judge(const Verdict &verdict, RunReport report) {
    row.status = verdict.right ? RowStatus::Ok : RowStatus::Wrong;
    row.reason = verdict.right ? "" : verdict.reason;
    row.findings = std::move(report.findings);
    row.counters = std::move(report.counters);
    row.error = verdict.error;
    row.bound = verdict.bound;
    row.checked = verdict.checked;
    if (verdict.detects)
      row.counters["freivalds_detects"] = *verdict.detects;
    row.counts = verdict.counts;
  }

  /// Changes the judge's own inputs as the kernel's will be for the last run.
  InputChange changeInputs() {
    InputChange change =
        drawChange(spec, lastChangeBytes, freshKey(options.seed));
    if (change.argument < 0)
      return change;
    std::byte *bytes = before[size_t(change.argument)].data() + change.offset;
    std::vector<std::byte> original(bytes, bytes + change.size);
    applyChange(spec, change, original.data(), bytes);
    return change;
  }

  Status writeOutputs(const Tensors &after) const {
    for (const auto &[name, path] : options.outputs)
      if (Status written = writeNpy(path, *find(after, name)); !written)
        return written;
    return Status::ok();
  }

  /// Once more when the samples are spread, keeping the better of the two.
  Result<TimeStats> takeTime(IsolatedKernel &code) {
    Result<TimeStats> stats = code.time(options.timeLimitSeconds, cold);
    if (!stats || !isSpread(*stats))
      return stats;
    Result<TimeStats> again = code.time(options.timeLimitSeconds, cold);
    bool isBetter =
        again && again->iqr * stats->median < stats->iqr * again->median;
    return !again || isBetter ? again : stats;
  }

  void setTime(const TimeStats &stats, bool flushed) {
    row.time = stats;
    row.cache = !cold ? "llc" : flushed ? "cold" : "warm";
    if (row.cost->bytes() > 0)
      row.gbps = double(row.cost->bytes()) / stats.median / 1e9;
    if (row.cost->flops > 0)
      row.gflops = double(row.cost->flops) / stats.median / 1e9;
    if (isSpread(stats))
      row.findings.push_back(spreadFinding(stats));
  }

  void compareWithRoof() {
    // The roof's arrays are as large as the lab's: make room for them.
    before.clear();
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
      if (aboveRoof(row).empty())
        return;
    }
    judgeByRoof(row);
  }

  const ManifestKernel &kernel;
  const KernelSpec &spec;
  Device &device;
  const RunOptions &options;
  Row row;
  Tensors before;
  bool cold = false;
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

void labgen::judgeByRoof(Row &row) {
  std::string reason =
      row.status == RowStatus::Ok && row.time ? aboveRoof(row) : "";
  if (reason.empty())
    return;
  row.status = RowStatus::Suspect;
  row.reason = reason;
}

Result<Row> labgen::runExperiment(const ManifestKernel &kernel,
                                  const std::string &folder, Device &device,
                                  const RunOptions &options) {
  return Experiment(kernel, device, options).run(folder);
}
