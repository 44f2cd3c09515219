// A contact whose motion is guided in a plane W that leans on the normal: static friction above dynamic, and wedging.
//
// The cone of Coulomb, coefficient gamma, about the normal n = (0, 0, 1) of the tangent plane T. The system moves in
// the plane W spanned by the line f = (1, 0, 0) common with T and by w = (0, sin beta, cos beta). Only the projection
// on W of the contact force matters (M88 17). While the contact slides along +-f the force stands on the generator
// through n +- gamma f, whose projection has the slope of dynamic friction; at rest it may be anywhere in the projected
// cone, whose edges have the slope of static friction. Where the projection fills W no force sets the system in motion.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "examples/example.hpp"

namespace cairn::examples {
namespace {

struct Projection {
  std::vector<double> f, w;  // of the generators n + gamma (cos phi, sin phi, 0), on W
  double dynamic = 0;        // slope |f| / w of the generators of sliding
  double edge = 0;           // greatest slope
  bool wedging = false;      // some generator leans over: the projection is W as a whole
};

Projection project(const Parameters& p) {
  const double gamma = p.number("gamma"), beta = p.number("beta_deg") * std::numbers::pi / 180;
  const auto count = static_cast<int>(std::ceil(2 * std::numbers::pi / p.number("h")));
  Projection out;
  for (int k = 0; k < count; ++k) {
    const double phi = 2 * std::numbers::pi * k / count;
    const double f = gamma * std::cos(phi), w = std::cos(beta) + gamma * std::sin(phi) * std::sin(beta);
    out.f.push_back(f);
    out.w.push_back(w);
    if (k == 0) out.dynamic = f / w;
    if (w <= 0) out.wedging = true;
    out.edge = std::max(out.edge, std::abs(f) / w);
  }
  if (out.wedging) out.edge = infinite;
  return out;
}

plot::Figure picture(const Projection& c) {
  plot::Axes axes{"Projection of the friction cone on the guiding plane", "along the line of sliding",
                  "in the plane, across it"};
  axes.equal_aspect = true;
  axes.curves.push_back({"generators", c.f, c.w});
  const double length = 1.3 * *std::max_element(c.w.begin(), c.w.end());
  const auto rays = [&](const char* name, double slope, bool dashed) {
    const double w = length / std::hypot(1, slope), f = slope * w;
    axes.curves.push_back({name, {-f, 0, f}, {w, 0, w}, plot::Curve::line, "", 1.5, dashed});
  };
  rays("dynamic", c.dynamic, true);
  if (!c.wedging) rays("static", c.edge, false);
  return {"", {axes}, 1, 560, 460};
}

Expected<Output> run(const Parameters& p) {
  const Projection c = project(p);
  Output out;
  out.set("static", c.edge);
  out.set("dynamic", c.dynamic);
  out.set("wedging", c.wedging);
  if (c.wedging) out.remark("The projected cone is the whole plane: no force starts a sliding, however large.");
  out.table("cone", {{"f", c.f}, {"w", c.w}});
  out.figure("cone", picture(c));
  return out;
}

// Against the closed form of the edge: gamma / (cos beta sqrt(1 - gamma^2 tan^2 beta)).
Expected<double> error(const Parameters& p) {
  const double gamma = p.number("gamma"), beta = p.number("beta_deg") * std::numbers::pi / 180;
  const double lean = gamma * std::tan(beta);
  if (lean >= 1) return Error{"gamma tan(beta): the contact wedges, expected less than 1 to have a static coefficient"};
  return std::abs(project(p).edge - gamma / (std::cos(beta) * std::sqrt(1 - lean * lean)));
}

}  // namespace

Example guided_contact() {
  return {"guided-contact",
          "Static above dynamic friction, and wedging, from one cone projected on a leaning plane",
          "M88 17",
          {number("gamma", 0.5, "", "coefficient of friction of the contact", above_zero, 1e3),
           number("beta_deg", 45, "deg", "angle of the guiding plane with the normal plane", 0, 89.9),
           number("h", 1e-4, "rad", "angle between the generators of the cone that are projected", 1e-6, 1)},
          {{"static", "", "coefficient that the contact at rest bears (null: wedging)"},
           {"dynamic", "", "coefficient while it slides"},
           {"wedging", "", "no force sets the contact in motion"}},
          run,
          error};
}

}  // namespace cairn::examples
