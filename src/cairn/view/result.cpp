#include "cairn/view/result.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cairn/base/body_rows.hpp"
#include "cairn/base/json.hpp"
#include "cairn/export/mesh.hpp"
#include "cairn/record/reader.hpp"
#include "cairn/view/bundle.hpp"
#include "cairn/view/floats.hpp"
#include "cairn/view/geometry.hpp"
#include "cairn/view/steps_table.hpp"

namespace cairn::view {
namespace {

using exporting::in_space;
using record::FrameParts;

constexpr int least_points = 2, most_points = 20000;

Rotation<3> rotation_in_space(const Orientation<2>& r) { return Rotation<3>::by({0, 0, r.angle}); }
const Rotation<3>& rotation_in_space(const Orientation<3>& r) { return r.rotation(); }

// In the world's axes; in space the file has it in the body's own.
Vec<3> spin_in_space(const Orientation<2>&, const Vec<1>& w) { return {0, 0, w[0]}; }
Vec<3> spin_in_space(const Orientation<3>& r, const Vec<3>& w) { return r.rotation() * w; }

Vec<3> inertia_in_space(const Vec<1>& i) { return {0, 0, i[0]}; }
const Vec<3>& inertia_in_space(const Vec<3>& i) { return i; }

std::string json_vector(const Vec<3>& v) {
  return fmt::format("[{},{},{}]", json_number(v[0]), json_number(v[1]), json_number(v[2]));
}

std::string or_null(const std::string& object) { return object.empty() ? "null" : object; }

std::string wrong_points(int points) {
  if (points >= least_points && points <= most_points) return "";
  return fmt::format("{} points asked, expected {} to {}", points, least_points, most_points);
}

// At most so many of n frames, evenly spread; the first and the last are among them.
std::vector<int> chosen_frames(int n, int points) {
  const int m = std::min(n, points);
  std::vector<int> k;
  for (int i = 0; i < m; ++i) k.push_back(m < 2 ? 0 : static_cast<int>(static_cast<long>(i) * (n - 1) / (m - 1)));
  return k;
}

// Numbers of the bodies that stay.
template <int D>
struct BodyColumns {
  std::vector<float> mass, inertia;
  std::vector<std::uint8_t> kind;
  std::vector<std::int32_t> label, material;

  explicit BodyColumns(const record::Cast<D>& cast) : material(cast.bodies.size(), -1) {
    for (const Body<D>& b : cast.bodies) {
      mass.push_back(static_cast<float>(b.mass));
      append(inertia, inertia_in_space(b.inertia));
      kind.push_back(b.free() ? 0 : b.drive < 0 ? 1 : 2);
    }
    label.assign(cast.label.begin(), cast.label.end());
    for (auto part = cast.parts.rbegin(); part != cast.parts.rend(); ++part)
      material[static_cast<std::size_t>(part->body)] = part->material;
  }
};

template <int D>
class ResultOf final : public Result {
 public:
  explicit ResultOf(record::Reader<D> reader) : reader_(std::move(reader)) {}

  int frames() const override { return static_cast<int>(reader_.times().size()); }
  int bodies() const override { return static_cast<int>(reader_.cast().bodies.size()); }
  std::string cast() const override;
  Expected<std::string> timeline(int from) override;
  Expected<std::string> frame(int k) const override;
  Expected<std::string> contacts(int k) const override;
  Expected<std::string> steps(int points) const override;
  Expected<std::string> path(int body, int points) const override;

 private:
  std::string cast_fields() const;

