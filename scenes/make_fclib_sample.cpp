// Writes scenes/fclib-sample: small FCLIB files of our own making, the same numbers on every run of one build.
//
//   make_fclib_sample [FOLDER]        default: the fclib-sample folder beside this source
//
// Each problem has a solution: boundaries are at rest or recede (w_N >= 0, w_T = 0), so that v = 0 is admissible and
// self-balanced impulses (G^T S = 0) take no power from the free velocity, q . S = w_N . S_N >= 0 (Klarbring and Pang,
// "Existence of solutions to discrete semicoercive frictional contact problems", SIAM J. Optim. 8 (1998) 414-442).
#include <fmt/core.h>

#include <array>
#include <cmath>
#include <filesystem>

#include "cairn/problem/generate.hpp"
#include "cairn/problem/generate_parts.hpp"
#include "cairn/problem/transform.hpp"

namespace {

using namespace cairn;
using fclib::Problem;
using fclib::Sparse;
using fclib::Vector;

constexpr Real g_h = 9.81e-3;  // [m/s]

// A block that touches the ground at one point beside its axis, pushed sideways.
Problem one_contact(Real tangential_speed) {
  generate::Builder<SpaceProblem> b;
  b.add_body({0, 0, 0.5}, 2, {0.4, 0.3, 0.5}, {tangential_speed, 0.3 * tangential_speed, -g_h, 0, 0, 0});
  b.add_contact(0, -1, {0.1, 0.05, 0}, {0, 0, 1}, 0.4);
  return to_fclib_local(b.problem);
}

// A step of a body of mass 1 kg in the plane that touches level ground at points (x, y) from its centre.
Problem planar_body(const std::vector<std::array<Real, 2>>& at, Real k2, const Eigen::Vector3d& u, Real mu) {
  Problem p;
  const Eigen::Index contacts = static_cast<Eigen::Index>(at.size());
  Eigen::MatrixXd G(2 * contacts, 3);
  for (Eigen::Index a = 0; a < contacts; ++a) {
    const auto [x, y] = at[static_cast<std::size_t>(a)];
    G.middleRows<2>(2 * a) << 0, 1, x, 1, 0, -y;
  }
  p.spacedim = 2;
  p.W = (G * Eigen::Vector3d(1, 1, 1 / k2).asDiagonal() * G.transpose()).sparseView();
  p.q = G * u;
  p.mu = Vector::Constant(contacts, mu);
  return p;
}

// A uniform rod of length 2 m, its lower end in contact ahead of its centre, at the slope 2 where friction of 4/3 is
// enough for Painleve's paradox (BC18 5.1); the end moves by `rise` upwards and by 1 m/s onwards.
Problem painleve_rod(Real mu, Real rise) {
  const Real cosine = 1 / std::sqrt(Real(5));
  return planar_body({{cosine, -2 * cosine}}, Real(1) / 3, {1, rise, 0}, mu);
}

// Adds columns to G: the relative velocity of a point of body a and one of body b vanishes (M88 1, perfect joint).
void add_ball_joint(Problem& p, int a, const Vec<3>& lever_a, int b, const Vec<3>& lever_b) {
  std::vector<Eigen::Triplet<Real>> t;
  const int first = p.equations(), n = static_cast<int>(p.M.rows());
  for (int j = 0; j < p.G.outerSize(); ++j)
    for (Sparse::InnerIterator it(p.G, j); it; ++it) t.emplace_back(it.row(), j, it.value());
  auto side = [&](int body, const Vec<3>& lever, Real sign) {
    const Mat<3, 6> map = generate::velocity_map(Mat<3>::identity(), lever, sign);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 6; ++j)
        if (map(i, j) != 0) t.emplace_back(6 * body + j, first + i, map(i, j));
  };
  side(a, lever_a, 1);
  side(b, lever_b, -1);
  p.G.resize(n, first + 3);
  p.G.setFromTriplets(t.begin(), t.end());
  p.b.conservativeResize(first + 3);
  p.b.tail(3).setZero();
}

// Five boxes on each other; the two at the top are hinged at the middle of their common face.
Problem hinged_stack() {
  Problem p = to_fclib_global(stack(5, 0.4));
  add_ball_joint(p, 4, {0, 0, -0.5}, 3, {0, 0, 0.5});
  return p;
}

