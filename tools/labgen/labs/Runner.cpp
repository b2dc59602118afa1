// Runner.cpp - labs through RunRequest, arguments in and out as .npy files.
#include "tools/labgen/labs/Runner.h"

#include "lib/Spec/Convert.h"
#include "runtime/check/Npy.h"
#include "runtime/cpu/CpuInfo.h"
#include "tools/labgen/RunRequest.h"

#include <cassert>
#include <deque>

namespace labgen {

namespace {

bool isRead(Role role) { return role == Role::Input || role == Role::InOut; }
bool isWritten(Role role) {
  return role == Role::Output || role == Role::InOut;
}

} // namespace

Result<LabRunner> LabRunner::make(const Arguments &options) {
  Result<TemporaryFolder> folder = TemporaryFolder::make();
  if (!folder)
    return folder.status();
  LabRunner runner(options, std::move(*folder));
  // Checks target and device as a run of any spec would.
  Arguments any = options;
  any.positional = {"axpy:n=1,type=f32"};
  Result<RunRequest> request = parseRunRequest(any);
  if (!request)
    return request.status();
  runner.targetName = request->compile.options.target;
  runner.deviceName = request->measure.device;
  runner.timing = request->measure.run.time && runner.deviceName != "emu";
  return runner;
}

Result<std::vector<std::string>>
LabRunner::writeInputs(const KernelSpec &spec, const LabRun &run,
                       const std::string &stem) const {
  std::vector<std::string> flags;
  for (const Argument &argument : arguments(spec)) {
    auto given = run.inputs.find(argument.name);
    if (!isRead(argument.role) || given == run.inputs.end())
      continue;
    Result<Tensor> tensor = Tensor::allocate(argument);
    if (!tensor)
      return tensor.status();
    const Values &values = given->second;
    assert(int64_t(values.size()) == argument.elements());
    for (size_t i = 0; i < values.size(); ++i)
      tensor->setBits(int64_t(i) / tensor->columns(),
                      int64_t(i) % tensor->columns(),
                      encode(argument.format, values[i]));
    std::string path = file(stem, argument.name);
    if (Status status = writeNpy(path, *tensor); !status)
      return status;
    flags.push_back(argument.name + "=" + path);
  }
  return flags;
}

Result<std::map<std::string, Values>>
LabRunner::readOutputs(const KernelSpec &spec, const std::string &stem) const {
  std::map<std::string, Values> outputs;
  for (const Argument &argument : arguments(spec)) {
    if (!isWritten(argument.role))
      continue;
    Result<Tensor> tensor = Tensor::allocate(argument);
    if (!tensor)
      return tensor.status();
    if (Status status = readNpy(file(stem + "-out", argument.name), *tensor);
        !status)
      return status;
    Values &values = outputs[argument.name];
    for (int64_t row = 0; row < tensor->rows(); ++row)
      for (int64_t i = 0; i < tensor->columns(); ++i)
        values.push_back(tensor->value(row, i));
  }
  return outputs;
}

Result<std::vector<LabResult>> LabRunner::run(const std::vector<LabRun> &runs,
                                              bool timed) {
  struct Pending {
    KernelSpec spec;
    std::string stem;
    PendingRun run;
  };
  std::deque<Pending> pending;
  std::vector<LabResult> results;
  auto start = [&](const LabRun &run) {
    Result<KernelSpec> spec = KernelSpec::parse(run.spec);
    if (!spec)
      return spec.status();
    std::string stem = std::to_string(kernels++);
    Result<std::vector<std::string>> inputs = writeInputs(*spec, run, stem);
    if (!inputs)
      return inputs.status();
    Arguments line = options;
    line.positional = {run.spec};
    line.values["--input"] = *inputs;
    for (const Argument &argument : arguments(*spec))
      if (isWritten(argument.role))
        line.values["--output"].push_back(argument.name + "=" +
                                          file(stem + "-out", argument.name));
    if (!timed)
      line.values["--no-time"];
    Result<RunRequest> request = parseRunRequest(line);
    if (!request)
      return request.status();
    Result<PendingRun> started = PendingRun::start(*request);
    if (!started)
      return started.status();
    pending.push_back({*spec, stem, std::move(*started)});
    return Status::ok();
  };
  auto finish = [&] {
    Pending first = std::move(pending.front());
    pending.pop_front();
    Result<Row> row = first.run.finish();
    if (!row)
      return row.status();
    if (row->status != RowStatus::Ok && row->status != RowStatus::Suspect)
      return Status::badInput(
          row->spec + " is " + std::string(name(row->status)) + " on " +
          targetName + " (" + row->reason +
          "); labgen run with that target and device shows the whole row");
    Result<std::map<std::string, Values>> outputs =
        readOutputs(first.spec, first.stem);
    if (!outputs)
      return outputs.status();
    results.push_back({std::move(*row), std::move(*outputs)});
    return Status::ok();
  };
  size_t together = timed && timing ? 1 : hostCpu().cores.size();
  for (const LabRun &run : runs) {
    if (Status status = start(run); !status)
      return status;
    if (pending.size() >= together)
      if (Status status = finish(); !status)
        return status;
  }
  while (!pending.empty())
    if (Status status = finish(); !status)
      return status;
  return results;
}

Result<LabResult> runOne(LabRunner &runner, LabRun run) {
  Result<std::vector<LabResult>> results = runner.run({std::move(run)});
  if (!results)
    return results.status();
  return std::move(results->front());
}

} // namespace labgen
