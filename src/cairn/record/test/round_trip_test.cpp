// What is written is read again, bit for bit.
#include "cairn/record/test/sample.hpp"

namespace cairn::record {
namespace {

using namespace test;

template <class D>
struct RoundTrip : testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(RoundTrip, Dimensions);

TYPED_TEST(RoundTrip, every_shape_and_every_frame_is_read_as_it_was_written) {
  constexpr int D = TypeParam::value;
  for (const int compression : {0, 4}) {
    const Folder folder;
    const std::string path = folder / "a.h5";
    const Cast<D> cast = sample_cast<D>();
    auto writer = Writer<D>::create(path, sample_info(D), cast, {compression, true});
    ASSERT_TRUE(writer) << writer.error();
    for (long k = 0; k < 40; ++k) ASSERT_EQ(add_sample(*writer, k, cast), "");
    EXPECT_EQ(writer->frames(), 40);
    EXPECT_EQ(writer->steps(), 117);
    ASSERT_EQ(writer->finish(R"({"stands": true})"), "");
    EXPECT_NE(writer->add_frame(sample_frame<D>(40, cast)), "");
    EXPECT_EQ(writer->frames(), 40);

    const auto reader = Reader<D>::open(path);
    ASSERT_TRUE(reader) << reader.error();
    expect_same(reader->cast(), cast);
    ASSERT_EQ(reader->times().size(), 40u);
    expect_samples(*reader, cast);
    EXPECT_EQ(reader->info().outcome, R"({"stands": true})");
    EXPECT_TRUE(reader->info().finished);
    EXPECT_FALSE(reader->frame(40));
    EXPECT_FALSE(reader->frame(-1));
    EXPECT_FALSE(Reader<5 - D>::open(path));  // of the other dimension
  }
}

TYPED_TEST(RoundTrip, frames_of_many_bodies_are_split_and_compressed_and_come_back) {
  constexpr int D = TypeParam::value;
  for (const int compression : {0, 1}) {
    const Folder folder;
    Cast<D> cast = sample_cast<D>();
    cast.bodies.resize(9000, cast.bodies[0]), cast.names.resize(9000), cast.label.resize(9000);
    auto writer = Writer<D>::create(folder / "a.h5", sample_info(D), cast, {compression, true});
    ASSERT_TRUE(writer) << writer.error();
    for (long k = 0; k < 4; ++k) ASSERT_EQ(add_sample(*writer, k, cast, 20000), "");
    ASSERT_EQ(writer->finish("{}"), "");
    const auto reader = Reader<D>::open(folder / "a.h5");
    ASSERT_TRUE(reader) << reader.error();
    ASSERT_EQ(reader->times().size(), 4u);
    expect_samples(*reader, cast, 20000);
  }
}

TEST(ResultsFile, says_what_it_is) {
  const Folder folder;
  auto writer = Writer<2>::create(folder / "a.h5", sample_info(2), sample_cast<2>(), {});
  ASSERT_TRUE(writer) << writer.error();
  const ResultInfo want = sample_info(2);
  for (const bool finished : {false, true}) {
    if (finished) {
      ASSERT_EQ(writer->finish("{}"), "");
    }
    const auto info = read_info(folder / "a.h5");
    ASSERT_TRUE(info) << info.error();
    EXPECT_EQ(info->dimension, 2);
    EXPECT_EQ(info->title, want.title);
    EXPECT_EQ(info->scene_name, want.scene_name);
    EXPECT_EQ(info->scene_text, want.scene_text);
    EXPECT_EQ(info->parameters, want.parameters);
    EXPECT_EQ(info->version, want.version);
    EXPECT_EQ(info->h, want.h);
    EXPECT_EQ(info->probe_names, want.probe_names);
    EXPECT_EQ(info->probe_units, want.probe_units);
    EXPECT_EQ(info->finished, finished);
    EXPECT_EQ(info->outcome, finished ? "{}" : "");
  }
}

TEST(ResultsFile, columns_of_steps_are_named_in_the_order_of_the_row) {
  ASSERT_EQ(step_columns().size() * sizeof(Real), sizeof(StepRow));
  StepRow row;
  row.t = 1, row.error = 2, row.kinetic = 3, row.correction = 4;
  Real numbers[sizeof(StepRow) / sizeof(Real)];
  std::memcpy(numbers, &row, sizeof row);
  const std::map<std::string, Real> want{{"t", 1}, {"error", 2}, {"kinetic", 3}, {"correction", 4}};
  for (std::size_t i = 0; i < step_columns().size(); ++i) {
    const auto w = want.find(step_columns()[i].name);
    EXPECT_EQ(numbers[i], w == want.end() ? 0 : w->second) << step_columns()[i].name;
  }
}

TEST(ResultsFile, can_do_without_contacts_and_probes) {
  const Folder folder;
  const Cast<3> cast = sample_cast<3>();
  ResultInfo info = sample_info(3);
  info.probe_names.clear(), info.probe_units.clear();
  auto writer = Writer<3>::create(folder / "a.h5", info, cast, {0, false});
  ASSERT_TRUE(writer) << writer.error();
  ASSERT_EQ(writer->add_frame(sample_frame<3>(1, cast)), "");
  ASSERT_EQ(writer->add_step(sample_row(0), {}), "");
  ASSERT_EQ(writer->finish("{}"), "");
  const auto reader = Reader<3>::open(folder / "a.h5");
  ASSERT_TRUE(reader) << reader.error();
  Frame<3> want = sample_frame<3>(1, cast);
  ASSERT_FALSE(want.contacts.empty());
  want.contacts.clear();
  EXPECT_TRUE(same(*reader->frame(0), want));
  EXPECT_EQ(reader->steps()->size(), 1u);  // a row after the last frame, kept by the end
  EXPECT_TRUE(reader->probes()->empty());
}

TEST(ResultsFile, a_reader_follows_a_running_writer) {
  const Folder folder;
  const Cast<2> cast = sample_cast<2>();
  auto writer = Writer<2>::create(folder / "a.h5", sample_info(2), cast, {});
  ASSERT_TRUE(writer) << writer.error();
  auto reader = Reader<2>::open(folder / "a.h5");
  ASSERT_TRUE(reader) << reader.error();
  EXPECT_TRUE(reader->times().empty());
  for (long k = 0; k < 200; ++k) {
    ASSERT_EQ(add_sample(*writer, k, cast), "");
    const auto frames = reader->refresh();
    ASSERT_TRUE(frames) << frames.error();
    ASSERT_EQ(*frames, k + 1);
  }
  expect_samples(*reader, cast);
  EXPECT_FALSE(reader->info().finished);
  ASSERT_EQ(writer->finish("{}"), "");
  ASSERT_TRUE(reader->refresh());
  EXPECT_TRUE(reader->info().finished);
}

// HDF5 shares what is open twice in a program: looking again with one reader made the other lose its place, "can't
// insert duplicate key".
TEST(ResultsFile, two_readers_in_one_program_do_not_disturb_each_other) {
  const Folder folder;
  const Cast<3> cast = sample_cast<3>();
  auto writer = Writer<3>::create(folder / "a.h5", sample_info(3), cast, {});
  ASSERT_TRUE(writer) << writer.error();
  for (long k = 0; k < 60; ++k) ASSERT_EQ(add_sample(*writer, k, cast), "");
  ASSERT_EQ(writer->finish("{}"), "");
  auto a = Reader<3>::open(folder / "a.h5");
  ASSERT_TRUE(a) << a.error();
  expect_samples(*a, cast);
  auto b = Reader<3>::open(folder / "a.h5");
  ASSERT_TRUE(b) << b.error();
  for (int k = 0; k < 3; ++k) {
    ASSERT_TRUE(a->refresh());
    ASSERT_TRUE(b->refresh());
    expect_samples(*b, cast);
    expect_samples(*a, cast);
  }
}

TEST(ResultsFile, is_small_where_there_is_little_in_it) {
  const Folder folder;
  Cast<2> cast = sample_cast<2>();
  auto writer = Writer<2>::create(folder / "a.h5", sample_info(2), cast, {});
  ASSERT_TRUE(writer) << writer.error();
  for (long k = 0; k < 10; ++k) ASSERT_EQ(add_sample(*writer, k, cast), "");
  ASSERT_EQ(writer->finish("{}"), "");
  EXPECT_LT(std::filesystem::file_size(folder / "a.h5"), 150'000u);
}

TEST(ResultsFile, refuses_what_does_not_fit) {
  const Folder folder;
  const Cast<2> cast = sample_cast<2>();
  auto writer = Writer<2>::create(folder / "a.h5", sample_info(2), cast, {});
  ASSERT_TRUE(writer) << writer.error();
  Frame<2> frame = sample_frame<2>(0, cast);
  frame.u.pop_back();
  EXPECT_NE(writer->add_frame(frame).find("expected 7 bodies"), std::string::npos);
  EXPECT_NE(writer->add_step({}, {}).find("expected 2"), std::string::npos);
  EXPECT_EQ(writer->frames(), 0);
  EXPECT_EQ(add_sample(*writer, 0, cast), "");  // and goes on
  EXPECT_FALSE(Writer<2>::create(folder / "b.h5", sample_info(3), cast, {}));
  EXPECT_FALSE(Writer<2>::create(folder / "b.h5", sample_info(2), Cast<2>{}, {}));
  EXPECT_FALSE(Writer<2>::create(folder / "b.h5", sample_info(2), cast, {10, true}));
}

// In place, then with frames to drop; and with an outcome shorter than the one before.
TEST(ResultsFile, goes_on_where_it_ended) {
  const Folder folder;
  const Cast<2> cast = sample_cast<2>();
  const std::string path = folder / "a.h5";
  {
    auto writer = Writer<2>::create(path, sample_info(2), cast, {});
    ASSERT_TRUE(writer) << writer.error();
    for (long k = 0; k < 20; ++k) ASSERT_EQ(add_sample(*writer, k, cast), "");
    ASSERT_EQ(writer->finish(R"({"outcome": "interrupted by the user"})"), "");
  }
  for (const long frames : {20L, 12L, 0L}) {
    auto writer = Writer<2>::reopen(path, frames, frames > 0 ? 3 * (frames - 1) : 0);
    ASSERT_TRUE(writer) << writer.error();
    EXPECT_FALSE(read_info(path)->finished);
    EXPECT_EQ(writer->frames(), frames);
    for (long k = frames; k < 30; ++k) ASSERT_EQ(add_sample(*writer, k, cast), "");
    ASSERT_EQ(writer->finish("{}"), "");
    const auto reader = Reader<2>::open(path);
    ASSERT_TRUE(reader) << reader.error();
    EXPECT_EQ(reader->times().size(), 30u);
    EXPECT_EQ(reader->info().outcome, "{}");
    expect_same(reader->cast(), cast);
    expect_samples(*reader, cast);
  }
  EXPECT_FALSE(Writer<2>::reopen(path, 31, 87));
  EXPECT_FALSE(Writer<2>::reopen(path, 30, 88));
  EXPECT_FALSE(Writer<2>::reopen(path, 30, 86));
  EXPECT_FALSE(Writer<3>::reopen(path, 1, 0));
  EXPECT_FALSE(Writer<2>::reopen(folder / "none.h5", 1, 0));
  for (const auto& entry : std::filesystem::directory_iterator(folder / "")) EXPECT_EQ(entry.path(), path);
}

}  // namespace
}  // namespace cairn::record
