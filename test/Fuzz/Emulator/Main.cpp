// Main.cpp - labgen-fuzz-emulator: is the emulated device a sandbox?
//
//   labgen-fuzz-emulator --count N [--seed S] [--first I] [--jobs J] SEED.ll...
//
// Mutant I is a seed with a few changes, drawn by S and I alone. Those that
// LLVM's verifier accepts are loaded and run, each in a child of its own. A
// finding is a child that died of a signal, that left by an exit of its own, or
// that reached a canary: a function of this process, memory no kernel was
// given, a file. It is printed with what repeats it, and the exit code is 1.
#include "lib/Emulator/Emulator.h"
#include "test/Fuzz/Emulator/Mutator.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace labgen;
using namespace labgen::fuzz;

namespace {

/// What parent and children share.
struct Shared {
  enum Stage : uint32_t { Mutating, Loading, Running };
  struct Slot {
    volatile uint32_t stage, called;
    char why[240];
  };
  Slot slots[64];
};
Shared *shared = nullptr;
Shared::Slot *own = nullptr;

/// How a child ends of itself.
enum Outcome { Ran = 40, Refused, Invalid, Escaped };

constexpr size_t canaryBytes = 8192;
char *canaryPages = nullptr;

struct Settings {
  uint64_t count = 1000, seed = 1, first = 0;
  unsigned jobs = 2;
  bool print = false;
  std::vector<std::string> files;
};

} // namespace

// What no kernel may call; visible to whoever looks for symbols.
extern "C" [[gnu::visibility("default")]] [[gnu::used]] void
labgen_fuzz_canary() {
  if (own)
    own->called = 1;
}

static bool canaryIsWhole() {
  for (size_t i = 0; i < canaryBytes; ++i)
    if (canaryPages[i] != char(0x5A))
      return false;
  return true;
}

static std::unique_ptr<llvm::Module> parse(const std::string &text,
                                           llvm::LLVMContext &context) {
  llvm::SMDiagnostic diagnostic;
  return llvm::parseIR(llvm::MemoryBufferRef(text, "seed.ll"), diagnostic,
                       context);
}

// Mutants until one is valid.
static std::unique_ptr<llvm::Module> makeMutant(const std::string &text,
                                                llvm::LLVMContext &context,
                                                const Canaries &canaries,
                                                std::mt19937_64 &random) {
  for (int i = 0; i < 20; ++i) {
    std::unique_ptr<llvm::Module> module = parse(text, context);
    if (!module)
      return nullptr;
    Mutator mutator(*module, random(), canaries);
    unsigned changed = 0, wanted = 1 + unsigned(random() % 4);
    for (int tries = 0; tries < 40 && changed < wanted; ++tries)
      changed += mutator.mutate();
    if (changed && !llvm::verifyModule(*module))
      return module;
  }
  return nullptr;
}

static void launch(emu::Program &program, const std::string &name,
                   unsigned parameters, std::mt19937_64 &random) {
  auto memory = emu::Memory::create();
  if (!memory)
    return;
  std::vector<emu::Argument> arguments;
  std::vector<std::string> inputs;
  for (unsigned i = 0; i < parameters; ++i) {
    bool input = random() & 1;
    unsigned buffer =
        *(*memory)->allocate("b" + std::to_string(i), 4096 + random() % 4096,
                             input ? emu::Role::Input : emu::Role::InOut);
    const emu::Buffer &info = (*memory)->buffers()[buffer];
    for (uint64_t byte = 0; byte < info.bytes; ++byte)
      info.data[byte] = char(random());
    inputs.push_back(input ? std::string(info.data, info.bytes) : "");
    arguments.push_back(emu::Argument::pointer(buffer));
  }
  emu::Options options;
  options.workers = 1 + unsigned(random() % 2);
  if (random() & 1)
    options.orderSeed = random();
  options.maxIterations = 100000;
  options.leastSeconds = 0;
  const uint32_t sizes[] = {1, 32, 64, 128, 50};
  emu::Launch launch{name,
                     {1 + uint32_t(random() % 3), 1, 1},
                     {sizes[random() % 5], 1, 1},
                     256};
  (void)program.run(launch, arguments, **memory, options);
  for (unsigned i = 0; i < parameters; ++i) {
    const emu::Buffer &info = (*memory)->buffers()[i];
    if (!inputs[i].empty() &&
        std::memcmp(inputs[i].data(), info.data, info.bytes) != 0)
      _exit(Escaped);
  }
}

[[noreturn]] static void child(const Settings &settings,
                               const std::vector<std::string> &seeds,
                               uint64_t number) {
  alarm(20);
  std::mt19937_64 random(settings.seed * 0x9E3779B97F4A7C15 + number);
  Canaries canaries{"labgen_fuzz_canary",
                    {uint64_t(canaryPages) + 4000,
                     uint64_t(reinterpret_cast<uintptr_t>(&labgen_fuzz_canary)),
                     uint64_t(reinterpret_cast<uintptr_t>(&random)),
                     uint64_t(reinterpret_cast<uintptr_t>(own))}};
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module =
      makeMutant(seeds[random() % seeds.size()], *context, canaries, random);
  if (!module)
    _exit(Invalid);
  if (settings.print)
    module->print(llvm::outs(), nullptr);
  std::map<std::string, unsigned> parameters;
  for (const llvm::Function &function : *module)
    parameters[function.getName().str()] = unsigned(function.arg_size());
  own->stage = Shared::Loading;
  Result<emu::Program> program =
      emu::Program::load(std::move(module), std::move(context));
  if (!program) {
    std::strncpy(own->why, program.status().message().c_str(),
                 sizeof own->why - 1);
    _exit(own->called ? Escaped : Refused);
  }
  own->stage = Shared::Running;
  for (const std::string &name : program->kernels())
    launch(*program, name, parameters[name], random);
  _exit(own->called || !canaryIsWhole() ? Escaped : Ran);
}

