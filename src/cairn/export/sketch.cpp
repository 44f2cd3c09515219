#include "cairn/export/sketch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace cairn::exporting {
namespace {

constexpr int circle_points = 40;  // more would not be seen

plot::Shape stroke(const Vec<2>& a, const Vec<2>& b, double width, const char* colour = "black") {
  plot::Shape shape = plot::polyline({a[0], b[0]}, {a[1], b[1]}, colour);
  shape.width = width;
  return shape;
}

// A disc with a radius drawn, which shows its turns.
void sketch(std::vector<plot::Shape>& out, const Ball<2>& ball, const Pose<2>& pose, const std::string& fill) {
  plot::Shape disc = plot::circle(pose.x[0], pose.x[1], ball.radius, fill);
  disc.width = thin;
  out.push_back(disc);
  out.push_back(stroke(pose.x, pose.to_world({ball.radius, 0}), 0.5 * thin, "#707070"));
}

void sketch_terrain(std::vector<plot::Shape>& out, const Polyline& line, const Pose<2>& pose) {
  const Bounds<2> box = line.bounds(pose);
  for (int k = 0; k < line.size(); ++k) {
    const auto i = static_cast<std::size_t>(k);
    hatched(out, pose.to_world(line.points[i]), pose.to_world(line.points[i + 1]), norm(box.high - box.low));
  }
}

// Light from above the viewer's left shoulder.
Real light(const Vec<3>& normal, const View<3>& view) {
  const Vec<3> lamp = normalised(view.towards() + Vec<3>{0, 0, 1});
  return std::clamp(Real(0.62) + Real(0.38) * dot(normal, lamp), Real(0), Real(1));
}

// Faces that look to the viewer, the furthest first.
void sketch_faces(std::vector<plot::Shape>& out, const Mesh& mesh, const Pose<3>& body, const std::string& fill,
                  const View<3>& view, double width) {
  std::vector<std::pair<Real, plot::Shape>> faces;
  for (int k = 0; k < mesh.cells(); ++k) {
    std::vector<Vec<3>> corners;
    Vec<3> sum{};
    for (const int c : mesh.cell(k))
      corners.push_back(body.to_world(mesh.points[static_cast<std::size_t>(c)])), sum += corners.back();
    const Vec<3> n = cross(corners[1] - corners[0], corners[2] - corners[0]);
    if (!(dot(n, view.towards()) > Real(1e-9) * norm(n))) continue;
    std::vector<Vec<2>> ring;
    for (const Vec<3>& c : corners) ring.push_back(view(c));
    plot::Shape shape = polygon_shape(ring, blend("#4a463e", fill, light(normalised(n), view)));
    shape.width = width;
    faces.emplace_back(view.depth(sum) / static_cast<Real>(corners.size()), std::move(shape));
  }
  std::ranges::stable_sort(faces, [](const auto& a, const auto& b) { return a.first > b.first; });
  for (auto& face : faces) out.push_back(std::move(face.second));
}

Real diagonal(const Window& w) { return std::hypot(w.x.high - w.x.low, w.y.high - w.y.low); }

// Part of the line a + s d that is kept, as an interval of s.
struct Stretch {
  Real from, to;

  // Keeps f + s g >= 0.
  void keep(Real f, Real g) {
    if (g > 0) from = std::max(from, -f / g);
    if (g < 0) to = std::min(to, -f / g);
    if (g == 0 && f < 0) to = from;
  }
};

}  // namespace

std::string blend(const std::string& from, const std::string& to, double share) {
  const auto part = [](const std::string& colour, std::size_t k) {
    return static_cast<double>(std::stoi(colour.substr(1 + 2 * k, 2), nullptr, 16));
  };
  std::string out = "#";
  for (std::size_t k = 0; k < 3; ++k)
    out +=
        fmt::format("{:02x}", std::lround(part(from, k) + std::clamp(share, 0.0, 1.0) * (part(to, k) - part(from, k))));
  return out;
}

plot::Shape polygon_shape(const std::vector<Vec<2>>& ring, const std::string& fill) {
  std::vector<double> x, y;
  for (const Vec<2>& p : ring) x.push_back(p[0]), y.push_back(p[1]);
  plot::Shape shape = plot::polygon(std::move(x), std::move(y), fill);
  shape.width = thin;
  return shape;
}

void hatched(std::vector<plot::Shape>& out, const Vec<2>& a, const Vec<2>& b, Real size) {
  const Real length = norm(b - a), step = Real(0.015) * size;
  if (!(length > 0) || !(size > 0)) return;
  const Vec<2> along = (1 / length) * (b - a), right{along[1], -along[0]};
  plot::Shape teeth;  // one path for all: what is not finite lifts the pen
  teeth.closed = false, teeth.width = thin, teeth.stroke = "#606060";
  for (Real at = step / 2; at < length; at += step) {
    const Vec<2> from = a + at * along, to = from + Real(0.9) * step * (right - along);
    for (const Vec<2>& p : {from, to}) teeth.x.push_back(p[0]), teeth.y.push_back(p[1]);
    teeth.x.push_back(std::nan("")), teeth.y.push_back(std::nan(""));
  }
  out.push_back(teeth);
  out.push_back(stroke(a, b, 1));
}

