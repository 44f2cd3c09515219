// Casts and frames to be written and compared, bit for bit; what a frame holds follows from its number alone.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>

#include "cairn/record/reader.hpp"
#include "cairn/record/writer.hpp"

namespace cairn::record::test {

// A folder of its own, removed at the end.
class Folder {
 public:
  Folder() {
    std::string name = testing::TempDir() + "cairn_record_XXXXXX";
    path_ = ::mkdtemp(name.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// Numbers are the same when their bits are: not-a-number equals itself, and 0 is not -0.
template <class T>
bool same_bits(const T& a, const T& b) {
  static_assert(std::is_trivially_copyable_v<T>);
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}
template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!same_bits(a[i], b[i])) return false;
  return true;
}

template <int D>
bool same(const ContactRow<D>& a, const ContactRow<D>& b) {  // member by member: it has padding
  return same_bits(a.body, b.body) && same_bits(a.part, b.part) && a.feature == b.feature &&
         same_bits(a.point, b.point) && same_bits(a.normal, b.normal) && same_bits(a.impulse, b.impulse) &&
         same_bits(a.velocity, b.velocity) && same_bits(a.gap, b.gap) && a.status == b.status &&
         same_bits(a.use, b.use);
}
template <int D>
bool same(const Frame<D>& a, const Frame<D>& b) {
  bool equal = same_bits(a.t, b.t) && a.step == b.step && same_bits(a.h, b.h) && same_bits(a.x, b.x) &&
               same_bits(a.r, b.r) && same_bits(a.u, b.u) && a.contacts.size() == b.contacts.size();
  for (std::size_t i = 0; equal && i < a.contacts.size(); ++i) equal = same(a.contacts[i], b.contacts[i]);
  return equal;
}

template <int D>
bool same_shape(const Ball<D>& a, const Ball<D>& b) {
  return same_bits(a, b);
}
template <int D>
bool same_shape(const Capsule<D>& a, const Capsule<D>& b) {
  return same_bits(a, b);
}
template <int D>
bool same_shape(const Ellipsoid<D>& a, const Ellipsoid<D>& b) {
  return same_bits(a.semi, b.semi) && same_bits(a.radius, b.radius);
}
template <int D>
bool same_shape(const HalfSpace<D>&, const HalfSpace<D>&) {
  return true;
}
inline bool same_shape(const Polygon& a, const Polygon& b) {
  return same_bits(a.vertices, b.vertices) && same_bits(a.normals, b.normals) && same_bits(a.radius, b.radius);
}
inline bool same_shape(const Polyline& a, const Polyline& b) { return same_bits(a.points, b.points); }
inline bool same_shape(const Polyhedron& a, const Polyhedron& b) {
  bool equal = same_bits(a.vertices, b.vertices) && same_bits(a.edges, b.edges) && a.neighbours == b.neighbours &&
               same_bits(a.radius, b.radius) && a.faces.size() == b.faces.size();
  for (std::size_t i = 0; equal && i < a.faces.size(); ++i)
    equal = a.faces[i].ring == b.faces[i].ring && same_bits(a.faces[i].normal, b.faces[i].normal) &&
            same_bits(a.faces[i].offset, b.faces[i].offset);
  return equal;
}
inline bool same_shape(const TriangleMesh& a, const TriangleMesh& b) {
  return same_bits(a.vertices, b.vertices) && a.triangles == b.triangles;
}

template <int D>
void expect_same(const Cast<D>& a, const Cast<D>& b) {
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  ASSERT_EQ(a.parts.size(), b.parts.size());
  EXPECT_EQ(a.names, b.names);
  EXPECT_EQ(a.label, b.label);
  EXPECT_TRUE(same_bits(a.gravity, b.gravity) && same_bits(a.size, b.size));
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    const Body<D>&p = a.bodies[i], &q = b.bodies[i];
    EXPECT_TRUE(same_bits(p.mass, q.mass) && same_bits(p.inertia, q.inertia) && same_bits(p.locked, q.locked) &&
                p.drive == q.drive && same_bits(p.placed, q.placed) && same_bits(p.grain, q.grain))
        << "body " << i;
  }
  for (std::size_t i = 0; i < a.parts.size(); ++i) {
    const BodyPart<D>&p = a.parts[i], &q = b.parts[i];
    EXPECT_TRUE(p.body == q.body && p.material == q.material && same_bits(p.pose, q.pose)) << "part " << i;
    ASSERT_EQ(p.shape.index(), q.shape.index());
    std::visit(
        [&](const auto& s) {
          EXPECT_TRUE(same_shape(s, std::get<std::decay_t<decltype(s)>>(q.shape))) << "part " << i;
        },
        p.shape);
  }
}

template <int D>
Vec<D> random_point(std::mt19937& random) {
  std::normal_distribution<Real> normal;
  Vec<D> v;
  for (int i = 0; i < D; ++i) v[i] = normal(random);
  return v;
}

inline std::vector<Shape<2>> shapes_of_all_kinds(std::mt19937& random, Vec<2>) {
  std::vector<Vec<2>> points(12);
  for (Vec<2>& p : points) p = random_point<2>(random);
  return {Ball<2>{0.3},
          Capsule<2>{0.7, 0.1},
          Polygon::box({0.4, 0.2}, 0.05),
          *Polygon::make(points),
          Ellipsoid<2>{{0.3, 0.5}, 0},
          HalfSpace<2>{},
          Polyline{{{0, 0}, {1, 0.5}, {2, -0.25}}}};
}
inline std::vector<Shape<3>> shapes_of_all_kinds(std::mt19937& random, Vec<3>) {
  std::vector<Vec<3>> points(40);
  for (Vec<3>& p : points) p = random_point<3>(random);
  return {Ball<3>{0.3},
          Capsule<3>{0.7, 0.1},
          Polyhedron::box({0.4, 0.2, 0.1}, 0.05),
          *Polyhedron::make(points),
          Ellipsoid<3>{{0.3, 0.5, 0.6}, 0},
          HalfSpace<3>{},
          TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0.5}, {1, 1, 0.25}}, {{0, 1, 2}, {1, 3, 2}}}};
}

