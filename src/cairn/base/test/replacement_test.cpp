// A rename puts a file in the place of a device, too, where one may: results written to /dev/null would take it away.
#include "cairn/base/replacement.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace cairn {
namespace {

namespace fs = std::filesystem;

TEST(Replaceable, files_are_and_what_is_not_there_yet) {
  const fs::path folder = fs::temp_directory_path() / ("cairn-replaceable-" + std::to_string(::getpid()));
  fs::create_directory(folder);
  std::ofstream(folder / "file") << "text";
  EXPECT_EQ(refuse_to_replace(folder / "file"), "");
  EXPECT_EQ(refuse_to_replace(folder / "new"), "");
  fs::remove_all(folder);
}

TEST(Replaceable, devices_pipes_and_folders_are_not) {
  const fs::path folder = fs::temp_directory_path() / ("cairn-replaceable-" + std::to_string(::getpid()));
  fs::create_directory(folder);
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  fs::create_symlink("/dev/null", folder / "link");
  EXPECT_NE(refuse_to_replace(folder).find("a folder"), std::string::npos);
  EXPECT_NE(refuse_to_replace(folder / "pipe").find("not a regular file"), std::string::npos);
  EXPECT_NE(refuse_to_replace("/dev/null").find("not a regular file"), std::string::npos);
  EXPECT_NE(refuse_to_replace(folder / "link").find("not a regular file"), std::string::npos);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace cairn
