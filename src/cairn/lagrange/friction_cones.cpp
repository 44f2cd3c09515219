#include "cairn/lagrange/friction_cones.hpp"

#include "cairn/base/check.hpp"

namespace cairn {

// x = S_T at lambda = 1 for S_T = s S_N: x = s/(1 + s W_nt/W_nn), which grows with s up to infinity.
FrictionSet planar_cone_cut(Real mu_plus, Real mu_minus, Real coupling) {
  CAIRN_CHECK(mu_plus >= 0 && mu_minus >= 0, "coefficients of friction are not negative");
  const Real inf = FrictionSet::infinite();
  const Real up = 1 + mu_plus * coupling, down = 1 - mu_minus * coupling;
  return interval(down > 0 ? -mu_minus / down : -inf, up > 0 ? mu_plus / up : inf);
}

FrictionSet cut_of_generators(const RealMatrix& tangential, const Reals& lambda) {
  const Real least = Real(1e-13) * lambda.cwiseAbs().maxCoeff();  // below it lambda is zero
  std::vector<Reals> points, rays;
  for (Eigen::Index i = 0; i < lambda.size(); ++i) {
    if (lambda(i) > least) {
      points.push_back(tangential.col(i) / lambda(i));
      continue;
    }
    if (lambda(i) >= -least) {
      rays.push_back(tangential.col(i));
      continue;
    }
    for (Eigen::Index j = 0; j < lambda.size(); ++j)  // on lambda = 0 between one beyond it and one before
      if (lambda(j) > least) rays.push_back(lambda(j) * tangential.col(i) - lambda(i) * tangential.col(j));
  }
  CAIRN_CHECK(!points.empty(), "a cone that holds the normal has forces with lambda > 0");
  RealMatrix P(tangential.rows(), static_cast<Eigen::Index>(points.size()));
  RealMatrix R(tangential.rows(), static_cast<Eigen::Index>(rays.size()));
  for (std::size_t i = 0; i < points.size(); ++i) P.col(static_cast<Eigen::Index>(i)) = points[i];
  for (std::size_t i = 0; i < rays.size(); ++i) R.col(static_cast<Eigen::Index>(i)) = rays[i];
  return polyhedron(P, R);
}

}  // namespace cairn
