// Tool.h - LLVM's and NVIDIA's programs, with nothing on disk between us.
//
// What a program reads is a file in memory, what it says comes back through
// pipes: neither a full disk nor a kill in between can cut it short unseen.
#ifndef LABGEN_LIB_TARGET_CODEGEN_TOOL_H
#define LABGEN_LIB_TARGET_CODEGEN_TOOL_H

#include "lib/Support/ReadFile.h"

#include <string_view>
#include <vector>

namespace labgen {

/// Bytes that a program started by runTool() opens by name.
class MemoryFile {
public:
  static Result<MemoryFile> make(std::string_view bytes);
  const std::string &path() const { return name; }

private:
  explicit MemoryFile(FileDescriptor file);
  FileDescriptor file;
  std::string name; ///< in the program, not here
};

struct ToolAnswer {
  std::string output; ///< all of stdout
  std::string said;   ///< first line on stderr, or else on stdout
  /// "exit code 1", "signal 9: Killed"; empty when all went well.
  std::string failure;
  bool crashed = false; ///< by a signal
};

/// Runs command[0], a path, and waits for it.
Result<ToolAnswer> runTool(const std::vector<std::string> &command);

} // namespace labgen

#endif // LABGEN_LIB_TARGET_CODEGEN_TOOL_H
