// Interrupt.cpp - the signal handler: one flag, one byte into a pipe.
#include "runtime/matrix/Interrupt.h"

#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace labgen {

namespace {

std::atomic<int> raised{0}; ///< the signal
int wake[2] = {-1, -1};

void onSignal(int number) {
  raised = number;
  [[maybe_unused]] ssize_t written = write(wake[1], "", 1);
}

} // namespace

void watchInterrupts() {
  if (wake[0] >= 0 || pipe2(wake, O_CLOEXEC | O_NONBLOCK) != 0)
    return;
  struct sigaction action = {};
  action.sa_handler = onSignal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return raised != 0; }

bool terminated() { return raised == SIGTERM; }

int interruptDescriptor() { return wake[0]; }

} // namespace labgen
