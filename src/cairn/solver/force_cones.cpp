#include "cairn/solver/force_cones.hpp"

#include <algorithm>

#include "cairn/base/at.hpp"

namespace cairn {
namespace {

Vec<3> three(const std::vector<Real>& x, std::size_t first) { return Vec<3>::load(&x[first]); }

}  // namespace

Real ConePoint::reach(const std::vector<Real>& d) const {
  Real t = Real(1e30);
  for (std::size_t j = 0; j < ray.size(); ++j)
    if (d[j] < 0) t = std::min(t, -ray[j] / d[j]);
  for (std::size_t a = 0; a < cone.size(); ++a) t = std::min(t, cone[a].reach(three(d, ray.size() + 3 * a)));
  return t;
}

void ConePoint::move(Real t, const std::vector<Real>& d) {
  for (std::size_t j = 0; j < ray.size(); ++j) ray[j] += t * d[j];
  for (std::size_t a = 0; a < cone.size(); ++a) cone[a].move(t, three(d, ray.size() + 3 * a));
}

void ConePoint::values(std::vector<Real>& x) const {
  x.assign(ray.begin(), ray.end());
  for (const ConeElement<3>& e : cone) x.insert(x.end(), e.x.v, e.x.v + 3);
}

void ConePoint::scale(Real t) {
  for (Real& x : ray) x *= t;
  for (ConeElement<3>& e : cone) e = {t * e.x, t * e.gap, t * e.tangent};
}

Real dot(const ConePoint& x, const ConePoint& z) {
  Real sum = 0;
  for (std::size_t j = 0; j < x.ray.size(); ++j) sum += x.ray[j] * z.ray[j];
  for (std::size_t a = 0; a < x.cone.size(); ++a) sum += dot(x.cone[a], z.cone[a]);
  return sum;
}

ForceCones::ForceCones(const std::vector<ForceUnknown>& unknowns, const std::vector<int>& rows)
    : unknowns_(static_cast<int>(unknowns.size())), b_(rows.size(), 0) {
  std::vector<int> place;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (place.size() <= at(rows[i])) place.resize(at(rows[i]) + 1, -1);
    place[at(rows[i])] = static_cast<int>(i);
  }
  for (int k = 0; k < unknowns_; ++k) {
    const ForceUnknown& u = unknowns[at(k)];
    if (u.dim == 1) add_block(u, k, 1, 0, place);
    if (u.dim == 2) add_block(u, k, 1, 1, place), add_block(u, k, 1, -1, place);
  }
  rays_ = static_cast<int>(block_.size());
  for (int k = 0; k < unknowns_; ++k)
    if (unknowns[at(k)].dim == 3) add_block(unknowns[at(k)], k, 3, 0, place);
  for (const ForceUnknown& u : unknowns)
    for (std::size_t i = 0; i < at(u.dim); ++i)
      for (const ForceEntry& e : u.column[i])
        if (at(e.row) < place.size() && place[at(e.row)] >= 0) b_[at(place[at(e.row)])] += e.value * u.value[i];
  const EnvelopeCholesky N = pattern();
  for (Block& block : block_)
    for (std::size_t i = 0; i < block.row.size(); ++i)
      for (std::size_t k = 0; k <= i; ++k)
        block.slot.push_back(static_cast<unsigned>(N.slot(block.row[i], block.row[k])));
}

void ForceCones::add_block(const ForceUnknown& u, int member, int width, Real edge, const std::vector<int>& place) {
  Block block{member, edge, {}, {}, {}};
  for (int i = 0; i < u.dim; ++i)
    for (const ForceEntry& e : u.column[at(i)]) {
      const int row = at(e.row) < place.size() ? place[at(e.row)] : -1;
      if (row < 0) continue;
      const auto found = std::ranges::find(block.row, row);
      const std::size_t first = at(static_cast<int>(found - block.row.begin()));
      if (found == block.row.end()) block.row.push_back(row), block.value.resize(block.value.size() + at(width), 0);
      if (width == 3)
        block.value[3 * first + at(i)] += e.value;
      else
        block.value[first] += (i == 0 ? 1 : edge) * e.value;
    }
  block_.push_back(block);
}

