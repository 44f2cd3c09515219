// Members of an ensemble as processes, several at once: each has a core of its own, and one that breaks off takes no
// other with it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "cairn/ensemble/folder.hpp"
#include "progress.hpp"

namespace cairn::app {

class MemberPool {
 public:
  MemberPool(const ensemble::Design& design, const ensemble::Layout& layout, ensemble::Folder& folder, int jobs,
             int runs, bool show);

  // All of the first `runs` that are not in the folder yet, run 0 before the others. Empty: done, or interrupted; else
  // what went wrong.
  std::string go();
  int done() const;

 private:
  struct Child {
    int member;
    pid_t process;
    int pipe;            // what it says
    std::string said;    // not yet a whole line
    double part = 0;     // of its run that is done
    bool heard = false;  // its outcome has come
  };

  std::string compute(const std::vector<int>& members);
  std::string start(int member);
  [[noreturn]] void be_child(int member, int pipe);
  void wait_a_little();
  std::string hear(Child& child);  // may leave its pipe closed
  std::string take_line(Child& child, const std::string& line);
  std::string end(Child& child);
  void stop_all();
  void show() const;

  const ensemble::Design& design_;
  const ensemble::Layout& layout_;
  ensemble::Folder& folder_;
  const int jobs_, runs_;
  ensemble::Reference reference_;
  std::vector<Child> children_;
  ProgressLine line_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  int begun_with_ = 0;  // members that were there already
};

}  // namespace cairn::app
