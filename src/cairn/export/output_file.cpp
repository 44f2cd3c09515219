#include "cairn/export/output_file.hpp"

namespace cairn::exporting {

OutputFile::OutputFile(const std::string& path)
    : path_(path), replacement_(path), file_(replacement_.temporary(), std::ios::binary) {}

void OutputFile::write(std::string_view bytes) {
  file_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

Expected<std::string> OutputFile::commit() {
  file_.close();
  if (!file_)
    return Error{path_ + ": cannot be written, expected a folder that exists, may be written to and has room"};
  if (const std::string bad = replacement_.commit(); !bad.empty())
    return Error{path_ + ": cannot be written (" + bad + ")"};
  return path_;
}

}  // namespace cairn::exporting
