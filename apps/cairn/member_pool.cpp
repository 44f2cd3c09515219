#include "member_pool.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "cairn/base/threads.hpp"
#include "exit_code.hpp"
#include "interruption.hpp"

namespace cairn::app {
namespace {

// False: nobody listens any more.
bool write_all(int pipe, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t now = ::write(pipe, text.data() + done, text.size() - done);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) return false;
    done += static_cast<std::size_t>(now);
  }
  return true;
}

// Ended by its own fault, which the next try would repeat; not by somebody else, as by lack of memory.
bool own_fault(int signal) { return signal == SIGABRT || signal == SIGSEGV || signal == SIGFPE || signal == SIGILL; }

}  // namespace

MemberPool::MemberPool(const ensemble::Design& design, const ensemble::Layout& layout, ensemble::Folder& folder,
                       int jobs, int runs, bool show)
    : design_(design), layout_(layout), folder_(folder), jobs_(jobs), runs_(runs), line_(show) {
  begun_with_ = done();
}

int MemberPool::done() const {
  return static_cast<int>(
      std::ranges::count_if(folder_.members(), [this](const ensemble::Member& m) { return m.index < runs_; }));
}

std::string MemberPool::go() {
  const InterruptionWatch signals;
  const auto complete = [this](const Expected<ensemble::Reference>& r) {
    return r && r->bodies > 0 &&
           r->x.size() == layout_.times.size() * r->bodies * static_cast<std::size_t>(r->dimension);
  };
  Expected<ensemble::Reference> reference = folder_.reference();
  if (!folder_.has(0) || !complete(reference)) {
    if (const std::string bad = compute({0}); !bad.empty() || interruption()) return bad;
    reference = folder_.reference();
    if (!folder_.members()[0].failed.empty()) return "";  // nothing to compare with: the result says so
    if (!complete(reference)) return folder_.at("reference.bin") + ": cannot be read back";
  }
  if (folder_.members()[0].failed.empty()) reference_ = std::move(*reference);
  std::vector<int> missing;
  for (int k = 1; k < runs_; ++k)
    if (!folder_.has(k)) missing.push_back(k);
  return compute(missing);
}

std::string MemberPool::compute(const std::vector<int>& members) {
  std::string bad;
  std::size_t next = 0;
  while (bad.empty() && !interruption() && (next < members.size() || !children_.empty())) {
    while (bad.empty() && next < members.size() && static_cast<int>(children_.size()) < jobs_)
      bad = start(members[next++]);
    show();
    wait_a_little();
    for (Child& child : children_)
      if (bad.empty()) bad = hear(child);
    std::erase_if(children_, [](const Child& c) { return c.pipe < 0; });
  }
  stop_all();
  line_.clear();
  return bad;
}

std::string MemberPool::start(int member) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fmt::format("no pipe for a run ({})", std::strerror(errno));
  std::fflush(stdout), std::fflush(stderr);
  const pid_t parent = ::getpid(), process = ::fork();
  if (process < 0) return fmt::format("no process for a run ({})", std::strerror(errno));
  if (process == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(interrupted);
    ::close(ends[0]);
    be_child(member, ends[1]);
  }
  ::close(ends[1]);
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  children_.push_back({member, process, ends[0], "", 0, false});
  return "";
}

void MemberPool::be_child(int member, int pipe) {
  folder_.leave();  // a command that follows a kill of the parent finds it free
  set_threads(1);
  bool heard = true;
  ensemble::MemberWatch watch;
  watch.interrupted = [&] { return interruption() || !heard; };
  watch.show = [&](Real part) { heard = write_all(pipe, fmt::format("part {}\n", part)); };
  const auto made = ensemble::run_member(design_, layout_, member, reference_, watch);
  if (!made) ::_exit(interrupted);
  if (member == 0 && made->failed.empty())
    if (const std::string bad = folder_.keep(reference_); !bad.empty()) {
      write_all(pipe, "bad " + bad + "\n");
      ::_exit(failed);
    }
  ::_exit(write_all(pipe, "member " + ensemble::member_json(*made) + "\n") ? app::done : failed);
}

void MemberPool::wait_a_little() {
  std::vector<pollfd> pipes;
  for (const Child& c : children_) pipes.push_back({c.pipe, POLLIN, 0});
  ::poll(pipes.data(), pipes.size(), 200);
}

std::string MemberPool::hear(Child& child) {
  char buffer[65536];
  for (;;) {
    const ssize_t now = ::read(child.pipe, buffer, sizeof buffer);
    if (now < 0 && errno == EINTR) continue;
    if (now < 0) return "";  // nothing more for now
    if (now == 0) return end(child);
    child.said.append(buffer, static_cast<std::size_t>(now));
    for (std::size_t line = child.said.find('\n'); line != std::string::npos; line = child.said.find('\n')) {
      const std::string said = child.said.substr(0, line);
      child.said.erase(0, line + 1);
      if (const std::string bad = take_line(child, said); !bad.empty()) return bad;
    }
  }
}

std::string MemberPool::take_line(Child& child, const std::string& line) {
  if (line.starts_with("part ")) return child.part = std::atof(line.c_str() + 5), "";
  if (line.starts_with("bad ")) return line.substr(4);
  child.heard = true;
  if (folder_.has(child.member)) return "";  // run 0 once more, for its places
  const auto member = ensemble::read_member(line.substr(7));
  return member ? folder_.add(*member) : fmt::format("run {}: its outcome cannot be read", child.member);
}

// Its pipe is closed: it has come to its end.
std::string MemberPool::end(Child& child) {
  ::close(child.pipe), child.pipe = -1;
  int status = 0;
  ::waitpid(child.process, &status, 0);
  if (child.heard || interruption()) return "";
  if (WIFSIGNALED(status) && own_fault(WTERMSIG(status))) {
    ensemble::Member member;
    member.index = child.member;
    member.failed = fmt::format("the run was ended by signal {}", WTERMSIG(status));
    return folder_.has(child.member) ? member.failed : folder_.add(member);
  }
  return fmt::format("run {} was ended from outside{}; the same command tries it again", child.member,
                     WIFSIGNALED(status) ? fmt::format(", by signal {}", WTERMSIG(status)) : "");
}

void MemberPool::stop_all() {
  for (const Child& child : children_) ::kill(child.process, SIGTERM);
  for (Child& child : children_) {
    ::close(child.pipe);
    ::waitpid(child.process, nullptr, 0);
  }
  children_.clear();
}

void MemberPool::show() const {
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  double parts = 0;
  for (const Child& c : children_) parts += c.part;
  const double here = done() - begun_with_ + parts, left = runs_ - done() - parts;
  const double seconds = here > 0 ? wall * left / here : 0;
  const int filled = static_cast<int>(20.0 * (done() + parts) / runs_);
  line_.show(fmt::format("[{:<20}] {} of {} runs, {} at work  {}", std::string(static_cast<std::size_t>(filled), '#'),
                         done(), runs_, children_.size(),
                         here > 0 ? fmt::format("{} left", duration_text(seconds)) : std::string()));
}

}  // namespace cairn::app
