// JM92's wall of 176 blocks on quaking ground: a horizontal harmonic motion, from rest at t = 0. What a run costs, how
// well every step was solved, and how the wall spreads.
//
//   quake [--dim 2] [--h 1e-3] [--duration 20] [--mu 0.3] [--uneven 0] [--seed 1] [--amplitude 0.125] [--frequency 2]
//         [--tolerance T] [--required R] [--iterations 2000] [--csv FILE] [--svg FILE] [--at T1,T2,...]
//   quake --curves NAME1.csv,NAME2.csv,... --svg FILE
//
// --uneven: [m] blocks are lower by a random part of this. --tolerance, --required: of CollectionOptions; --tolerance
// alone sets both. --csv: the curves of spreading, every 0.05 s. --svg: the blocks at the end, and at the times of --at
// before it; in space seen from the side. --curves: no run, but the spreading in the files of others, drawn.
//
// Spreading is measured in the wall's own motion, displacements d being those of the blocks since the start:
//   slid    mean of |d - that of the ground|: large even where the wall moves as one block
//   spread  mean of |d - mean d|: zero for a wall that moves as one block
//   joint   largest |d_a - d_b| of blocks a, b that were neighbours
//   fallen  blocks whose centres are lower by more than half a block's height
// Times are CPU time, of one thread.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "cairn/plot/figure.hpp"
#include "cairn/scene/into_model.hpp"
#include "cairn/scene/wall.hpp"
#include "cairn/scheme/collection.hpp"
#include "support/isolate.hpp"

namespace {

using namespace cairn;

struct Options {
  std::map<std::string, Real> number{{"--dim", 2},       {"--h", 1e-3},     {"--duration", 20},     {"--mu", 0.3},
                                     {"--uneven", 0},    {"--seed", 1},     {"--amplitude", 0.125}, {"--frequency", 2},
                                     {"--tolerance", 0}, {"--required", 0}, {"--iterations", 2000}};
  std::map<std::string, std::string> text{{"--csv", ""}, {"--svg", ""}, {"--at", ""}, {"--curves", ""}};

  Real operator()(const char* name) const { return number.at(name); }
};

struct Spreading {
  Real slid = 0, spread = 0, joint = 0;  // [m]
  int fallen = 0;
};

struct Totals {
  long steps = 0, missed = 0, poor = 0;  // errors above 1e-6, 1e-4
  Real error = 0, deepest = 0;           // [-], [m]
  Real defect = 0, exchanged = 0;        // [J]
  Real gain = 0;                         // [J] largest negative dissipation of a step
  Real correction = 0;                   // [J] work of the weight in corrections of positions
  Real ratio = 0;                        // of the ground's tangential impulse to its normal one, over mu
  double seconds = 0, worst = 0;
  StageSeconds stage;

  void add(const CollectionReport& r, double cost) {
    ++steps, missed += r.error > Real(1e-6), poor += r.error > Real(1e-4);
    error = std::max(error, r.error), deepest = std::max({deepest, r.deepest, r.violation});
    const EnergyLedger& e = r.energy;
    defect += e.defect(), exchanged += std::fabs(e.applied) + std::fabs(e.boundary) + std::fabs(e.dissipation);
    gain = std::max(gain, -e.dissipation), correction += std::fabs(r.correction_work);
    seconds += cost, worst = std::max(worst, cost);
    stage.broad += r.seconds.broad, stage.narrow += r.seconds.narrow, stage.assembly += r.seconds.assembly;
    stage.solution += r.seconds.solution, stage.correction += r.seconds.correction;
    stage.certificate += r.seconds.certificate;
  }
};

[[noreturn]] void fail(const std::string& why) {
  fmt::print(stderr, "quake: {}\n", why);
  std::exit(1);
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> words;
  std::stringstream text(list);
  for (std::string word; std::getline(text, word, ',');) words.push_back(word);
  return words;
}

// Spreading in time, a curve for each file of --csv.
void draw_curves(const Options& o) {
  plot::Axes axes;
  axes.x_label = "t [s]", axes.y_label = "spread [m]", axes.log_y = true;
  for (const std::string& path : split(o.text.at("--curves"))) {
    std::ifstream file(path);
    if (!file) fail(path + ": cannot be read");
    plot::Curve curve;
    curve.name = std::filesystem::path(path).stem().string();
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
      const std::vector<std::string> word = split(line);
      if (word.size() < 3 || !(std::atof(word[2].c_str()) > 0)) continue;
      curve.x.push_back(std::atof(word[0].c_str())), curve.y.push_back(std::atof(word[2].c_str()));
    }
    axes.curves.push_back(curve);
  }
  plot::Figure figure;
  figure.axes.push_back(axes);
  if (const auto w = plot::write_svg(o.text.at("--svg"), figure); !w) fail(w.error());
}

