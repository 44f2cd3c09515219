#include <cmath>
#include <numbers>
#include <random>

#include "example_run.hpp"

namespace cairn::examples {
namespace {

constexpr double degree = std::numbers::pi / 180;

struct Hit {
  double P_t, P_n, ratio, w1, w2;
  std::string mode;
};

Hit hit(const char* law, const Set& settings = {}) {
  Set all = settings;
  all.emplace_back("law", law);
  const Output out = run_example("kane", all);
  const auto get = [&](const char* name) { return number_of(out, name); };
  return {get("P_t"),     get("P_n"),     get("ratio"),
          get("w1_plus"), get("w2_plus"), std::get<std::string>(*out.find("mode"))};
}

TEST(Kane, newton_creates_energy_and_the_weighted_mean_does_not) {
  EXPECT_NEAR(hit("newton").ratio, 1.587, 5e-4);
  const Hit mean = hit("moreau");
  EXPECT_NEAR(mean.w1, -0.206293, 1e-6);
  EXPECT_NEAR(mean.w2, 0.275315, 1e-6);
  EXPECT_NEAR(mean.ratio, 1 - 0.438, 5e-4);
  EXPECT_EQ(mean.mode, "slip");
}

TEST(Kane, percussions_are_one_plus_e_times_those_of_the_soft_impact) {
  for (const double mu : {0.0, 0.1, 0.5, 0.6})
    for (const double e : {0.3, 0.5, 1.0}) {
      const Hit soft = hit("moreau", {{"mu", mu}, {"e", 0}}), some = hit("moreau", {{"mu", mu}, {"e", e}});
      EXPECT_NEAR(some.P_n, (1 + e) * soft.P_n, 1e-14);
      EXPECT_NEAR(some.P_t, (1 + e) * soft.P_t, 1e-14);
    }
}

// The same impacts by hand: Delassus matrix from the inverse of the inertia, then the mode that holds.
struct ByHand {
  double Wnn, Wnt, Wtt, Un, Ut;
  ByHand(double q1, double q2, double w1, double w2) {
    const double a = 4.0 / 3, b = std::cos(q1 - q2) / 2, c = 1.0 / 3, det = a * c - b * b;
    const auto form = [&](double x1, double x2, double y1, double y2) {
      return (c * x1 * y1 - b * (x1 * y2 + x2 * y1) + a * x2 * y2) / det;
    };
    const double n1 = std::sin(q1), n2 = std::sin(q2), t1 = std::cos(q1), t2 = std::cos(q2);
    Wnn = form(n1, n2, n1, n2), Wnt = form(n1, n2, t1, t2), Wtt = form(t1, t2, t1, t2);
    Un = n1 * w1 + n2 * w2, Ut = t1 * w1 + t2 * w2;
  }
  // Stick where the impulse that zeroes the tangential velocity is inside the cone, else slide against what is left.
  std::pair<double, double> newton(double mu, double e) const { return percussion(mu, -(1 + e) * Un, -Ut); }
  std::pair<double, double> mean(double mu, double e) const { return percussion(mu, -(1 + e) * Un, -(1 + e) * Ut); }
  std::pair<double, double> percussion(double mu, double dn, double dt) const {
    const double det = Wnn * Wtt - Wnt * Wnt, n = (Wtt * dn - Wnt * dt) / det, t = (Wnn * dt - Wnt * dn) / det;
    if (n > 0 && std::abs(t) <= mu * n) return {n, t};
    for (const double s : {-1.0, 1.0}) {
      const double P = dn / (Wnn + s * mu * Wnt), left = Wnt * P + Wtt * s * mu * P - dt;
      if (P > 0 && left * s <= 0) return {P, s * mu * P};
    }
    return {NAN, NAN};
  }
};

TEST(Kane, both_laws_agree_with_the_modes_tried_by_hand) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> angle(5, 80), rate(-2, 2), unit(0, 1);
  int tried = 0;
  for (int k = 0; k < 300; ++k) {
    const double q1 = angle(random), q2 = angle(random), w1 = rate(random), w2 = rate(random), e = unit(random);
    const ByHand by(q1 * degree, q2 * degree, w1, w2);
    const double mu = 0.95 * unit(random) * std::min(1.0, by.Wnn / std::abs(by.Wnt));
    if (by.Un > -0.01 || std::abs(q1 - q2) < 1) continue;
    ++tried;
    const Set settings{{"q1_deg", q1}, {"q2_deg", q2}, {"w1", w1}, {"w2", w2}, {"mu", mu}, {"e", e}};
    const Hit a = hit("newton", settings), b = hit("moreau", settings);
    const auto [n, t] = by.newton(mu, e);
    EXPECT_NEAR(a.P_n, n, 1e-10 * n);
    EXPECT_NEAR(a.P_t, t, 1e-10 * n);
    const auto [N, T] = by.mean(mu, e);
    EXPECT_NEAR(b.P_n, N, 1e-10 * N);
    EXPECT_NEAR(b.P_t, T, 1e-10 * N);
    EXPECT_LE(b.ratio, 1 + 1e-12);
  }
  EXPECT_GT(tried, 50);
}

TEST(Kane, elastic_impact_without_friction_keeps_the_energy_and_leaving_is_no_impact) {
  for (const char* law : {"newton", "moreau"}) {
    EXPECT_NEAR(hit(law, {{"mu", 0}, {"e", 1}}).ratio, 1, 1e-14);
    const Hit leaves = hit(law, {{"w1", 0.1}, {"w2", 0.2}});
    EXPECT_EQ(leaves.mode, "none");
    EXPECT_EQ(leaves.P_n, 0);
    EXPECT_EQ(leaves.ratio, 1);
  }
}

TEST(Kane, bad_values_are_refused) {
  Parameters p(find("kane")->parameters);
  EXPECT_FALSE(p.set("e", 1.5));
  EXPECT_FALSE(p.set("m", 0.0));
  EXPECT_FALSE(p.set("law", "poisson"));
}

}  // namespace
}  // namespace cairn::examples
