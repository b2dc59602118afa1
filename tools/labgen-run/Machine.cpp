// Machine.cpp - labgen-run devices and probe: what this machine is and can do.
#include "tools/labgen-run/Commands.h"

#include "lib/Host/CpuInfo.h"
#include "lib/Support/Units.h"
#include "runtime/measure/RoofFile.h"
#include "runtime/report/Progress.h"
#include "runtime/report/TextTable.h"
#include "tools/cli/Drivers.h"
#include "tools/cli/Finish.h"

namespace labgen {

Result<ExitCode> devicesCommand(const Arguments &) {
  const CpuInfo &cpu = hostCpu();
  TextTable table;
  table.addColumn("device");
  table.addColumn("what it is");
  table.addLine({"cpu", cpu.model + ", " + std::to_string(cpu.cores.size()) +
                            (cpu.cores.size() == 1 ? " core, " : " cores, ") +
                            cpu.vectorIsa()});
  for (const Driver &driver : {cudaDriver(), hipDriver()})
    table.addLine({driver.prefix + "N",
                   driver.found
                       ? driver.library + " is here; labgen cannot use it yet"
                       : "no " + driver.title + " driver (" + driver.library +
                             ") on this machine"});
  print(table.str());
  return ExitCode::Ok;
}

/// 32 KiB, 1.5 MiB.
static std::string byteText(int64_t bytes) {
  const char *unit = " B";
  double value = double(bytes);
  for (const char *larger : {" KiB", " MiB", " GiB"}) {
    if (value < 1024)
      break;
    value /= 1024;
    unit = larger;
  }
  return significant(value) + unit;
}

static std::string roofTables(const MachineRoofs &roofs) {
  TextTable bandwidths;
  bandwidths.addColumn("mix");
  bandwidths.addColumn("isa");
  bandwidths.addColumn("threads", Align::Right);
  bandwidths.addColumn("footprint", Align::Right);
  bandwidths.addColumn("GB/s", Align::Right);
  bandwidths.addColumn("stores");
  for (const Bandwidth &b : roofs.bandwidths)
    bandwidths.addLine({std::string(name(b.mix)), b.isa,
                        std::to_string(b.threads), byteText(b.footprintBytes),
                        significant(b.gbps),
                        b.mix == Mix::Read ? ""
                        : b.nonTemporal    ? "non-temporal"
                                           : "plain"});
  TextTable peaks;
  peaks.addColumn("format");
  peaks.addColumn("isa");
  peaks.addColumn("threads", Align::Right);
  peaks.addColumn("GFLOP/s", Align::Right);
  for (const Peak &p : roofs.peaks)
    peaks.addLine({std::string(name(p.format)), p.isa,
                   std::to_string(p.threads), significant(p.gflops)});
  return bandwidths.str() + "\n" + peaks.str();
}

Result<ExitCode> probeCommand(const Arguments &arguments) {
  Progress progress("probe");
  Result<MachineRoofs> roofs = probeMachine([&](int done, int total) {
    progress.show(size_t(done), size_t(total), "");
  });
  progress.clear();
  if (!roofs)
    return roofs.status();
  if (Status status = storeRoofs(*roofs); !status)
    return status;
  if (arguments.has("--json")) {
    print(roofs->toJson().dump() + "\n");
    return ExitCode::Ok;
  }
  std::string text = "chip: " + roofs->chip + "\ndate: " + roofs->date + "\n";
  for (const auto &[condition, value] : roofs->conditions)
    text += condition + ": " + value + "\n";
  text += "caches: L1 " + byteText(roofs->l1Bytes) + ", L2 " +
          byteText(roofs->l2Bytes) + ", last level " +
          byteText(roofs->llcBytes) + "\n";
  text += "launch and join: " + duration(roofs->launchSeconds) + "\n";
  text += "stored in: " + roofFilePath() + "\n\n";
  print(text + roofTables(*roofs));
  return ExitCode::Ok;
}

} // namespace labgen
