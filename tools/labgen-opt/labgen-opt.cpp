// labgen-opt.cpp - mlir-opt with the lab dialect, passes and pipelines.
#include "lib/Registration/Registration.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  labgen::registerAllDialects(registry);
  mlir::registerAllPasses();
  labgen::registerAllPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "labgen optimizer driver\n", registry));
}
