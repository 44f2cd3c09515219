#include "view_command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <vector>

#include "cairn/view/force_ranges.hpp"
#include "cairn/view/page.hpp"
#include "cairn/view/server.hpp"
#include "exit_code.hpp"
#include "interruption.hpp"

namespace cairn::app {
namespace {

bool is_loopback(const std::string& address) { return address.starts_with("127.") || address == "::1"; }

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

// Does not return.
[[noreturn]] void become(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& w : words) arguments.push_back(const_cast<char*>(w.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

// The browser outlives this program and writes nowhere. Forked twice: nobody needs to wait for it.
void open_browser(const std::string& url) {
  const std::string chosen = variable("BROWSER");
  const bool simple = !chosen.empty() && chosen.find_first_of(": %") == std::string::npos;  // one command, no list
  const std::vector<std::string> words{simple ? chosen : "xdg-open", url};
  const pid_t child = ::fork();
  if (child == 0) {
    if (::fork() != 0) ::_exit(0);
    ::setsid();
    const int nowhere = ::open("/dev/null", O_RDWR);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, stream);
    ::close_range(3, ~0U, 0);
    become(words);
  }
  if (child > 0) ::waitpid(child, nullptr, 0);
}

void open_page(const std::string& url) {
  if (variable("DISPLAY").empty() && variable("WAYLAND_DISPLAY").empty()) {
    fmt::print(stderr, "cairn: no display was found: open the address in a browser\n");
    return;
  }
  open_browser(url);
}

}  // namespace

int run(const ViewCommand& command) {
  auto result = view::Result::open(command.file);
  if (!result) return complain(result.error());
  view::ServerOptions options;
  options.address = command.address, options.port = command.port;
  if (!command.forces.empty()) {
    const auto ranges = view::read_force_ranges(command.forces, **result);
    if (!ranges) return complain(ranges.error());
    options.forces = view::force_bundle(*ranges, ranges->frame);
  }
  auto server = view::Server::make(std::move(*result), std::string(view::page()), options);
  if (!server) return complain(server.error());
  const InterruptionWatch signals;
  if (!is_loopback(command.address))
    fmt::print(stderr, "cairn: warning: whoever reaches {} and knows the address below can read the results\n",
               command.address);
  fmt::print("cairn: {}  (Ctrl-C ends)\n", server->url());
  if (std::fflush(stdout) != 0) return complain("standard output cannot be written", failed);
  if (!command.no_open) open_page(server->url_for_once());
  server->run(interruption);
  return done;
}

// --- beside a run ----------------------------------------------------------------------------------------------------

void Viewer::start(const std::string& file, bool no_open) {
  std::array<int, 2> pipe{};
  if (::pipe(pipe.data()) != 0) return;
  std::vector<std::string> words{"/proc/self/exe", "view"};
  if (no_open) words.push_back("--no-open");
  words.insert(words.end(), {"--", file});  // whatever its name begins with
  const pid_t parent = ::getpid();
  std::fflush(nullptr);
  child_ = ::fork();
  if (child_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // also where the run is killed
    if (::getppid() != parent) ::_exit(1);
    ::dup2(pipe[1], STDOUT_FILENO);
    ::close_range(3, ~0U, 0);  // the results file is this process's to write alone
    become(words);
  }
  ::close(pipe[1]);
  std::string line;  // with its address, or nothing where it failed and said why
  for (char c = 0; ::read(pipe[0], &c, 1) == 1 && c != '\n';) line += c;
  ::close(pipe[0]);
  if (line.empty()) return end();
  fmt::print(stderr, "{}\n", line);
}

bool Viewer::running() {
  if (child_ > 0 && ::waitpid(child_, nullptr, WNOHANG) != 0) child_ = -1;
  return child_ > 0;
}

void Viewer::end() {
  if (!running()) return;
  ::kill(child_, SIGTERM);
  ::waitpid(child_, nullptr, 0);
  child_ = -1;
}

}  // namespace cairn::app
