// Explain.cpp - labgen explain: the contract of one lab in words.
//
// Numbers come from the tables every other part uses (arguments, cost, bound,
// roofs); the sentences are the op's (lib/Spec/ops).
#include "tools/labgen/Commands.h"

#include "lib/Host/CpuInfo.h"
#include "lib/Roofline/Roofline.h"
#include "lib/Spec/OpInfo.h"
#include "lib/Support/Printable.h"
#include "lib/Support/Text.h"
#include "lib/Support/Units.h"
#include "runtime/check/GemmRows.h"
#include "runtime/measure/RoofFile.h"
#include "runtime/report/TextTable.h"
#include "tools/cli/Finish.h"
#include "tools/labgen/driver/CompileChild.h"
#include "tools/labgen/driver/Folder.h"
#include "tools/labgen/explain/Stored.h"

namespace labgen {

namespace {

std::string packingWords(Format code) {
  int bits = info(code).storageBits;
  return (bits == 8   ? "one code a byte"
          : bits == 4 ? "two codes a byte, the first in the low bits"
                      : "four codes in three bytes, low bits first") +
         text(bits == 8 ? "" : "; each row starts on a byte, pad bits are 0");
}

std::string argumentTable(const KernelSpec &s) {
  TextTable table;
  for (const char *title : {"argument", "role", "format", "shape"})
    table.addColumn(title);
  table.addColumn("bytes", Align::Right);
  for (const Argument &argument : labgen::arguments(s)) {
    std::string shape = "[";
    for (int64_t size : argument.shape)
      shape += (shape.size() > 1 ? "," : "") + std::to_string(size);
    table.addLine({argument.name, text(name(argument.role)),
                   text(name(argument.format)), shape + "]",
                   std::to_string(argument.bytes())});
  }
  return table.str();
}

/// "4 the code, 16/32 of a scale".
std::string bitsWords(const KernelSpec &s, double bits) {
  Format code = info(s.op).codes(s)->format;
  std::string words = shortest(bits, 4) + ": " +
                      std::to_string(info(code).storageBits) + " of the code";
  auto share = [&](const char *what, Format format) {
    std::string length = s.group.kind == Group::Size
                             ? std::to_string(s.group.size)
                         : s.group.kind == Group::Channel ? "K"
                                                          : "(M K)";
    words += ", " + std::to_string(info(format).storageBits) + "/" + length +
             " of its " + what;
  };
  share("scale", *s.scale);
  if (s.zero)
    share("zero point", *s.zero);
  return words + (s.hasGlobal() ? ", and the global scale" : "") +
         "; short groups and pad bits billed";
}

/// What the op says, and what follows from how results are checked and codes
/// packed.
Facts facts(const KernelSpec &s) {
  Facts all = info(s.op).explain(s, storedWords);
  if (isSampled(s))
    all.push_back({"check", std::to_string(sampledRows) +
                                " rows exactly, at tile edges and by chance; "
                                "all rows by Freivalds' test"});
  if (s.isQuantized())
    all.push_back({"packing", packingWords(info(s.op).codes(s)->format)});
  return all;
}

std::string boundWords(const KernelSpec &s) {
  RelativeBound bound = relativeBound(s);
  if (bound.relative == 0)
    return "0: exact";
  return scientific(bound.relative) + " times " + text(bound.to) + "; " +
         info(s.op).boundWords(s);
}

std::string roofWords(const KernelSpec &s, const Cost &c,
                      const ManifestKernel *kernel) {
  std::optional<MachineRoofs> roofs = storedRoofs();
  if (!roofs)
    return "not measured on this machine yet; labgen-run probe does";
  int threads = int(hostCpu().cores.size());
  std::optional<Prediction> prediction = predict(s, c, *roofs, threads);
  if (!prediction)
    return "unknown for these formats";
  std::string code;
  if (kernel)
    if (std::optional<Peak> peak =
            fastestPeak(s, reachable(*roofs, kernel->isa), threads))
      code = "; the code's instructions reach " + significant(peak->gflops) +
             " GFLOP/s " + peak->isa;
  return duration(prediction->seconds) + " on " + std::to_string(threads) +
         " threads, bound by " + prediction->regime + " (" +
         significant(prediction->gbps) + " GB/s, " +
         significant(prediction->gflops) + " GFLOP/s " + prediction->isa +
         code + ")";
}

/// What the compiler chooses for this machine.
Result<ManifestKernel> compiled(const KernelSpec &s) {
  Result<TemporaryFolder> folder = TemporaryFolder::make();
  if (!folder)
    return folder.status();
  return compileInChild({s, CompileOptions(), ""}, folder->path());
}

} // namespace

Result<ExitCode> explainCommand(const Arguments &arguments) {
  Result<KernelSpec> spec = KernelSpec::parse(arguments.positional[0]);
  if (!spec)
    return spec.status();
  const KernelSpec &s = *spec;
  std::string out = s.str() + "\n\n";
  for (const Fact &fact : facts(s))
    out += fact.label + ": " + fact.words + "\n";
  out += "\n" + argumentTable(s) + "\n";
  Cost c = cost(s);
  out += "bytes: " + std::to_string(c.bytesRead) + " read, " +
         std::to_string(c.bytesWritten) + " written\n";
  out += "FLOPs: " + std::to_string(c.flops) + ", " +
         significant(c.intensity()) + " per byte\n";
  if (c.bitsPerWeight)
    out += "bits per weight: " + bitsWords(s, *c.bitsPerWeight) + "\n";
  out += "error bound: " + boundWords(s) + "\n";
  Result<ManifestKernel> kernel = compiled(s);
  out += "schedule (cpu:native): " +
         (kernel ? kernel->schedule
                 : "unknown: " + printable(kernel.status().message())) +
         "\n";
  out += "roof (cpu:native): " + roofWords(s, c, kernel ? &*kernel : nullptr) +
         "\n";
  print(out);
  return ExitCode::Ok;
}

} // namespace labgen
