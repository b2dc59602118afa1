// IsolatedKernel.cpp - fork, orders, and waiting for what may never come.
#include "runtime/isolate/IsolatedKernel.h"

#include "runtime/isolate/FaultHandler.h"
#include "runtime/measure/Sampler.h"
#include "runtime/process/Process.h"
#include "runtime/sandbox/Confine.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace labgen {
namespace {

/// Between two looks at whether the child still lives.
constexpr double lookSeconds = 0.05;

Channel *makeChannel() {
  void *memory = mmap(nullptr, sizeof(Channel), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : new (memory) Channel();
}

/// Shared memory for what a kernel writes; inputs stay where they are. Nobody
/// needs outputs as they were.
Result<Tensors> makeResults(Tensors &before) {
  Tensors results;
  for (Tensor &tensor : before) {
    Result<Tensor> result =
        tensor.argument().role == Role::Input
            ? Result<Tensor>(tensor)
            : Tensor::allocate(tensor.argument(), Tensor::Sharing::Shared);
    if (!result)
      return result.status();
    if (tensor.argument().role == Role::Output)
      tensor = *result;
    results.push_back(std::move(*result));
  }
  return results;
}

} // namespace

Result<std::unique_ptr<IsolatedKernel>>
IsolatedKernel::start(const ManifestKernel &kernel, const std::string &folder,
                      Device &device, Tensors &before, double seconds) {
  std::unique_ptr<IsolatedKernel> made(new IsolatedKernel(kernel, seconds));
  Result<Tensors> results = makeResults(before);
  if (!results)
    return results.status();
  made->results = std::move(*results);
  made->channel = makeChannel();
  made->errors = memfd_create("labgen-kernel", MFD_CLOEXEC);
  pid_t judge = getpid();
  if (made->channel)
    made->pid = fork();
  if (made->pid < 0)
    return Status::missing(std::string("cannot start a process: ") +
                           strerror(errno) + "; raise the process limit");
  if (made->pid == 0) {
    settleChild(made->errors, judge);
    prctl(PR_SET_PDEATHSIG, SIGKILL); // it may ignore anything else
    serveOrders(
        {kernel, folder, device, before, made->results, *made->channel});
  }
  adoptChild(made->pid);
  wardGroup(made->pid);
  return made;
}

IsolatedKernel::~IsolatedKernel() {
  if (pid > 0)
    (void)die("");
  if (errors >= 0)
    close(errors);
  if (channel)
    munmap(channel, sizeof(Channel));
}

std::string IsolatedKernel::causeOfDeath(int waitStatus) const {
  std::string refusal =
      WIFSIGNALED(waitStatus) ? refusalBySandbox(WTERMSIG(waitStatus)) : "";
  if (!refusal.empty())
    return refusal;
  std::string death = deathText(waitStatus), said = firstLine(errors);
  std::string fault = describeFault(channel->fault, kernel);
  return "the kernel crashed (" + (death.empty() ? "no answer" : death) +
         (said.empty() ? "" : ": " + said) + ")" +
         (fault.empty() ? "" : ": " + fault);
}

Status IsolatedKernel::die(const std::string &why) {
  bool endedByItself = awaitEnd(pid, 0);
  if (!endedByItself)
    kill(-pid, SIGKILL);
  int status = endChild(pid);
  wardGroup(0);
  pid = -1;
  cause = endedByItself ? causeOfDeath(status) : why;
  return Status::badInput(cause);
}

Status IsolatedKernel::order(Order order) {
  if (!cause.empty())
    return Status::badInput(cause);
  Timer timer;
  uint32_t before = channel->answered.count();
  channel->order = order;
  goOn(pid);
  channel->asked.raise();
  while (channel->answered.count() == before) {
    channel->answered.await(before, lookSeconds);
    if (channel->answered.count() != before)
      break;
    if (awaitEnd(pid, 0))
      return die("");
    if (timer.seconds() > left) {
      char seconds[32];
      std::snprintf(seconds, sizeof seconds, "%g s", limit);
      return die(std::string("the kernel did not end within ") + seconds);
    }
  }
  // A thread that the kernel left behind changes nothing while it is judged.
  halt(pid);
  left -= timer.seconds();
  std::string text = readText(channel->text, Channel::textSize);
  switch (channel->exitCode) {
  case int32_t(ExitCode::Ok):
    return Status::ok();
  case int32_t(ExitCode::Missing):
    return Status::missing(text);
  default:
    return Status::badInput(text);
  }
}

Status IsolatedKernel::load() { return order(Order::Load); }

Status IsolatedKernel::run(const InputChange &change) {
  channel->change = change;
  return order(Order::Run);
}

Result<TimeStats> IsolatedKernel::time(double limitSeconds, bool flushCaches) {
  channel->limitSeconds = limitSeconds;
  channel->flushCaches = flushCaches;
  if (Status status = order(Order::Time); !status)
    return status;
  TimeStats stats{channel->median, channel->iqr, channel->samples,
                  readText(channel->stop, sizeof channel->stop)};
  if (!(stats.median >= 0) || !(stats.iqr >= 0) || stats.n < 1)
    return Status::badInput("the kernel's process sent times that cannot be; "
                            "run it again");
  return stats;
}

Result<RunReport> IsolatedKernel::report() const {
  return unpackReport(std::string(
      channel->report, strnlen(channel->report, Channel::reportSize)));
}

std::string IsolatedKernel::sandboxMissing() const {
  return channel->isConfined ? ""
                             : readText(channel->sandbox, Channel::textSize);
}

} // namespace labgen
