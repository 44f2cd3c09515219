// The frames of a result as blobs of a page, group by group: no more than one group is in memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cairn/base/expected.hpp"
#include "cairn/view/quantise_bodies.hpp"
#include "cairn/view/result.hpp"

namespace cairn::view {

// What of a result goes into a page.
struct Choice {
  int stride = 1;        // every so many frames, and the last
  double weak = 0;       // contacts below this part of the largest force of their frame are left out
  bool contacts = true;  // any at all
};

struct GroupText {
  std::string bodies, contacts;  // base64; no contacts: empty
  std::size_t size() const { return bodies.size() + contacts.size(); }
};

class PageFrames {
 public:
  // `frames`: those of the result that are wanted, at least one; `keep`: one that no choice leaves out, -1: none.
  static Expected<PageFrames> make(const Result& result, const Grid& grid, std::vector<int> frames, bool contacts,
                                   int keep = -1);

  int all() const { return static_cast<int>(frames_.size()); }
  bool has_contacts() const { return contacts_; }
  int group_size() const { return group_size_; }
  const std::string& first() const { return first_text_; }  // base64, what the groups are counted from
  std::vector<int> chosen(const Choice& choice) const;
  // Group `g` of those frames.
  Expected<GroupText> group(const std::vector<int>& chosen, int g, const Choice& choice) const;
  int groups(const std::vector<int>& chosen) const;
  // [bytes] of all groups, from a few of them.
  Expected<double> estimate(const Choice& choice) const;

 private:
  PageFrames(const Result& result, const Grid& grid, std::vector<int> frames, bool contacts);

  const Result* result_;
  Grid grid_;
  std::vector<int> frames_;
  bool contacts_;
  int keep_ = -1;
  int group_size_;
  CoarsePlaces first_;
  std::string first_text_;
};

}  // namespace cairn::view
