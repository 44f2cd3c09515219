#include "cairn/model/material.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cairn {
namespace {

TEST(Materials, BadSurfacesAreNamed) {
  const auto with = [](Real Surface::*field, Real value) {
    Surface s;
    s.*field = value;
    return complaint(s);
  };
  EXPECT_EQ(complaint(Surface{}), "");
  EXPECT_EQ(with(&Surface::mu_dynamic, -1), "");
  EXPECT_EQ(with(&Surface::mu, -1), "mu of a surface is -1, expected a coefficient of at least 0");
  EXPECT_EQ(with(&Surface::restitution, 1.5), "restitution of a surface is 1.5, expected 0 to 1");
  EXPECT_EQ(with(&Surface::rolling, -2), "rolling of a surface is -2, expected a length of at least 0 m");
  for (Real Surface::*field : {&Surface::mu, &Surface::mu_dynamic, &Surface::mu_across, &Surface::restitution,
                               &Surface::restitution_tangent, &Surface::rolling, &Surface::drilling})
    for (const Real bad : {Real(NAN), Real(INFINITY), -Real(INFINITY)}) EXPECT_NE(with(field, bad), "");
  Surface both;
  both.mu_across = 0.1, both.rolling = 0.01;
  EXPECT_NE(complaint(both), "");
}

TEST(Materials, PairsAreSymmetricAndTheRestIsStandard) {
  Materials m;
  m.standard.mu = 0.7;
  Surface s;
  s.mu = 0.1;
  m.set(3, 1, s);
  EXPECT_EQ(m.between(1, 3).mu, 0.1);
  EXPECT_EQ(m.between(3, 1).mu, 0.1);
  EXPECT_EQ(m.between(3, 3).mu, 0.7);
  EXPECT_EQ(m.between(0, 9).mu, 0.7);
}

}  // namespace
}  // namespace cairn
