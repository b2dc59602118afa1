// KernelProcess.cpp - load, confine, run, time.
//
// The kernel reads inputs in the pages that were forked with them, read-only,
// and writes outputs of this process's own, which keep their huge pages; after
// a run they are copied into the shared ones, gaps included. What a kernel
// updates in place is put back every thousand timed runs: y <- a x + y and
// c <- a b + c grow by the same amount each time, so until then values stay
// below a thousand first results, which keeps even f16 finite, and nothing
// shrinks into subnormals.
#include "runtime/isolate/KernelProcess.h"

#include "runtime/cpu/Pool.h"
#include "runtime/isolate/FaultHandler.h"
#include "runtime/measure/CacheState.h"
#include "runtime/measure/Sampler.h"
#include "runtime/sandbox/Confine.h"

#include <cstring>
#include <unistd.h>

using namespace labgen;

namespace {

constexpr int64_t runsPerReset = 1000;
constexpr int spoiled = 0xA5; ///< no right answer leaves it behind

class Server {
public:
  explicit Server(const KernelJob &job)
      : job(job), channel(job.channel), inputs(job.kernel.spec, job.before) {}

  [[noreturn]] void serve() {
    for (uint32_t seen = 0;; ++seen) {
      while (channel.asked.count() == seen)
        channel.asked.await(seen, -1);
      Status status = carryOut(channel.order);
      channel.exitCode = int32_t(status.exitCode());
      writeText(channel.text, Channel::textSize, status.message());
      channel.answered.raise();
    }
  }

private:
  Status carryOut(Order order) {
    switch (order) {
    case Order::Load:
      return load();
    case Order::Run:
      return run();
    case Order::Time:
      return time();
    }
    return Status::badInput("unknown order");
  }

  Status load() {
    if (Status status = makeArguments(); !status)
      return status;
    Result<std::unique_ptr<Kernel>> loaded =
        job.device.load(job.kernel, job.folder);
    if (!loaded)
      return loaded.status();
    code = std::move(*loaded);
    watchFaults(channel.fault, memoryByArgument());
    Status confined = confine();
    channel.isConfined = bool(confined);
    writeText(channel.sandbox, Channel::textSize, confined.message());
    return Status::ok();
  }

  /// The kernel's own arguments, and pointers to them in the manifest's order.
  Status makeArguments() {
    for (size_t i = 0; i < job.before.size(); ++i) {
      const Argument &argument = job.before[i].argument();
      Result<Tensor> tensor = argument.role == Role::Input
                                  ? Result<Tensor>(job.before[i])
                                  : Tensor::allocate(argument);
      if (!tensor)
        return tensor.status();
      own.push_back(std::move(*tensor));
    }
    for (Tensor &tensor : job.before)
      if (tensor.argument().role != Role::Output)
        tensor.makeReadOnly();
    for (const ManifestArgument &argument : job.kernel.arguments) {
      if (argument.role == Role::Workspace)
        continue;
      Tensor *tensor = find(own, argument.name);
      if (!tensor || tensor->byteSize() != argument.byteSize)
        return Status::badInput(
            "the manifest's argument '" + argument.name + "' (" +
            std::to_string(argument.byteSize) + " bytes) is not one of " +
            job.kernel.spec.str() + "; compile the lab again");
      pointers.push_back(tensor->data());
    }
    return Status::ok();
  }

  Tensors memoryByArgument() {
    Tensors workspaces = code->workspaces(), memory;
    size_t next = 0;
    for (const ManifestArgument &argument : job.kernel.arguments) {
      if (argument.role != Role::Workspace)
        memory.push_back(*find(own, argument.name));
      else if (next < workspaces.size())
        memory.push_back(workspaces[next++]);
    }
    return memory;
  }

  void restoreInPlace() {
    for (size_t i = 0; i < own.size(); ++i)
      if (own[i].argument().role == Role::InOut)
        std::memcpy(own[i].data(), job.before[i].data(),
                    size_t(own[i].byteSize()));
  }

  void spoilOutputs() {
    for (Tensor &tensor : own)
      if (tensor.argument().role == Role::Output)
        std::memset(tensor.data(), spoiled, size_t(tensor.byteSize()));
  }

  Status run() {
    inputs.apply(channel.change);
    restoreInPlace();
    spoilOutputs();
    if (Status status = code->run(pointers); !status)
      return status;
    for (size_t i = 0; i < own.size(); ++i)
      if (own[i].argument().role != Role::Input)
        own[i].copyWithGaps(job.results[i]);
    writeText(channel.report, Channel::reportSize,
              packReport(code->report(), Channel::reportSize));
    return Status::ok();
  }

  Status time() {
    Pool &pool = Pool::shared(job.device.threads());
    bool flush = channel.flushCaches, flushed = flush;
    int64_t runsLeft = runsPerReset;
    auto beforeSample = [&](int64_t runs) {
      if ((runsLeft -= runs) < 0) {
        runsLeft = runsPerReset - runs;
        restoreInPlace();
      }
      inputs.apply(drawChange(job.kernel.spec, sampleChangeBytes, drawn()));
      if (flush)
        flushed &= flushCaches(pool);
    };
    SamplingPolicy policy;
    policy.limitSeconds = channel.limitSeconds;
    Result<TimeStats> stats = sampleTimes(
        policy, !flush, [&] { return code->run(pointers); }, beforeSample);
    if (!stats)
      return stats.status();
    channel.cachesFlushed = flushed;
    channel.median = stats->median;
    channel.iqr = stats->iqr;
    channel.samples = stats->n;
    writeText(channel.stop, sizeof channel.stop, stats->stop);
    return Status::ok();
  }

  /// Knuth's 64-bit congruential generator: any draw will do.
  uint64_t drawn() {
    draws = draws * 6364136223846793005u + 1442695040888963407u;
    return draws ^ draws >> 29;
  }

  const KernelJob &job;
  Channel &channel;
  ChangingInput inputs;
  std::unique_ptr<Kernel> code;
  Tensors own;
  std::vector<void *> pointers;
  uint64_t draws = 1;
};

} // namespace

void labgen::serveOrders(const KernelJob &job) {
  closefrom(STDERR_FILENO + 1);
  Server(job).serve();
}
