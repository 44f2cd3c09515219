#include "cairn/view/result.hpp"

#include <cmath>
#include <map>
#include <numbers>

#include "cairn/base/body_rows.hpp"
#include "cairn/export/mesh.hpp"
#include "cairn/record/test/sample.hpp"
#include "cairn/view/test/parsed.hpp"

namespace cairn::view {
namespace {

using record::Cast;
using record::Frame;
using record::test::add_sample;
using record::test::sample_cast;
using record::test::sample_frame;
using test::Parsed;
using Sizes = std::vector<std::size_t>;
using Floats = std::vector<float>;

constexpr int frames = 9;

template <int D>
void write_sample(const std::string& path, const Cast<D>& cast) {
  auto writer = record::Writer<D>::create(path, record::test::sample_info(D), cast, {});
  ASSERT_TRUE(writer) << writer.error();
  for (long k = 0; k < frames; ++k) ASSERT_EQ(add_sample<D>(*writer, k, cast), "");
  ASSERT_EQ(writer->finish(R"({"fallen": 3})"), "");
}

void put(Floats& out, const Vec<3>& v) {
  for (int i = 0; i < 3; ++i) out.push_back(static_cast<float>(v[i]));
}
Vec<3> world_spin(const Orientation<2>&, const Vec<1>& w) { return {0, 0, w[0]}; }
Vec<3> world_spin(const Orientation<3>& r, const Vec<3>& w) { return r.rotation().matrix() * w; }
Vec<4> quaternion(const Orientation<2>& r) { return {0, 0, std::sin(r.angle / 2), std::cos(r.angle / 2)}; }
Vec<4> quaternion(const Orientation<3>& r) { return {r.r.x, r.r.y, r.r.z, r.r.w}; }

template <class Dimension>
class ViewResult : public testing::Test {
 protected:
  static constexpr int N = Dimension::value;

  void SetUp() override {
    write_sample<N>(path_, cast_);
    auto opened = Result::open(path_);
    ASSERT_TRUE(opened) << opened.error();
    result_ = std::move(*opened);
  }
  Parsed good(const Expected<std::string>& bundle) const {
    EXPECT_TRUE(bundle) << bundle.error();
    return Parsed(bundle ? *bundle : "");
  }