template <>
void sketch_part(std::vector<plot::Shape>& out, const BodyPart<2>& part, const Pose<2>& body, const std::string& fill,
                 const View<2>&) {
  const Pose<2> pose = body * part.pose;
  if (const auto* ball = std::get_if<Ball<2>>(&part.shape)) return sketch(out, *ball, pose, fill);
  if (const auto* line = std::get_if<Polyline>(&part.shape)) return sketch_terrain(out, *line, pose);
  std::vector<Vec<2>> ring = outline(part.shape, circle_points);
  for (Vec<2>& p : ring) p = pose.to_world(p);
  if (!ring.empty()) out.push_back(polygon_shape(ring, fill));
}

template <>
void sketch_part(std::vector<plot::Shape>& out, const BodyPart<3>& part, const Pose<3>& body, const std::string& fill,
                 const View<3>& view) {
  const Pose<3> pose = body * part.pose;
  if (const auto* ball = std::get_if<Ball<3>>(&part.shape)) {
    const Vec<2> centre = view(pose.x);
    plot::Shape disc = plot::circle(centre[0], centre[1], ball->radius, fill);
    disc.width = thin;
    out.push_back(disc);
    return;
  }
  const Mesh mesh = mesh_of<3>(part, circle_points, body, {});
  const bool terrain = std::holds_alternative<TriangleMesh>(part.shape);
  const auto* solid = std::get_if<Polyhedron>(&part.shape);
  if (terrain || (solid != nullptr && !(solid->radius > 0)))
    return sketch_faces(out, mesh, body, fill, view, terrain ? thin / 3 : thin);
  std::vector<Vec<2>> points;
  for (const Vec<3>& p : mesh.points) points.push_back(view(body.to_world(p)));
  out.push_back(polygon_shape(hull(std::move(points)), fill));
}

template <>
void sketch_half_space(std::vector<plot::Shape>&, std::vector<GroundLine>& lines, const Pose<2>& pose, const View<2>&,
                       const Bounds<2>&) {
  lines.push_back({pose.x, pose.R * Vec<2>{0, 1}});
}

template <>
void sketch_half_space(std::vector<plot::Shape>& out, std::vector<GroundLine>& lines, const Pose<3>& pose,
                       const View<3>& view, const Bounds<3>& box) {
  const Vec<3> n = pose.R * Vec<3>{0, 0, 1};
  const Real facing = dot(n, view.towards());
  if (std::abs(facing) < Real(1e-6)) {
    lines.push_back({view(pose.x), normalised(view(n))});
    return;
  }
  if (facing < 0) return;
  std::vector<Vec<2>> ring;
  for (const Vec<3>& p : half_space_in(box, pose)) ring.push_back(view(p));
  if (ring.empty()) return;
  plot::Shape surface = polygon_shape(ring, "#eceff1");
  surface.stroke = "#a0a0a0";
  out.push_back(surface);
}

void draw_ground(std::vector<plot::Shape>& out, const std::vector<GroundLine>& lines, const Window& window) {
  const Real size = diagonal(window), strip = Real(0.045) * size;  // the strip below is for the scale bar
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const Vec<2>&n = lines[k].normal, along{n[1], -n[0]}, point = lines[k].point;
    Stretch kept{-std::numeric_limits<Real>::infinity(), std::numeric_limits<Real>::infinity()};
    kept.keep(point[0] - window.x.low, along[0]), kept.keep(window.x.high - point[0], -along[0]);
    kept.keep(point[1] - window.y.low - strip, along[1]), kept.keep(window.y.high - point[1], -along[1]);
    for (std::size_t j = 0; j < lines.size(); ++j) {
      const Real g = dot(along, lines[j].normal);
      if (j != k && std::abs(g) > Real(1e-9)) kept.keep(dot(point - lines[j].point, lines[j].normal), g);
    }
    if (kept.to > kept.from) hatched(out, point + kept.from * along, point + kept.to * along, size);
  }
}

void scale_bar(plot::Axes& axes, const Window& window, double pixel) {
  const double wanted = (window.x.high - window.x.low) / 5, decade = std::pow(10, std::floor(std::log10(wanted)));
  const double length = (wanted >= 5 * decade ? 5 : wanted >= 2 * decade ? 2 : 1) * decade;
  const double x = window.x.low + 8 * pixel, y = window.y.low + 10 * pixel, end = 4 * pixel;
  axes.shapes.push_back(
      plot::polyline({x, x, x, x + length, x + length, x + length}, {y - end, y + end, y, y, y - end, y + end}));
  axes.shapes.back().width = 1.2;
  axes.texts.push_back({x + length + 6 * pixel, y - 4 * pixel, fmt::format("{:g} m", length)});
}

std::string with_prefix(double value, const std::string& unit) {
  static constexpr const char* prefixes[]{"n", "\u00b5", "m", "", "k", "M", "G"};
  if (!(value > 0) || !std::isfinite(value)) return fmt::format("{} {}", value, unit);
  const double rounded = std::strtod(fmt::format("{:.2e}", value).c_str(), nullptr);
  const int power = std::clamp(static_cast<int>(std::floor(std::log10(rounded) / 3)), -3, 3);
  return fmt::format("{:.3g} {}{}", value / std::pow(1000, power), prefixes[power + 3], unit);
}

}  // namespace cairn::exporting
