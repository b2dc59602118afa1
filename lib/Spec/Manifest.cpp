// Manifest.cpp - manifest.json to a Manifest and back.
//
// A manifest may have travelled, so reading trusts nothing: specs are parsed,
// arguments held against the spec's own, paths kept inside the folder.
#include "lib/Spec/Manifest.h"
#include "lib/Spec/Bound.h"
#include "lib/Spec/Schema.h"
#include "lib/Support/AtomicFile.h"
#include "lib/Support/JsonReader.h"
#include "lib/Support/ReadFile.h"
#include "lib/Support/Text.h"

#include <algorithm>

namespace labgen {

template <typename T> static Json toArray(const std::vector<T> &items) {
  return Json::Array(items.begin(), items.end());
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static Json argumentToJson(const ManifestArgument &argument) {
  return Json::Object{
      {"name", argument.name},           {"role", name(argument.role)},
      {"format", name(argument.format)}, {"shape", toArray(argument.shape)},
      {"bytes", argument.byteSize},      {"alignment", argument.alignment}};
}

static Json launchToJson(const Launch &launch) {
  return Json::Object{{"entry", launch.entry},
                      {"grid", toArray(launch.grid)},
                      {"block", toArray(launch.block)},
                      {"shared_bytes", launch.sharedBytes},
                      {"units", launch.units}};
}

static Json kernelToJson(const ManifestKernel &kernel) {
  Json::Array arguments, launches;
  for (const ManifestArgument &argument : kernel.arguments)
    arguments.push_back(argumentToJson(argument));
  for (const Launch &launch : kernel.launches)
    launches.push_back(launchToJson(launch));
  Cost cost = labgen::cost(kernel.spec);
  RelativeBound bound = relativeBound(kernel.spec);
  return Json::Object{
      {"spec", kernel.spec.str()},
      {"target", kernel.target},
      {"cpu", textOrNull(kernel.cpu)},
      {"isa", toArray(kernel.isa)},
      {"artifact", textOrNull(kernel.artifact)},
      {"sha256", textOrNull(kernel.sha256)},
      {"device_ir", textOrNull(kernel.deviceIr)},
      {"device_ir_sha256", textOrNull(kernel.deviceIrSha256)},
      {"arguments", std::move(arguments)},
      {"launches", std::move(launches)},
      {"cost",
       Json::Object{{"bytes_read", cost.bytesRead},
                    {"bytes_written", cost.bytesWritten},
                    {"flops", cost.flops},
                    {"bits_per_weight", numberOrNull(cost.bitsPerWeight)}}},
      {"bound", Json::Object{{"relative", numberOrNull(bound.relative)},
                             {"to", bound.to}}},
      {"schedule", textOrNull(kernel.schedule)},
      {"failure", textOrNull(kernel.failure)}};
}

Json Manifest::toJson() const {
  Json::Object versionsJson;
  for (const auto &version : versions)
    versionsJson.emplace_back(version.first, version.second);
  Json::Array kernelsJson;
  for (const ManifestKernel &kernel : kernels)
    kernelsJson.push_back(kernelToJson(kernel));
  return Json::Object{{"versions", std::move(versionsJson)},
                      {"matrix", textOrNull(matrix)},
                      {"kernels", std::move(kernelsJson)}};
}

static std::string pathIn(const std::string &folder) {
  return folder + (folder.empty() || folder.back() == '/' ? "" : "/") +
         "manifest.json";
}

Status Manifest::write(const std::string &folder) const {
  Json json = toJson();
  if (Status status = checkSchema(json, manifestSchema()); !status)
    return Status::badInput("the manifest to write is not valid: " +
                            status.message());
  return writeFile(pathIn(folder), json.dump(2) + "\n");
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static ManifestArgument readArgument(const Json &json, const std::string &where,
                                     Status &status) {
  JsonReader in(json, where, status);
  ManifestArgument argument;
  in.read("name", argument.name);
  std::string role, format;
  in.read("role", role);
  in.read("format", format);
  in.read("shape", argument.shape);
  in.read("bytes", argument.byteSize);
  in.read("alignment", argument.alignment);
  if (std::optional<Role> parsed = parseWord<Role>(role))
    argument.role = *parsed;
  else
    in.failKey("role", "is " + quoted(role) +
                           ", not input, output, inout or workspace");
  if (std::optional<Format> parsed = parseFormat(format))
    argument.format = *parsed;
  else
    in.failKey("format", "is the unknown type " + quoted(format));
  int64_t alignment = argument.alignment;
  if (argument.byteSize < 0)
    in.failKey("bytes", "is negative");
  if (alignment < 1 || alignment > 4096 || (alignment & (alignment - 1)) != 0)
    in.failKey("alignment", "is no power of two up to 4096");
  for (int64_t size : argument.shape)
    if (size < 0)
      in.failKey("shape", "holds a negative size");
  return argument;
}

static Launch readLaunch(const Json &json, const std::string &where,
                         Status &status) {
  JsonReader in(json, where, status);
  Launch launch;
  in.read("entry", launch.entry);
  in.read("grid", launch.grid);
  in.read("block", launch.block);
  in.read("shared_bytes", launch.sharedBytes);
  in.read("units", launch.units);
  auto isBad = [](const std::vector<int64_t> &sizes, int64_t least) {
    return sizes.size() != 3 ||
           std::any_of(sizes.begin(), sizes.end(),
                       [&](int64_t size) { return size < least; });
  };
  if (launch.entry.empty())
    in.failKey("entry", "is empty");
  if (isBad(launch.grid, 0))
    in.failKey("grid", "is not three sizes from 0");
  if (isBad(launch.block, 1))
    in.failKey("block", "is not three sizes from 1");
  if (launch.sharedBytes < 0)
    in.failKey("shared_bytes", "is negative");
  if (launch.units < 0)
    in.failKey("units", "is negative");
  return launch;
}

/// The kernel reads and writes memory sized by these, so they must be the
/// spec's own, with nothing behind them but workspaces.
static bool argumentsFit(const ManifestKernel &kernel) {
  std::vector<Argument> wanted = arguments(kernel.spec);
  if (kernel.arguments.size() < wanted.size())
    return false;
  for (size_t i = 0; i < kernel.arguments.size(); ++i) {
    const ManifestArgument &got = kernel.arguments[i];
    if (i >= wanted.size()) {
      if (got.role != Role::Workspace)
        return false;
      continue;
    }
    const Argument &want = wanted[i];
    if (got.name != want.name || got.role != want.role ||
        got.format != want.format || got.shape != want.shape ||
        got.byteSize != want.bytes())
      return false;
  }
  return true;
}

static bool staysInside(const std::string &path) {
  if (path.empty() || path[0] == '/' || path.find('\0') != path.npos)
    return false;
  for (size_t begin = 0; begin <= path.size();) {
    size_t end = std::min(path.find('/', begin), path.size());
    if (path.compare(begin, end - begin, "..") == 0)
      return false;
    begin = end + 1;
  }
  return true;
}

static bool isHash(const std::string &text) {
  return text.size() == 64 &&
         text.find_first_not_of("0123456789abcdef") == text.npos;
}

static ManifestKernel readKernel(const Json &json, const std::string &where,
                                 Status &status) {
  JsonReader in(json, where, status);
  ManifestKernel kernel;
  std::string spec;
  in.read("spec", spec);
  in.read("target", kernel.target);
  in.read("cpu", kernel.cpu);
  in.read("isa", kernel.isa);
  in.read("artifact", kernel.artifact);
  in.read("sha256", kernel.sha256);
  in.read("device_ir", kernel.deviceIr);
  in.read("device_ir_sha256", kernel.deviceIrSha256);
  in.read("schedule", kernel.schedule);
  in.read("failure", kernel.failure);
  size_t index = 0;
  for (const Json &argument : in.array("arguments"))
    kernel.arguments.push_back(readArgument(
        argument, where + ".arguments[" + std::to_string(index++) + "]",
        status));
  index = 0;
  for (const Json &launch : in.array("launches"))
    kernel.launches.push_back(readLaunch(
        launch, where + ".launches[" + std::to_string(index++) + "]", status));
  if (!status)
    return kernel;

  Result<KernelSpec> parsed = KernelSpec::parse(spec);
  if (!parsed) {
    std::string why = parsed.status().message();
    in.failKey("spec", "does not parse: " + why.substr(0, why.find(';')));
    return kernel;
  }
  kernel.spec = *parsed;
  if (!kernel.failure.empty())
    return kernel; // no artifact to describe
  if (!argumentsFit(kernel))
    in.failKey("arguments", "are not those of " + kernel.spec.str());
  if (!staysInside(kernel.artifact))
    in.failKey("artifact", "is no path inside the manifest's folder");
  if (!isHash(kernel.sha256))
    in.failKey("sha256", "is not 64 lower-case hex digits");
  if (kernel.deviceIr.empty())
    return kernel; // a CPU's
  if (!staysInside(kernel.deviceIr))
    in.failKey("device_ir", "is no path inside the manifest's folder");
  if (!isHash(kernel.deviceIrSha256))
    in.failKey("device_ir_sha256", "is not 64 lower-case hex digits");
  return kernel;
}

Result<Manifest> Manifest::fromJson(const Json &json) {
  Status status;
  JsonReader in(json, "manifest", status);
  Manifest manifest;
  for (const Json::Member &version : in.object("versions"))
    if (const std::string *text = version.second.asString())
      manifest.versions[version.first] = *text;
    else
      in.failKey("versions", "holds something that is no string");
  in.read("matrix", manifest.matrix);
  size_t index = 0;
  for (const Json &kernel : in.array("kernels")) {
    manifest.kernels.push_back(
        readKernel(kernel, "kernels[" + std::to_string(index++) + "]", status));
    if (!status)
      return status;
  }
  if (!status)
    return status;
  return manifest;
}

Result<Manifest> Manifest::read(const std::string &folder) {
  std::string path = pathIn(folder);
  Result<std::string> text = readFile(path);
  if (!text)
    return text.status();
  Result<Json> json = Json::parse(*text);
  if (!json)
    return Status::badInput(path + ": " + json.status().message());
  Result<Manifest> manifest = fromJson(*json);
  if (!manifest)
    return Status::badInput(path + ": " + manifest.status().message());
  return manifest;
}

} // namespace labgen
