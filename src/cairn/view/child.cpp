#include "cairn/view/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <sstream>

namespace cairn::view {
namespace {

using Clock = std::chrono::steady_clock;

// A file descriptor, closed with the object.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { reset(); }
  void reset() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }
  int get() const { return fd_; }

 private:
  int fd_ = -1;
};

// Two ends that know each other, above the numbers that a child expects at fixed places.
bool make_pair(Descriptor& ours, Descriptor& theirs) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
  const Descriptor first(ends[0]), second(ends[1]);
  constexpr int above = 16;
  ours = Descriptor(::fcntl(first.get(), F_DUPFD_CLOEXEC, above));
  theirs = Descriptor(::fcntl(second.get(), F_DUPFD_CLOEXEC, above));
  return ours.get() >= 0 && theirs.get() >= 0;
}

// posix_spawn: safe beside other threads, which fork() with code of our own after it is not.
int spawn(const ChildPlan& plan, int channel, int errors, pid_t& pid) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  int above = STDERR_FILENO;
  for (const int place : plan.channel) {
    posix_spawn_file_actions_adddup2(&actions, channel, place);
    above = std::max(above, place);
  }
  // No file or socket of ours besides: one that this program closes would stay open in the child.
  posix_spawn_file_actions_addclosefrom_np(&actions, above + 1);
  sigset_t none, standard;  // signals that this program ignores or blocks are not the child's business
  sigemptyset(&none);
  sigemptyset(&standard);
  for (const int s : {SIGPIPE, SIGINT, SIGTERM, SIGXFSZ}) sigaddset(&standard, s);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &standard);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<char*> words;
  for (const std::string& w : plan.words) words.push_back(const_cast<char*>(w.c_str()));
  words.push_back(nullptr);
  const int failure = ::posix_spawn(&pid, words[0], &actions, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failure;
}

}  // namespace

std::string find_program(const std::string& name) {
  const auto usable = [](const std::string& path) {
    std::error_code none;
    return std::filesystem::is_regular_file(path, none) && ::access(path.c_str(), X_OK) == 0;
  };
  if (name.empty()) return "";
  if (name.find('/') != std::string::npos) return usable(name) ? name : "";
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const std::string file = (folder.empty() ? "." : folder) + "/" + name; usable(file)) return file;
  return "";
}

struct Child::State {
  std::string name, noise;
  pid_t pid = -1;
  Descriptor channel, errors;
  std::optional<int> ended;  // exit code, or minus the signal
  std::string said;          // the end of its stderr

  ~State() {
    channel.reset();
    if (ended) return;
    ::kill(-pid, SIGKILL);
    ::kill(pid, SIGKILL);  // where the group is not yet its own
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
  }

  void listen() {
    constexpr std::size_t most = 1 << 15;
    char bytes[4096];
    ssize_t n = 0;
    while (errors.get() >= 0 && (n = ::recv(errors.get(), bytes, sizeof bytes, MSG_DONTWAIT)) > 0)
      said.append(bytes, static_cast<std::size_t>(n));
    if (errors.get() >= 0 && n == 0) errors.reset();
    if (said.size() > most) said.erase(0, said.size() - most);
  }

  bool look() {  // whether it has ended
    siginfo_t info{};
    if (ended || ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != pid)
      return ended.has_value();
    ::kill(-pid, SIGKILL);  // what a wrapper left running; the number is ours until we reap
    int status = 0;
    ::waitpid(pid, &status, 0);
    ended = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return true;
  }

  std::string end_text() const {
    return *ended < 0 ? fmt::format("{} was ended by signal {}", name, -*ended)
                      : fmt::format("{} ended with code {}", name, *ended);
  }

  // Sleeps until the channel is ready for `events`, or something else is to be looked at.
  void nap(short events) {
    constexpr int slice_ms = 50;
    pollfd watched[2] = {{events != 0 ? channel.get() : -1, events, 0}, {errors.get(), POLLIN, 0}};
    ::poll(watched, 2, slice_ms);
    listen();
  }

