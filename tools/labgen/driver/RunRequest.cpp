// RunRequest.cpp - reads the options of run and carries them out.
#include "tools/labgen/driver/RunRequest.h"

#include "lib/Roofline/chips/Chip.h"
#include "lib/Support/AtomicFile.h"
#include "lib/Support/Text.h"
#include "tools/cli/Finish.h"
#include "tools/labgen/driver/Target.h"

#include <algorithm>
#include <array>
#include <set>
#include <sys/stat.h>

namespace labgen {

namespace {

Status parseWhat(const Arguments &arguments, CompileRequest &request) {
  if (arguments.positional.empty())
    return Status::badInput(
        "labgen run needs a SPEC, a FILE or --batch; see labgen run --help");
  const std::string &what = arguments.positional[0];
  bool isFile = endsWith(what, ".mlir") || endsWith(what, ".ll");
  std::optional<std::string> given = arguments.value("--spec");
  if (isFile && !given)
    return Status::badInput(what + " needs --spec; give the lab it computes");
  if (!isFile && given)
    return Status::badInput("--spec goes with a FILE.mlir or FILE.ll and " +
                            quoted(what) + " is neither; leave --spec out");
  Result<KernelSpec> spec = KernelSpec::parse(isFile ? *given : what);
  if (!spec)
    return spec.status();
  request.spec = *spec;
  if (!isFile)
    return Status::ok();
  request.file = what;
  struct stat info;
  if (stat(what.c_str(), &info) != 0 || !S_ISREG(info.st_mode))
    return Status::badInput("cannot read " + what +
                            ": no such file; check the path");
  return Status::ok();
}

/// --input or --output: NAME=FILE, each name an argument of that direction.
Status parseFiles(const std::string &flag, const Arguments &arguments,
                  const KernelSpec &spec,
                  std::map<std::string, std::string> &files) {
  bool input = flag == "--input";
  std::vector<Argument> all = labgen::arguments(spec);
  std::vector<std::string_view> legal;
  for (const Argument &argument : all)
    if (argument.role == Role::InOut ||
        argument.role == (input ? Role::Input : Role::Output))
      legal.push_back(argument.name);
  std::set<std::string> paths;
  for (const std::string &text : arguments.all(flag)) {
    size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      return Status::badInput(flag + " is " + quoted(text) + "; write " + flag +
                              " NAME=FILE.npy");
    std::string name = text.substr(0, equals), file = text.substr(equals + 1);
    if (!std::count(legal.begin(), legal.end(), name))
      return Status::badInput(std::string(labgen::name(spec.op)) + " has no " +
                              (input ? "input " : "output ") + quoted(name) +
                              "; it has " + orList(legal));
    if (!files.emplace(name, file).second)
      return Status::badInput(flag + " " + name +
                              " is given twice; give it once");
    if (input)
      continue;
    // Now, not after the run and with half of the outputs written.
    if (Result<AtomicFile> writable = AtomicFile::create(file); !writable)
      return writable.status();
    if (!paths.insert(file).second)
      return Status::badInput("two outputs go to " + file +
                              "; give each its own file");
  }
  return Status::ok();
}

/// --chip: a product of the GPU target.
Status parseChip(const Arguments &arguments, const std::string &target,
                 RunOptions &run) {
  std::optional<std::string> name = arguments.value("--chip");
  if (!name)
    return Status::ok();
  if (defaultProduct(target).empty())
    return Status::badInput(
        "--chip names the product behind a GPU target and " + target +
        " is none; leave --chip out");
  Result<Chip> chip = ChipTable().find(*name);
  if (!chip)
    return chip.status();
  if (chip->target != target)
    return Status::badInput("--chip " + chip->name + " is no product of " +
                            target + "; see labgen-run chips");
  run.chip = chip->name;
  return Status::ok();
}

Status parseNumbers(const Arguments &arguments, MeasureOptions &measure) {
  if (std::optional<std::string> text = arguments.value("--threads")) {
    Result<uint64_t> threads = parseNumber("--threads", *text, 1, 1024);
    if (!threads)
      return threads.status();
    measure.threads = int(*threads);
  }
  if (std::optional<std::string> text = arguments.value("--seed")) {
    Result<uint64_t> seed = parseNumber("--seed", *text, 0, INT64_MAX);
    if (!seed)
      return seed.status();
    measure.run.seed = *seed;
  }
  if (std::optional<std::string> text = arguments.value("--order-seed")) {
    Result<uint64_t> seed = parseNumber("--order-seed", *text, 0, INT64_MAX);
    if (!seed)
      return seed.status();
    if (measure.device != "emu")
      return Status::badInput("--order-seed shuffles device emu and " +
                              measure.device + " is not it; leave it out");
    measure.orderSeed = *seed;
  }
  return Status::ok();
}

/// One to three sizes, the rest 1.
Status parseSizes(const Arguments &arguments, const std::string &flag,
                  std::array<uint64_t, 3> most,
                  std::optional<std::vector<int64_t>> &sizes) {
  std::optional<std::string> text = arguments.value(flag);
  if (!text)
    return Status::ok();
  sizes.emplace();
  for (size_t begin = 0; begin <= text->size();) {
    size_t end = std::min(text->find(',', begin), text->size());
    if (sizes->size() == 3)
      return Status::badInput(flag + " is " + quoted(*text) +
                              "; give at most three sizes, X,Y,Z");
    Result<uint64_t> size = parseNumber(flag, text->substr(begin, end - begin),
                                        1, most[sizes->size()]);
    if (!size)
      return size.status();
    sizes->push_back(int64_t(*size));
    begin = end + 1;
  }
  sizes->resize(3, 1);
  return Status::ok();
}

/// --grid, --block and --shared: how the kernels of a .ll file are launched.
Status parseLaunch(const Arguments &arguments, CompileRequest &request) {
  LaunchShape &launch = request.options.launch;
  // Limits of gridDim and blockDim, CUDA C++ Programming Guide, "Technical
  // Specifications".
  if (Status s = parseSizes(arguments, "--grid", {2147483647, 65535, 65535},
                            launch.grid);
      !s)
    return s;
  if (Status s =
          parseSizes(arguments, "--block", {1024, 1024, 64}, launch.block);
      !s)
    return s;
  if (std::optional<std::string> text = arguments.value("--shared")) {
    Result<uint64_t> bytes = parseNumber("--shared", *text, 0, 256 << 10);
    if (!bytes)
      return bytes.status();
    launch.dynamicShared = int64_t(*bytes);
  }
  if (launch.block &&
      (*launch.block)[0] * (*launch.block)[1] * (*launch.block)[2] > 1024)
    return Status::badInput("--block is " +
                            quoted(*arguments.value("--block")) +
                            "; a block has at most 1024 threads");
  bool isGpu = request.options.target.compare(0, 4, "cpu:") != 0;
  if (launch.isGiven() && !(isGpu && endsWith(request.file, ".ll")))
    return Status::badInput(
        "--grid, --block and --shared go with a FILE.ll for "
        "a GPU; leave them out");
  return Status::ok();
}

} // namespace

Result<RunRequest> parseRunRequest(const Arguments &arguments) {
  RunRequest request;
  if (Status status = parseWhat(arguments, request.compile); !status)
    return status;
  Result<std::string> target =
      checkTarget(arguments.value("--target").value_or("cpu:native"));
  if (!target)
    return target.status();
  request.compile.options.target = *target;
  request.compile.options.schedule = arguments.value("--schedule").value_or("");
  if (Status status = parseLaunch(arguments, request.compile); !status)
    return status;
  MeasureOptions &measure = request.measure;
  Result<std::string> device =
      checkDevice(arguments.value("--device").value_or(""), *target);
  if (!device)
    return device.status();
  measure.device = *device;
  if (Status status = parseChip(arguments, *target, measure.run); !status)
    return status;
  if (Status status = parseNumbers(arguments, measure); !status)
    return status;
  if (std::optional<std::string> text = arguments.value("--dist")) {
    Result<Distribution> dist = parseDistribution(*text);
    if (!dist)
      return dist.status();
    measure.run.dist = *dist;
  }
  measure.run.time = !arguments.has("--no-time");
  measure.run.kernelSeconds =
      request.compile.file.empty() ? specSeconds : fileSeconds;
  if (!request.compile.file.empty())
    measure.sandboxMissing = note;
  const KernelSpec &spec = request.compile.spec;
  if (Status s = parseFiles("--input", arguments, spec, measure.run.inputs); !s)
    return s;
  if (Status s = parseFiles("--output", arguments, spec, measure.run.outputs);
      !s)
    return s;
  return request;
}

Result<PendingRun> PendingRun::start(const RunRequest &request) {
  Result<TemporaryFolder> folder = TemporaryFolder::make();
  if (!folder)
    return folder.status();
  Result<Child> child = startCompile(request.compile, folder->path());
  if (!child)
    return child.status();
  return PendingRun(request, std::move(*folder), std::move(*child));
}

Result<Row> PendingRun::finish() {
  Result<ManifestKernel> kernel = takeCompiled(child);
  if (!kernel)
    return kernel.status();
  return measureKernel(*kernel, folder.path(), request.measure);
}

} // namespace labgen
