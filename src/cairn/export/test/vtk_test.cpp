// The files for ParaView hold what the frames hold, and every offset leads to the array it names.
#include "cairn/export/vtk.hpp"

#include <cstring>
#include <map>
#include <set>

#include "cairn/export/test/shot.hpp"
#include "cairn/scene/discs.hpp"

namespace cairn::exporting {
namespace {

using test::Folder;

struct Array {
  std::string type;
  int components = 1;
  std::string bytes;

  template <class T>
  std::vector<T> as() const {
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
    return values;
  }
};

std::string attribute(const std::string& tag, const std::string& name) {
  const auto at = tag.find(" " + name + "=\"");
  if (at == std::string::npos) return "";
  const auto begin = at + name.size() + 3;
  return tag.substr(begin, tag.find('"', begin) - begin);
}

struct File {
  std::map<std::string, Array> arrays;  // "Section/name"
  long points = 0, vertices = 0, lines = 0, polygons = 0;
  std::string trouble;
};

// Our own reading of the format: tags nest, arrays follow each other without gap or overlap up to the end.
File parse_vtp(const std::string& text) {
  File file;
  const auto data = text.find("<AppendedData encoding=\"raw\">\n_");
  if (data == std::string::npos) return file.trouble = "no appended data", file;
  const std::string raw = text.substr(text.find('_', data) + 1);
  std::vector<std::string> open;
  std::size_t expected = 0, at = 0;
  while ((at = text.find('<', at)) < data) {
    const auto end = text.find('>', at);
    const std::string tag = text.substr(at + 1, end - at - 1);
    at = end;
    if (tag[0] == '?' || tag[0] == '!') continue;
    const std::string name = tag.substr(0, tag.find_first_of(" />"));
    if (tag[0] == '/') {
      if (open.empty() || "/" + open.back() != tag) return file.trouble = "tag " + tag + " closes nothing", file;
      open.pop_back();
      continue;
    }
    if (tag.back() != '/') open.push_back(name);
    if (name == "VTKFile" && attribute(tag, "header_type") != "UInt64") file.trouble = "header type";
    if (name == "Piece") {
      file.points = std::stol(attribute(tag, "NumberOfPoints")),
      file.lines = std::stol(attribute(tag, "NumberOfLines"));
      file.vertices = std::stol(attribute(tag, "NumberOfVerts"));
      file.polygons = std::stol(attribute(tag, "NumberOfPolys"));
    }
    if (name != "DataArray" || attribute(tag, "format") != "appended") continue;
    const std::size_t offset = std::stoul(attribute(tag, "offset"));
    std::uint64_t length = 0;
    if (offset != expected || offset + 8 > raw.size()) return file.trouble = "offset of " + tag, file;
    std::memcpy(&length, raw.data() + offset, 8);
    file.arrays[open.back() + "/" + attribute(tag, "Name")] = {
        attribute(tag, "type"), std::stoi(attribute(tag, "NumberOfComponents")), raw.substr(offset + 8, length)};
    expected = offset + 8 + length;
  }
  if (open != std::vector<std::string>{"VTKFile"}) file.trouble = "tags left open";
  if (raw.substr(expected) != "\n</AppendedData>\n</VTKFile>\n") file.trouble = "bytes left over";
  return file;
}

// Sizes fit the counts, connectivity leads to points.
void expect_consistent(const File& f) {
  ASSERT_EQ(f.trouble, "");
  const std::map<std::string, long> width{{"Float64", 8}, {"Float32", 4}, {"Int32", 4}};
  for (const auto& [name, array] : f.arrays) {
    const long tuples = static_cast<long>(array.bytes.size()) / width.at(array.type) / array.components;
    if (name.starts_with("CellData/")) {
      EXPECT_EQ(tuples, f.vertices + f.lines + f.polygons) << name;
    }
    if (name.starts_with("Point")) {
      EXPECT_EQ(tuples, f.points) << name;
    }
  }
  const std::pair<const char*, long> kinds[]{{"Verts", f.vertices}, {"Lines", f.lines}, {"Polys", f.polygons}};
  for (const auto& [kind, count] : kinds) {
    const auto ends = f.arrays.at(std::string(kind) + "/offsets").as<std::int32_t>();
    const auto corners = f.arrays.at(std::string(kind) + "/connectivity").as<std::int32_t>();
    ASSERT_EQ(static_cast<long>(ends.size()), count);
    EXPECT_TRUE(std::is_sorted(ends.begin(), ends.end()));
    EXPECT_EQ(ends.empty() ? 0 : ends.back(), static_cast<int>(corners.size()));
    for (const int c : corners) EXPECT_TRUE(c >= 0 && c < f.points);
  }
}

template <class D>
struct Vtk : testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Vtk, Dimensions);

TYPED_TEST(Vtk, every_shape_lands_in_a_consistent_file) {
  constexpr int D = TypeParam::value;
  const auto shot = test::every_shape<D>();
  const Folder folder;
  auto writer = VtkWriter<D>::open(folder / "all", shot.cast, shot.frames[0]);
  ASSERT_TRUE(writer) << writer.error();
  for (const auto& frame : shot.frames) ASSERT_TRUE(writer->add(frame));
  EXPECT_EQ(folder.files(), 2 + 2 * static_cast<int>(shot.frames.size()));
  const File bodies = parse_vtp(test::read(folder / "all_bodies_0003.vtp"));
  expect_consistent(bodies);
  EXPECT_EQ(bodies.lines, D == 2 ? 1 : 0);
  std::set<int> drawn;
  for (const int b : bodies.arrays.at("CellData/body").template as<std::int32_t>()) drawn.insert(b);
  EXPECT_EQ(drawn.size(), shot.cast.bodies.size());
  expect_consistent(parse_vtp(test::read(folder / "all_contacts_0003.vtp")));
}

TYPED_TEST(Vtk, points_of_round_bodies_lie_on_them_and_follow_the_motion) {
  constexpr int D = TypeParam::value;
  test::Shot<D> shot;
  Pose<D> pose;
  pose.x[0] = 2;
  ASSERT_TRUE(add_body<D>(shot.model, shot.state, {{Ball<D>{0.5}, {}, 10}}, pose));
  shot.cast = test::cast_of(shot.model);
  const auto first = test::frame_of(shot.state);
  shot.state.x[0][1] = 3, shot.state.u[0][0] = 2, shot.state.u[0][D] = 4;
  const Folder folder;
  auto writer = VtkWriter<D>::open(folder / "ball", shot.cast, first, {16, true});
  ASSERT_TRUE(writer && writer->add(test::frame_of(shot.state)));
  const File f = parse_vtp(test::read(folder / "ball_bodies_0000.vtp"));
  expect_consistent(f);
  const auto xyz = f.arrays.at("Points/position").template as<double>();
  for (std::size_t k = 0; k < xyz.size(); k += 3)
    EXPECT_NEAR(std::hypot(xyz[k] - 2, xyz[k + 1] - 3, xyz[k + 2]), 0.5, 1e-14);
  const auto moved = f.arrays.at("CellData/displacement").template as<float>();
  EXPECT_EQ(std::vector<float>(moved.begin(), moved.begin() + 3), (std::vector<float>{0, 3, 0}));
  EXPECT_EQ(f.arrays.at("CellData/speed").template as<float>()[0], 2);
  const Body<D>& body = shot.model.bodies[0];
  EXPECT_FLOAT_EQ(f.arrays.at("CellData/kinetic_energy").template as<float>()[0],
                  static_cast<float>(body.mass * 2 + body.inertia[0] * 8));
}

TYPED_TEST(Vtk, forces_on_the_ground_carry_the_weight) {
  constexpr int D = TypeParam::value;
  const auto shot = test::shot_of<D>(*scene::build<D>(scene::DiscPile{}), 20, 0.005, 20);
  const Folder folder;
  ASSERT_TRUE(write_contacts_vtp(folder / "c.vtp", shot.frames[1]));
  const File f = parse_vtp(test::read(folder / "c.vtp"));
  expect_consistent(f);
  ASSERT_EQ(f.vertices, f.points);
  const auto force = f.arrays.at("PointData/force").template as<double>();
  const auto first = f.arrays.at("PointData/first").template as<std::int32_t>();
  const auto second = f.arrays.at("PointData/second").template as<std::int32_t>();
  const int ground = static_cast<int>(shot.cast.bodies.size()) - 1;
  Real up = 0, weight = 0;
  for (std::size_t k = 0; k < first.size(); ++k) {
    if (second[k] == ground) up += force[3 * k + D - 1];  // acts on the first body
    if (first[k] == ground) up -= force[3 * k + D - 1];
  }
  for (const auto& body : shot.cast.bodies) weight += body.free() ? 9.81 * body.mass : 0;
  EXPECT_NEAR(up, weight, 1e-6 * weight);
}

TYPED_TEST(Vtk, the_list_is_whole_after_every_frame) {
  constexpr int D = TypeParam::value;
  const auto shot = test::shot_of<D>(*scene::build<D>(scene::DiscPile{}), 4, 0.005, 1);
  const Folder folder;
  auto writer = VtkWriter<D>::open(folder / "a&b", shot.cast, shot.frames[0], {8, false});
  ASSERT_TRUE(writer);
  for (int k = 0; k < 5; ++k) {
    ASSERT_TRUE(writer->add(shot.frames[static_cast<std::size_t>(k)]));
    const std::string list = test::read(folder / "a&b_bodies.pvd");
    EXPECT_TRUE(list.ends_with("</Collection>\n</VTKFile>\n"));
    int found = 0;
    for (std::size_t at = 0; (at = list.find("<DataSet ", at)) != std::string::npos; ++at, ++found) {
      const std::string name = attribute(list.substr(at), "file");
      ASSERT_TRUE(name.starts_with("a&amp;b_bodies_"));
      EXPECT_TRUE(std::filesystem::exists(folder / ("a&b" + name.substr(7))));
    }
    EXPECT_EQ(found, k + 1);
  }
  EXPECT_EQ(folder.files(), 6);
}

TYPED_TEST(Vtk, a_frame_of_other_bodies_and_a_missing_folder_are_refused) {
  constexpr int D = TypeParam::value;
  const auto shot = test::shot_of<D>(*scene::build<D>(scene::DiscPile{}), 1, 0.005, 1);
  const Folder folder;
  auto wrong = shot.frames[0];
  wrong.x.pop_back();
  const auto refused = VtkWriter<D>::open(folder / "x", shot.cast, wrong);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().find("expected"), std::string::npos);
  EXPECT_FALSE(VtkWriter<D>::open(folder / "no/x", shot.cast, shot.frames[0]));
}

}  // namespace
}  // namespace cairn::exporting
