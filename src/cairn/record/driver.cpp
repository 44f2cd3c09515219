#include "cairn/record/driver.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <limits>
#include <utility>

namespace cairn::record {
namespace {

constexpr haddr_t farthest = static_cast<haddr_t>(std::numeric_limits<off_t>::max());

thread_local int latest_failure = 0;  // errno

struct File {
  H5FD_t base;  // first: the library sees this part alone
  int fd = -1;
  haddr_t allocated = 0;  // [bytes] "eoa"
  haddr_t length = 0;     // [bytes] "eof", by what was written here
  bool reads = false;     // only
  dev_t device = 0;
  ino_t node = 0;
  int failure = 0;  // errno of the write that failed
};

File* of(H5FD_t* file) { return reinterpret_cast<File*>(file); }
const File* of(const H5FD_t* file) { return reinterpret_cast<const File*>(file); }

H5FD_t* open_file(const char* name, unsigned flags, hid_t, haddr_t) {
  int mode = (flags & H5F_ACC_RDWR) != 0 ? O_RDWR : O_RDONLY;
  if ((flags & H5F_ACC_TRUNC) != 0) mode |= O_TRUNC;
  if ((flags & H5F_ACC_CREAT) != 0) mode |= O_CREAT;
  if ((flags & H5F_ACC_EXCL) != 0) mode |= O_EXCL;
  const int fd = ::open(name, mode | O_CLOEXEC, 0666);
  if (fd < 0) return nullptr;
  struct stat about {};
  if (::fstat(fd, &about) != 0) {
    ::close(fd);
    return nullptr;
  }
  auto* file = new File{};
  file->fd = fd, file->device = about.st_dev, file->node = about.st_ino;
  file->length = static_cast<haddr_t>(about.st_size), file->reads = (flags & H5F_ACC_RDWR) == 0;
  return &file->base;
}

herr_t close_file(H5FD_t* file) {
  ::close(of(file)->fd);
  delete of(file);
  return 0;
}

int compare(const H5FD_t* a, const H5FD_t* b) {
  // Readers of one file stay apart, each with its own view of what a running program has written: shared, the
  // refreshing of one would take away what the other knows.
  if (of(a)->reads && of(b)->reads) return a == b ? 0 : std::less<>()(a, b) ? -1 : 1;
  if (of(a)->device != of(b)->device) return of(a)->device < of(b)->device ? -1 : 1;
  return of(a)->node == of(b)->node ? 0 : of(a)->node < of(b)->node ? -1 : 1;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  if (flags != nullptr)
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_POSIX_COMPAT_HANDLE | H5FD_FEAT_SUPPORTS_SWMR_IO |
             H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t get_allocated(const H5FD_t* file, H5FD_mem_t) { return of(file)->allocated; }
herr_t set_allocated(H5FD_t* file, H5FD_mem_t, haddr_t to) {
  of(file)->allocated = to;
  return 0;
}
// To readers without end: the library refuses a file that has been cut as a whole, while much of it can be read.
haddr_t get_length(const H5FD_t* file, H5FD_mem_t) { return of(file)->reads ? farthest : of(file)->length; }

herr_t get_handle(H5FD_t* file, hid_t, void** handle) {
  if (handle == nullptr) return -1;
  *handle = file;
  return 0;
}

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t from, std::size_t bytes, void* out) {
  auto* to = static_cast<char*>(out);
  while (bytes > 0) {
    const ssize_t got = ::pread(of(file)->fd, to, bytes, static_cast<off_t>(from));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) {  // beyond the end: an answer only where a failed write is being forgotten
      if (of(file)->failure == 0) return -1;
      std::memset(to, 0, bytes);
      return 0;
    }
    bytes -= static_cast<std::size_t>(got), from += static_cast<haddr_t>(got), to += got;
  }
  return 0;
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t where, std::size_t bytes, const void* data) {
  File& f = *of(file);
  f.length = std::max(f.length, where + bytes);
  const auto* from = static_cast<const char*>(data);
  while (bytes > 0 && f.failure == 0) {
    const ssize_t put = ::pwrite(f.fd, from, bytes, static_cast<off_t>(where));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) {
      latest_failure = f.failure = put < 0 ? errno : ENOSPC;
      return -1;  // once; what follows is dropped in silence
    }
    bytes -= static_cast<std::size_t>(put), where += static_cast<haddr_t>(put), from += put;
  }
  return 0;
}

// The length of a closed file is what the library has allocated; other programs' HDF5 checks it.
herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  File& f = *of(file);
  if (f.allocated == f.length) return 0;
  f.length = f.allocated;
  if (f.failure != 0) return 0;
  if (::ftruncate(f.fd, static_cast<off_t>(f.allocated)) == 0) return 0;
  latest_failure = f.failure = errno;
  return -1;
}

// Where the file system has no locks, files are used without.
herr_t lock(H5FD_t* file, hbool_t write) {
  if (::flock(of(file)->fd, (write ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0) return 0;
  return errno == ENOSYS || errno == EOPNOTSUPP || errno == ENOLCK ? 0 : -1;
}
herr_t unlock(H5FD_t* file) {
  if (::flock(of(file)->fd, LOCK_UN) == 0) return 0;
  return errno == ENOSYS || errno == EOPNOTSUPP || errno == ENOLCK ? 0 : -1;
}

H5FD_class_t description() {
  H5FD_class_t c{};
  c.name = "cairn";
  c.maxaddr = farthest;
  c.fc_degree = H5F_CLOSE_WEAK;
  c.open = open_file, c.close = close_file, c.cmp = compare, c.query = query;
  c.get_eoa = get_allocated, c.set_eoa = set_allocated, c.get_eof = get_length, c.get_handle = get_handle;
  c.read = read, c.write = write, c.truncate = truncate, c.lock = lock, c.unlock = unlock;
  const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(map), std::end(map), std::begin(c.fl_map));
  return c;
}

File* driven(hid_t file) {
  void* handle = nullptr;
  return H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0 ? nullptr : static_cast<File*>(handle);
}

}  // namespace

hid_t careful_driver() {
  static const H5FD_class_t what = description();
  static hid_t id = -1;
  if (id < 0 || H5Iis_valid(id) <= 0) id = H5FDregister(&what);
  return id;
}

std::string take_write_failure() {
  const int failure = std::exchange(latest_failure, 0);
  return failure == 0 ? "" : std::strerror(failure);
}

std::string synchronise(hid_t file) {
  const File* f = driven(file);
  return f == nullptr || ::fsync(f->fd) == 0 ? "" : std::strerror(errno);
}

}  // namespace cairn::record