inline Rotation<2> random_rotation(std::mt19937& random, Vec<2>) { return Rotation<2>::by(random_point<2>(random)[0]); }
inline Rotation<3> random_rotation(std::mt19937& random, Vec<3>) { return Rotation<3>::by(random_point<3>(random)); }

// A body for every kind of shape, and one of two parts; free, locked, driven and fixed ones.
template <int D>
Cast<D> sample_cast() {
  std::mt19937 random(7);
  Cast<D> cast;
  for (const Shape<D>& shape : shapes_of_all_kinds(random, Vec<D>{})) {
    const int b = static_cast<int>(cast.bodies.size());
    Body<D> body;
    body.mass = b % 3 == 2 ? 0 : 1 + b / Real(3);
    for (int i = 0; i < spins<D>; ++i) body.inertia[i] = body.mass * (1 + i) / Real(7);
    if (b == 1) body.locked[D] = 1;
    if (b == 2) body.drive = 0;
    body.placed = {random_point<D>(random), random_rotation(random, Vec<D>{})};
    body.grain = random_point<D>(random);
    cast.bodies.push_back(body);
    for (int k = 0; k < (b == 0 ? 2 : 1); ++k)
      cast.parts.push_back({b, shape, {random_point<D>(random), random_rotation(random, Vec<D>{})}, b % 2});
    cast.names.push_back(b == 3 ? "" : "body." + std::to_string(b) + (b == 4 ? " \xc3\xa9" : ""));
    cast.label.push_back(b * b - 3);
  }
  cast.gravity = random_point<D>(random), cast.size = 0.123;
  return cast;
}

inline Orientation<2> random_orientation(std::mt19937& random, Vec<2>) { return {10 * random_point<2>(random)[0]}; }
inline Orientation<3> random_orientation(std::mt19937& random, Vec<3> v) { return {random_rotation(random, v)}; }

