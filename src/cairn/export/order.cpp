#include "cairn/export/order.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>

namespace cairn::exporting {
namespace {

bool is_ball(const Solid& s) { return std::holds_alternative<Ball<3>>(s.part->shape); }

// [m] the furthest that the solid reaches along the unit vector n.
Real extent(const Solid& s, const Vec<3>& n) {
  const Vec<3> local = s.pose.R.inverse() * n;
  return dot(s.pose.x, n) + std::visit(
                                [&local](const auto& shape) -> Real {
                                  if constexpr (ConvexShape<std::decay_t<decltype(shape)>, 3>)
                                    return dot(shape.support(local), local) + shape.radius;
                                  else
                                    return 0;
                                },
                                s.part->shape);
}

class Separation {
 public:
  Separation(const Solid& a, const Solid& b, const View<3>& view) : a_(a), b_(b), view_(view) {
    if (const Vec<3> d = b.pose.x - a.pose.x; norm(d) > 0) try_axis(normalised(d));
    for (const Solid* s : {&a, &b})
      if (const auto* solid = std::get_if<Polyhedron>(&s->part->shape))
        for (const Polyhedron::Face& face : solid->faces) {
          const Vec<3> n = s->pose.R * face.normal;
          try_axis(s == &a ? n : -n);
        }
  }

  // > 0: b is in front of a; < 0: behind it; 0: neither is known to hide the other.
  int front() const { return side_ > Real(1e-9) ? 1 : side_ < Real(-1e-9) ? -1 : 0; }

 private:
  // n from a to b; the widest gap wins, since overlap is no more than rounding.
  void try_axis(const Vec<3>& n) {
    const Real gap = -extent(b_, -n) - extent(a_, n), side = dot(n, view_.towards());
    if (std::abs(side) > Real(1e-9) && gap > best_) best_ = gap, side_ = side;
  }

  const Solid &a_, &b_;
  const View<3>& view_;
  Real best_ = -std::numeric_limits<Real>::infinity(), side_ = 0;
};

std::vector<Window> places(const std::vector<Solid>& solids, const View<3>& view) {
  std::vector<Window> windows;
  const Vec<3> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  // The rows of the view: what the axes of the world contribute to each axis of the picture.
  const Vec<2> vx = view(x), vy = view(y), vz = view(z);
  const Vec<3> right{vx[0], vy[0], vz[0]}, up{vx[1], vy[1], vz[1]};
  for (const Solid& s : solids)
    windows.push_back({{-extent(s, -right), extent(s, right)}, {-extent(s, -up), extent(s, up)}});
  return windows;
}

// behind[a]: those that must come after a.
std::vector<std::vector<int>> hidden_by(const std::vector<Solid>& solids, const View<3>& view) {
  const std::vector<Window> at = places(solids, view);
  std::vector<int> by_x(solids.size());
  std::iota(by_x.begin(), by_x.end(), 0);
  const auto window = [&at](int k) -> const Window& { return at[static_cast<std::size_t>(k)]; };
  std::ranges::stable_sort(by_x, {}, [&](int k) { return window(k).x.low; });
  std::vector<std::vector<int>> after(solids.size());
  for (std::size_t i = 0; i < by_x.size(); ++i)
    for (std::size_t j = i + 1; j < by_x.size() && window(by_x[j]).x.low < window(by_x[i]).x.high; ++j) {
      const int a = by_x[i], b = by_x[j];
      if (window(a).y.high <= window(b).y.low || window(b).y.high <= window(a).y.low) continue;
      const int front =
          Separation(solids[static_cast<std::size_t>(a)], solids[static_cast<std::size_t>(b)], view).front();
      if (front > 0) after[static_cast<std::size_t>(a)].push_back(b);
      if (front < 0) after[static_cast<std::size_t>(b)].push_back(a);
    }
  return after;
}

}  // namespace

std::vector<int> back_to_front(const std::vector<Solid>& solids, const View<3>& view) {
  std::vector<int> far(solids.size());  // furthest first
  std::iota(far.begin(), far.end(), 0);
  std::ranges::stable_sort(far, {}, [&](int k) { return -view.depth(solids[static_cast<std::size_t>(k)].pose.x); });
  if (std::ranges::all_of(solids, is_ball)) return far;
  const std::vector<std::vector<int>> after = hidden_by(solids, view);
  std::vector<int> rank(solids.size()), waits(solids.size(), 0), order;
  for (std::size_t k = 0; k < far.size(); ++k) rank[static_cast<std::size_t>(far[k])] = static_cast<int>(k);
  for (const auto& list : after)
    for (const int b : list) ++waits[static_cast<std::size_t>(b)];
  std::priority_queue<int, std::vector<int>, std::greater<>> ready;  // ranks
  std::vector<char> drawn(solids.size(), 0);
  for (std::size_t k = 0; k < solids.size(); ++k)
    if (waits[k] == 0) ready.push(rank[k]);
  for (std::size_t next = 0; order.size() < solids.size();) {
    if (ready.empty()) {  // a cycle: the furthest that is left
      while (drawn[static_cast<std::size_t>(far[next])] != 0) ++next;
      ready.push(static_cast<int>(next));
    }
    const int k = far[static_cast<std::size_t>(ready.top())];
    ready.pop();
    if (drawn[static_cast<std::size_t>(k)] != 0) continue;
    drawn[static_cast<std::size_t>(k)] = 1;
    order.push_back(k);
    for (const int b : after[static_cast<std::size_t>(k)])
      if (--waits[static_cast<std::size_t>(b)] == 0) ready.push(rank[static_cast<std::size_t>(b)]);
  }
  return order;
}

}  // namespace cairn::exporting
