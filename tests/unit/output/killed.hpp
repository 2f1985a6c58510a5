// Kills a writer at a chosen moment.
#pragma once

#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace crumple::output::sample {

/// Runs `writer` in a process of its own and kills it before its `nth` pwrite.
/// @returns how many it began, `nth` when it was killed; -1 when the system lets nobody trace
inline int kill_at_write(int nth, const auto& writer) {
  const pid_t child = fork();
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(2);
    raise(SIGSTOP);
    writer();
    _exit(0);
  }
  int status = 0, writes = 0;
  waitpid(child, &status, 0);
  ptrace(PTRACE_SETOPTIONS, child, nullptr, PTRACE_O_TRACESYSGOOD);
  ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
  for (;;) {
    if (waitpid(child, &status, 0) != child || WIFEXITED(status))
      return WEXITSTATUS(status) == 0 ? writes : -1;
    __ptrace_syscall_info info{};
    ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof info, &info);
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY && info.entry.nr == SYS_pwrite64 && ++writes == nth) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return writes;
    }
    ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
  }
}

}  // namespace crumple::output::sample
