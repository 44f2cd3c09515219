// The file: 8 letters, version of the format, dimension (4 bytes each), length of what follows (8 bytes); the content;
// checksum of all before (8 bytes). Numbers little-endian, as they are in memory; lists with their length first.
#include "cairn/record/checkpoint.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <type_traits>

#include "cairn/base/replacement.hpp"

namespace cairn::record {
namespace {

static_assert(std::endian::native == std::endian::little, "checkpoints are little-endian");
constexpr char letters[8] = {'c', 'a', 'i', 'r', 'n', 'c', 'k', 'p'};
constexpr std::uint32_t version_of_format = 1;
constexpr std::size_t head_bytes = 24, tail_bytes = 8;

// CRC-64 with the polynomial of ECMA-182, reflected.
std::uint64_t checksum(const char* data, std::size_t bytes) {
  static const auto table = [] {
    std::array<std::uint64_t, 256> t{};
    for (std::uint64_t i = 0; i < 256; ++i) {
      std::uint64_t c = i;
      for (int bit = 0; bit < 8; ++bit) c = (c & 1) != 0 ? (c >> 1) ^ 0xC96C5795D7870F42ull : c >> 1;
      t[i] = c;
    }
    return t;
  }();
  std::uint64_t crc = ~std::uint64_t{0};
  for (std::size_t i = 0; i < bytes; ++i) crc = table[(crc ^ static_cast<unsigned char>(data[i])) & 255] ^ (crc >> 8);
  return ~crc;
}

class Out {
 public:
  void bytes(const void* data, std::size_t n) { text_.append(static_cast<const char*>(data), n); }
  template <class T>
  void operator()(const T& value) {
    static_assert(std::is_arithmetic_v<T>);
    bytes(&value, sizeof value);
  }
  void operator()(const std::string& s) {
    (*this)(static_cast<std::uint64_t>(s.size()));
    bytes(s.data(), s.size());
  }
  template <class T>
  void operator()(const std::vector<T>& list) {
    (*this)(static_cast<std::uint64_t>(list.size()));
    if constexpr (std::is_same_v<T, std::string>) {
      for (const std::string& s : list) (*this)(s);
    } else {
      static_assert(std::is_trivially_copyable_v<T>);
      bytes(list.data(), list.size() * sizeof(T));
    }
  }
  std::string& text() { return text_; }

 private:
  std::string text_;
};

// Stops at the end of the content: `good` is then false and the rest empty.
class In {
 public:
  In(const char* data, std::size_t n) : at_(data), left_(n) {}
  void bytes(void* data, std::size_t n) {
    if (n > left_) {
      good_ = false, left_ = 0;
      return;
    }
    if (n > 0) std::memcpy(data, at_, n);
    at_ += n, left_ -= n;
  }
  template <class T>
  void operator()(T& value) {
    static_assert(std::is_arithmetic_v<T>);
    bytes(&value, sizeof value);
  }
  void operator()(std::string& s) {
    s.resize(length(1));
    bytes(s.data(), s.size());
  }
  template <class T>
  void operator()(std::vector<T>& list) {
    if constexpr (std::is_same_v<T, std::string>) {
      list.resize(length(sizeof(std::uint64_t)));
      for (std::string& s : list) (*this)(s);
    } else {
      list.resize(length(sizeof(T)));
      bytes(list.data(), list.size() * sizeof(T));
    }
  }
  bool good() const { return good_ && left_ == 0; }

