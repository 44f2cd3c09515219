// Every solution of random planar problems, against solutions found from random starts.
//
//   solutions [--problems 10000] [--contacts 6] [--starts 60] [--seed 1]
//
// The problems, of 1 to `contacts` contacts: bodies in the plane that touch each other and the ground at random places,
// with random velocities; rows without any geometry behind them; contacts written twice; bodies at rest under gravity.
// Coefficients of friction up to 3, some 0, some different in the two directions. Counted: solutions from random starts
// that the enumeration does not have (misses), and the largest error of an enumerated point.
#include <fmt/core.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <random>
#include <string>

#include "cairn/problem/full.hpp"
#include "cairn/solver/all_solutions.hpp"
#include "cairn/solver/sampled_solutions.hpp"
#include "support/isolate.hpp"

namespace {

using namespace cairn;
using Problem = LocalProblem<Coulomb2>;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

enum Kind { bodies, rows, repeated, resting, kinds };
constexpr const char* kind_names[] = {"bodies", "random rows", "repeated contacts", "bodies at rest"};

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : gen_(seed) {}

  Problem make(Kind kind, int contacts) {
    const int count = 1 + static_cast<int>(unit() * 3), freedoms = 3 * count;
    Matrix G(2 * contacts, freedoms);
    std::vector<Coulomb2> law = laws(contacts);
    for (int a = 0; a < contacts; ++a) {
      if (kind == rows)
        G.middleRows<2>(2 * a) = Matrix::NullaryExpr(2, freedoms, [&] { return normal_(gen_); });
      else if (kind == repeated && a > 0 && unit() < 0.5)
        repeat(G, law, static_cast<int>(unit() * a), a);
      else
        contact(G, a, count, kind == resting);
    }
    Vector inverse(freedoms), u(freedoms);
    for (int i = 0; i < freedoms; ++i) {
      inverse(i) = std::exp(2 * unit() - 1) * (i % 3 == 2 ? 3 : 1);
      u(i) = kind == resting ? (i % 3 == 1 ? -1 : 0) : normal_(gen_);
    }
    const Matrix W = G * inverse.asDiagonal() * G.transpose();
    const Vector q = G * u;
    return full_problem_of(std::move(law), W, q);
  }

 private:
  double unit() { return static_cast<double>(gen_() >> 11) * 0x1p-53; }

  // The same rows again, mostly with the same friction; with another one motions differ by who carries the load.
  void repeat(Matrix& G, std::vector<Coulomb2>& law, int from, int to) {
    G.middleRows<2>(2 * to) = G.middleRows<2>(2 * from).eval();
    if (unit() < 0.7) law[static_cast<std::size_t>(to)] = law[static_cast<std::size_t>(from)];
  }

  // Between two bodies, or a body and the ground; on level ground below the body where it rests.
  void contact(Matrix& G, int a, int count, bool level) {
    G.middleRows<2>(2 * a).setZero();
    const int i = static_cast<int>(unit() * count), j = static_cast<int>(unit() * (count + 1));
    const double angle = level ? (j < count && j != i ? 6.3 * unit() : 0) : 6.3 * unit();
    const double nx = -std::sin(angle), ny = std::cos(angle);
    const auto add = [&](int body, double sign, double x, double y) {
      G.block<2, 3>(2 * a, 3 * body) << sign * nx, sign * ny, sign * (x * ny - y * nx),  //
          sign * ny, -sign * nx, sign * (-x * nx - y * ny);
    };
    add(i, 1, 2 * unit() - 1, level ? -1 : 2 * unit() - 1);
    if (j < count && j != i) add(j, -1, 2 * unit() - 1, 2 * unit() - 1);
  }

  std::vector<Coulomb2> laws(int contacts) {
    std::vector<Coulomb2> out;
    const double most = unit() < 0.5 ? 1 : 3;
    for (int a = 0; a < contacts; ++a) {
      const double mu = most * unit(), kind = unit();
      out.push_back(kind < 0.1 ? Coulomb2{} : kind < 0.2 ? Coulomb2{mu, most * unit()} : Coulomb2::with(mu));
    }
    return out;
  }

  std::mt19937_64 gen_;
  std::normal_distribution<double> normal_;
};

