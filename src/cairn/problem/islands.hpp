// Contacts that share no body, directly or through others, are problems apart.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "cairn/problem/bodies.hpp"

namespace cairn {

// Lists of contacts, each ascending; islands in the order of their first contacts.
template <ContactLaw L, int F>
std::vector<std::vector<int>> islands(const BodyProblem<L, F>& p) {
  std::vector<int> parent(static_cast<std::size_t>(p.bodies()));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int b) {
    while (parent[static_cast<std::size_t>(b)] != b) {
      int& up = parent[static_cast<std::size_t>(b)];
      b = up = parent[static_cast<std::size_t>(up)];
    }
    return b;
  };
  for (const auto& c : p.contact)
    if (c.body[0] >= 0 && c.body[1] >= 0) {
      const int a = root(c.body[0]), b = root(c.body[1]);
      parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
  std::vector<int> number(parent.size(), -1);  // of the island with this root
  std::vector<std::vector<int>> found;
  for (int a = 0; a < p.contacts(); ++a) {
    const auto& c = p.contact[static_cast<std::size_t>(a)];
    int& island = number[static_cast<std::size_t>(root(c.body[0] >= 0 ? c.body[0] : c.body[1]))];
    if (island < 0) island = static_cast<int>(found.size()), found.emplace_back();
    found[static_cast<std::size_t>(island)].push_back(a);
  }
  return found;
}

// The problem of some contacts alone. `bodies`: which ones of the whole its bodies are, ascending.
template <ContactLaw L, int F>
BodyProblem<L, F> part_of(const BodyProblem<L, F>& p, const std::vector<int>& contacts, std::vector<int>& bodies) {
  constexpr int D = L::dim;
  std::vector<int> number(static_cast<std::size_t>(p.bodies()), -1);
  bodies.clear();
  for (const int a : contacts)
    for (const int b : p.contact[static_cast<std::size_t>(a)].body)
      if (b >= 0 && number[static_cast<std::size_t>(b)] < 0)
        number[static_cast<std::size_t>(b)] = 0, bodies.push_back(b);
  std::sort(bodies.begin(), bodies.end());
  BodyProblem<L, F> part;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    number[static_cast<std::size_t>(bodies[i])] = static_cast<int>(i);
    const std::size_t from = BodyProblem<L, F>::at(bodies[i]);
    for (std::size_t k = 0; k < F; ++k)
      part.inverse_inertia.push_back(p.inverse_inertia[from + k]), part.u_free.push_back(p.u_free[from + k]);
  }
  for (const int a : contacts) {
    auto c = p.contact[static_cast<std::size_t>(a)];
    for (int& b : c.body)
      if (b >= 0) b = number[static_cast<std::size_t>(b)];
    part.contact.push_back(c);
    part.law.push_back(p.law[static_cast<std::size_t>(a)]);
    for (std::size_t i = 0; i < D; ++i) part.w.push_back(p.w[static_cast<std::size_t>(a) * D + i]);
  }
  return part;
}

}  // namespace cairn
