// The files of an ensemble: design.json (what it is), members.jsonl (a line for each member that is done),
// reference.bin (where run 0 has its bodies). A command that was ended at any moment goes on from them.
#pragma once

#include <string>
#include <vector>

#include "cairn/ensemble/member.hpp"

namespace cairn::ensemble {

std::string design_json(const Design& design);
// One line; numbers read back to the same bits.
std::string member_json(const Member& member);
// None: not a whole line of ours.
std::optional<Member> read_member(const std::string& line);

class Folder {
 public:
  // Makes the folder, or opens one of the same design; another one is refused, and so is one in which a command is at
  // work. Half a line at the end of members.jsonl, as a kill leaves it, is cut off.
  static Expected<Folder> open(const std::string& path, const Design& design, const Layout& layout);
  Folder(Folder&& other) noexcept;
  Folder& operator=(Folder&&) = delete;
  ~Folder();

  const std::vector<Member>& members() const { return members_; }  // in the order of their numbers
  bool has(int index) const;
  // Written and on the disk; empty: good, else why not.
  std::string add(const Member& member);

  void leave();  // closes members.jsonl: for a process that only computes

  Expected<Reference> reference() const;
  std::string keep(const Reference& reference) const;
  std::string at(const std::string& name) const { return path_ + "/" + name; }

 private:
  Folder(std::string path, int file) : path_(std::move(path)), file_(file) {}
  std::string read_members(const Layout& layout);

  std::string path_;
  int file_ = -1;  // members.jsonl
  std::vector<Member> members_;
};

}  // namespace cairn::ensemble
