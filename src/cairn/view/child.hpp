// Another program that works for this one: spoken to over one socket, waited for with a limit, never left behind.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/base/expected.hpp"

namespace cairn::view {

struct Patience {
  double seconds = 60;                     // [s] without any progress
  std::function<bool()> interrupted = {};  // asked a few times a second; may be empty
};

// The file that would be run: `name` itself where it holds a slash, else the first on PATH. Empty: there is none.
std::string find_program(const std::string& name);

struct ChildPlan {
  std::string name;                // in messages
  std::vector<std::string> words;  // words[0]: the file to run
  std::vector<int> channel;        // the numbers under which it finds its end of the socket
  std::string noise = {};          // lines of its stderr that hold this are not worth showing; empty: all are
};

// Its process group is its own: Ctrl-C reaches this program alone, and wrappers are killed with what they started.
class Child {
 public:
  static Expected<Child> start(const ChildPlan& plan);
  Child(Child&&) noexcept;
  Child& operator=(Child&&) noexcept;
  ~Child();  // kills and reaps

  // Empty: all was taken.
  std::string send(std::string_view bytes, const Patience& patience);
  Expected<std::string> receive(const Patience& patience);  // some bytes, at least one
  void hang_up();                                           // it sees the end of its input
  // Its exit code, or minus the signal that ended it.
  Expected<int> wait(const Patience& patience);
  // What it said on stderr, the last lines of it, to be put behind a message; empty where it said nothing.
  std::string last_words();

 private:
  struct State;
  explicit Child(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace cairn::view