  record::test::Folder folder_;
  std::string path_ = folder_ / "a.h5";
  Cast<N> cast_ = sample_cast<N>();
  std::unique_ptr<Result> result_;
};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(ViewResult, Dimensions, );

TYPED_TEST(ViewResult, frames_are_those_of_the_file) {
  constexpr int D = TypeParam::value;
  EXPECT_EQ(this->result_->frames(), frames);
  EXPECT_EQ(this->result_->bodies(), static_cast<int>(this->cast_.bodies.size()));
  for (int k = 0; k < frames; ++k) {
    const Frame<D> f = sample_frame<D>(k, this->cast_);
    const Parsed read = this->good(this->result_->frame(k));
    Floats x, u;
    for (std::size_t b = 0; b < f.x.size(); ++b) {
      put(x, exporting::in_space(f.x[b])), put(u, exporting::in_space(linear<D>(f.u[b])));
    }
    EXPECT_EQ(read.template values<float>("x"), x);
    EXPECT_EQ(read.template values<float>("u"), u);
    EXPECT_EQ(read.shape("x"), (Sizes{f.x.size(), 3}));
    EXPECT_EQ(read.shape("r"), (Sizes{f.x.size(), 4}));
    const Floats r = read.template values<float>("r"), spins = read.template values<float>("w");
    for (std::size_t b = 0; b < f.x.size(); ++b) {
      for (int i = 0; i < 4; ++i)
        EXPECT_NEAR(std::fabs(r[4 * b + static_cast<std::size_t>(i)]), std::fabs(quaternion(f.r[b])[i]), 1e-6);
      const Vec<3> spin_of = world_spin(f.r[b], spin<D>(f.u[b]));
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(spins[3 * b + static_cast<std::size_t>(i)], spin_of[i], 1e-6);
    }
    EXPECT_EQ(read.number("k"), k);
    EXPECT_EQ(read.number("t"), f.t);
    EXPECT_EQ(read.number("h"), f.h);
    EXPECT_EQ(read.number("step"), f.step);
  }
}

// The quaternion turns the body's axes into the world's, sign and all.
TYPED_TEST(ViewResult, quaternions_turn_as_the_bodies_do) {
  constexpr int D = TypeParam::value;
  const Frame<D> f = sample_frame<D>(4, this->cast_);
  const Floats r = this->good(this->result_->frame(4)).template values<float>("r");
  for (std::size_t b = 0; b < f.x.size(); ++b) {
    const Rotation<3> q{r[4 * b + 3], r[4 * b], r[4 * b + 1], r[4 * b + 2]};
    for (int axis = 0; axis < D; ++axis) {
      Vec<D> e{};
      e[axis] = 1;
      const Vec<3> turned = q * exporting::in_space(e), expected = exporting::in_space(f.r[b].rotation() * e);
      EXPECT_NEAR(norm(turned - expected), 0, 1e-6);
    }
  }
}

TYPED_TEST(ViewResult, contacts_are_those_of_the_file) {
  constexpr int D = TypeParam::value;
  std::size_t all = 0;
  for (int k = 0; k < frames; ++k) {
    const Frame<D> f = sample_frame<D>(k, this->cast_);
    const Parsed read = this->good(this->result_->contacts(k));
    Floats point, normal, impulse, velocity, gap, use;
    std::vector<std::uint32_t> body;
    std::vector<std::uint8_t> status;
    for (const auto& c : f.contacts) {
      body.push_back(static_cast<std::uint32_t>(c.body[0])), body.push_back(static_cast<std::uint32_t>(c.body[1]));
      put(point, exporting::in_space(c.point)), put(normal, exporting::in_space(c.normal));
      put(impulse, exporting::in_space(c.impulse)), put(velocity, exporting::in_space(c.velocity));
      use.push_back(static_cast<float>(c.use));
      gap.push_back(static_cast<float>(c.gap)), status.push_back(static_cast<std::uint8_t>(c.status));
    }
    EXPECT_EQ(read.template values<std::uint32_t>("body"), body);
    EXPECT_EQ(read.template values<float>("point"), point);
    EXPECT_EQ(read.template values<float>("normal"), normal);
    EXPECT_EQ(read.template values<float>("impulse"), impulse);
    EXPECT_EQ(read.template values<float>("velocity"), velocity);
    EXPECT_EQ(read.template values<float>("gap"), gap);
    EXPECT_EQ(read.template values<std::uint8_t>("status"), status);
    EXPECT_EQ(read.template values<float>("use"), use);
    EXPECT_EQ(read.number("h"), f.h);
    all += status.size();
  }
  EXPECT_GT(all, 20u);
}

TYPED_TEST(ViewResult, timeline_has_all_frames_from_one_on) {
  for (const int from : {0, 3, frames}) {
    const Parsed read = this->good(this->result_->timeline(from));
    const auto time = read.template values<double>("time"), step = read.template values<double>("step"),
               h = read.template values<double>("h");
    ASSERT_EQ(time.size(), static_cast<std::size_t>(frames - from));
    for (int k = from; k < frames; ++k) {
      const auto f = sample_frame<TypeParam::value>(k, this->cast_);
      const auto i = static_cast<std::size_t>(k - from);
      EXPECT_EQ(time[i], f.t);
      EXPECT_EQ(step[i], f.step);
      EXPECT_EQ(h[i], f.h);
    }
    EXPECT_EQ(read.number("frames"), frames);
    EXPECT_EQ(read.number("rows"), 3 * (frames - 1));
    EXPECT_EQ(read.field("finished"), "true");
    EXPECT_EQ(read.number("fallen"), 3);
  }
}

TYPED_TEST(ViewResult, steps_keep_extremes_and_sums) {
  constexpr int rows = 3 * (frames - 1);
  const auto& columns = record::step_columns();
  for (const int points : {2, 5, rows, 20000}) {
    const Parsed read = this->good(this->result_->steps(points));
    const auto t = read.template values<double>("t"), total = read.template values<double>("total");
    const auto low = read.template values<float>("low"), high = read.template values<float>("high");
    const auto probe_low = read.template values<float>("probe_low"),
               probe_high = read.template values<float>("probe_high");
    const std::size_t n = static_cast<std::size_t>(std::min(points, rows));
    ASSERT_EQ(t.size(), n);
    ASSERT_EQ(read.shape("low"), (Sizes{columns.size(), n}));
    ASSERT_EQ(read.shape("probe_low"), (Sizes{2, n}));
    EXPECT_EQ(read.number("rows"), rows);
    double sum = 0;
    int row = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const int first = row;
      for (; row < rows && record::test::sample_row(row).t <= t[i]; ++row) sum += record::test::sample_row(row).error;
      ASSERT_GT(row, first);
      const std::size_t error = 9;
      ASSERT_STREQ(columns[error].name, "error");
      EXPECT_EQ(low[error * n + i], static_cast<float>(record::test::sample_row(first).error));
      EXPECT_EQ(high[error * n + i], static_cast<float>(record::test::sample_row(row - 1).error));
      EXPECT_NEAR(total[error * n + i], sum, 1e-12 * sum);
      EXPECT_EQ(probe_low[i], static_cast<float>(record::test::sample_probes(first)[0]));
      EXPECT_EQ(probe_high[n + i], static_cast<float>(record::test::sample_probes(first)[1]));
    }
    EXPECT_EQ(row, rows);
  }
}

TYPED_TEST(ViewResult, paths_end_with_the_last_frame) {
  for (const int points : {2, 3, 4, frames, 1000}) {
    for (int b = 0; b < this->result_->bodies(); ++b) {
      const Parsed read = this->good(this->result_->path(b, points));
      const auto k = read.template values<std::int32_t>("k");
      const auto x = read.template values<float>("x");
      ASSERT_EQ(k.size(), static_cast<std::size_t>(std::min(points, frames)));
      EXPECT_EQ(k.front(), 0);
      EXPECT_EQ(k.back(), frames - 1);
      EXPECT_EQ(read.number("body"), b);
      Floats expected;
      for (const int frame : k)
        put(expected,
            exporting::in_space(sample_frame<TypeParam::value>(frame, this->cast_).x[static_cast<std::size_t>(b)]));
      EXPECT_EQ(x, expected);
    }
  }
}

TYPED_TEST(ViewResult, what_is_not_there_is_refused) {
  Result& r = *this->result_;
  for (const int k : {-1, frames, 1 << 30}) {
    EXPECT_NE(r.frame(k).error().find("expected 0 to 8"), std::string::npos);
    EXPECT_NE(r.contacts(k).error().find("expected 0 to 8"), std::string::npos);
  }
  for (const int from : {-1, frames + 1})
    EXPECT_NE(r.timeline(from).error().find("expected 0 to 9"), std::string::npos);
  for (const int points : {-5, 0, 1, 20001}) {
    EXPECT_NE(r.steps(points).error().find("expected 2 to 20000"), std::string::npos);
    EXPECT_NE(r.path(0, points).error().find("expected 2 to 20000"), std::string::npos);
  }
  for (const int body : {-1, r.bodies()}) EXPECT_NE(r.path(body, 10).error().find("body"), std::string::npos);
}

TYPED_TEST(ViewResult, a_running_file_grows) {
  constexpr int D = TypeParam::value;
  const std::string path = this->folder_ / "running.h5";
  auto writer = record::Writer<D>::create(path, record::test::sample_info(D), this->cast_, {});
  ASSERT_TRUE(writer) << writer.error();
  auto result = Result::open(path);
  ASSERT_TRUE(result) << result.error();
  EXPECT_EQ((*result)->frames(), 0);
  Parsed((*result)->cast());  // also before there is a frame
  ASSERT_TRUE((*result)->steps(10));
  ASSERT_TRUE((*result)->path(0, 10));
  EXPECT_FALSE((*result)->frame(0));
  for (long k = 0; k < 4; ++k) {
    ASSERT_EQ(add_sample<D>(*writer, k, this->cast_), "");
    const Parsed read = this->good((*result)->timeline(static_cast<int>(k)));
    EXPECT_EQ(read.number("frames"), k + 1);
    EXPECT_EQ(read.field("finished"), "false");
    EXPECT_EQ(read.field("outcome"), "null");
    EXPECT_TRUE((*result)->frame(static_cast<int>(k)));
  }
  ASSERT_EQ(writer->finish("{}"), "");
  EXPECT_EQ(this->good((*result)->timeline(4)).field("finished"), "true");
}

TYPED_TEST(ViewResult, cast_has_all_bodies) {
  constexpr int D = TypeParam::value;
  const Parsed read(this->result_->cast());
  const auto mass = read.template values<float>("mass"), inertia = read.template values<float>("inertia");
  const auto kind = read.template values<std::uint8_t>("kind");
  const auto label = read.template values<std::int32_t>("label"),
             material = read.template values<std::int32_t>("material");
  for (std::size_t b = 0; b < this->cast_.bodies.size(); ++b) {
    const Body<D>& body = this->cast_.bodies[b];
    EXPECT_EQ(mass[b], static_cast<float>(body.mass));
    EXPECT_EQ(inertia[3 * b + 2], static_cast<float>(body.inertia[spins<D> - 1]));
    EXPECT_EQ(inertia[3 * b], D == 2 ? 0 : static_cast<float>(body.inertia[0]));
    EXPECT_EQ(kind[b], body.free() ? 0 : body.drive >= 0 ? 2 : 1);
    EXPECT_EQ(label[b], this->cast_.label[b]);
    EXPECT_EQ(material[b], static_cast<int>(b) % 2);
  }
  EXPECT_EQ(read.number("dimension"), D);
  EXPECT_EQ(read.field("title"), "\"A wall that sways\"");
  EXPECT_EQ(read.field("contacts"), "true");
  EXPECT_EQ(read.number("courses"), 16);
  EXPECT_EQ(read.number("size"), 0.123);
  EXPECT_NE(read.header.find("\"body.0\""), std::string::npos);
  const auto ball = read.template values<float>("ball_radius");
  EXPECT_EQ(ball, (Floats{0.3f, 0.3f}));
  const auto normal = read.template values<float>("plane_normal");
  const BodyPart<D>* half_space = nullptr;
  for (const auto& part : this->cast_.parts)
    if (std::holds_alternative<HalfSpace<D>>(part.shape)) half_space = &part;
  Floats expected;
  put(expected, exporting::in_space(half_space->pose.R * HalfSpace<D>::normal()));
  EXPECT_EQ(normal, expected);
  EXPECT_EQ(read.template values<std::uint32_t>("plane_body"), std::vector<std::uint32_t>{5});
  EXPECT_EQ(read.template values<std::uint32_t>("mesh_body"), (std::vector<std::uint32_t>{1, 2, 3, 4, 6}));
}

TEST(ViewResultFile, what_is_no_results_file_is_refused) {
  record::test::Folder folder;
  EXPECT_FALSE(Result::open(folder / "absent.h5"));
  record::test::write_bytes(folder / "text.h5", "no results");
  EXPECT_NE(Result::open(folder / "text.h5").error().find("text.h5"), std::string::npos);
}

}  // namespace
}  // namespace cairn::view
