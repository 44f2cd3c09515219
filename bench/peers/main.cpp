// Runs one engine on one scene and prints one line of JSON: CPU time of its steps, and what was measured of the motion.
//
//   peers_ENGINE --scene NAME [--packs FOLDER] [--h 1e-3] [--iterations N] [--tolerance T] [--limit SECONDS]
//                [--over-impulses] [--timing] [--shorten 1] [--save FILE] [--describe] [--states FILE]
//
// --over-impulses: the tolerance is on errors over impulses, else over free velocities.
// --limit: ends the untimed steps and then the run after so many seconds of CPU time each in the engine; settling after
// eight times as many, for what is timed should be at rest.
// --timing: ends the run after the steps that are timed; the verdict is then not looked for. --shorten: divides the
// time that is timed, and the settling before it. --save: writes the spheres or hulls as they are at the end.
// --describe: prints the scene for an engine that is a program of its own, and runs nothing;
// --states: what that program wrote, for peers_replay.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "peers/engine.hpp"
#include "peers/measure.hpp"
#include "support/isolate.hpp"

namespace {

using namespace peers;

struct Options {
  std::string scene, packs = ".", save;
  double limit = 60;  // [s] of CPU time
  double shorten = 1;
  bool timing = false, describe = false;
  EngineOptions engine;
};

constexpr long looks = 40;          // at the motion, evenly in time
constexpr double settle_limit = 8;  // of the limit

struct Run {
  Real settled = 0;                          // [s] before the start
  long steps = 0;                            // done after it
  std::vector<double> cpu;                   // [s] (timed steps)
  std::vector<double> error, contact_error;  // (steps with a known one) of all contacts; [m/s] of the worst
  double contacts = 0;                       // of the last step
};

double timed_step(Engine& engine, Real t, Real h) {
  const double start = bench::cpu_seconds();
  engine.step(t, h);
  return bench::cpu_seconds() - start;
}

std::vector<long> sample_steps(long steps) {
  std::vector<long> out;
  const long every = std::max(1L, steps / looks);
  for (long k = every; k < steps; k += every) out.push_back(k);
  out.push_back(steps);
  return out;
}

// Three quarters of the time roughly, the last one as asked for. Scenes that settle have ground that stays: what is
// done with t does not matter.
Real settle(const Options& o, const Scene& scene, Engine& engine, Observer& observer) {
  const long steps = std::lround(scene.settle / o.engine.h);
  if (steps < 1) return 0;
  engine.rough(true);
  long done = 0;
  double spent = 0;
  const auto go_on = [&](long until, double limit) {
    for (; done < until && spent < limit; ++done) spent += timed_step(engine, 0, o.engine.h);
  };
  go_on(3 * steps / 4, 0.75 * settle_limit * o.limit);
  engine.rough(false);
  go_on(steps, settle_limit * o.limit);
  std::vector<BodyState> states(scene.bodies.size());
  engine.states(states);
  observer.restart(states);
  return static_cast<Real>(done) * o.engine.h;
}

Run simulate(const Options& o, const Scene& scene, long steps, Engine& engine, Observer& observer) {
  const Real h = o.engine.h;
  const long timed = std::lround(scene.timed / h);
  long warm = std::lround(scene.warm / h);
  const std::vector<long> samples = sample_steps(steps);
  std::vector<BodyState> states(scene.bodies.size());
  Run run;
  run.settled = settle(o, scene, engine, observer);
  double spent = 0;
  for (std::size_t next = 0; run.steps < steps;) {
    const double seconds = timed_step(engine, static_cast<Real>(run.steps) * h, h);
    spent += seconds;
    if (run.steps++ >= warm) {
      if (run.steps <= warm + timed) run.cpu.push_back(seconds);
    } else if (run.steps == warm || spent > o.limit) {
      warm = run.steps, spent = 0;  // the limit starts anew
    }
    if (const Real error = engine.error(); error == error) run.error.push_back(error);
    if (const Real error = engine.contact_error(); error == error) run.contact_error.push_back(error);
    const bool last = run.steps == steps || spent > o.limit || engine.ended();
    if (run.steps == samples[next] || last) {
      if (run.steps == samples[next]) ++next;
      engine.states(states);
      observer.look(static_cast<Real>(run.steps) * h, states, engine.rides());
      run.contacts = engine.contacts();
      if (last || observer.decided()) break;
    }
  }
  return run;
}

std::string number(double x) { return std::isfinite(x) ? fmt::format("{:.6g}", x) : "null"; }

// Shares and extremes of the errors, where they are known.
void print_errors(const Run& run, Real asked) {
  const bool known = !run.error.empty();
  const double none = std::nan(""), steps = static_cast<double>(run.error.size());
  const auto missed = std::count_if(run.error.begin(), run.error.end(), [asked](double e) { return e > asked; });
  fmt::print("\"contact_error\":{},", number(run.contact_error.empty() ? none : bench::median(run.contact_error)));
  fmt::print("\"error_worst\":{},\"error_median\":{},\"missed\":{}",
             number(known ? *std::max_element(run.error.begin(), run.error.end()) : none),
             number(known ? bench::median(run.error) : none),
             number(known ? 100 * static_cast<double>(missed) / steps : none));
}

void print(const Options& o, const Scene& scene, const Engine& engine, const Run& run, const Observer& seen) {
  double sum = 0;
  for (const double s : run.cpu) sum += s;
  const double none = std::nan(""), timed = static_cast<double>(run.cpu.size());
  fmt::print(R"({{"engine":"{}","settings":"{}","scene":"{}","h":{},"settled":{},"settle":{},"steps":{},"timed":{},)",
             engine_name(), engine.settings(), scene.name, o.engine.h, number(run.settled), number(scene.settle),
             run.steps, run.cpu.size());
  fmt::print(R"("ms":{},"ms_mean":{},"contacts":{},"creep":{},"moved":{},"speed":{},)",
             number(run.cpu.empty() ? none : 1e3 * bench::median(run.cpu)), number(1e3 * sum / timed),
             number(run.contacts), number(seen.creep()), number(seen.moved()), number(seen.speed()));
  fmt::print(R"("mean_moved":{},"mean_fall":{},"mean_speed":{},)", number(seen.mean_moved()), number(seen.mean_fall()),
             number(seen.mean_speed()));
  fmt::print(R"("depth":{},"depth_at_start":{},"drift":"{}","verdict":"{}",)", number(seen.depth()),
             number(seen.first_depth()), seen.drift(), seen.verdict());
  print_errors(run, engine.asked());
  fmt::print("}}\n");
}

bool save(const std::string& path, const Scene& scene, const Engine& engine) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (!file) return false;
  std::vector<BodyState> states(scene.bodies.size());
  engine.states(states);
  for (std::size_t k = 0; k < states.size(); ++k) {
    const Vec3& x = states[k].pose.x;
    const cairn::Rotation<3>& q = states[k].pose.R;
    if (scene.bodies[k].kind == Body::sphere)
      fmt::print(file, "{:.17g} {:.17g} {:.17g} {:.17g}\n", scene.bodies[k].radius, x[0], x[1], x[2]);
    else if (scene.bodies[k].kind == Body::hull)
      fmt::print(file, "{:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g}\n", x[0], x[1], x[2], q.w, q.x, q.y,
                 q.z);
  }
  return std::fclose(file) == 0;
}