  // Tries until it gives something, the child ends or patience does. Empty: `attempt` was content.
  std::string until(const std::function<bool()>& attempt, short events, const char* doing, const Patience& patience) {
    const auto limit = Clock::now() + std::chrono::duration<double>(patience.seconds);
    for (;;) {
      const bool over = look();  // before the attempt: what it wrote last is still read
      if (attempt()) return "";
      if (over) return end_text();
      if (patience.interrupted && patience.interrupted()) return "interrupted";
      if (Clock::now() > limit) return fmt::format("{} {} for {:.2g} s", name, doing, patience.seconds);
      nap(events);
    }
  }
};

Child::Child(std::unique_ptr<State> state) : state_(std::move(state)) {}
Child::Child(Child&&) noexcept = default;
Child& Child::operator=(Child&&) noexcept = default;
Child::~Child() = default;

Expected<Child> Child::start(const ChildPlan& plan) {
  Descriptor ours, theirs, errors, their_errors;
  const auto failure = [&](int why) {
    return Error{fmt::format("{} cannot be started: {} ({})", plan.name, plan.words[0], std::strerror(why))};
  };
  if (!make_pair(ours, theirs) || !make_pair(errors, their_errors)) return failure(errno);
  pid_t pid = -1;
  if (const int why = spawn(plan, theirs.get(), their_errors.get(), pid); why != 0) return failure(why);
  auto state = std::make_unique<State>();
  state->name = plan.name, state->noise = plan.noise, state->pid = pid;
  state->channel = std::move(ours), state->errors = std::move(errors);
  return Child(std::move(state));
}

std::string Child::send(std::string_view bytes, const Patience& patience) {
  while (!bytes.empty()) {
    bool gone = false;
    const auto some = [&] {
      const ssize_t n = ::send(state_->channel.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
      if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
      gone = n < 0 && errno != EAGAIN && errno != EINTR;
      return n > 0 || gone;
    };
    if (std::string bad = state_->until(some, POLLOUT, "took no input", patience); !bad.empty()) return bad;
    if (!gone) continue;
    const Expected<int> code = wait({2, patience.interrupted});  // it hung up: most often it is about to end
    return code ? state_->end_text() : fmt::format("{} reads no more", state_->name);
  }
  return "";
}

Expected<std::string> Child::receive(const Patience& patience) {
  std::string bytes(1 << 16, '\0');
  ssize_t n = 0;
  const auto some = [&] {
    n = ::recv(state_->channel.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    return n >= 0 || (errno != EAGAIN && errno != EINTR);
  };
  if (std::string bad = state_->until(some, POLLIN, "gave no answer", patience); !bad.empty()) return Error{bad};
  if (n > 0) {
    bytes.resize(static_cast<std::size_t>(n));
    return bytes;
  }
  const Expected<int> code = wait({2, patience.interrupted});
  return Error{code ? state_->end_text() : fmt::format("{} closed its side of the connection", state_->name)};
}

void Child::hang_up() { ::shutdown(state_->channel.get(), SHUT_WR); }

Expected<int> Child::wait(const Patience& patience) {
  const auto over = [this] { return state_->look(); };
  if (std::string bad = state_->until(over, 0, "did not end", patience); !bad.empty()) return Error{bad};
  return *state_->ended;
}

std::string Child::last_words() {
  constexpr int most = 8;  // lines
  state_->listen();
  std::istringstream text(state_->said);
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) {
    const bool noisy = !state_->noise.empty() && line.find(state_->noise) != std::string::npos;
    if (!noisy && line.find_first_not_of(" \t\r") != std::string::npos) lines.push_back(line);
  }
  std::string shown;
  for (std::size_t k = lines.size() > most ? lines.size() - most : 0; k < lines.size(); ++k) shown += "\n  " + lines[k];
  return shown.empty() ? "" : "; its last lines:" + shown;
}

}  // namespace cairn::view