static Settings read(int count, char **values) {
  Settings settings;
  for (int i = 1; i < count; ++i) {
    std::string name = values[i];
    auto number = [&] {
      return i + 1 < count ? std::strtoull(values[++i], nullptr, 10) : 0;
    };
    if (name == "--count")
      settings.count = number();
    else if (name == "--seed")
      settings.seed = number();
    else if (name == "--first")
      settings.first = number();
    else if (name == "--jobs")
      settings.jobs = unsigned(std::min<uint64_t>(64, number()));
    else if (name == "--print")
      settings.print = true;
    else
      settings.files.push_back(name);
  }
  return settings;
}

namespace {
/// Children at work, and what became of those that ended.
class Campaign {
public:
  Campaign(const Settings &settings, std::vector<std::string> seeds)
      : settings(settings), seeds(std::move(seeds)) {}

  int run() {
    uint64_t next = settings.first;
    // Nearly every number gives a valid mutant.
    uint64_t last = settings.first + 2 * settings.count + 100;
    while (valid < settings.count && next < last) {
      while (running.size() < settings.jobs &&
             valid + running.size() < settings.count)
        start(next++);
      finishOne();
    }
    llvm::outs() << valid << " mutants of " << seeds.size()
                 << " seeds: " << outcomes[Ran] << " ran, " << outcomes[Refused]
                 << " refused, " << limits << " ended by the limit; "
                 << findings << " findings (" << outcomes[Invalid] + broken
                 << " tries were no IR)\n";
    return findings ? 1 : 0;
  }

private:
  struct Child {
    uint64_t number;
    unsigned slot;
  };

  void start(uint64_t number) {
    unsigned slot = 0;
    while (taken[slot])
      ++slot;
    taken[slot] = true;
    std::memset(static_cast<void *>(&shared->slots[slot]), 0,
                sizeof(Shared::Slot));
    llvm::outs().flush();
    pid_t pid = fork();
    if (pid == 0) {
      own = &shared->slots[slot];
      child(settings, seeds, number);
    }
    running[pid] = {number, slot};
  }

  void finishOne() {
    int status = 0;
    pid_t pid = waitpid(-1, &status, 0);
    auto it = running.find(pid);
    if (it == running.end())
      return;
    Child ended = it->second;
    running.erase(it);
    taken[ended.slot] = false;
    judge(ended, status);
  }

  void judge(const Child &ended, int status) {
    const Shared::Slot &slot = shared->slots[ended.slot];
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    if (slot.stage == Shared::Mutating && code != Escaped) {
      // Not the emulator's fault: the change itself, or no valid one found.
      (code == Invalid ? outcomes[Invalid] : broken) += 1;
      return;
    }
    ++valid;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
      ++limits;
    } else if (code == Ran || code == Refused) {
      ++outcomes[code];
    } else {
      ++findings;
      llvm::outs() << "finding: mutant " << ended.number << " "
                   << (slot.stage == Shared::Loading ? "loading" : "running")
                   << ": "
                   << (code == Escaped ? std::string("reached a canary")
                       : WIFSIGNALED(status)
                           ? "signal " + std::to_string(WTERMSIG(status))
                           : "left with exit code " + std::to_string(code))
                   << "; repeat it with --seed " << settings.seed << " --first "
                   << ended.number << " --count 1\n";
    }
  }

  const Settings &settings;
  std::vector<std::string> seeds;
  std::map<pid_t, Child> running;
  bool taken[64] = {};
  uint64_t valid = 0, limits = 0, findings = 0, broken = 0;
  std::map<int, uint64_t> outcomes;
};
} // namespace

int main(int count, char **values) {
  Settings settings = read(count, values);
  std::vector<std::string> seeds;
  for (const std::string &file : settings.files) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    if (!buffer) {
      llvm::errs() << "error: cannot read " << file << "; check the path\n";
      return 1;
    }
    seeds.push_back((*buffer)->getBuffer().str());
  }
  if (seeds.empty() || settings.jobs == 0) {
    llvm::errs() << "error: no seeds; give files of device IR\n";
    return 1;
  }
  shared = static_cast<Shared *>(mmap(nullptr, sizeof(Shared),
                                      PROT_READ | PROT_WRITE,
                                      MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  canaryPages =
      static_cast<char *>(mmap(nullptr, canaryBytes, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (shared == MAP_FAILED || canaryPages == MAP_FAILED)
    return 2;
  std::memset(canaryPages, 0x5A, canaryBytes);
  return Campaign(settings, std::move(seeds)).run();
}