struct Tally {
  long problems = 0, misses = 0, refused = 0, continua = 0, many_motions = 0, sampled = 0;
  double error = 0, seconds = 0, slowest = 0;
  std::map<int, long> groups;  // how many problems have so many solutions
};

void count(Tally& tally, const Problem& p, int starts, std::uint64_t seed, const std::string& label) {
  const double begin = bench::cpu_seconds();
  const auto all = all_solutions(p);
  const double seconds = bench::cpu_seconds() - begin;
  ++tally.problems, tally.seconds += seconds, tally.slowest = std::max(tally.slowest, seconds);
  if (!all) {
    ++tally.refused;
    fmt::print("refused: {}: {}\n", label, all.error());
    return;
  }
  ++tally.groups[all->groups];
  tally.error = std::max(tally.error, all->error);
  tally.many_motions += all->many_motions;
  tally.continua += std::any_of(all->sets.begin(), all->sets.end(), [](const auto& s) { return s.dimension > 0; });
  for (const std::vector<Real>& S : sampled_points(p, {starts, seed})) {
    ++tally.sampled;
    const auto holds = [&](const SolutionSet& set) {
      if (set.dimension > 0) return contains(p, set, S, 1e-7);
      double far = 0, size = 0;
      for (std::size_t i = 0; i < S.size(); ++i)
        far = std::max(far, std::abs(S[i] - set.points[0].S[i])), size = std::max(size, std::abs(S[i]));
      return far <= 1e-6 * (1 + size);
    };
    if (std::any_of(all->sets.begin(), all->sets.end(), holds)) continue;
    ++tally.misses;
    fmt::print("miss: {}: S = {}\n", label, S[0]);
  }
}

void print(const char* name, const Tally& t) {
  std::string histogram;
  for (const auto& [groups, number] : t.groups) histogram += fmt::format(" {}:{}", groups, number);
  fmt::print("{:<19}{:>9}{:>10}{:>9}{:>8}{:>8}{:>11.1e}{:>11.1f}{:>11.1f} {}\n", name, t.problems, t.continua,
             t.many_motions, t.sampled, t.misses, t.error, 1e6 * t.seconds / static_cast<double>(t.problems),
             1e6 * t.slowest, histogram);
}

}  // namespace

int main(int argc, char** argv) {
  long problems = 10000, contacts = 6, starts = 60, seed = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string a = argv[i];
    (a == "--problems"   ? problems
     : a == "--contacts" ? contacts
     : a == "--starts"   ? starts
                         : seed) = std::atol(argv[i + 1]);
  }
  if (problems < 1 || contacts < 1 || contacts > max_enumerated || starts < 0)
    return fmt::print(stderr, "usage: solutions [--problems N] [--contacts 1..12] [--starts N] [--seed N]\n"), 2;
  fmt::print("{:<19}{:>9}{:>10}{:>9}{:>8}{:>8}{:>11}{:>11}{:>11} {}\n", "problems", "number", "continua", "motions",
             "found", "missed", "error", "us, mean", "us, most", " solutions:problems");
  Maker maker(static_cast<std::uint64_t>(seed));
  Tally total[kinds + 1], by_contacts[max_enumerated + 1];
  for (long k = 0; k < problems; ++k) {
    const Kind kind = static_cast<Kind>(k % kinds);
    const int n = 1 + static_cast<int>((k / kinds) % contacts);
    const Problem p = maker.make(kind, n);
    Tally one;
    count(one, p, static_cast<int>(starts), static_cast<std::uint64_t>(k),
          fmt::format("problem {}, {} contacts", k, n));
    for (Tally* t : {&total[kind], &total[kinds], &by_contacts[n]}) {
      t->problems += 1, t->misses += one.misses, t->refused += one.refused, t->continua += one.continua;
      t->many_motions += one.many_motions, t->sampled += one.sampled;
      t->error = std::max(t->error, one.error), t->seconds += one.seconds;
      t->slowest = std::max(t->slowest, one.slowest);
      for (const auto& [groups, number] : one.groups) t->groups[groups] += number;
    }
  }
  for (int k = 0; k < kinds; ++k) print(kind_names[k], total[k]);
  for (int n = 1; n <= contacts; ++n) print(fmt::format("{} contacts", n).c_str(), by_contacts[n]);
  print("all", total[kinds]);
  return total[kinds].misses + total[kinds].refused > 0 || !(total[kinds].error < 1e-10);
}
