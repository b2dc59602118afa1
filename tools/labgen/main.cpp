// main.cpp - labgen, the tool: generates, runs and measures numeric kernels.
#include "lib/Driver/Compile.h"
#include "lib/Support/Version.h"
#include "tools/cli/Finish.h"
#include "tools/labgen/Commands.h"
#include "tools/labgen/driver/EmuDevice.h"

using namespace labgen;

int main(int argc, char **argv) {
  addEmuDevice();
  std::string version = "labgen " + labgenVersion() + ", git " + gitRevision() +
                        ", LLVM " + llvmVersion();
  return runTool(labgenTool(), argc, argv, version,
                 {{"list", listCommand},
                  {"formats", formatsCommand},
                  {"chips", chipsCommand},
                  {"lab", labCommand},
                  {"gen", genCommand},
                  {"explain", explainCommand},
                  {"compile", compileCommand},
                  {"run", runCommand},
                  {"matrix", matrixCommand},
                  {"bisect", bisectCommand}});
}
