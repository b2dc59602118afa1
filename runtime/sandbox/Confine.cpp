// Confine.cpp - the allow-list, as libseccomp's rules.
#include "runtime/sandbox/Confine.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <type_traits>
#include <unistd.h>

namespace labgen {

namespace {

struct Releaser {
  void operator()(scmp_filter_ctx filter) const { seccomp_release(filter); }
};
using Filter =
    std::unique_ptr<std::remove_pointer_t<scmp_filter_ctx>, Releaser>;

// Memory, threads, waiting and time.
constexpr int allowed[] = {
    SCMP_SYS(brk),
    SCMP_SYS(munmap),
    SCMP_SYS(mremap),
    SCMP_SYS(madvise),
    SCMP_SYS(membarrier),
    SCMP_SYS(futex),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(rseq),
    SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(sched_setaffinity),
    SCMP_SYS(getcpu),
    SCMP_SYS(getpid),
    SCMP_SYS(gettid),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_getres),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(nanosleep),
    SCMP_SYS(getrandom),
    SCMP_SYS(close),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
};

// What libraries try in passing and do without: the filter says no, and the
// process goes on.
constexpr int refused[] = {
    SCMP_SYS(open),       SCMP_SYS(openat),   SCMP_SYS(openat2),
    SCMP_SYS(read),       SCMP_SYS(pread64),  SCMP_SYS(access),
    SCMP_SYS(faccessat),  SCMP_SYS(stat),     SCMP_SYS(lstat),
    SCMP_SYS(faccessat2), SCMP_SYS(fstat),    SCMP_SYS(newfstatat),
    SCMP_SYS(statx),      SCMP_SYS(readlink), SCMP_SYS(readlinkat),
    SCMP_SYS(getcwd),     SCMP_SYS(ioctl),    SCMP_SYS(sysinfo),
    SCMP_SYS(lseek),
};

/// Tests of a system call's argument number `index`.
scmp_arg_cmp equals(unsigned index, uint64_t value) {
  return {index, SCMP_CMP_EQ, value, 0};
}
scmp_arg_cmp hasBits(unsigned index, uint64_t mask, uint64_t bits) {
  return {index, SCMP_CMP_MASKED_EQ, mask, bits};
}

/// Collects rules; after one was refused the others are not tried.
class Rules {
public:
  explicit Rules(scmp_filter_ctx filter) : filter(filter) {}

  template <typename... Tests>
  void add(uint32_t action, int call, Tests... tests) {
    if (error == 0)
      error =
          seccomp_rule_add(filter, action, call, sizeof...(tests), tests...);
  }
  template <typename... Tests> void allow(int call, Tests... tests) {
    add(SCMP_ACT_ALLOW, call, tests...);
  }

  int error = 0; ///< 0, or a negative errno

private:
  scmp_filter_ctx filter;
};

int addRules(scmp_filter_ctx filter) {
  Rules rules(filter);
  for (int call : allowed)
    rules.allow(call);
  for (int call : refused)
    rules.add(SCMP_ACT_ERRNO(EACCES), call);
  // No new code: what runs was there when the filter was installed.
  scmp_arg_cmp notExecutable = hasBits(2, PROT_EXEC, 0);
  rules.allow(SCMP_SYS(mmap), notExecutable);
  rules.allow(SCMP_SYS(mprotect), notExecutable);
  // Threads, not processes. glibc falls back from clone3, whose flags lie in
  // memory where a filter cannot look.
  rules.allow(SCMP_SYS(clone), hasBits(0, CLONE_THREAD, CLONE_THREAD));
  rules.add(SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3));
  // abort() and raise() signal the process itself.
  rules.allow(SCMP_SYS(tgkill), equals(0, uint64_t(getpid())));
  rules.allow(SCMP_SYS(write), equals(0, STDERR_FILENO));
  rules.allow(SCMP_SYS(prctl), equals(0, PR_SET_NAME));
  // getrlimit, not setrlimit.
  rules.allow(SCMP_SYS(prlimit64), equals(2, 0));
  return rules.error;
}

Status unavailable(int error) {
  return Status::missing(
      std::string("this system offers no seccomp filter (") +
      std::strerror(error) +
      "), so kernels from files keep this user's rights; run only kernels you "
      "trust, or use a Linux kernel with CONFIG_SECCOMP_FILTER");
}

} // namespace

Status confine() {
  Filter filter(seccomp_init(SCMP_ACT_KILL_PROCESS));
  if (!filter)
    return unavailable(ENOSYS);
  // All threads, or none.
  if (int error = seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_TSYNC, 1))
    return unavailable(-error);
  // Linux before 5.16 else turns speculative stores off with the filter, which
  // would slow the kernels that are timed. Not every system knows the flag.
  (void)seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_SSB, 1);
  if (int error = addRules(filter.get()))
    return unavailable(-error);
  if (int error = seccomp_load(filter.get()))
    return unavailable(-error);
  return Status::ok();
}

std::string refusalBySandbox(int signal) {
  if (signal != SIGSYS)
    return "";
  return "the kernel asked the operating system for something that a kernel "
         "does not need (a program, a process, the network, executable "
         "memory); the sandbox ended it";
}

} // namespace labgen
