// Files that are cut, altered or cannot be written: a message, never a crash, and what was whole stays.
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <hdf5.h>

#include <fstream>

#include "cairn/base/test/share.hpp"
#include "cairn/record/repair.hpp"
#include "cairn/record/test/sample.hpp"

#if defined(__SANITIZE_ADDRESS__)
// HDF5 forgets memory of its own where a file is damaged.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5\n"; }
#endif

namespace cairn::record {
namespace {

using namespace test;

template <int D>
void write_samples(const std::string& path, long frames, int compression = 0) {
  const Cast<D> cast = sample_cast<D>();
  auto writer = Writer<D>::create(path, sample_info(D), cast, {compression, true});
  ASSERT_TRUE(writer) << writer.error();
  for (long k = 0; k < frames; ++k) ASSERT_EQ(add_sample(*writer, k, cast), "");
  ASSERT_EQ(writer->finish("{}"), "");
}

// Looks at all there is; the frames that could be read.
template <int D>
int read_all(const std::string& path) {
  const auto info = read_info(path);
  if (!info) {
    EXPECT_TRUE(info.error().starts_with(path + ": ")) << info.error();
  }
  auto reader = Reader<D>::open(path);
  if (!reader) {
    EXPECT_GT(reader.error().size(), path.size() + 2);
    return 0;
  }
  int whole = 0;
  for (int k = 0; k < static_cast<int>(reader->times().size()); ++k) whole += static_cast<bool>(reader->frame(k));
  (void)static_cast<bool>(reader->steps()), (void)static_cast<bool>(reader->probes());
  return whole;
}

constexpr int mutations = cairn::test::sanitized ? 40 : 200;

TEST(DamagedResults, altered_bytes_give_a_message_or_other_numbers_but_no_crash) {
  const Folder folder;
  const std::string good = folder / "good.h5", bad = folder / "bad.h5", out = folder / "out.h5";
  write_samples<3>(good, 6, 1);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // HDF5 forgets objects of damaged files, and says so at its end
  const std::string bytes = bytes_of(good);
  std::mt19937 random(5);
  int refused = 0;
  for (int trial = 0; trial < mutations; ++trial) {
    std::string altered = bytes;
    // Anywhere, or among the first bytes, where the file says what it holds.
    const std::size_t range = trial % 2 == 0 ? bytes.size() : std::min<std::size_t>(bytes.size(), 20000);
    for (int i = 0; i < 1 + trial % 20; ++i) altered[random() % range] = static_cast<char>(random());
    write_bytes(bad, altered);
    refused += read_all<3>(bad) == 0;
    const auto repaired = repair(bad, out);
    if (repaired) {
      EXPECT_EQ(read_all<3>(out), repaired->frames);
    }
  }
  EXPECT_GT(refused, mutations / 20);
}

TEST(DamagedResults, a_file_cut_off_gives_its_whole_frames_or_a_message) {
  const Folder folder;
  const std::string good = folder / "good.h5", bad = folder / "bad.h5", out = folder / "out.h5";
  const Cast<2> cast = sample_cast<2>();
  write_samples<2>(good, 30);
  const std::string bytes = bytes_of(good);
  int salvaged = 0;
  for (int trial = 0; trial < 40; ++trial) {
    write_bytes(bad, bytes.substr(0, bytes.size() * static_cast<std::size_t>(trial) / 40));
    read_all<2>(bad);
    const auto repaired = repair(bad, out);
    if (!repaired) continue;
    salvaged += repaired->frames > 0 && repaired->frames < 30;
    EXPECT_EQ(repaired->frames + repaired->lost_frames, 30);
    const auto reader = Reader<2>::open(out);
    ASSERT_TRUE(reader) << reader.error();
    EXPECT_EQ(static_cast<long>(reader->times().size()), repaired->frames);
    for (int k = 0; k < static_cast<int>(reader->times().size()); ++k) {  // each one that was written
      const auto frame = reader->frame(k);
      ASSERT_TRUE(frame) << frame.error();
      ASSERT_TRUE(same(*frame, sample_frame<2>(frame->step / 10, cast))) << k;
    }
  }
  EXPECT_GT(salvaged, 0);
}

TEST(DamagedResults, what_is_no_results_file_is_refused_by_name) {
  const Folder folder;
  write_bytes(folder / "text", "not a results file");
  write_bytes(folder / "empty", "");
  for (const char* name : {"text", "empty", "missing", "."}) {
    const auto reader = Reader<2>::open(folder / name);
    ASSERT_FALSE(reader) << name;
    EXPECT_TRUE(reader.error().starts_with(folder / name)) << reader.error();
    EXPECT_FALSE(read_info(folder / name));
    EXPECT_FALSE(repair(folder / name, folder / "out"));
    EXPECT_FALSE(Writer<2>::reopen(folder / name, 0, 0));
  }
  EXPECT_NE(Reader<2>::open(folder / "missing").error().find("No such file"), std::string::npos);
  // A file of HDF5, but of something else.
  const hid_t other = H5Fcreate((folder / "other").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(other);
  EXPECT_NE(Reader<2>::open(folder / "other").error().find("format"), std::string::npos);
}

TEST(FullDisk, where_no_file_can_be_made_it_says_why) {
  const Folder folder;
  const auto writer = Writer<2>::create(folder / "none/a.h5", sample_info(2), sample_cast<2>(), {});
  ASSERT_FALSE(writer);
  EXPECT_NE(writer.error().find("No such file or directory"), std::string::npos) << writer.error();
  if (::geteuid() == 0) return;  // whom nothing is forbidden
  std::filesystem::permissions(folder / "", std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const auto forbidden = Writer<2>::create(folder / "a.h5", sample_info(2), sample_cast<2>(), {});
  std::filesystem::permissions(folder / "", std::filesystem::perms::owner_all);
  ASSERT_FALSE(forbidden);
  EXPECT_NE(forbidden.error().find("Permission denied"), std::string::npos) << forbidden.error();
}

// No file may grow beyond so many bytes while it lives: a full disk to whoever writes.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) {
    before_ = ::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit now{bytes, old_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;
  ~FileLimit() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    ::signal(SIGXFSZ, before_);
  }

 private:
  rlimit old_{};
  void (*before_)(int);
};

TEST(FullDisk, keeps_the_frames_before_and_goes_on_when_there_is_room) {
  const Folder folder;
  const Cast<3> cast = sample_cast<3>();
  for (const rlim_t limit : {60'000, 100'000, 101'000, 150'000, 400'000}) {
    const std::string path = folder / "a.h5";
    long written = 0;
    {
      const FileLimit full(limit);
      auto writer = Writer<3>::create(path, sample_info(3), cast, {});
      ASSERT_TRUE(writer) << writer.error();
      std::string bad;
      while ((bad = add_sample(*writer, written, cast, 200)).empty()) ASSERT_LT(++written, 1000);
      EXPECT_NE(bad.find("cannot be written: File too large"), std::string::npos) << bad;
      EXPECT_EQ(writer->add_frame(sample_frame<3>(written, cast)), bad);
      EXPECT_EQ(writer->add_step(sample_row(0), sample_probes(0)), bad);
      EXPECT_EQ(writer->finish("{}"), bad);
    }
    {
      const auto reader = Reader<3>::open(path);
      ASSERT_TRUE(reader) << reader.error();
      EXPECT_EQ(static_cast<long>(reader->times().size()), written);
      expect_samples(*reader, cast, 200);
    }
    auto writer = Writer<3>::reopen(path, written, written > 0 ? 3 * (written - 1) : 0);
    ASSERT_TRUE(writer) << writer.error();
    for (long k = written; k < written + 3; ++k) ASSERT_EQ(add_sample(*writer, k, cast, 200), "");
    ASSERT_EQ(writer->finish("{}"), "");
    const auto reader = Reader<3>::open(path);
    ASSERT_TRUE(reader) << reader.error();
    EXPECT_EQ(static_cast<long>(reader->times().size()), written + 3);
    expect_samples(*reader, cast, 200);
  }
}

TEST(FullDisk, ends_the_making_of_a_file_at_any_byte_with_a_message) {
  const Folder folder;
  const Cast<3> cast = sample_cast<3>();
  int made = 0, refused = 0;
  for (rlim_t limit = 0; limit < 80'000; limit += cairn::test::sanitized ? 8000 : 1000) {
    const FileLimit full(limit);
    const auto writer = Writer<3>::create(folder / "a.h5", sample_info(3), cast, {});
    ++(writer ? made : refused);
    if (!writer) {
      EXPECT_EQ(writer.error(), (folder / "a.h5") + ": cannot be written: File too large");
    }
  }
  EXPECT_GT(made, 0);
  EXPECT_GT(refused, 0);
}

TEST(FullDisk, a_copy_that_finds_no_room_leaves_the_file_as_it_was) {
  const Folder folder;
  const std::string path = folder / "a.h5";
  write_samples<2>(path, 100);
  const std::string before = bytes_of(path);
  {
    const FileLimit full(before.size() / 2);
    const std::string want = path + ": cannot be written: File too large";
    const auto again = Writer<2>::reopen(path, 90, 267);
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error(), want);
    const auto repaired = repair(path, path);
    ASSERT_FALSE(repaired);
    EXPECT_EQ(repaired.error(), want);
  }
  EXPECT_TRUE(bytes_of(path) == before);
  for (const auto& entry : std::filesystem::directory_iterator(folder / "")) EXPECT_EQ(entry.path(), path);
}

}  // namespace
}  // namespace cairn::record
