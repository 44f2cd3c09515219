// The files of a run: results, and beside them checkpoint and log of the same name.
#pragma once

#include <filesystem>
#include <string>

namespace cairn::app {

// Without the ending of a file of ours: a name such as "mu-0.5" has none.
inline std::string stem_of(const std::string& file) {
  const std::filesystem::path path(file);
  for (const char* ending : {".h5", ".hdf5", ".checkpoint", ".log"})
    if (path.extension() == ending) return std::filesystem::path(path).replace_extension().string();
  return file;
}

inline std::string checkpoint_of(const std::string& file) { return stem_of(file) + ".checkpoint"; }
inline std::string log_of(const std::string& file) { return stem_of(file) + ".log"; }

// Of a checkpoint, where it lies now; `written` is what the results were called when it was made.
inline std::string results_of(const std::string& checkpoint, const std::string& written) {
  return stem_of(checkpoint) + written.substr(stem_of(written).size());
}

}  // namespace cairn::app