  record::Reader<D> reader_;
};

template <int D>
std::string ResultOf<D>::cast_fields() const {
  const record::ResultInfo& info = reader_.info();
  const record::Cast<D>& cast = reader_.cast();
  record::Cast<D> nothing;  // its bounds are a box of the model's size
  nothing.size = cast.size;
  const auto first = frames() > 0 ? reader_.frame(0, FrameParts::bodies) : record::Frame<D>{};
  const Bounds<D> box =
      exporting::scene_bounds<D>(first && frames() > 0 ? cast : nothing, first ? *first : record::Frame<D>{});
  std::string names;
  for (const std::string& name : cast.names) names += (names.empty() ? "" : ",") + json_string(name);
  return JsonObject()
      .text("version", info.version)
      .text("title", info.title)
      .text("scene", info.scene_name)
      .raw("parameters", or_null(info.parameters))
      .integer("dimension", D)
      .raw("gravity", json_vector(in_space(cast.gravity)))
      .number("size", cast.size)
      .number("h", info.h)
      .raw("contacts", reader_.keeps_contacts() ? "true" : "false")
      .raw("bounds", fmt::format("[{},{}]", json_vector(in_space(box.low)), json_vector(in_space(box.high))))
      .raw("names", "[" + names + "]")
      .str();
}

template <int D>
std::string ResultOf<D>::cast() const {
  const BodyColumns<D> b(reader_.cast());
  const Geometry g = geometry_of<D>(reader_.cast());
  const std::size_t n = reader_.cast().bodies.size(), balls = g.ball_body.size(), planes = g.plane_body.size();
  Bundle bundle(cast_fields());
  bundle.array<float>("mass", b.mass, {n}).template array<float>("inertia", b.inertia, {n, 3});
  bundle.array<std::uint8_t>("kind", b.kind, {n});
  bundle.array<std::int32_t>("label", b.label, {n}).template array<std::int32_t>("material", b.material, {n});
  bundle.array<std::uint32_t>("ball_body", g.ball_body, {balls});
  bundle.array<float>("ball_centre", g.ball_centre, {balls, 3})
      .template array<float>("ball_radius", g.ball_radius, {balls});
  bundle.array<float>("vertex", g.vertex, {g.vertex.size() / 3, 3});
  bundle.array<std::uint32_t>("triangle", g.triangle, {g.triangle.size() / 3, 3});
  bundle.array<std::uint32_t>("edge", g.edge, {g.edge.size() / 2, 2});
  bundle.array<std::uint32_t>("shape_vertex", g.shape_vertex, {g.shape_vertex.size()});
  bundle.array<std::uint32_t>("shape_triangle", g.shape_triangle, {g.shape_triangle.size()});
  bundle.array<std::uint32_t>("shape_edge", g.shape_edge, {g.shape_edge.size()});
  bundle.array<std::uint32_t>("mesh_body", g.mesh_body, {g.mesh_body.size()});
  bundle.array<std::uint32_t>("mesh_shape", g.mesh_shape, {g.mesh_shape.size()});
  bundle.array<std::uint32_t>("plane_body", g.plane_body, {planes});
  bundle.array<float>("plane_point", g.plane_point, {planes, 3});
  bundle.array<float>("plane_normal", g.plane_normal, {planes, 3});
  return bundle.bytes();
}

template <int D>
Expected<std::string> ResultOf<D>::timeline(int from) {
  if (const auto now = reader_.refresh(); !now) return Error{now.error()};
  if (from < 0 || from > frames())
    return Error{fmt::format("frames from {} on asked, expected 0 to {}", from, frames())};
  const auto marks = reader_.marks(from);
  if (!marks) return Error{marks.error()};
  const std::vector<double> time(reader_.times().begin() + from, reader_.times().end());
  const std::vector<double> step(marks->step.begin(), marks->step.end());
  const record::ResultInfo& info = reader_.info();
  JsonObject fields;
  fields.integer("frames", frames()).raw("finished", info.finished ? "true" : "false");
  fields.integer("rows", reader_.rows()).raw("outcome", or_null(info.outcome));
  const std::size_t n = time.size();
  return Bundle(fields.str())
      .array<double>("time", time, {n})
      .template array<double>("h", marks->h, {n})
      .template array<double>("step", step, {n})
      .bytes();
}

template <int D>
Expected<std::string> ResultOf<D>::frame(int k) const {
  const auto frame = reader_.frame(k, FrameParts::bodies);
  if (!frame) return Error{frame.error()};
  const std::size_t n = frame->x.size();
  std::vector<float> x, r, u, w;
  x.reserve(3 * n), r.reserve(4 * n), u.reserve(3 * n), w.reserve(3 * n);
  for (std::size_t b = 0; b < n; ++b) {
    append(x, in_space(frame->x[b]));
    append(r, rotation_in_space(frame->r[b]));
    append(u, in_space(linear<D>(frame->u[b])));
    append(w, spin_in_space(frame->r[b], spin<D>(frame->u[b])));
  }
  JsonObject fields;
  fields.integer("k", k).number("t", frame->t).number("h", frame->h).integer("step", frame->step);
  return Bundle(fields.str())
      .array<float>("x", x, {n, 3})
      .template array<float>("r", r, {n, 4})
      .template array<float>("u", u, {n, 3})
      .template array<float>("w", w, {n, 3})
      .bytes();
}

template <int D>
Expected<std::string> ResultOf<D>::contacts(int k) const {
  const auto frame = reader_.frame(k, FrameParts::contacts);
  if (!frame) return Error{frame.error()};
  std::vector<std::uint32_t> body;
  std::vector<float> point, normal, impulse, velocity, gap, use;
  std::vector<std::uint8_t> status;
  for (const record::ContactRow<D>& c : frame->contacts) {
    for (const int b : c.body) body.push_back(static_cast<std::uint32_t>(b));
    append(point, in_space(c.point)), append(normal, in_space(c.normal));
    append(impulse, in_space(c.impulse)), append(velocity, in_space(c.velocity));
    gap.push_back(static_cast<float>(c.gap)), status.push_back(static_cast<std::uint8_t>(c.status));
    use.push_back(static_cast<float>(c.use));
  }
  const std::size_t n = status.size();
  return Bundle(JsonObject().integer("k", k).number("h", frame->h).str())
      .array<std::uint32_t>("body", body, {n, 2})
      .template array<float>("point", point, {n, 3})
      .template array<float>("normal", normal, {n, 3})
      .template array<float>("impulse", impulse, {n, 3})
      .template array<float>("velocity", velocity, {n, 3})
      .template array<float>("gap", gap, {n})
      .template array<std::uint8_t>("status", status, {n})
      .template array<float>("use", use, {n})
      .bytes();
}

template <int D>
Expected<std::string> ResultOf<D>::steps(int points) const {
  if (const std::string wrong = wrong_points(points); !wrong.empty()) return Error{wrong};
  return steps_bundle<D>(reader_, points);
}

template <int D>
Expected<std::string> ResultOf<D>::path(int body, int points) const {
  if (const std::string wrong = wrong_points(points); !wrong.empty()) return Error{wrong};
  const std::vector<std::int32_t> k = chosen_frames(frames(), points);
  const auto places = reader_.places(body, k);
  if (!places) return Error{places.error()};
  std::vector<float> x;
  for (const Vec<D>& p : *places) append(x, in_space(p));
  return Bundle(JsonObject().integer("body", body).str())
      .array<std::int32_t>("k", k, {k.size()})
      .template array<float>("x", x, {k.size(), 3})
      .bytes();
}

template <int D>
Expected<std::unique_ptr<Result>> open_in(const std::string& path) {
  auto reader = record::Reader<D>::open(path);
  if (!reader) return Error{reader.error()};
  return std::unique_ptr<Result>(std::make_unique<ResultOf<D>>(std::move(*reader)));
}

}  // namespace

Expected<std::unique_ptr<Result>> Result::open(const std::string& path) {
  const auto info = record::read_info(path);
  if (!info) return Error{info.error()};
  return info->dimension == 2 ? open_in<2>(path) : open_in<3>(path);
}

}  // namespace cairn::view
