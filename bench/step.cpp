// Time of a step of a collection, stage by stage, next to the least that its sweeps could take on this machine:
// packings of spheres that settle under their weight, that have come to rest, and that flow out where a wall was
// removed; and JM92's wall of 176 blocks at rest and on quaking ground, in the plane and in space. What grows linearly
// has equal columns from row to row.
//
//   step [--most 100000] [--tolerance 1e-3] [--layers 10] [--settle 100] [--rest 500] [--flow 50] [--most-rest 4000]
//        [--steps 5] [--h 1e-3] [--scene NAME] [--threads 1]
//
// --most: packings of more spheres are left out. --layers: depth of the packings in spheres, so that a larger one is a
// wider one; 0: as high as wide, and then the solver needs more iterations as well. --settle: steps before, to an error
// of 1e-3; the packings are dropped geometrically, and loose at first. --rest: the same for packings at rest,
// --most-rest: of at most so many spheres. --flow: steps of these after the wall is gone and before those that are
// measured. --scene: only scenes whose name holds that. Times are medians over the steps that follow. Islands share no
// body and are solved apart; iterations are those of all of them together, in sweeps over all contacts. Record: a frame
// with contacts written to a file, a 20th of it a step. Step: all of it, what is none of the stages included, and the
// record. Times are those of a clock on the wall, with any number of --threads.
//
// Sweeps: over all contacts, in the mean; single: the part of them in single precision.
//
// The least: a sweep reads each contact (frame, arms, local inverses, impulse and its last move) and reads and writes
// the velocities of its bodies; bytes over the bandwidth of a stream from memory, or of one that stays in the cache
// where all contacts fit, and its multiplications and additions over the peak of one core, whichever is longer.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>
#include <variant>

#include "cairn/base/threads.hpp"
#include "cairn/record/writer.hpp"
#include "cairn/scene/into_model.hpp"
#include "cairn/scene/packing.hpp"
#include "cairn/scene/wall.hpp"
#include "cairn/scheme/collection.hpp"
#include "support/isolate.hpp"
#include "support/machine.hpp"

