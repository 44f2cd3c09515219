// Runs a measurement in a forked child: a peer that prints, calls exit(), aborts or never ends costs one row of a table
// and not the table. What the child had already reported when it died is kept.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <type_traits>
#include <vector>

namespace bench {

// CPU time of this process [s]: what one thread spent, whatever else the machine does.
inline double cpu_seconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

inline double median(std::vector<double> x) {
  if (x.empty()) return 0;
  std::sort(x.begin(), x.end());
  const size_t n = x.size();
  return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

inline double cpu_seconds_of(pid_t process) {
  clockid_t clock;
  timespec t{};
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &t) != 0) return 0;
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Reads records until the child closes the pipe, or ends it when it spends more than `limit` seconds of CPU time
// without a new record. (The parent watches because a CPU timer armed in the child, ITIMER_PROF or RLIMIT_CPU, makes
// Linux answer the child's own CPU clock in whole ticks: times of microseconds would read 0.)
template <class Record>
std::vector<Record> collect(int fd, pid_t child, double limit) {
  std::vector<Record> out;
  Record r;
  size_t have = 0;
  double since = 0;
  for (;;) {
    pollfd p{fd, POLLIN, 0};
    if (poll(&p, 1, 100) == 0) {
      if (cpu_seconds_of(child) - since > limit) kill(child, SIGKILL);
      continue;
    }
    const ssize_t n = read(fd, reinterpret_cast<char*>(&r) + have, sizeof r - have);
    if (n <= 0) return out;
    have += static_cast<size_t>(n);
    if (have < sizeof r) continue;
    out.push_back(r);
    have = 0;
    since = cpu_seconds_of(child);
  }
}

// Runs body(emit) in a child, silent; returns what it emitted. Record must be copyable byte by byte (it crosses a
// pipe). limit: [s] of CPU time between two records.
template <class Record, class Body>
std::vector<Record> isolated(double limit, Body body) {
  static_assert(std::is_trivially_copyable_v<Record>);
  int fd[2];
  if (pipe(fd) != 0) return {};
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) return {};
  if (child == 0) {
    close(fd[0]);
    const int sink = open("/dev/null", O_WRONLY);
    dup2(sink, 1);
    dup2(sink, 2);
    body([&](const Record& r) {
      if (write(fd[1], &r, sizeof r) != static_cast<ssize_t>(sizeof r)) _exit(3);
    });
    _exit(0);  // no destructors of the parent's objects, no flush of its buffers
  }
  close(fd[1]);
  auto out = collect<Record>(fd[0], child, limit);
  close(fd[0]);
  waitpid(child, nullptr, 0);
  return out;
}

}  // namespace bench
