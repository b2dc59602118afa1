// labgen-opt.cpp - mlir-opt with the lab dialect, passes and pipelines.
#include "lib/Registration/Registration.h"
#include "lib/Support/Version.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "runtime/report/Say.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"

static const char overview[] =
    R"(labgen-opt: MLIR's optimizer driver with the lab dialect and its pipelines

Examples:
  labgen gen axpy:n=1000,type=f32 | labgen-opt --labgen-cpu
  labgen-opt lab.mlir --labgen-cpu="cpu=x86-64-v4 stop-after=tiled"
  labgen-opt lab.mlir --lab-cpu-schedule --lab-tile --mlir-print-ir-after-all
)";

int main(int argc, char **argv) {
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &out) {
    out << "labgen-opt " << labgen::labgenVersion() << ", git "
        << labgen::gitRevision() << ", LLVM " << LLVM_VERSION_STRING << "\n";
  });
  mlir::DialectRegistry registry;
  labgen::registerAllDialects(registry);
  mlir::registerAllPasses();
  labgen::registerAllPasses();
  auto [input, output] =
      mlir::registerAndParseCLIOptions(argc, argv, overview, registry);
  // MLIR would print the name as it is.
  if (input != "-" && !llvm::sys::fs::exists(input))
    return sayError(labgen::Status::badInput("cannot read " + input +
                                             ": no such file; check the path"));
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, input, output, registry));
}
