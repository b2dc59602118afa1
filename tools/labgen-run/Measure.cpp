// Measure.cpp - labgen-run bench and report: a carried folder of kernels.
#include "tools/labgen-run/Commands.h"

#include "runtime/matrix/Bench.h"
#include "runtime/matrix/Interrupt.h"

namespace labgen {

Result<ExitCode> benchCommand(const Arguments &arguments) {
  BenchRequest request;
  request.folder = arguments.positional[0];
  request.measure.run.time = !arguments.has("--no-time");
  request.json = arguments.has("--json");
  request.resume = "labgen-run bench " + request.folder;
  if (std::optional<std::string> text = arguments.value("--threads")) {
    Result<uint64_t> threads = parseNumber("--threads", *text, 1, 1024);
    if (!threads)
      return threads.status();
    request.measure.threads = int(*threads);
    request.resume += " --threads " + *text;
  }
  if (!request.measure.run.time)
    request.resume += " --no-time";
  Result<Manifest> manifest = Manifest::read(request.folder);
  if (!manifest)
    return manifest.status();
  watchInterrupts();
  return measureAndReport(*manifest, request);
}

Result<ExitCode> reportCommand(const Arguments &arguments) {
  return reportFolder(arguments.positional[0], arguments.has("--json"));
}

} // namespace labgen
