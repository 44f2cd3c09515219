// Time of a step of a collection, stage by stage, a body and a contact: packings of 1e3, 1e4, 1e5 spheres that settle
// under their weight, and JM92's wall of 176 blocks on quaking ground. What grows linearly has equal columns from row
// to row.
//
//   collections [--most 100000] [--tolerance 1e-3] [--layers 10] [--settle 100] [--steps 5] [--h 1e-3]
//
// --most: packings of more spheres are left out. --layers: depth of the packings in spheres, so that a larger one is a
// wider one; 0: as high as wide, and then the solver needs more iterations as well. --settle: steps before, to an error
// of 1e-3; the packings are dropped geometrically, and loose at first. Times are medians over the steps that follow.
// Islands share no body and are solved apart; iterations are those of all of them together.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "cairn/scene/into_model.hpp"
#include "cairn/scene/packing.hpp"
#include "cairn/scene/wall.hpp"
#include "cairn/scheme/collection.hpp"
#include "support/isolate.hpp"

namespace {

using namespace cairn;

struct Options {
  int most = 100000;
  Real tolerance = 1e-3;
  int layers = 10;
  int settle = 100, steps = 5;
  Real h = 1e-3;  // [s]
};

struct Row {
  std::string name;
  double bodies = 0, missed = 0;
  double contacts = 0, islands = 0, iterations = 0;  // a step, medians
  StageSeconds seconds;                              // a step, medians
};

double sum(const StageSeconds& s) {
  return s.broad + s.narrow + s.assembly + s.solution + s.correction + s.certificate;
}

Row summary(const std::vector<CollectionReport>& reports) {
  const auto median = [&](auto&& of) {
    std::vector<double> values;
    for (const CollectionReport& r : reports) values.push_back(of(r));
    return bench::median(values);
  };
  Row row;
  row.contacts = median([](const auto& r) { return static_cast<double>(r.active); });
  row.islands = median([](const auto& r) { return static_cast<double>(r.islands); });
  row.iterations = median([](const auto& r) { return static_cast<double>(r.iterations); });
  row.seconds.broad = median([](const auto& r) { return r.seconds.broad; });
  row.seconds.narrow = median([](const auto& r) { return r.seconds.narrow; });
  row.seconds.assembly = median([](const auto& r) { return r.seconds.assembly; });
  row.seconds.solution = median([](const auto& r) { return r.seconds.solution; });
  row.seconds.correction = median([](const auto& r) { return r.seconds.correction; });
  row.seconds.certificate = median([](const auto& r) { return r.seconds.certificate; });
  for (const CollectionReport& r : reports) row.missed += r.missed;
  return row;
}

template <int D>
std::vector<CollectionReport> steps(const Model<D>& model, ModelState<D>& state, Real tolerance, int count, Real h) {
  CollectionOptions options;
  options.tolerance = tolerance, options.required = std::max(options.required, 10 * tolerance);
  Collection<D> scheme(model, options);
  std::vector<CollectionReport> reports;
  for (int k = 0; k < count; ++k) reports.push_back(scheme.step(state, h));
  return reports;
}

template <int D, class Scene>
Row measure(const std::string& name, const Scene& scene, const Options& o, const Drive<D>& ground = {}) {
  Model<D> model;
  ModelState<D> state;
  model.gravity[D - 1] = Real(-9.81);
  const Expected<scene::Blocks<D>> blocks = build<D>(scene);
  if (!blocks) {
    fmt::print(stderr, "{}: {}\n", name, blocks.error());
    std::exit(1);
  }
  if (const Expected<int> first = scene::add_blocks<D>(model, state, *blocks, ground); !first) {
    fmt::print(stderr, "{}: {}\n", name, first.error());
    std::exit(1);
  }
  steps(model, state, std::max(o.tolerance, Real(1e-3)), o.settle, o.h);
  std::vector<CollectionReport> reports = steps(model, state, o.tolerance, o.steps + 1, o.h);
  reports.erase(reports.begin());  // its search starts from nothing
  Row row = summary(reports);
  row.name = name;
  row.bodies = static_cast<double>(
      std::count_if(model.bodies.begin(), model.bodies.end(), [](const Body<D>& b) { return b.free(); }));
  return row;
}

scene::Packing spheres(int count, int layers) {
  scene::Packing packing;
  packing.grains.count = count;
  const Real mean = packing.grains.least + packing.grains.most;  // [m] diameter
  packing.width = packing.depth = mean * (layers > 0 ? std::sqrt(Real(count) / layers) : std::cbrt(Real(count)));
  return packing;
}

void print_row(const Row& r, double per) {
  const double us = 1e6 / std::max(per, 1.0);
  const StageSeconds& s = r.seconds;
  fmt::print("| {:<14} | {:>8.0f} | {:>7.0f} | {:>10.0f} | {:>6.0f} | {:>7.3f} | {:>7.3f} | {:>8.3f} |", r.name,
             r.contacts, r.islands, r.iterations, r.missed, us * s.broad, us * s.narrow, us * s.assembly);
  fmt::print(" {:>9.3f} | {:>10.3f} | {:>11.3f} | {:>9.3f} |\n", us * s.solution, us * s.correction, us * s.certificate,
             us * sum(s));
  std::fflush(stdout);
}

void print_head(const char* unit) {
  fmt::print("microseconds a {}, in a step\n", unit);
  fmt::print("| scene          | contacts | islands | iterations | missed |   broad |  narrow | assembly |");
  fmt::print("  solution | correction | certificate |       sum |\n");
  fmt::print("|:---------------|---------:|--------:|-----------:|-------:|--------:|--------:|---------:|");
  fmt::print("----------:|-----------:|------------:|----------:|\n");
}

bool parse(int argc, char** argv, Options& o) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string a = argv[i];
    if (a == "--most")
      o.most = std::atoi(argv[i + 1]);
    else if (a == "--tolerance")
      o.tolerance = std::atof(argv[i + 1]);
    else if (a == "--layers")
      o.layers = std::max(0, std::atoi(argv[i + 1]));
    else if (a == "--settle")
      o.settle = std::max(0, std::atoi(argv[i + 1]));
    else if (a == "--steps")
      o.steps = std::max(1, std::atoi(argv[i + 1]));
    else if (a == "--h")
      o.h = std::atof(argv[i + 1]);
    else
      return false;
  }
  return argc % 2 == 1 && o.h > 0 && o.tolerance > 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  if (!parse(argc, argv, o)) {
    fmt::print(stderr, "usage: {} [--most N] [--tolerance T] [--layers N] [--settle N] [--steps N] [--h SECONDS]\n",
               argv[0]);
    return 2;
  }
  std::vector<Row> rows;
  const auto take = [&](Row row) {
    print_row(row, row.bodies);
    rows.push_back(std::move(row));
  };
  print_head("body");
  for (const int n : {1000, 10000, 100000})
    if (n <= o.most) take(measure<3>(fmt::format("{} spheres", n), spheres(n, o.layers), o));
  const std::vector<Harmonic> quake{{0.125, 2, 0}};
  take(measure<2>("wall, plane", scene::Wall{}, o, harmonic<2>({1, 0}, quake)));
  take(measure<3>("wall, space", scene::Wall{}, o, harmonic<3>({1, 0, 0}, quake)));
  fmt::print("\n");
  print_head("contact");
  for (const Row& row : rows) print_row(row, row.contacts);
}
