#include "cairn/export/output_file.hpp"

#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "cairn/base/replaceable.hpp"

namespace cairn::exporting {

OutputFile::OutputFile(std::string path)
    : path_(std::move(path)),
      temporary_(path_ + ".part" + std::to_string(::getpid())),
      file_(temporary_, std::ios::binary) {}

OutputFile::~OutputFile() {
  if (temporary_.empty()) return;
  file_.close();
  std::remove(temporary_.c_str());
}

void OutputFile::write(std::string_view bytes) {
  file_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

Expected<std::string> OutputFile::commit() {
  file_.close();
  if (!file_)
    return Error{path_ + ": cannot be written, expected a folder that exists, may be written to and has room"};
  if (std::string bad = refuse_to_replace(path_); !bad.empty()) return Error{std::move(bad)};
  std::error_code error;
  std::filesystem::rename(temporary_, path_, error);
  if (error) return Error{path_ + ": cannot be written (" + error.message() + ")"};
  temporary_.clear();
  return path_;
}

}  // namespace cairn::exporting
