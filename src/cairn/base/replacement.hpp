// A new file under an old name: written beside it, then renamed, so that at any moment the name leads to a whole file.
#pragma once

#include <string>
#include <string_view>

namespace cairn {

// Why a file may not be put in the place of what a path leads to. Empty: there is nothing yet, or a regular file.
// Devices (/dev/null), folders and sockets are not replaced: a rename over them would succeed for the superuser.
std::string refuse_to_replace(const std::string& path);

class Replacement {
 public:
  explicit Replacement(const std::string& path);  // where it is a link, what it leads to is replaced
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;
  ~Replacement();  // removes the file that did not take the name

  const std::string& temporary() const { return temporary_; }  // in the same folder, of this object alone
  // The file, complete and closed, takes the name; empty: good, else why not.
  std::string commit();
  // The same of a file that is on the disk: the new name reaches it, too.
  std::string commit_to_disk();

 private:
  std::string path_, temporary_;
  bool done_ = false;
};

// Writes a whole file, and sees it and its name on the disk; empty: good, else why not. A full disk or a crash leaves
// either the old file or the new one.
std::string replace_on_disk(const std::string& path, std::string_view bytes);

}  // namespace cairn
