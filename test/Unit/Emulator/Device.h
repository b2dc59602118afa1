// Device.h - what the tests of the emulated device share: programs from text
// or files, typed buffers, launches.
#ifndef LABGEN_TEST_UNIT_EMULATOR_DEVICE_H
#define LABGEN_TEST_UNIT_EMULATOR_DEVICE_H

#include "lib/Emulator/Emulator.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace labgen::emu {

inline std::string readFile(const std::string &path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Text of a file in kernels/.
inline std::string kernelText(const std::string &name) {
  return readFile(std::string(EMULATOR_KERNELS) + "/" + name);
}

inline Result<Program> tryLoad(const std::string &text, unsigned warpSize = 0) {
  return Program::load(llvm::MemoryBufferRef(text, "test.ll"), warpSize);
}

/// One memory, one program, and launches of it that must start.
class Device {
public:
  explicit Device(const std::string &text, unsigned warpSize = 0)
      : memory(std::move(*Memory::create())) {
    Result<Program> loaded = tryLoad(text, warpSize);
    if (loaded)
      program.emplace(std::move(*loaded));
    else
      ADD_FAILURE() << loaded.status().message();
  }

  template <typename T> unsigned buffer(const std::string &name,
                                        const std::vector<T> &values,
                                        Role role = Role::InOut) {
    unsigned index = *memory->allocate(name, values.size() * sizeof(T), role);
    if (!values.empty())
      memcpy(memory->data(index), values.data(), values.size() * sizeof(T));
    return index;
  }
  template <typename T> unsigned output(const std::string &name, size_t count) {
    return *memory->allocate(name, count * sizeof(T), Role::Output);
  }
  template <typename T> std::vector<T> read(unsigned buffer) {
    const Buffer &info = memory->buffers()[buffer];
    std::vector<T> values(info.bytes / sizeof(T));
    if (!values.empty())
      memcpy(values.data(), info.data, info.bytes);
    return values;
  }

  Report run(const std::string &entry, Dim3 grid, Dim3 block,
             const std::vector<Argument> &arguments,
             uint32_t dynamicShared = 0) {
    if (!program)
      return {};
    Result<Report> report = program->run({entry, grid, block, dynamicShared},
                                         arguments, *memory, options);
    if (report)
      return *report;
    ADD_FAILURE() << report.status().message();
    return {};
  }

  Options options;
  std::unique_ptr<Memory> memory;
  std::optional<Program> program;
};

inline std::string allText(const Report &report) {
  std::string text;
  for (const Finding &finding : report.findings)
    text += finding.text() + "\n";
  return text;
}

/// Ran to the end without a finding.
inline void expectClean(const Report &report) {
  EXPECT_TRUE(report.completed);
  EXPECT_EQ(allText(report), "");
}

/// Every finding is of `check`, and one mentions `text`.
inline void expectFinding(const Report &report, Check check,
                          const std::string &text) {
  EXPECT_FALSE(report.findings.empty());
  for (const Finding &finding : report.findings)
    EXPECT_EQ(finding.check, check) << finding.text();
  EXPECT_NE(allText(report).find(text), std::string::npos)
      << "wanted: " << text << "\ngot: " << allText(report);
}

inline Argument pointer(unsigned buffer, int64_t offset = 0) {
  return Argument::pointer(buffer, offset);
}
template <typename T> Argument scalar(T value) {
  return Argument::scalar(value);
}

} // namespace labgen::emu

#endif // LABGEN_TEST_UNIT_EMULATOR_DEVICE_H
