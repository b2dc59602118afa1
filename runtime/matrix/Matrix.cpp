// Matrix.cpp - deals kernels to a worker process and logs what comes back.
#include "runtime/matrix/Matrix.h"

#include "lib/Support/SystemFailure.h"
#include "runtime/matrix/Child.h"
#include "runtime/matrix/Interrupt.h"
#include "runtime/measure/RoofFile.h"
#include "runtime/report/RowLog.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <tuple>

namespace labgen {

namespace {

/// Opening a device and probing the roofs.
constexpr double placeSeconds = 600;
/// For a worker, whose kernels have limits of their own.
constexpr double noLimit = 1e9;

void fail(Row &row, const Status &why) {
  row.status = why.exitCode() == ExitCode::Missing ? RowStatus::Skipped
                                                   : RowStatus::Error;
  row.reason = why.message();
  row.time.reset();
  row.gbps.reset();
  row.gflops.reset();
}

/// What the compiler could not do is skipped; that it crashed is an error.
void failToCompile(Row &row, const std::string &failure) {
  fail(row, Status::badInput(failure));
  if (!isCompilerCrash(failure))
    row.status = RowStatus::Skipped;
}

/// Runs one kernel, or with `givenUp` only writes down why it cannot be run.
/// What the system refuses (files, space) is no row: it ends the run.
Result<Row> rowOf(const ManifestKernel &kernel, const std::string &folder,
                  Device &device, const RunOptions &options,
                  const std::string &givenUp) {
  Status why = Status::badInput(givenUp);
  if (givenUp.empty() && kernel.failure.empty()) {
    Result<Row> row = runExperiment(kernel, folder, device, options);
    if (row)
      return *row;
    why = row.status();
    if (isSystemFailure(why))
      return why;
  }
  Row row = plannedRow(kernel, device, options);
  if (givenUp.empty() && !kernel.failure.empty())
    failToCompile(row, kernel.failure);
  else
    fail(row, why);
  return row;
}

std::string describe(const std::string &death) {
  return "the process that judges the kernel crashed (" +
         (death.empty() ? "no answer" : death) + ")";
}

std::string rowLine(const Result<Row> &row) {
  return answerLine(row ? Result<Json>(row->toJson()) : row.status());
}

Result<Row> parseRow(const std::string &line, const ManifestKernel &kernel,
                     const MeasureOptions &options) {
  Result<Json> json = readAnswer(line);
  if (!json)
    return json.status();
  return acceptRow(*json, kernel, options);
}

/// A worker that makes rows for kernels[first], kernels[first + 1], ... and
/// does not run the first when it is given up already.
Result<Child> startWorker(const std::string &folder,
                          const std::vector<const ManifestKernel *> &kernels,
                          size_t first, const std::string &givenUp,
                          const MeasureOptions &options) {
  // Kernels have limits of their own; checking may take its time.
  return Child::start([&](const Child::Send &send) {
    DeviceRequest request = deviceRequest(options);
    Result<std::unique_ptr<Device>> device = openDevice(request);
    if (!device)
      return;
    request.name = options.otherDevice;
    std::unique_ptr<Device> other;
    if (!request.name.empty())
      if (Result<std::unique_ptr<Device>> opened = openDevice(request))
        other = std::move(*opened);
    for (size_t i = first; i < kernels.size(); ++i) {
      bool useOther = other && !(*device)->runs(kernels[i]->target);
      send(rowLine(rowOf(*kernels[i], folder, useOther ? *other : **device,
                         options.run, i == first ? givenUp : "")));
    }
  });
}

/// What rows are made on.
struct Place {
  std::string chip;
  int64_t threads = 0;
};

/// Whether `row` settles `kernel` here: the same machine and threads, and timed
/// if times are wanted and there is something to time. A crash of the compiler
/// settles only what has not been compiled since.
bool settles(const Row &row, const ManifestKernel &kernel, const Place &place,
             const MeasureOptions &options) {
  std::string chip = productOf(kernel.target, options.run);
  if (chip.empty())
    chip = place.chip;
  // Only the main device tells times.
  bool untimed =
      row.status == RowStatus::Ok && !row.time && row.device == options.device;
  return row.spec == kernel.spec.str() && row.target == kernel.target &&
         row.chip == chip && row.threads == place.threads &&
         !(isCompilerCrash(row.reason) && row.reason != kernel.failure) &&
         !(options.run.time && untimed);
}

/// The device's chip and threads, asked of a child because opening it makes
/// threads. The
/// child also probes this machine's roofs where they are not stored yet, so
/// that the wait can be shown.
Result<Place> placeOf(const MeasureOptions &options) {
  Result<Child> child = Child::start([&](const Child::Send &send) {
    Result<std::unique_ptr<Device>> device = openDevice(deviceRequest(options));
    if (!device)
      return send(answerLine(device.status()));
    if (!roofFilePath().empty()) {
      // Where probing fails the rows say so.
      Result<MachineRoofs> roofs = loadOrProbe([&](int done, int total) {
        send(std::to_string(done) + " " + std::to_string(total));
      });
    }
    send(answerLine(
        Json(Json::Array{(*device)->chip(), int64_t((*device)->threads())})));
  });
  if (!child)
    return child.status();
  std::string line;
  while (true) {
    Child::Event event = child->next(line, placeSeconds);
    if (event == Child::Event::Interrupt)
      return Status::interrupted();
    if (event != Child::Event::Line)
      return Status::missing("the device " + options.device + " failed (" +
                             child->finish() + "); see labgen-run devices");
    size_t done, total;
    if (std::sscanf(line.c_str(), "%zu %zu", &done, &total) != 2)
      break;
    if (options.progress)
      options.progress(done, total, "roofs of this machine");
  }
  Result<Json> answer = readAnswer(line);
  if (!answer)
    return answer.status();
  const Json::Array &pair = *answer->asArray();
  return Place{*pair[0].asString(), *pair[1].asInt()};
}

/// Makes rows for all of `kernels` and appends them to `log`.
Status measureAll(const std::string &folder,
                  const std::vector<const ManifestKernel *> &kernels,
                  const MeasureOptions &options, const Place &place,
                  RowLog &log) {
  std::string givenUp;
  for (size_t next = 0; next < kernels.size();) {
    Result<Child> worker = startWorker(folder, kernels, next, givenUp, options);
    if (!worker)
      return worker.status();
    std::string reason;
    while (next < kernels.size() && reason.empty()) {
      if (options.progress)
        options.progress(next, kernels.size(), kernels[next]->spec.str());
      std::string line;
      Child::Event event = worker->next(line, noLimit);
      if (event == Child::Event::Interrupt)
        return Status::interrupted();
      Result<Row> row = event == Child::Event::Line
                            ? parseRow(line, *kernels[next], options)
                            : Status::badInput(describe(worker->finish()));
      if (!row && isSystemFailure(row.status()))
        return row.status();
      if (!row) {
        reason = row.status().message();
        break;
      }
      if (Status status = log.append(*row); !status)
        return status;
      givenUp.clear();
      ++next;
    }
    if (!reason.empty() && !givenUp.empty()) {
      // Not even planning works here; say what is known and go on.
      const ManifestKernel &kernel = *kernels[next++];
      Row row = failedRow(kernel.spec.str(), kernel.target, options.device,
                          Status::badInput(givenUp));
      row.chip = place.chip;
      row.threads = place.threads;
      if (Status status = log.append(row); !status)
        return status;
      reason.clear();
    }
    givenUp = reason;
  }
  return Status::ok();
}

} // namespace

bool isCompilerCrash(std::string_view reason) {
  return reason.substr(0, compilerName.size()) == compilerName;
}

Result<Measured> measureFolder(const std::string &folder,
                               const std::vector<ManifestKernel> &kernels,
                               const MeasureOptions &options) {
  Result<Place> place = placeOf(options);
  if (!place && place.status().exitCode() == ExitCode::Interrupted)
    return Measured{{}, true};
  if (!place)
    return place.status();
  Result<RowLog> log = RowLog::open(folder + "/rows.jsonl");
  if (!log)
    return log.status();
  std::vector<const ManifestKernel *> missing;
  for (const ManifestKernel &kernel : kernels)
    if (std::none_of(log->rows().begin(), log->rows().end(),
                     [&](const Row &row) {
                       return settles(row, kernel, *place, options);
                     }))
      missing.push_back(&kernel);
  Status status = measureAll(folder, missing, options, *place, *log);
  if (!status && status.exitCode() != ExitCode::Interrupted)
    return status;
  return Measured{latestRows(log->rows()), !status};
}

std::vector<Row> latestRows(const std::vector<Row> &rows) {
  using Key =
      std::tuple<std::string, std::string, std::string, std::optional<int64_t>>;
  std::map<Key, size_t> place;
  std::vector<Row> latest;
  for (const Row &row : rows) {
    auto [it, isNew] = place.emplace(
        Key{row.spec, row.target, row.chip, row.threads}, latest.size());
    if (isNew)
      latest.push_back(row);
    else
      latest[it->second] = row;
  }
  return latest;
}

Result<Row> measureKernel(const ManifestKernel &kernel,
                          const std::string &folder,
                          const MeasureOptions &options) {
  // {row, why there is no sandbox}
  auto work = [&](const std::string &givenUp) -> Result<Json> {
    Result<std::unique_ptr<Device>> device = openDevice(deviceRequest(options));
    if (!device)
      return device.status();
    RunOptions run = options.run;
    Json noSandbox;
    run.sandboxMissing = [&](const std::string &why) { noSandbox = why; };
    Result<Row> row = givenUp.empty()
                          ? runExperiment(kernel, folder, **device, run)
                          : rowOf(kernel, folder, **device, run, givenUp);
    if (!row)
      return row.status();
    return Json(Json::Array{row->toJson(), noSandbox});
  };
  std::string givenUp;
  for (int attempt = 0; attempt < 2; ++attempt) {
    Result<Child> child = startAnswer([&] { return work(givenUp); });
    if (!child)
      return child.status();
    std::string line;
    Child::Event event = child->next(line, noLimit);
    if (event == Child::Event::Interrupt)
      return Status::interrupted();
    if (event != Child::Event::Line) {
      givenUp = describe(child->finish());
      continue;
    }
    Result<Json> answer = readAnswer(line);
    if (!answer)
      return answer.status();
    const Json::Array *pair = answer->asArray();
    if (!pair || pair->size() != 2)
      return Status::badInput("the row of " + kernel.spec.str() +
                              " cannot be read; measure it again");
    if (const std::string *why = (*pair)[1].asString();
        why && options.sandboxMissing)
      options.sandboxMissing(*why);
    return acceptRow((*pair)[0], kernel, options);
  }
  return failedRow(kernel.spec.str(), kernel.target, options.device,
                   Status::badInput(givenUp));
}

Result<Row> acceptRow(const Json &json, const ManifestKernel &kernel,
                      const MeasureOptions &options) {
  Result<Row> row = Row::fromJson(json);
  if (!row)
    return row;
  bool isDevice = row->device == options.device ||
                  (!row->device.empty() && row->device == options.otherDevice);
  bool isCount =
      options.threads == 0 || !row->threads || *row->threads == options.threads;
  if (row->spec != kernel.spec.str() || row->target != kernel.target ||
      !isDevice || !isCount || row->seed != options.run.seed)
    return Status::badInput("the row is not of the kernel that was run; "
                            "measure it again");
  judgeByRoof(*row);
  return row;
}

Row failedRow(const std::string &spec, const std::string &target,
              const std::string &device, const Status &why) {
  Row row;
  row.spec = spec;
  row.target = target;
  row.device = device;
  fail(row, why);
  return row;
}

} // namespace labgen
