// A program that is killed while it writes leaves every frame that it had said to be written.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "cairn/base/test/share.hpp"
#include "cairn/record/repair.hpp"
#include "cairn/record/test/sample.hpp"

namespace cairn::record {
namespace {

using namespace test;

struct Child {
  pid_t pid;
  int announced;  // where it says how many frames are written
};

// Writes frames for ever.
[[noreturn]] void write_for_ever(const std::string& path, int most_contacts, int compression, int announce) {
  const Cast<3> cast = sample_cast<3>();
  auto writer = Writer<3>::create(path, sample_info(3), cast, {compression, true});
  if (!writer) ::_exit(1);
  for (long k = 0;; ++k) {
    if (!add_sample(*writer, k, cast, most_contacts).empty()) ::_exit(2);
    const long frames = k + 1;
    if (::write(announce, &frames, sizeof frames) != sizeof frames) ::_exit(3);
  }
}

Child start(const std::string& path, int most_contacts, int compression) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::close(ends[0]);
    write_for_ever(path, most_contacts, compression, ends[1]);
  }
  ::close(ends[1]);
  return {pid, ends[0]};
}

// Waits for the first frame, then for so long; the last number of frames that it had announced.
long kill_after(const Child& child, std::chrono::microseconds wait) {
  long last = 0, frames = 0;
  EXPECT_EQ(::read(child.announced, &last, sizeof last), static_cast<ssize_t>(sizeof last));
  std::this_thread::sleep_for(wait);
  ::kill(child.pid, SIGKILL);
  while (::read(child.announced, &frames, sizeof frames) == static_cast<ssize_t>(sizeof frames)) last = frames;
  ::close(child.announced);
  int status = 0;
  ::waitpid(child.pid, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the writer ended by itself, with " << status;
  return last;
}

constexpr int trials = cairn::test::sanitized ? 4 : 20;

TEST(KilledWriter, leaves_whole_frames_and_a_file_to_go_on_with) {
  const Cast<3> cast = sample_cast<3>();
  std::mt19937 random(11);
  for (int trial = 0; trial < trials; ++trial) {
    const Folder folder;
    const std::string path = folder / "a.h5";
    const int most_contacts = trial % 3 == 0 ? 10 : 600;
    const Child child = start(path, most_contacts, trial % 2);
    const long announced = kill_after(child, std::chrono::microseconds(random() % 60000));
    long frames = 0;
    {
      const auto reader = Reader<3>::open(path);
      ASSERT_TRUE(reader) << reader.error();
      frames = static_cast<long>(reader->times().size());
      EXPECT_GE(frames, announced);
      EXPECT_LE(frames, announced + 1);
      EXPECT_FALSE(reader->info().finished);
      expect_same(reader->cast(), cast);
      expect_samples(*reader, cast, most_contacts);
    }
    const long kept = frames - 1;
    auto writer = Writer<3>::reopen(path, kept, kept > 0 ? 3 * (kept - 1) : 0);
    ASSERT_TRUE(writer) << writer.error();
    for (long k = kept; k < frames + 5; ++k) ASSERT_EQ(add_sample(*writer, k, cast, most_contacts), "");
    ASSERT_EQ(writer->finish("{}"), "");
    const auto reader = Reader<3>::open(path);
    ASSERT_TRUE(reader) << reader.error();
    EXPECT_EQ(static_cast<long>(reader->times().size()), frames + 5);
    expect_samples(*reader, cast, most_contacts);
  }
}

TEST(KilledWriter, leaves_a_file_that_repair_makes_clean) {
  const Cast<3> cast = sample_cast<3>();
  for (const bool in_place : {true, false}) {
    const Folder folder;
    const std::string path = folder / "a.h5", out = in_place ? path : folder / "b.h5";
    const long announced = kill_after(start(path, 300, 0), std::chrono::milliseconds(20));
    const auto report = repair(path, out);
    ASSERT_TRUE(report) << report.error();
    EXPECT_GE(report->frames, announced);
    EXPECT_EQ(report->lost_frames, 0);
    EXPECT_EQ(report->lost_steps, 0);
    EXPECT_FALSE(report->finished);
    const auto reader = Reader<3>::open(out);
    ASSERT_TRUE(reader) << reader.error();
    EXPECT_EQ(static_cast<long>(reader->times().size()), report->frames);
    expect_samples(*reader, cast, 300);
    // Clean: opened in place, without a copy.
    const auto before = std::filesystem::file_size(out);
    auto writer = Writer<3>::reopen(out, report->frames, report->steps);
    ASSERT_TRUE(writer) << writer.error();
    EXPECT_EQ(std::filesystem::file_size(out), before);
  }
}

TEST(KilledWriter, is_followed_by_another_program_up_to_its_end) {
  const Folder folder;
  const Cast<3> cast = sample_cast<3>();
  const Child child = start(folder / "a.h5", 100, 0);
  long first = 0;
  ASSERT_EQ(::read(child.announced, &first, sizeof first), static_cast<ssize_t>(sizeof first));
  auto reader = Reader<3>::open(folder / "a.h5");
  ASSERT_TRUE(reader) << reader.error();
  int frames = 0, looks = 0;
  while (frames < (cairn::test::sanitized ? 20 : 200) && ++looks < 100000) {
    long announced = 0;
    ASSERT_EQ(::read(child.announced, &announced, sizeof announced), static_cast<ssize_t>(sizeof announced));
    const auto now = reader->refresh();
    ASSERT_TRUE(now) << now.error();
    ASSERT_GE(*now, announced);
    const auto newest = reader->frame(*now - 1);
    ASSERT_TRUE(newest) << newest.error();
    ASSERT_TRUE(same(*newest, sample_frame<3>(*now - 1, cast, 100))) << *now - 1;
    frames = *now;
  }
  const long announced = kill_after(child, std::chrono::microseconds(500));
  const auto now = reader->refresh();
  ASSERT_TRUE(now) << now.error();
  EXPECT_GE(*now, announced);
  expect_samples(*reader, cast, 100);
}

}  // namespace
}  // namespace cairn::record
