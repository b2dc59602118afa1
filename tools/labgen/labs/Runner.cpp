// Runner.cpp - labs through RunRequest, arguments in and out as .npy files.
#include "tools/labgen/labs/Runner.h"

#include "lib/Host/CpuInfo.h"
#include "lib/Spec/Convert.h"
#include "runtime/data/Npy.h"
#include "tools/labgen/driver/RunRequest.h"

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

/// A run whose kernel is being compiled, and where its outputs will be.
struct LabRunner::Pending {
  KernelSpec spec;
  std::string stem;
  PendingRun run;
};

Result<LabRunner::Pending> LabRunner::start(const LabRun &run, bool timed) {
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
  return Pending{*spec, stem, std::move(*started)};
}

Result<LabResult> LabRunner::finish(Pending pending) {
  Result<Row> row = pending.run.finish();
  if (!row)
    return row.status();
  if (row->status != RowStatus::Ok && row->status != RowStatus::Suspect)
    return Status::badInput(
        row->spec + " is " + std::string(name(row->status)) + " on " +
        targetName + " (" + row->reason +
        "); labgen run with that target and device shows the whole row");
  Result<std::map<std::string, Values>> outputs =
      readOutputs(pending.spec, pending.stem);
  if (!outputs)
    return outputs.status();
  return LabResult{std::move(*row), std::move(*outputs)};
}

Result<std::vector<LabResult>> LabRunner::run(const std::vector<LabRun> &runs,
                                              bool timed) {
  size_t together = timed && timing ? 1 : hostCpu().cores.size();
  std::deque<Pending> pending;
  std::vector<LabResult> results;
  for (size_t next = 0; results.size() < runs.size();) {
    if (next < runs.size() && pending.size() < together) {
      Result<Pending> started = start(runs[next++], timed);
      if (!started)
        return started.status();
      pending.push_back(std::move(*started));
      continue;
    }
    Result<LabResult> result = finish(std::move(pending.front()));
    pending.pop_front();
    if (!result)
      return result.status();
    results.push_back(std::move(*result));
  }
  return results;
}

} // namespace labgen