namespace {

using namespace cairn;

constexpr Real far_away = 1000;  // [m]

struct Options {
  int most = 100000;
  Real tolerance = 1e-3;
  int layers = 10;
  int settle = 100, steps = 5;
  int rest = 500, flow = 50, most_rest = 4000;
  Real h = 1e-3;      // [s]
  std::string scene;  // part of the names wanted; empty: all
  int threads = 1;
};

struct Row {
  std::string name;
  double bodies = 0, missed = 0, error = 0;          // error: worst
  double contacts = 0, islands = 0, iterations = 0;  // a step, medians
  StageSeconds seconds;                              // a step, medians
  double step = 0;                                   // [s] all of it, median
  double record = 0;                                 // [s] a step
  double swept = 0, single = 0;                      // contacts, in all sweeps of a step; part in single precision
  double bytes = 0, flops = 0;                       // of a contact in a sweep, in double precision
};

struct Report : CollectionReport {
  double step = 0;  // [s]
};

Row summary(const std::vector<Report>& reports) {
  const auto median = [&](auto&& of) {
    std::vector<double> values;
    for (const Report& r : reports) values.push_back(of(r));
    return bench::median(values);
  };
  Row row;
  row.contacts = median([](const auto& r) { return static_cast<double>(r.active); });
  row.islands = median([](const auto& r) { return static_cast<double>(r.islands); });
  row.iterations = median([](const auto& r) { return static_cast<double>(r.iterations); });
  row.swept = median([](const auto& r) { return r.swept; });
  row.single = row.swept > 0 ? median([](const auto& r) { return r.swept_single; }) / row.swept : 0;
  row.seconds.broad = median([](const auto& r) { return r.seconds.broad; });
  row.seconds.narrow = median([](const auto& r) { return r.seconds.narrow; });
  row.seconds.assembly = median([](const auto& r) { return r.seconds.assembly; });
  row.seconds.solution = median([](const auto& r) { return r.seconds.solution; });
  row.seconds.correction = median([](const auto& r) { return r.seconds.correction; });
  row.seconds.certificate = median([](const auto& r) { return r.seconds.certificate; });
  row.step = median([](const auto& r) { return r.step; });
  for (const Report& r : reports) row.missed += r.missed, row.error = std::max<double>(row.error, r.error);
  return row;
}

// Errors of packings are over impulses.
template <int D>
CollectionOptions options_for(const Model<D>& model, Real tolerance) {
  CollectionOptions options;
  options.tolerance = tolerance, options.required = std::max(options.required, 10 * tolerance);
  if (std::holds_alternative<Ball<D>>(model.parts.front().shape)) options.scale = ErrorScale::impulses;
  return options;
}

template <int D>
std::vector<Report> steps(const Model<D>& model, ModelState<D>& state, Real tolerance, int count, Real h) {
  using Clock = std::chrono::steady_clock;
  Collection<D> scheme(model, options_for(model, tolerance));
  std::vector<Report> reports;
  for (int k = 0; k < count; ++k) {
    const auto start = Clock::now();
    const CollectionReport report = scheme.step(state, h);
    reports.push_back({report, std::chrono::duration<double>(Clock::now() - start).count()});
  }
  return reports;
}

// [s] to write a frame with contacts to a file, the median of some; 20 steps to a frame.
template <int D>
double record_seconds(const Model<D>& model, ModelState<D> state, const Options& o) {
  using Clock = std::chrono::steady_clock;
  const std::string path = (std::filesystem::temp_directory_path() / "cairn_bench_step.h5").string();
  Collection<D> scheme(model, options_for(model, o.tolerance));
  scheme.step(state, o.h);
  scene::World<D> world;
  world.model = model, world.state = state;
  world.names.resize(model.bodies.size()), world.part.resize(model.bodies.size());
  record::ResultInfo info;
  info.dimension = D, info.h = o.h;
  std::vector<double> seconds;
  if (auto writer = record::Writer<D>::create(path, info, record::cast_of(world), {}))
    for (int k = 0; k < 5; ++k) {
      const auto start = Clock::now();
      if (!writer->add_frame(record::frame_of(model, state, &scheme, k, o.h)).empty()) break;
      seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
    }
  std::filesystem::remove(path);
  return bench::median(seconds) / 20;
}

// What a sweep touches and computes for a contact: its fields, and the velocities of two bodies, read and written; the
// inverse inertias of bodies that are not round. Operations as in solver/sweep_contact.hpp.
template <int D>
void count_sweep(Row& row, bool spheres) {
  const SweepKind kind = D == 2 ? SweepKind::plane : spheres ? SweepKind::round : SweepKind::solid;
  const int inverse = kind == SweepKind::round ? 0 : SweepBodies::inverse_stride[D];
  row.bytes = (sweep_kernel(kind).at.single + 2 * (2 * SweepBodies::velocity_stride[D] + inverse)) * sizeof(Real) +
              2 * sizeof(int);
  row.flops = kind == SweepKind::plane ? 60 : spheres ? 130 : 180;
}

template <int D>
struct Start {
  Model<D> model;
  ModelState<D> state;
};

template <int D, class Scene>
Start<D> start_of(const std::string& name, const Scene& scene, const Drive<D>& ground = {}) {
  Start<D> s;
  s.model.gravity[D - 1] = Real(-9.81);
  const Expected<scene::Blocks<D>> blocks = build<D>(scene);
  const Expected<int> first = blocks ? scene::add_blocks<D>(s.model, s.state, *blocks, ground) : Error{blocks.error()};
  if (!first) {
    fmt::print(stderr, "{}: {}\n", name, first.error());
    std::exit(1);
  }
  return s;
}

template <int D>
void settle(Start<D>& s, int count, const Options& o) {
  steps(s.model, s.state, std::max(o.tolerance, Real(1e-3)), count, o.h);
}

template <int D>
Row measure(const std::string& name, Start<D>& s, const Options& o) {
  std::vector<Report> reports = steps(s.model, s.state, o.tolerance, o.steps + 1, o.h);
  reports.erase(reports.begin());  // its search starts from nothing
  Row row = summary(reports);
  row.name = name;
  row.record = record_seconds<D>(s.model, s.state, o);
  count_sweep<D>(row, std::holds_alternative<Ball<D>>(s.model.parts.front().shape));
  row.bodies = static_cast<double>(
      std::count_if(s.model.bodies.begin(), s.model.bodies.end(), [](const Body<D>& b) { return b.free(); }));
  return row;
}

// Of a packing: the first boundary is the left wall, the second the right one.
void remove_right_wall(Start<3>& s) {
  int boundaries = 0;
  for (std::size_t k = 0; k < s.model.bodies.size(); ++k) {
    if (s.model.bodies[k].free() || ++boundaries < 2) continue;
    s.model.bodies[k].placed.x[0] += far_away;
    return move_boundary(s.model, s.state, static_cast<int>(k));
  }
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
  fmt::print("| {:<22} | {:>8.0f} | {:>7.0f} | {:>10.0f} | {:>6.0f} | {:>7.1e} | {:>7.3f} | {:>7.3f} | {:>8.3f} |",
             r.name, r.contacts, r.islands, r.iterations, r.missed, r.error, us * s.broad, us * s.narrow,
             us * s.assembly);
  fmt::print(" {:>9.3f} | {:>10.3f} | {:>11.3f} | {:>7.3f} | {:>9.3f} |\n", us * s.solution, us * s.correction,
             us * s.certificate, us * r.record, us * (r.step + r.record));
  std::fflush(stdout);
}

void print_head(const char* unit) {
  fmt::print("microseconds a {}, in a step\n\n", unit);
  fmt::print(
      "| scene                  | contacts | islands | iterations | missed |   error |   broad |  narrow | assembly |");
  fmt::print("  solution | correction | certificate |  record |      step |\n");
  fmt::print(
      "|:-----------------------|---------:|--------:|-----------:|-------:|--------:|--------:|--------:|---------:|");
  fmt::print("----------:|-----------:|------------:|--------:|----------:|\n");
}

// Solution time over the contacts swept: all that is done besides sweeps is in it. Numbers of single precision have
// half the bytes, and twice as many are computed at once.
void print_sweeps(const std::vector<Row>& rows, const bench::Machine& machine) {
  fmt::print(
      "nanoseconds a contact and sweep; this core: {:.1f} GB/s from memory, {:.1f} GB/s from the cache, {:.1f} "
      "Gflop/s\n\n",
      1e-9 * machine.memory, 1e-9 * machine.cache, 1e-9 * machine.flops);
  fmt::print(
      "| scene                  | sweeps | single |  measured | bytes | by bytes | flops | by flops | times the least "
      "|\n");
  fmt::print(
      "|:-----------------------|-------:|-------:|----------:|------:|---------:|------:|---------:|----------------:|"
      "\n");
  for (const Row& r : rows) {
    const double bytes = r.bytes * (1 - r.single / 2), flops = r.flops * (1 - r.single / 2);
    const bool fits = bytes * r.contacts < bench::Machine::cache_bytes;
    const double by_bytes = 1e9 * bytes / (fits ? machine.cache : machine.memory);
    const double by_flops = 1e9 * flops / machine.flops, least = std::max(by_bytes, by_flops);
    const double measured = r.swept > 0 ? 1e9 * r.seconds.solution / r.swept : 0;
    fmt::print(
        "| {:<22} | {:>6.1f} | {:>4.0f} % | {:>9.1f} | {:>5.0f} | {:>8.1f} | {:>5.0f} | {:>8.1f} | {:>15.1f} |\n",
        r.name, r.swept / r.contacts, 100 * r.single, measured, bytes, by_bytes, r.flops, by_flops, measured / least);
  }
}

bool parse(int argc, char** argv, Options& o) {
  const std::pair<const char*, int*> counts[] = {
      {"--most", &o.most}, {"--layers", &o.layers}, {"--settle", &o.settle},       {"--rest", &o.rest},
      {"--flow", &o.flow}, {"--steps", &o.steps},   {"--most-rest", &o.most_rest}, {"--threads", &o.threads}};
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string a = argv[i];
    const auto* count =
        std::find_if(std::begin(counts), std::end(counts), [&a](const auto& c) { return a == c.first; });
    if (count != std::end(counts))
      *count->second = std::max(0, std::atoi(argv[i + 1]));
    else if (a == "--tolerance")
      o.tolerance = std::atof(argv[i + 1]);
    else if (a == "--h")
      o.h = std::atof(argv[i + 1]);
    else if (a == "--scene")
      o.scene = argv[i + 1];
    else
      return false;
  }
  return argc % 2 == 1 && o.h > 0 && o.tolerance > 0 && o.steps > 0 && o.threads > 0;
}