bool parse(int argc, char** argv, Options& o) {
  for (int i = 1; i < argc; ++i) {
    const std::string a = argv[i];
    if (a == "--timing" || a == "--describe" || a == "--over-impulses") {
      (a == "--timing" ? o.timing : a == "--describe" ? o.describe : o.engine.over_impulses) = true;
      continue;
    }
    if (++i == argc) return false;
    const char* value = argv[i];
    if (a == "--scene")
      o.scene = value;
    else if (a == "--packs")
      o.packs = value;
    else if (a == "--save")
      o.save = value;
    else if (a == "--states")
      o.engine.states = value;
    else if (a == "--h")
      o.engine.h = std::atof(value);
    else if (a == "--iterations")
      o.engine.iterations = std::atoi(value);
    else if (a == "--tolerance")
      o.engine.tolerance = std::atof(value);
    else if (a == "--limit")
      o.limit = std::atof(value);
    else if (a == "--shorten")
      o.shorten = std::atof(value);
    else
      return false;
  }
  return !o.scene.empty() && o.engine.h > 0 && o.limit > 0 && o.shorten >= 1 && o.engine.iterations >= 0 &&
         o.engine.tolerance >= 0;
}

int fail(const std::string& message) {
  fmt::print(stderr, "peers: {}\n", message);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  if (!parse(argc, argv, o)) {
    fmt::print(stderr, "usage: {} --scene NAME [options]; they are at the head of bench/peers/main.cpp\n", argv[0]);
    return 2;
  }
  cairn::Expected<Scene> scene = make_scene(o.scene, o.packs);
  if (!scene) return fail(scene.error());
  scene->timed /= o.shorten, scene->settle /= o.shorten;
  const long steps = std::lround((o.timing ? scene->warm + scene->timed : scene->duration) / o.engine.h);
  if (steps < 1) return fail("no step to do, expected a smaller --h or --shorten");
  if (o.describe && scene->settle > 0)
    return fail(o.scene + " cannot be described: it starts with each engine's own rest");
  if (o.describe) {
    fmt::print("{}", describe(*scene, o.engine.h, sample_steps(steps)));
    return 0;
  }
  auto engine = make_engine(*scene, o.engine);
  if (!engine) return fail(engine.error());
  Observer observer(*scene);
  const Run run = simulate(o, *scene, steps, **engine, observer);
  print(o, *scene, **engine, run, observer);
  if (!o.save.empty() && !save(o.save, *scene, **engine)) return fail(o.save + ": cannot be written");
  return 0;
}
