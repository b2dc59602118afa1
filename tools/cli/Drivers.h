// Drivers.h - whether a GPU driver is on this machine, found at run time.
#ifndef LABGEN_TOOLS_CLI_DRIVERS_H
#define LABGEN_TOOLS_CLI_DRIVERS_H

#include <string>
#include <vector>

namespace labgen {

struct Driver {
  std::string title;   ///< CUDA, HIP
  std::string prefix;  ///< of its devices, "cuda:"
  std::string library; ///< what is looked for
  std::string package; ///< what brings it
  bool found = false;
};
Driver cudaDriver();
Driver hipDriver();

} // namespace labgen

#endif // LABGEN_TOOLS_CLI_DRIVERS_H
