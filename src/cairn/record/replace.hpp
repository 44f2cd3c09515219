// A new file under an old name: written beside it, then renamed, so that at any moment the name leads to a whole file.
#pragma once

#include <string>

namespace cairn::record {

class Replacement {
 public:
  explicit Replacement(const std::string& path);  // where it is a link, what it leads to is replaced
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;
  ~Replacement();  // removes the file that did not take the name

  const std::string& temporary() const { return temporary_; }  // in the same folder
  std::string commit();  // the file, complete and on the disk, takes the name; empty: good, else why not

 private:
  std::string path_, temporary_;
  bool done_ = false;
};

}  // namespace cairn::record