// Two more rows a contact: relative spin about the tangents, against which mu_r S_N resists                  (M98 4.5).
Problem with_rolling(const SpaceProblem& bodies, Real mu_r) {
  Problem p = to_fclib_global(bodies);
  std::vector<Eigen::Triplet<Real>> t;
  for (int a = 0; a < bodies.contacts(); ++a)
    for (int s = 0; s < 2; ++s) {
      const auto& c = bodies.contact[a];
      if (c.body[s] < 0) continue;
      for (int j = 0; j < 6; ++j)
        for (int i = 0; i < 3; ++i) t.emplace_back(6 * c.body[s] + j, 5 * a + i, c.G[s](i, j));
      for (int j = 0; j < 3; ++j)  // the frame's tangents, with the side's sign, stand in the linear part of G
        for (int i = 1; i < 3; ++i) t.emplace_back(6 * c.body[s] + 3 + j, 5 * a + 2 + i, c.G[s](i, j));
    }
  p.kind = fclib::Kind::global_rolling;
  p.spacedim = 5;
  p.H.resize(p.M.rows(), 5 * bodies.contacts());
  p.H.setFromTriplets(t.begin(), t.end());
  p.H.prune([](auto, auto, Real x) { return x != 0; });
  Vector w = Vector::Zero(p.H.cols());
  for (int a = 0; a < bodies.contacts(); ++a) w.segment(5 * a, 3) = p.w.segment(3 * a, 3);
  p.w = w;
  p.mu_r = Vector::Constant(bodies.contacts(), mu_r);
  return p;
}

// A pyramid of spheres; two on the diagonal of its base, which do not touch, are joined half-way between their centres.
Problem rolling_pyramid() {
  Problem p = with_rolling(sphere_pyramid(3, 0.3, 11), 0.05);
  add_ball_joint(p, 0, {1, 1, 0}, 4, {-1, -1, 0});
  return p;
}

RandomBodies random_options() {
  RandomBodies o;
  o.seed = 2024, o.contacts = 30, o.redundancy = 1.5, o.mass_ratio = 1e3;
  return o;
}

struct Sample {
  const char *name, *description;
  Problem problem;
};

std::vector<Sample> samples() {
  return {
      {"one-contact-stick", "One contact beside the axis of a block, pushed gently: it sticks.", one_contact(1e-3)},
      {"one-contact-slip", "One contact beside the axis of a block, pushed hard: it slides.", one_contact(0.1)},
      {"wall-6x5", "Running-bond wall at rest, two points an interface, mu 0.3.", to_fclib_local(wall(6, 5, 0.3))},
      {"arch-17", "Semicircular arch at rest, thickness 0.15 of the radius, mu 0.5.",
       to_fclib_local(arch(17, 0.15, 0.5))},
      {"box-stack-8", "Eight cubes on each other, four points a face: hyperstatic, W singular.",
       to_fclib_local(stack(8, 0.5))},
      {"plank-tower-4x3", "Crossed planks in four layers, four points a crossing.",
       to_fclib_global(plank_tower(4, 3, 0.4))},
      {"disc-packing-60", "Sixty discs settled in a box, mu 0.3.", to_fclib_local(disc_packing(60, 0.3, 5))},
      {"sphere-packing-40", "Forty spheres settled in a box, mu 0.5.", to_fclib_global(sphere_packing(40, 0.5, 5))},
      {"random-bodies-30", "Random bodies of mass ratio 1000, more rows than freedoms.",
       to_fclib_local(random_bodies_3d(random_options()))},
      {"hinged-stack-5", "Five cubes, the upper two also hinged: bilateral part.", hinged_stack()},
      {"painleve-rod", "A rod whose end slides, mu 2: it may lift off, slide on or stop dead.", painleve_rod(2, 0.1)},
      {"painleve-limit", "The same at the limit, mu 4/3: a continuum of motions.", painleve_rod(Real(4) / 3, 0)},
      {"three-legs", "A body at rest on three legs in the plane: one motion, impulses not determined.",
       planar_body({{-1, -1}, {0.25, -1}, {1, -1}}, 1, {0, -g_h, 0}, 0.5)},
      {"rolling-pyramid-3", "Pyramid of spheres with rolling resistance and a ball joint.", rolling_pyramid()},
  };
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : CAIRN_SCENES_DIR "/fclib-sample";
  std::filesystem::create_directories(folder);
  for (Sample& s : samples()) {
    s.problem.info.title = s.name;
    s.problem.info.description = s.description;
    s.problem.info.math_info = "made by scenes/make_fclib_sample.cpp of Cairn";
    const std::string path = (folder / s.name).string() + ".hdf5";
    const std::string why = fclib::write(path, s.problem, std::nullopt);
    if (!why.empty()) {
      fmt::print(stderr, "{}\n", why);
      return 1;
    }
    fmt::print("{:24} {:4} contacts  {:7} bytes\n", s.name, s.problem.contacts(), std::filesystem::file_size(path));
  }
  return 0;
}
