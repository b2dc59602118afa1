// CpuTarget.cpp - see CpuTarget.h. Code uses the features listed here and no
// others, so that a manifest can say exactly what an artifact needs.
#include "lib/Target/CPU/CpuTarget.h"

#include "lib/Host/CpuInfo.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

#include <limits>

using namespace labgen;

static const llvm::Target *x86(std::string &error) {
  static bool initialized = [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
    return true;
  }();
  (void)initialized;
  return llvm::TargetRegistry::lookupTarget(
      llvm::Triple("x86_64-unknown-linux-gnu"), error);
}

static std::unique_ptr<llvm::TargetMachine>
createMachine(const std::string &cpu, const std::string &features) {
  std::string error;
  const llvm::Target *target = x86(error);
  if (!target)
    return nullptr;
  llvm::Triple triple("x86_64-unknown-linux-gnu");
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, cpu, features, {}, llvm::Reloc::PIC_, std::nullopt,
      llvm::CodeGenOptLevel::Aggressive));
}

std::unique_ptr<llvm::TargetMachine> CpuTarget::createMachine() const {
  return ::createMachine(base, features);
}

/// What every kernel uses, whatever it is made for.
static constexpr const char *leastFeatures = "+avx2,+fma,+f16c,+bmi2";

static std::string nearestCpu(const std::string &name,
                              const llvm::MCSubtargetInfo &info) {
  std::string error, best = "native";
  const llvm::Target *target = x86(error);
  unsigned distance = std::numeric_limits<unsigned>::max();
  for (const llvm::SubtargetSubTypeKV &kv :
       info.getAllProcessorDescriptions()) {
    llvm::StringRef key(kv.Key);
    unsigned d = llvm::StringRef(name).edit_distance(key);
    if (d >= distance || !info.isCPUStringValid(key))
      continue;
    std::unique_ptr<llvm::MCSubtargetInfo> cpu(
        target->createMCSubtargetInfo(info.getTargetTriple(), key, ""));
    if (cpu->checkFeatures(leastFeatures))
      distance = d, best = key.str();
  }
  return best;
}

/// As rows see them, so that what streams past the caches here is cold there.
static void readHostCaches(CpuTarget &target) {
  const CpuInfo &host = hostCpu();
  target.l1 = host.l1Bytes;
  target.l2 = host.l2Bytes;
  target.llc = host.llcBytes;
}

Result<CpuTarget> labgen::resolveCpu(const std::string &name) {
  CpuTarget target;
  std::string hostFeatures;
  bool native = name == "native";
  target.cpu = native ? llvm::sys::getHostCPUName().str() : name;
  if (native) {
    llvm::SubtargetFeatures features;
    for (const auto &feature : llvm::sys::getHostCPUFeatures())
      features.AddFeature(feature.first(), feature.second);
    hostFeatures = features.getString();
    readHostCaches(target);
  }
  std::unique_ptr<llvm::TargetMachine> generic = ::createMachine("x86-64", "");
  if (!generic)
    return Status::missing("this LLVM has no x86-64 back end; install "
                           "llvm-22-dev");
  const llvm::MCSubtargetInfo *info = generic->getMCSubtargetInfo();
  if (!info->isCPUStringValid(target.cpu))
    return Status::badInput("unknown CPU '" + name +
                            "'; nearest: cpu:" + nearestCpu(name, *info) +
                            " (or cpu:native, cpu:x86-64-v3, cpu:x86-64-v4)");
  std::unique_ptr<llvm::TargetMachine> machine =
      ::createMachine(target.cpu, hostFeatures);
  auto has = [&](llvm::StringRef feature) {
    return machine->getMCSubtargetInfo()->checkFeatures("+" + feature.str());
  };
  if (!machine->getMCSubtargetInfo()->checkFeatures(leastFeatures))
    return Status::missing("CPU '" + target.cpu +
                           "' lacks AVX2, FMA or F16C; the least CPU kernels "
                           "are made for is cpu:x86-64-v3");
  target.base = "x86-64-v3";
  target.isa = {"avx2", "fma", "f16c", "bmi", "bmi2"};
  bool wide = has("avx512f") && has("avx512bw") && has("avx512vl") &&
              has("avx512dq") && has("avx512cd");
  if (wide) {
    target.base = "x86-64-v4";
    target.vectorBytes = 64;
    target.extends = {Format::F4E2M1FN}; // tables of 16 f32 in a register
    target.isa.insert(target.isa.end(), {"avx512f", "avx512bw", "avx512vl",
                                         "avx512dq", "avx512cd"});
  }
  auto use = [&](const char *feature) {
    if (!has(feature))
      return false;
    target.features += std::string("+") + feature + ",";
    target.isa.push_back(feature);
    return true;
  };
  if (wide)
    use("avx512vbmi");
  if (use(wide ? "avx512vnni" : "avxvnni"))
    target.dot = lab::IntegerDot::Quads;
  target.features += "-prefer-256-bit";
  return target;
}