class Table {
 public:
  explicit Table(const Options& options) : o_(options) {}

  bool wanted(const std::string& name) const { return name.find(o_.scene) != std::string::npos; }

  template <int D>
  void add(const std::string& name, Start<D>& s) {
    if (!wanted(name)) return;
    rows_.push_back(measure<D>(name, s, o_));
    print_row(rows_.back(), rows_.back().bodies);
  }
  template <int D>
  void add_wall(const std::string& name, const Drive<D>& ground) {
    if (!wanted(name)) return;
    Start<D> s = start_of<D>(name, scene::Wall{}, ground);
    settle(s, o_.settle, o_);
    add(name, s);
  }
  void add_spheres(int count) {
    const std::string name = fmt::format("{} spheres", count), rest = name + " at rest", flow = name + " flowing";
    const bool long_rest = count <= o_.most_rest && (wanted(rest) || wanted(flow));
    if (!long_rest && !wanted(name)) return;
    Start<3> s = start_of<3>(name, spheres(count, o_.layers));
    settle(s, o_.settle, o_);
    add(name, s);
    if (!long_rest) return;
    settle(s, std::max(0, o_.rest - o_.settle), o_);
    add(rest, s);
    if (!wanted(flow)) return;
    remove_right_wall(s);
    settle(s, o_.flow, o_);
    add(flow, s);
  }
  const std::vector<Row>& rows() const { return rows_; }

 private:
  const Options& o_;
  std::vector<Row> rows_;
};

}  // namespace

int main(int argc, char** argv) {
  Options o;
  if (!parse(argc, argv, o)) {
    fmt::print(stderr,
               "usage: {} [--most N] [--tolerance T] [--layers N] [--settle N] [--rest N] [--flow N] [--most-rest N] "
               "[--steps N] [--h SECONDS] [--scene NAME] [--threads N]\n",
               argv[0]);
    return 2;
  }
  set_threads(o.threads);
  print_head("body");
  Table table(o);
  for (const int n : {1000, 4000, 10000, 16000, 100000, 300000})
    if (n <= o.most) table.add_spheres(n);
  const std::vector<Harmonic> quake{{0.125, 2, 0}};
  table.add_wall("wall at rest, plane", Drive<2>{});
  table.add_wall("wall at rest, space", Drive<3>{});
  table.add_wall("wall shaken, plane", harmonic<2>({1, 0}, quake));
  table.add_wall("wall shaken, space", harmonic<3>({1, 0, 0}, quake));
  fmt::print("\n");
  print_head("contact");
  for (const Row& row : table.rows()) print_row(row, row.contacts);
  fmt::print("\n");
  print_sweeps(table.rows(), bench::Machine::measured());
}
