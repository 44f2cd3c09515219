#include "cairn/scene/pyramid.hpp"

namespace cairn::scene {

template <int D>
Expected<Blocks<D>> build(const Pyramid& o) {
  Faults f("pyramid");
  f.at_least("courses", o.courses, 1).positive("width", o.width).positive("height", o.height).matter(o.matter);
  f.require(o.gap >= 0 && o.gap < o.width,
            "gap is " + std::to_string(o.gap) + ", expected at least 0 and less than the width of a brick");
  if (f.any()) return f.error();
  Blocks<D> out;
  const Real pitch = o.width + o.gap;
  for (int course = 0; course < o.courses; ++course) {
    const int n = o.courses - course;
    const auto place = [&](int k) { return (k - Real(0.5) * (n - 1)) * pitch; };
    for (int j = 0; j < (D == 2 ? 1 : n); ++j)
      for (int k = 0; k < n; ++k) {
        Pose<D> at = in_plane<D>({place(k), (course + Real(0.5)) * o.height});
        if constexpr (D == 3) at.x[1] = place(j);
        out.blocks.push_back(
            {brick<D>({o.width / 2, o.height / 2}, o.width), at, o.matter.density, o.matter.material, false, course});
      }
  }
  if (o.matter.ground) out.blocks.push_back(ground_at<D>(0, o.matter.ground_material));
  return out;
}

template Expected<Blocks<2>> build(const Pyramid&);
template Expected<Blocks<3>> build(const Pyramid&);

}  // namespace cairn::scene