 private:
  std::size_t length(std::size_t least) {  // of a list, whose entries take at least so many bytes
    std::uint64_t n = 0;
    (*this)(n);
    if (n > left_ / least) good_ = false, left_ = 0, n = 0;
    return n;
  }
  const char* at_;
  std::size_t left_;
  bool good_ = true;
};

// The one list of what is kept, to write and to read.
template <class Stream, class C>
void pass(Stream& io, C& c) {
  static_assert(sizeof(ContactKey) == 12, "no padding: its bytes are its numbers");
  auto& s = c.state;
  io(s.t), io(s.assured), io(s.x), io(s.r), io(s.u);
  io(s.contact), io(s.impulse), io(s.torque), io(s.slid), io(s.joint);
  io(c.step), io(c.frames), io(c.rows);
  io(c.pending), io(c.pending_probes), io(c.memory);
  io(c.scene_text), io(c.scene_path), io(c.results_path), io(c.settings), io(c.version);
}

Expected<std::string> read_file(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return Error{fmt::format("{}: {}", path, std::strerror(errno))};
  std::string text;
  std::array<char, 1 << 16> part;
  ssize_t n = 0;
  while ((n = ::read(fd, part.data(), part.size())) > 0 || (n < 0 && errno == EINTR))
    if (n > 0) text.append(part.data(), static_cast<std::size_t>(n));
  const int fault = errno;
  ::close(fd);
  if (n < 0) return Error{fmt::format("{}: {}", path, std::strerror(fault))};
  return text;
}

template <class T>
T number_at(const std::string& text, std::size_t place) {
  T value;
  std::memcpy(&value, text.data() + place, sizeof value);
  return value;
}

// Letters, versions, length and checksum; empty: all good.
std::string complaint(const std::string& text) {
  if (text.size() < sizeof letters || std::memcmp(text.data(), letters, sizeof letters) != 0)
    return "not a checkpoint of Cairn";
  if (text.size() < head_bytes + tail_bytes) return "cut off in its first bytes, expected a whole checkpoint";
  if (const auto version = number_at<std::uint32_t>(text, 8); version != version_of_format)
    return fmt::format("checkpoint of format {}, expected {}", version, version_of_format);
  const auto length = number_at<std::uint64_t>(text, 16);
  if (const std::size_t found = text.size() - head_bytes - tail_bytes; found != length)
    return fmt::format("{} bytes of content, expected {}: the checkpoint is cut off or damaged", found, length);
  if (number_at<std::uint64_t>(text, text.size() - tail_bytes) != checksum(text.data(), text.size() - tail_bytes))
    return "the checksum does not agree with the content: the checkpoint is damaged";
  return "";
}

Expected<std::string> read_whole(const std::string& path) {
  Expected<std::string> text = read_file(path);
  if (!text) return text;
  if (const std::string bad = complaint(*text); !bad.empty()) return Error{path + ": " + bad};
  return text;
}

template <int D>
bool consistent(const Checkpoint<D>& c) {
  const ModelState<D>& s = c.state;
  const std::size_t contacts = s.contact.size();
  return s.r.size() == s.x.size() && s.u.size() == s.x.size() && s.impulse.size() == contacts &&
         s.torque.size() == contacts && s.slid.size() == contacts;
}

}  // namespace

template <int D>
std::string write_checkpoint(const std::string& path, const Checkpoint<D>& checkpoint) {
  Out out;
  out.bytes(letters, sizeof letters);
  out(version_of_format), out(static_cast<std::uint32_t>(D)), out(std::uint64_t{0});
  pass(out, checkpoint);
  const std::uint64_t length = out.text().size() - head_bytes;
  std::memcpy(out.text().data() + 16, &length, sizeof length);
  out(checksum(out.text().data(), out.text().size()));
  const std::string bad = replace_on_disk(path, out.text());
  return bad.empty() ? "" : fmt::format("{}: checkpoint cannot be written: {}", path, bad);
}

Expected<int> checkpoint_dimension(const std::string& path) {
  const Expected<std::string> text = read_whole(path);
  if (!text) return Error{text.error()};
  return static_cast<int>(number_at<std::uint32_t>(*text, 12));
}

template <int D>
Expected<Checkpoint<D>> read_checkpoint(const std::string& path) {
  const Expected<std::string> text = read_whole(path);
  if (!text) return Error{text.error()};
  if (const auto dimension = number_at<std::uint32_t>(*text, 12); dimension != D)
    return Error{fmt::format("{}: checkpoint of {} dimensions, expected {}", path, dimension, D)};
  Checkpoint<D> checkpoint;
  In in(text->data() + head_bytes, text->size() - head_bytes - tail_bytes);
  pass(in, checkpoint);
  if (!in.good() || !consistent(checkpoint))
    return Error{fmt::format("{}: its lists do not fit together, expected those of one state", path)};
  return checkpoint;
}

template std::string write_checkpoint(const std::string&, const Checkpoint<2>&);
template std::string write_checkpoint(const std::string&, const Checkpoint<3>&);
template Expected<Checkpoint<2>> read_checkpoint(const std::string&);
template Expected<Checkpoint<3>> read_checkpoint(const std::string&);

}  // namespace cairn::record
