// From bodies to the local form: W = G A^-1 G^T in blocks, q = G u_free + w.                                (JM92 7.4)
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "cairn/problem/bodies.hpp"
#include "cairn/problem/local.hpp"

namespace cairn {

namespace detail {

// Contacts of each body, rising: those of body b stand at begin[b] .. begin[b + 1].
struct ContactsOfBodies {
  std::vector<int> begin, contact;

  template <ContactLaw L, int F>
  explicit ContactsOfBodies(const BodyProblem<L, F>& p) : begin(p.bodies() + 1, 0) {
    for (const auto& c : p.contact)
      for (int b : c.body)
        if (b >= 0) ++begin[b];
    for (int b = 0, sum = 0; b <= p.bodies(); ++b) sum += std::exchange(begin[b], sum);
    contact.resize(begin.back());
    std::vector<int> next = begin;
    for (int a = 0; a < p.contacts(); ++a)
      for (int b : p.contact[a].body)
        if (b >= 0) contact[next[b]++] = a;
  }
};

// W_ab: the bodies that contacts a and b share.
template <ContactLaw L, int F>
Mat<L::dim> delassus_block(const BodyProblem<L, F>& p, int a, int b) {
  using P = BodyProblem<L, F>;
  Mat<L::dim> W = Mat<L::dim>::zero();
  for (int s = 0; s < 2; ++s)
    for (int t = 0; t < 2; ++t) {
      const int body = p.contact[a].body[s];
      if (body < 0 || body != p.contact[b].body[t]) continue;
      const Mat<L::dim, F>&G = p.contact[a].G[s], &H = p.contact[b].G[t];
      for (int k = 0; k < F; ++k) {
        const Real inverse = p.inverse_inertia[P::at(body) + k];
        for (int j = 0; j < L::dim; ++j)
          for (int i = 0; i < L::dim; ++i) W(i, j) += G(i, k) * inverse * H(j, k);
      }
    }
  return W;
}

}  // namespace detail

template <ContactLaw L, int F>
LocalProblem<L> to_local(const BodyProblem<L, F>& p) {
  constexpr int D = L::dim;
  const detail::ContactsOfBodies of(p);
  LocalProblem<L> out;
  out.law = p.law;
  out.begin.push_back(0);
  out.q.resize(p.rows());
  out.diagonal.resize(static_cast<std::size_t>(p.contacts()) * D * D);
  std::vector<int> neighbours;
  for (int a = 0; a < p.contacts(); ++a) {
    neighbours.clear();
    for (int b : p.contact[a].body)
      if (b >= 0)
        neighbours.insert(neighbours.end(), of.contact.begin() + of.begin[b], of.contact.begin() + of.begin[b + 1]);
    std::sort(neighbours.begin(), neighbours.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    for (int b : neighbours)
      if (b != a) {
        const Mat<D> W = detail::delassus_block(p, a, b);
        out.column.push_back(b);
        out.block.insert(out.block.end(), W.v, W.v + D * D);
      }
    out.begin.push_back(static_cast<int>(out.column.size()));
    p.diagonal_block(a).store(&out.diagonal[static_cast<std::size_t>(a) * D * D]);
    p.velocity(a, p.u_free.data()).store(&out.q[static_cast<std::size_t>(a) * D]);
  }
  return out;
}

}  // namespace cairn