EnvelopeCholesky ForceCones::pattern() const {
  std::vector<EnvelopeCholesky::Pair> pairs;
  for (const Block& block : block_)
    for (std::size_t i = 0; i < block.row.size(); ++i)
      for (std::size_t k = 0; k < i; ++k) pairs.push_back({block.row[i], block.row[k]});
  return {rows(), pairs};
}

void ForceCones::subtract_product(const std::vector<Real>& x, std::vector<Real>& r) const {
  for (std::size_t n = 0; n < block_.size(); ++n) {
    const Block& block = block_[n];
    const Real* own = &x[first(n)];
    if (n < at(rays_)) {
      for (std::size_t i = 0; i < block.row.size(); ++i) r[at(block.row[i])] -= block.value[i] * own[0];
      continue;
    }
    const Real* a = block.value.data();
    for (std::size_t i = 0; i < block.row.size(); ++i, a += 3)
      r[at(block.row[i])] -= a[0] * own[0] + a[1] * own[1] + a[2] * own[2];
  }
}

void ForceCones::transposed_product(const std::vector<Real>& y, std::vector<Real>& t) const {
  for (std::size_t n = 0; n < block_.size(); ++n) {
    const Block& block = block_[n];
    Real sum[3] = {};
    if (n < at(rays_)) {
      for (std::size_t i = 0; i < block.row.size(); ++i) sum[0] += block.value[i] * y[at(block.row[i])];
      t[n] = sum[0];
      continue;
    }
    const Real* a = block.value.data();
    for (std::size_t i = 0; i < block.row.size(); ++i, a += 3)
      for (int k = 0; k < 3; ++k) sum[k] += a[k] * y[at(block.row[i])];
    std::copy(sum, sum + 3, &t[first(n)]);
  }
}

void ForceCones::assemble(const std::vector<Real>& ratio, const std::vector<Scaling<3>>& scaling,
                          EnvelopeCholesky& N) const {
  N.clear();
  Real* value = N.values().data();
  for (std::size_t n = 0; n < block_.size(); ++n) {
    const Block& block = block_[n];
    const std::size_t rows = block.row.size();
    const unsigned* slot = block.slot.data();
    if (n < at(rays_)) {
      for (std::size_t i = 0; i < rows; ++i) {
        const Real f = ratio[n] * block.value[i];
        for (std::size_t k = 0; k <= i; ++k) value[*slot++] += f * block.value[k];
      }
      continue;
    }
    const Mat<3> square = scaling[n - at(rays_)].square();
    for (std::size_t i = 0; i < rows; ++i) {
      const Vec<3> f = square * three(block.value, 3 * i);
      const Real* a = block.value.data();
      for (std::size_t k = 0; k <= i; ++k, a += 3) value[*slot++] += f[0] * a[0] + f[1] * a[1] + f[2] * a[2];
    }
  }
}

std::vector<Real> ForceCones::weights(const std::vector<ForceTerm>& terms) const {
  std::vector<std::array<Real, 3>> weight(at(unknowns_));
  for (const ForceTerm& t : terms) weight[at(t.member)] = t.weight;
  std::vector<Real> c(at(columns()), 0);
  for (std::size_t n = 0; n < block_.size(); ++n) {
    const std::array<Real, 3>& w = weight[at(block_[n].member)];
    if (n < at(rays_))
      c[n] = w[0] + block_[n].edge * w[1];
    else
      std::ranges::copy(w, &c[first(n)]);
  }
  return c;
}

std::vector<std::array<Real, 3>> ForceCones::numbers(const std::vector<Real>& x) const {
  std::vector<std::array<Real, 3>> s(at(unknowns_));
  for (std::size_t n = 0; n < block_.size(); ++n) {
    std::array<Real, 3>& own = s[at(block_[n].member)];
    if (n < at(rays_))
      own[0] += x[n], own[1] += block_[n].edge * x[n];
    else
      std::copy_n(&x[first(n)], 3, own.begin());
  }
  return s;
}

}  // namespace cairn
