// Explain.cpp - labgen explain: the contract of one lab in words.
//
// Numbers come from the tables every other part uses (arguments, cost, bound,
// roofs); only the sentences are here and beside it.
#include "tools/labgen/Commands.h"

#include "lib/Host/CpuInfo.h"
#include "lib/Roofline/Roofline.h"
#include "lib/Spec/Cost.h"
#include "lib/Support/Printable.h"
#include "runtime/measure/RoofFile.h"
#include "runtime/report/SpecParts.h"
#include "runtime/report/TextTable.h"
#include "runtime/report/Units.h"
#include "tools/cli/Finish.h"
#include "tools/labgen/driver/CompileChild.h"
#include "tools/labgen/driver/Folder.h"
#include "tools/labgen/explain/Facts.h"

namespace labgen {

std::string groupWords(const KernelSpec &s) {
  switch (s.group.kind) {
  case Group::Size:
    return "each run of " + std::to_string(s.group.size) +
           " neighbours along K" +
           (s.k % s.group.size ? " (the last of a row is shorter)" : "");
  case Group::Channel:
    return "each row";
  case Group::Tensor:
    return "the whole tensor";
  case Group::None:
    break;
  }
  return "nothing";
}

std::string roundingWords(Rounding rounding) {
  switch (rounding) {
  case Rounding::Even:
    return "to nearest, ties to even";
  case Rounding::Away:
    return "to nearest, ties away from zero";
  case Rounding::Zero:
    return "towards zero";
  case Rounding::Stochastic:
    return "up or down by chance, in proportion";
  }
  return "";
}

namespace {

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
  Format code = s.op == Op::Quantize ? s.out : s.op == Op::Gemm ? s.b : s.in;
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
  bool hasCodes =
      s.op == Op::Quantize || s.op == Op::Dequantize || s.op == Op::Gemm;
  std::string out = s.str() + "\n\n";
  for (const Fact &fact : hasCodes ? codeFacts(s) : elementFacts(s))
    out += fact.label + ": " + fact.words + "\n";
  out += "\n" + argumentTable(s) + "\n";
  Cost c = cost(s);
  out += "bytes: " + std::to_string(c.bytesRead) + " read, " +
         std::to_string(c.bytesWritten) + " written\n";
  out += "FLOPs: " + std::to_string(c.flops) + ", " +
         significant(c.intensity()) + " per byte\n";
  if (c.bitsPerWeight)
    out += "bits per weight: " + bitsWords(s, *c.bitsPerWeight) + "\n";
  Fact bound = boundFact(s);
  out += bound.label + ": " + bound.words + "\n";
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