// Numbers of contacts vary from frame to frame, and are now and then none.
template <int D>
Frame<D> sample_frame(long k, const Cast<D>& cast, int most_contacts = 60) {
  std::mt19937 random(static_cast<unsigned>(k) * 2654435761u + 1);
  Frame<D> f;
  f.t = static_cast<Real>(k) / 3, f.step = 10 * k, f.h = k == 0 ? 0 : Real(0.01);
  for (std::size_t b = 0; b < cast.bodies.size(); ++b) {
    f.x.push_back(random_point<D>(random));
    f.r.push_back(random_orientation(random, Vec<D>{}));
    f.u.push_back(random_point<freedoms<D>>(random));
  }
  const std::size_t contacts = random() % 5 == 0 ? 0 : random() % static_cast<unsigned>(most_contacts);
  const auto one_of = [&](std::size_t n) { return static_cast<int>(random() % n); };
  for (std::size_t a = 0; a < contacts; ++a) {
    ContactRow<D> c{};
    for (int side = 0; side < 2; ++side)
      c.body[side] = one_of(cast.bodies.size()), c.part[side] = one_of(cast.parts.size());
    c.feature = static_cast<std::uint32_t>(random());
    c.point = random_point<D>(random), c.normal = random_point<D>(random), c.impulse = random_point<D>(random);
    c.velocity = random_point<D>(random), c.gap = random_point<1>(random)[0], c.use = random_point<1>(random)[0];
    c.status = static_cast<Status>(random() % 3);
    f.contacts.push_back(c);
  }
  return f;
}

inline StepRow sample_row(long k) {
  StepRow row;
  Real numbers[sizeof(StepRow) / sizeof(Real)];
  for (std::size_t i = 0; i < std::size(numbers); ++i) numbers[i] = static_cast<Real>(k) + static_cast<Real>(i) / 7;
  std::memcpy(&row, numbers, sizeof row);
  return row;
}
inline std::vector<Real> sample_probes(long k) { return {static_cast<Real>(k) / 11, -static_cast<Real>(k)}; }

inline ResultInfo sample_info(int dimension) {
  ResultInfo info;
  info.dimension = dimension, info.title = "A wall that sways", info.scene_name = "wall";
  info.scene_text = "# scene\n[wall]\ncourses = 16\n", info.parameters = R"({"courses": 16})";
  info.version = "0.1.0", info.h = 0.001;
  info.probe_names = {"top.x", "reaction"}, info.probe_units = {"m", "N"};
  return info;
}

// Frame k and the rows since frame k - 1: three for each frame but the first.
template <int D>
std::string add_sample(Writer<D>& writer, long k, const Cast<D>& cast, int most_contacts = 60) {
  for (long row = 3 * (k - 1); k > 0 && row < 3 * k; ++row)
    if (std::string bad = writer.add_step(sample_row(row), sample_probes(row)); !bad.empty()) return bad;
  return writer.add_frame(sample_frame<D>(k, cast, most_contacts));
}

template <int D>
void expect_samples(const Reader<D>& reader, const Cast<D>& cast, int most_contacts = 60) {
  for (std::size_t k = 0; k < reader.times().size(); ++k) {
    const Expected<Frame<D>> frame = reader.frame(static_cast<int>(k));
    ASSERT_TRUE(frame) << frame.error();
    ASSERT_TRUE(same(*frame, sample_frame<D>(static_cast<long>(k), cast, most_contacts))) << "frame " << k;
  }
  const auto rows = reader.steps();
  const auto probes = reader.probes();
  ASSERT_TRUE(rows) << rows.error();
  ASSERT_TRUE(probes) << probes.error();
  ASSERT_EQ(rows->size(), reader.times().empty() ? 0 : 3 * (reader.times().size() - 1));
  ASSERT_EQ(probes->size(), 2u);
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const auto row = static_cast<long>(i);
    ASSERT_TRUE(same_bits((*rows)[i], sample_row(row))) << "row " << i;
    for (std::size_t p = 0; p < 2; ++p) ASSERT_EQ((*probes)[p].at(i), sample_probes(row)[p]);
  }
}

inline std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
inline void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace cairn::record::test