template <int D>
class Quake {
 public:
  explicit Quake(const Options& options) : o_(options) {
    scene::Wall wall;
    wall.uneven_height = o_("--uneven"), wall.seed = static_cast<std::uint64_t>(o_("--seed"));
    model_.gravity[D - 1] = Real(-9.81);
    model_.materials.standard.mu = o_("--mu");
    Vec<D> along{};
    along[0] = 1;
    const auto blocks = build<D>(wall);
    if (!blocks) fail(blocks.error());
    const Drive<D> drive = harmonic<D>(along, {{o_("--amplitude"), o_("--frequency")}});
    if (const auto first = scene::add_blocks<D>(model_, state_, *blocks, drive); !first) fail(first.error());
    start_ = state_.x;
    height_ = wall.height;
    for (int a = 0; a < ground(); ++a)
      for (int b = 0; b < a; ++b) {
        const Vec<D> d = start_[at(a)] - start_[at(b)];
        if (std::fabs(d[0]) < Real(1.01) * wall.length && std::fabs(d[D - 1]) < Real(1.01) * wall.height)
          neighbours_.push_back({a, b});
      }
  }

  void run() {
    CollectionOptions c;
    c.iterations = static_cast<long>(o_("--iterations"));
    if (o_("--tolerance") > 0) c.tolerance = c.required = o_("--tolerance");
    if (o_("--required") > 0) c.required = o_("--required");
    Collection<D> scheme(model_, c);
    const Real h = o_("--h");
    const long steps = std::lround(o_("--duration") / h), record = std::max(1L, std::lround(Real(0.05) / h));
    note(0);
    for (long k = 1; k <= steps; ++k) {
      const double before = bench::cpu_seconds();
      const CollectionReport r = scheme.step(state_, h);
      totals_.add(r, bench::cpu_seconds() - before);
      ground_ratio(scheme.reaction(ground()));
      since_ = std::max(since_, r.error);
      if (k % record == 0) note(k);
      snapshots(h);
    }
    finish();
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int ground() const { return static_cast<int>(start_.size()) - 1; }

  Spreading spreading() const {
    Spreading s;
    const std::size_t n = at(ground());
    Vec<D> mean{};
    for (std::size_t b = 0; b < n; ++b) mean += (Real(1) / static_cast<Real>(n)) * (state_.x[b] - start_[b]);
    for (std::size_t b = 0; b < n; ++b) {
      const Vec<D> d = state_.x[b] - start_[b];
      s.spread += norm(d - mean) / static_cast<Real>(n);
      s.slid += norm(d - (state_.x[n] - start_[n])) / static_cast<Real>(n);
      s.fallen += d[D - 1] < -height_ / 2;
    }
    for (const auto& [a, b] : neighbours_)
      s.joint = std::max(s.joint, norm(state_.x[at(a)] - start_[at(a)] - state_.x[at(b)] + start_[at(b)]));
    return s;
  }

  void ground_ratio(const Vec<D>& on_ground) {
    Vec<D> tangent = on_ground;
    tangent[D - 1] = 0;
    const Real normal = std::fabs(on_ground[D - 1]);
    if (normal > 0) totals_.ratio = std::max(totals_.ratio, norm(tangent) / (o_("--mu") * normal));
  }

  // A line of the curves: at the start, and every 0.05 s.
  void note(long step) {
    const Spreading s = spreading();
    csv_ += fmt::format("{:.4f},{:.9g},{:.9g},{:.9g},{},{:.3g},{:.6g}\n", state_.t, s.slid, s.spread, s.joint, s.fallen,
                        since_, totals_.seconds);
    since_ = 0;
    if (step > 0)
      fmt::print(stderr, "t {:7.3f} s  {:7.3f} ms a step  error {:.1e}  missed {}  spread {:.2e} m  fallen {}\n",
                 state_.t, 1e3 * totals_.seconds / static_cast<double>(totals_.steps), totals_.error, totals_.missed,
                 s.spread, s.fallen);
    if (!o_.text.at("--csv").empty()) {
      const std::string head = "t [s],slid [m],spread [m],joint [m],fallen,error,cpu [s]\n";
      if (const auto w = plot::write_text(o_.text.at("--csv"), head + csv_); !w) fail(w.error());
    }
  }

  // Draws the blocks when a time of --at has come; a run that is broken off leaves these pictures.
  void snapshots(Real h) {
    for (const std::string& word : split(o_.text.at("--at")))
      if (std::fabs(std::atof(word.c_str()) - state_.t) < h / 2) picture();
  }

  void picture() {
    if (o_.text.at("--svg").empty()) return;
    figure_.axes.push_back(drawn());
    figure_.columns = std::min(2, static_cast<int>(figure_.axes.size()));
    figure_.width = 480 * figure_.columns;
    figure_.height = 420 * static_cast<double>((figure_.axes.size() + 1) / 2);
    if (const auto w = plot::write_svg(o_.text.at("--svg"), figure_); !w) fail(w.error());
  }

  plot::Axes drawn() const {
    plot::Axes axes;
    axes.title = fmt::format("t = {:.2f} s", state_.t);
    axes.equal_aspect = true;
    for (const BodyPart<D>& part : model_.parts) {
      if (part.body == ground()) continue;
      const Pose<D> pose = state_.pose(part.body) * part.pose;
      std::vector<Vec<2>> corners;
      for (const Vec<D>& v : std::get<std::conditional_t<D == 2, Polygon, Polyhedron>>(part.shape).vertices) {
        const Vec<D> x = pose.x + pose.R * v;
        corners.push_back({x[0], x[D - 1]});
      }
      std::vector<double> x, y;
      const auto outline = Polygon::make(corners);
      if (!outline) continue;
      for (const Vec<2>& v : outline->vertices) x.push_back(v[0]), y.push_back(v[1]);
      axes.shapes.push_back(plot::polygon(x, y, "#d9c8a9"));
      axes.shapes.back().width = 0.6;
    }
    return axes;
  }

  void finish() {
    const Totals& t = totals_;
    const Spreading s = spreading();
    const double steps = static_cast<double>(std::max(1L, t.steps));
    fmt::print("steps                                   {}\n", t.steps);
    fmt::print("CPU time a step, mean and worst         {:.3f} and {:.1f} ms\n", 1e3 * t.seconds / steps,
               1e3 * t.worst);
    fmt::print("  detection, assembly, solution, correction, certificate  {:.3f} {:.3f} {:.3f} {:.3f} {:.3f} ms\n",
               1e3 * (t.stage.broad + t.stage.narrow) / steps, 1e3 * t.stage.assembly / steps,
               1e3 * t.stage.solution / steps, 1e3 * t.stage.correction / steps, 1e3 * t.stage.certificate / steps);
    fmt::print("worst contact error                     {:.2e}\n", t.error);
    fmt::print("steps with an error above 1e-6, 1e-4    {}, {}\n", t.missed, t.poor);
    fmt::print("deepest violation over block size       {:.2e}\n", t.deepest / model_.size);
    fmt::print("energy defect over energy exchanged     {:.2e}\n", std::fabs(t.defect) / t.exchanged);
    fmt::print("largest gain by contacts of a step      {:.2e} of the energy exchanged\n", t.gain / t.exchanged);
    fmt::print("work of corrections                     {:.2e} of the energy exchanged\n", t.correction / t.exchanged);
    fmt::print("ground: tangential over mu normal       {:.9f} at most{}\n", t.ratio,
               t.ratio <= 1 + 1e-9 ? "" : "  ABOVE ONE");
    fmt::print("slid, spread, largest joint             {:.3e}, {:.3e}, {:.3e} m\n", s.slid, s.spread, s.joint);
    fmt::print("fallen blocks                           {} of {}\n", s.fallen, ground());
    picture();
  }

  const Options& o_;
  Model<D> model_;
  ModelState<D> state_;
  std::vector<Vec<D>> start_;                    // [m] (bodies)
  std::vector<std::pair<int, int>> neighbours_;  // that touched, or nearly, at the start
  Real height_ = 0;                              // [m] of a block
  Totals totals_;
  Real since_ = 0;  // largest error since the last line
  std::string csv_;
  plot::Figure figure_;
};

bool parse(int argc, char** argv, Options& o) {
  for (int i = 1; i + 1 < argc; i += 2) {
    if (const auto n = o.number.find(argv[i]); n != o.number.end())
      n->second = std::atof(argv[i + 1]);
    else if (const auto t = o.text.find(argv[i]); t != o.text.end())
      t->second = argv[i + 1];
    else
      return false;
  }
  return argc % 2 == 1 && o("--h") > 0 && (o("--dim") == 2 || o("--dim") == 3);
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  if (!parse(argc, argv, o)) {
    fmt::print(stderr,
               "usage:\n{0} [--dim 2|3] [--h S] [--duration S] [--mu M] [--uneven M] [--seed N] [--amplitude M]\n"
               "  [--frequency HZ] [--tolerance T] [--required R] [--iterations N] [--csv FILE] [--svg FILE]\n"
               "  [--at T1,T2,...]\n"
               "{0} --curves FILE1,FILE2,... --svg FILE\n",
               argv[0]);
    return 2;
  }
  if (!o.text.at("--curves").empty())
    draw_curves(o);
  else if (o("--dim") == 2)
    Quake<2>(o).run();
  else
    Quake<3>(o).run();
}
