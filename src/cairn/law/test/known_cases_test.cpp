// Cases with a known answer, limits, symmetries, and what only one law has.
#include <initializer_list>
#include <string>
#include <type_traits>
#include <vector>

#include "cairn/law/test/random_law.hpp"

namespace cairn::test {

Mat<3> matrix3(std::initializer_list<Real> rows) {
  Mat<3> H;
  int k = 0;
  for (Real x : rows) {
    H(k / 3, k % 3) = x;
    ++k;
  }
  return H;
}
Mat<2> matrix2(Real a, Real b, Real c, Real d) {
  Mat<2> H;
  H(0, 0) = a;
  H(0, 1) = b;
  H(1, 0) = c;
  H(1, 1) = d;
  return H;
}

TEST(KnownCases, SphereOnAPlane) {
  const Mat<3> H = matrix3({1, 0, 0, 0, 3.5, 0, 0, 0, 3.5});
  const auto slide = solve_one(Coulomb3{0.2}, H, {-1, 1, 2});
  EXPECT_EQ(slide.status, Status::slide);
  EXPECT_NEAR(slide.S[0], 1, 1e-15);
  EXPECT_NEAR(slide.S[1], -0.2 / std::sqrt(5), 1e-15);
  EXPECT_NEAR(slide.S[2], -0.4 / std::sqrt(5), 1e-15);
  const auto stick = solve_one(Coulomb3{0.7}, H, {-1, 1, 2});
  EXPECT_EQ(stick.status, Status::stick);
  EXPECT_NEAR(stick.S[1], -2. / 7, 1e-15);
  EXPECT_NEAR(stick.S[2], -4. / 7, 1e-15);
}

// Strong coupling: take-off, slide and stick are all solutions; stick dissipates most.
TEST(KnownCases, ThreeSolutions) {
  const auto s = solve_one(Coulomb2::with(2), matrix2(1.6, 1.2, 1.2, 3.4), {0.1, 1});
  EXPECT_EQ(s.count, 3);
  EXPECT_EQ(s.status, Status::stick);
  EXPECT_NEAR(s.S[0], 0.215, 1e-14);
  EXPECT_NEAR(s.S[1], -0.37, 1e-14);
  const auto t = solve_one(Coulomb3{2}, matrix3({1.6, 1.2, 0, 1.2, 3.4, 0, 0, 0, 3.4}), {0.1, 1, 0});
  EXPECT_EQ(t.count, 3);
  EXPECT_EQ(t.status, Status::stick);
  EXPECT_NEAR(t.S[0], 0.215, 1e-14);
  EXPECT_NEAR(t.S[1], -0.37, 1e-14);
  EXPECT_NEAR(t.S[2], 0, 1e-14);
  const std::vector<Vec<2>> square = {{2, 2}, {-2, 2}, {-2, -2}, {2, -2}};
  const auto u = solve_one(*PolygonFriction::make(square), matrix3({1.6, 1.2, 0, 1.2, 3.4, 0, 0, 0, 3.4}), {0.1, 1, 0});
  EXPECT_EQ(u.count, 3);
  EXPECT_NEAR(u.S[0], 0.215, 1e-14);
  Mat<5> H = Mat<5>::identity();
  H(0, 0) = 1.6;
  H(0, 1) = H(1, 0) = 1.2;
  H(1, 1) = H(2, 2) = 3.4;
  const auto v = solve_one(Rolling5{{2, 0.1}}, H, {0.1, 1, 0, 0, 0});
  EXPECT_EQ(v.count, 3);
  EXPECT_NEAR(v.S[0], 0.215, 1e-14);
}

TEST(KnownCases, NoSolution) {
  EXPECT_EQ(solve_one(Signorini{}, Mat<1>{{0}}, {-1}).count, 0);
  EXPECT_EQ(solve_one(Coulomb2::with(1), Mat<2>::zero(), {-1, 1}).count, 0);
  EXPECT_EQ(solve_one(Coulomb3{1}, Mat<3>::zero(), {-1, 1, 0}).count, 0);
  EXPECT_EQ(solve_one(Coulomb3{0}, Mat<3>::zero(), {-1, 1, 0}).count, 0);
  EXPECT_EQ(solve_one(EllipseFriction{}, Mat<3>::zero(), {-1, 1, 0}).count, 0);
  EXPECT_EQ(solve_one(Rolling5{{1, 1}}, Mat<5>::zero(), {-1, 1, 0, 0, 1}).count, 0);
  EXPECT_EQ(solve_one(Rolling6{{1, 1, 1}}, Mat<6>::zero(), {-1, 1, 0, 0, 1, 0}).count, 0);
  EXPECT_EQ(solve_one(Bilateral<2>{}, matrix2(1, 0, 0, 0), {1, 1}).count, 0);
  EXPECT_EQ(solve_one(Bilateral<2>{}, matrix2(1, 1, 1, 1), {1, 1}).count, 1);
  EXPECT_EQ(norm(solve_one(Coulomb3{1}, Mat<3>::zero(), {-1, 1, 0}).S), 0);
}

// No tangential motion can be produced (H_TT = 0): stick where b_T = 0, else slide.
TEST(KnownCases, RigidTangent) {
  const Mat<3> H = matrix3({2, 0, 0, 0, 0, 0, 0, 0, 0});
  const auto rest = solve_one(Coulomb3{0.5}, H, {-1, 0, 0});
  EXPECT_EQ(rest.count, 1);
  EXPECT_NEAR(rest.S[0], 0.5, 1e-12);
  const auto slide = solve_one(Coulomb3{0.5}, H, {-1, 3, 4});
  EXPECT_EQ(slide.count, 1);
  EXPECT_NEAR(slide.S[1], -0.25 * 0.6, 1e-12);
  EXPECT_NEAR(slide.S[2], -0.25 * 0.8, 1e-12);
}

// mu = 0 is Signorini on the normal row, to the last bit.
TEST(KnownCases, NoFriction) {
  Random r(21);
  for (int i = 0; i < problems / 10; ++i) {
    const auto p = random_problem<3>(r);
    const auto n = solve_one(Signorini{}, Mat<1>{{p.H(0, 0)}}, {p.b[0]});
    const auto s = solve_one(Coulomb3{0}, p.H, p.b);
    ASSERT_EQ(s.S[0], n.S[0]);
    ASSERT_EQ(s.S[1], 0);
    ASSERT_EQ(s.S[2], 0);
    const auto t = solve_one(Coulomb2{0, 0}, matrix2(p.H(0, 0), p.H(0, 1), p.H(1, 0), p.H(1, 1)), {p.b[0], p.b[1]});
    ASSERT_EQ(t.S[0], n.S[0]);
    ASSERT_EQ(t.S[1], 0);
    const auto q = random_problem<6>(r);
    const auto m = solve_one(Signorini{}, Mat<1>{{q.H(0, 0)}}, {q.b[0]});
    const auto u = solve_one(Rolling6{{0, 0, 0}}, q.H, q.b);
    ASSERT_NEAR(u.S[0], m.S[0], 1e-15 * m.S[0] * 4);
    for (int k = 1; k < 6; ++k) ASSERT_EQ(u.S[k], 0);
  }
}

template <int D>
Mat<D> turned(Real angle) {  // about the normal, every block of two alike
  Mat<D> R = Mat<D>::identity();
  for (int o = 1; o + 1 < D; o += 2) {
    R(o, o) = R(o + 1, o + 1) = std::cos(angle);
    R(o + 1, o) = std::sin(angle);
    R(o, o + 1) = -R(o + 1, o);
  }
  return R;
}
template <class L>
L turned_law(const L& law, Real) {
  return law;
}
Vec<2> turn_by(const Vec<2>& v, Real a) {
  return {std::cos(a) * v[0] - std::sin(a) * v[1], std::sin(a) * v[0] + std::cos(a) * v[1]};
}
EllipseFriction turned_law(EllipseFriction law, Real angle) {
  law.center = turn_by(law.center, angle);
  law.axis = turn_by(law.axis, angle);
  return law;
}
PolygonFriction turned_law(PolygonFriction law, Real angle) {
  for (Vec<2>& v : law.v) v = turn_by(v, angle);
  return law;
}

template <class L>
void check_rotation() {
  Random r(22);
  int differ = 0;
  for (int i = 0; i < problems / 50; ++i) {
    const Mat<L::dim> H = random_matrix<L::dim>(r, Kind::plain);
    const L law = random_law<L>(r);
    const Vec<L::dim> b = r.vector<L::dim>();
    const Real angle = r.uniform(0, turn);
    const Mat<L::dim> R = turned<L::dim>(angle);
    const auto s = solve_one(law, H, b);
    const auto t = solve_one(turned_law(law, angle), R * H * transpose(R), R * b);
    if (s.count != t.count) {
      ++differ;
      continue;
    }
    ASSERT_LE(norm(R * s.S - t.S), 1e-9 * (norm(s.S) + norm(b))) << i;
  }
  EXPECT_LE(differ, L::dim > 3 ? problems / 500000 : 0);  // torque laws may undercount, see product_scan.hpp
}
TEST(Rotation, Coulomb3) { check_rotation<Coulomb3>(); }
TEST(Rotation, StaticDynamic3) { check_rotation<StaticDynamic3>(); }
TEST(Rotation, Ellipse) { check_rotation<EllipseFriction>(); }
TEST(Rotation, Polygon) { check_rotation<PolygonFriction>(); }
TEST(Rotation, Rolling5) { check_rotation<Rolling5>(); }
TEST(Rotation, Rolling6) { check_rotation<Rolling6>(); }

// Where prepare() says that the solution is unique, a planted one is the one found, whatever b.
template <class L, class Unique>
void check_uniqueness(const Unique& unique) {
  Random r(23);
  int said = 0;
  for (int i = 0; i < problems / 20; ++i) {
    const Mat<L::dim> H = random_matrix<L::dim>(r, Kind::plain);
    const L law = random_law<L>(r);
    auto local = law.prepare(H);
    if (!unique(local)) continue;
    ++said;
    const Pair<L> planted = random_pair(r, law);
    const auto s = law.solve(local, planted.U - H * planted.S);
    ASSERT_EQ(s.count, 1);
    ASSERT_LE(norm(s.S - planted.S), 1e-11 * (1 + norm(planted.S))) << i;
  }
  EXPECT_GT(said, problems / 100);
}
TEST(Uniqueness, Coulomb2) {
  check_uniqueness<Coulomb2>([](const auto& l) { return l.unique; });
}
TEST(Uniqueness, Coulomb3) {
  check_uniqueness<Coulomb3>([](const auto& l) { return l.unique; });
}
TEST(Uniqueness, Ellipse) {
  check_uniqueness<EllipseFriction>([](const auto& l) { return l.kernel.unique; });
}
TEST(Uniqueness, Polygon) {
  check_uniqueness<PolygonFriction>([](const auto& l) { return l.unique; });
}
TEST(Uniqueness, Rolling5) {
  check_uniqueness<Rolling5>([](const auto& l) { return l.unique; });
}
TEST(Uniqueness, Rolling6) {
  check_uniqueness<Rolling6>([](const auto& l) { return l.unique; });
}

TEST(Ellipse, RoundOneIsCoulomb) {
  Random r(24);
  for (int i = 0; i < problems / 50; ++i) {
    const Real mu = r.power_of_ten(-2, 0.5);
    const auto law = EllipseFriction::make({0, 0}, matrix2(0, -mu, mu, 0));
    ASSERT_TRUE(law);
    const Mat<3> H = random_matrix<3>(r, Kind::plain);
    const Vec<3> b = r.vector<3>();
    const auto s = solve_one(*law, H, b), t = solve_one(Coulomb3{mu}, H, b);
    ASSERT_EQ(s.count, t.count);
    ASSERT_LE(norm(s.S - t.S), 1e-10 * (norm(t.S) + norm(b)));
  }
}

// Rolling with the torques switched off by a block H is Coulomb on the force part.
TEST(Rolling, WithoutTorqueIsCoulomb) {
  Random r(25);
  for (int i = 0; i < problems / 50; ++i) {
    const Mat<3> H3 = random_matrix<3>(r, Kind::plain);
    const Vec<3> b3 = r.vector<3>();
    const Real mu = r.power_of_ten(-2, 0.5);
    Mat<5> H = Mat<5>::identity();
    Vec<5> b = Vec<5>::zero();
    for (int k = 0; k < 3; ++k) {
      b[k] = b3[k];
      for (int l = 0; l < 3; ++l) H(k, l) = H3(k, l);
    }
    const auto s = solve_one(Rolling5{{mu, 0.1}}, H, b);
    const auto t = solve_one(Coulomb3{mu}, H3, b3);
    if (t.count > 1) continue;
    for (int k = 0; k < 3; ++k) ASSERT_NEAR(s.S[k], t.S[k], 1e-10 * (norm(t.S) + norm(b3))) << i;
  }
}

TEST(Ellipse, RefusesBadData) {
  EXPECT_FALSE(EllipseFriction::make({2, 0}, matrix2(1, 0, 0, 1)));
  EXPECT_FALSE(EllipseFriction::make({0, 0}, matrix2(1, 1, 1, 1)));
  EXPECT_FALSE(EllipseFriction::make({0, 0}, matrix2(0, 0, 0, 0)));
  EXPECT_FALSE(EllipseFriction::make({0, 0}, matrix2(NAN, 0, 0, 1)));
  EXPECT_NE(EllipseFriction::make({2, 0}, matrix2(1, 0, 0, 1)).error().find("0 must be in D1"), std::string::npos);
}

TEST(Polygon, RefusesBadData) {
  const auto message = [](std::vector<Vec<2>> v) {
    const auto law = PolygonFriction::make(v);
    return law ? std::string() : law.error();
  };
  EXPECT_EQ(message({{1, 0}, {0, 1}, {-1, -1}}), "");
  EXPECT_EQ(message({{0, 0}, {1, 0}, {0, 1}}), "");  // 0 on the border
  EXPECT_NE(message({{1, 0}, {0, 1}}).find("at least 3"), std::string::npos);
  EXPECT_NE(message({{1, 0}, {2, 0}, {1, 1}}).find("contain 0"), std::string::npos);
  EXPECT_NE(message({{1, 0}, {-1, -1}, {0, 1}}).find("counterclockwise"), std::string::npos);
  EXPECT_NE(message({{1, 1}, {-1, 1}, {0, 0.1}, {-1, -1}, {1, -1}}).find("convex"), std::string::npos);
  EXPECT_NE(message(std::vector<Vec<2>>(17, {1, 0})).find("at most 16"), std::string::npos);
  EXPECT_NE(message({{NAN, 0}, {0, 1}, {-1, -1}}).find("not finite"), std::string::npos);
  std::vector<Vec<2>> star;  // turns left at each vertex, but twice around
  for (int k = 0; k < 5; ++k) star.push_back({std::cos(k * turn * 2 / 5), std::sin(k * turn * 2 / 5)});
  EXPECT_NE(message(star), "");
}

TEST(StaticDynamic, RemembersSliding) {
  const StaticDynamic3 law{{0.5}, {0.3}};
  EXPECT_EQ(law.current().mu, 0.5);
  const auto slid = law.after(Status::slide);
  EXPECT_EQ(slid.current().mu, 0.3);
  EXPECT_EQ(slid.after(Status::stick).current().mu, 0.5);
  EXPECT_EQ(slid.after(Status::take_off).current().mu, 0.5);
}

// Whatever the kind, the answer of the law that it stands for, to the last bit.
template <class L, int D = L::dim>
void check_stands_for(const MixedLaw<D>& mixed, const L& law, Random& r) {
  const auto p = random_problem<D>(r);
  const auto s = solve_one(mixed, p.H, p.b);
  const auto t = solve_one(law, p.H, p.b);
  ASSERT_EQ(s.count, t.count);
  ASSERT_EQ(s.status, t.status);
  for (int k = 0; k < D; ++k) ASSERT_EQ(s.S[k], t.S[k]);
}
TEST(Mixed, GivesTheAnswerOfTheLawInForce) {
  Random r(26);
  for (int i = 0; i < 1000; ++i) {
    const auto c2 = random_law<Coulomb2>(r);
    const auto c3 = random_law<Coulomb3>(r);
    const auto e = random_law<EllipseFriction>(r);
    const auto s = random_law<StaticDynamic3>(r);
    check_stands_for(Mixed2::coulomb(c2), c2, r);
    check_stands_for(Mixed3::coulomb(c3), c3, r);
    check_stands_for(Mixed3{}, Coulomb3{0}, r);
    check_stands_for(Mixed3::ellipse(e), e, r);
    check_stands_for(Mixed3::static_dynamic(s), s, r);
    check_stands_for(Mixed2::bilateral(), Bilateral<2>{}, r);
    check_stands_for(Mixed3::bilateral(), Bilateral<3>{}, r);
  }
}

// A joint of fewer rows is the smaller joint on its block; H may have zeros in the other rows, and U_i anything.
TEST(Mixed, AJointOfFewerRowsWorksOnItsBlock) {
  Random r(27);
  for (int i = 0; i < 1000; ++i) {
    const auto p = random_problem<2>(r);
    const auto t = solve_one(Bilateral<2>{}, p.H, p.b);
    const int skipped = r.below(3), first = skipped == 0 ? 1 : 0, second = skipped == 2 ? 1 : 2;
    Mat<3> H = Mat<3>::zero();
    for (int j = 0; j < 3 && r.below(2) == 0; ++j) H(skipped, j) = H(j, skipped) = r.normal();
    H(first, first) = p.H(0, 0), H(first, second) = p.H(0, 1);
    H(second, first) = p.H(1, 0), H(second, second) = p.H(1, 1);
    Vec<3> b;
    b[first] = p.b[0], b[second] = p.b[1], b[skipped] = r.normal();
    const auto s = solve_one(Mixed3::bilateral_rows(7u & ~(1u << skipped)), H, b);
    ASSERT_EQ(s.count, 1);
    ASSERT_EQ(s.S[skipped], 0);
    const Real size = 1e-8 * norm(t.S);
    ASSERT_NEAR(s.S[first], t.S[0], size);
    ASSERT_NEAR(s.S[second], t.S[1], size);
  }
  EXPECT_EQ(solve_one(Mixed3::bilateral(1), Mat<3>::zero(), {1, 0, 0}).count, 0);  // nothing can stop it
  EXPECT_EQ(norm(solve_one(Mixed3::bilateral_rows(0), Mat<3>::zero(), {1, 2, 3}).S), 0);
}

TEST(Mixed, RemembersSliding) {
  const Mixed2 law = Mixed2::static_dynamic(0.5, 0.3);
  const auto mu = [](const Mixed2& l) { return l.shift({0, 1})[0]; };
  EXPECT_EQ(mu(law), 0.5);
  EXPECT_EQ(mu(law.after(Status::slide)), 0.3);
  EXPECT_EQ(mu(law.after(Status::slide).after(Status::stick)), 0.5);
  EXPECT_EQ(mu(Mixed2::coulomb(0.4).after(Status::slide)), 0.4);
}

TEST(Laws, AreTriviallyCopyable) {
  static_assert(std::is_trivially_copyable_v<Coulomb2> && std::is_trivially_copyable_v<Coulomb2::Local>);
  static_assert(std::is_trivially_copyable_v<Coulomb3> && std::is_trivially_copyable_v<Coulomb3::Local>);
  static_assert(std::is_trivially_copyable_v<EllipseFriction> && std::is_trivially_copyable_v<EllipseFriction::Local>);
  static_assert(std::is_trivially_copyable_v<PolygonFriction> && std::is_trivially_copyable_v<StaticDynamic3>);
  static_assert(std::is_trivially_copyable_v<Rolling5> && std::is_trivially_copyable_v<Rolling6::Local>);
  static_assert(std::is_trivially_copyable_v<Mixed2> && std::is_trivially_copyable_v<Mixed2::Local>);
  static_assert(std::is_trivially_copyable_v<Mixed3> && std::is_trivially_copyable_v<Mixed3::Local>);
}

}  // namespace cairn::test
