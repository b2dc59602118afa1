// main.cpp - labgen-run, the tool without LLVM: measures a carried folder of
// CPU kernels, and the machine itself.
#include "lib/Support/Version.h"
#include "tools/cli/Finish.h"
#include "tools/labgen-run/Commands.h"

using namespace labgen;

int main(int argc, char **argv) {
  std::string version = "labgen-run " + labgenVersion() + ", git " +
                        gitRevision() + ", LLVM none";
  return runTool(labgenRunTool(), argc, argv, version,
                 {{"bench", benchCommand},
                  {"probe", probeCommand},
                  {"devices", devicesCommand},
                  {"chips", chipsCommand},
                  {"model", modelCommand},
                  {"roofline", rooflineCommand},
                  {"report", reportCommand}});
}
