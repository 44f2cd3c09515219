#include "cairn/ensemble/folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cairn/base/replacement.hpp"
#include "cairn/ensemble/folder_json.hpp"

namespace cairn::ensemble {
namespace {

namespace fs = std::filesystem;

constexpr char mark[8] = {'c', 'a', 'i', 'r', 'n', 'r', 'e', 'f'};

std::string slurp(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// The design on the disk is this one, or is now; empty: good.
std::string agree(const std::string& path, const Design& design) {
  const std::string file = path + "/design.json", wanted = design_json(design) + "\n";
  if (!fs::exists(file)) {
    if (fs::exists(path) && !fs::is_empty(path))
      return fmt::format("{}: not empty and no ensemble, expected a new folder or that of this ensemble", path);
    std::error_code failure;
    fs::create_directories(path, failure);
    if (failure) return fmt::format("{}: cannot be made ({})", path, failure.message());
    const std::string bad = replace_on_disk(file, wanted);
    return bad.empty() ? "" : fmt::format("{}: cannot be written ({})", file, bad);
  }
  const std::string found = slurp(file);
  if (found == wanted) return "";
  return fmt::format("{}: holds another ensemble ({}); expected the same settings, or another folder by --out", path,
                     difference(found, wanted));
}

}  // namespace

Folder::Folder(Folder&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)), members_(std::move(other.members_)) {}

Folder::~Folder() { leave(); }

void Folder::leave() {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
}

Expected<Folder> Folder::open(const std::string& path, const Design& design, const Layout& layout) {
  std::error_code ignored;
  if (fs::exists(path, ignored) && !fs::is_directory(path, ignored)) return Error{path + ": a file, expected a folder"};
  if (const std::string bad = agree(path, design); !bad.empty()) return Error{bad};
  const std::string name = path + "/members.jsonl";
  const int file = ::open(name.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0) return Error{fmt::format("{}: cannot be opened ({})", name, std::strerror(errno))};
  Folder folder(path, file);
  if (::flock(file, LOCK_EX | LOCK_NB) != 0) return Error{path + ": another command is at work in this folder"};
  if (const std::string bad = folder.read_members(layout); !bad.empty()) return Error{bad};
  return folder;
}

std::string Folder::read_members(const Layout& layout) {
  const std::string text = slurp(at("members.jsonl"));
  const std::size_t whole = text.find_last_of('\n') == std::string::npos ? 0 : text.find_last_of('\n') + 1;
  if (whole < text.size() && ::ftruncate(file_, static_cast<off_t>(whole)) != 0)
    return fmt::format("{}: cannot be cut ({})", at("members.jsonl"), std::strerror(errno));
  std::istringstream lines(text.substr(0, whole));
  for (std::string line; std::getline(lines, line);) {
    std::optional<Member> m = read_member(line);
    if (!m || m->index < 0 || has(m->index)) continue;
    const bool fits = m->samples.size() == layout.observables.size() &&
                      std::ranges::all_of(m->samples, [&](const auto& s) { return s.size() == layout.times.size(); });
    if (fits || !m->failed.empty()) members_.push_back(std::move(*m));
  }
  std::ranges::sort(members_, {}, &Member::index);
  return "";
}

bool Folder::has(int index) const { return std::ranges::find(members_, index, &Member::index) != members_.end(); }

std::string Folder::add(const Member& member) {
  const std::string line = member_json(member) + "\n";
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t now = ::write(file_, line.data() + done, line.size() - done);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) return fmt::format("{}: cannot be written ({})", at("members.jsonl"), std::strerror(errno));
    done += static_cast<std::size_t>(now);
  }
  ::fdatasync(file_);
  std::optional<Member> kept = read_member(line);  // what a command that goes on would have
  CAIRN_CHECK(kept.has_value(), "a member's line reads back");
  members_.insert(std::ranges::upper_bound(members_, member.index, {}, &Member::index), std::move(*kept));
  return "";
}

Expected<Reference> Folder::reference() const {
  const std::string bytes = slurp(at("reference.bin"));
  std::uint64_t head[2];
  const std::size_t begin = sizeof mark + sizeof head;
  if (bytes.size() < begin || std::memcmp(bytes.data(), mark, sizeof mark) != 0)
    return Error{"not there, or not whole"};
  std::memcpy(head, bytes.data() + sizeof mark, sizeof head);
  Reference r;
  r.dimension = static_cast<int>(head[0]), r.bodies = head[1];
  r.x.resize((bytes.size() - begin) / sizeof(Real));
  std::memcpy(r.x.data(), bytes.data() + begin, r.x.size() * sizeof(Real));
  return r;
}

std::string Folder::keep(const Reference& r) const {
  const std::uint64_t head[2] = {static_cast<std::uint64_t>(r.dimension), r.bodies};
  std::string bytes(mark, sizeof mark);
  bytes.append(reinterpret_cast<const char*>(head), sizeof head);
  bytes.append(reinterpret_cast<const char*>(r.x.data()), r.x.size() * sizeof(Real));
  const std::string bad = replace_on_disk(at("reference.bin"), bytes);
  return bad.empty() ? "" : fmt::format("{}: cannot be written ({})", at("reference.bin"), bad);
}

}  // namespace cairn::ensemble
