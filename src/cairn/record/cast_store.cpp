#include "cairn/record/cast_store.hpp"

#include <cmath>

#include "cairn/record/flat_shapes.hpp"

namespace cairn::record {
namespace {

using hdf5::Failure;

template <int D>
constexpr int turn_numbers = D == 2 ? 2 : 4;  // cosine and sine; unit quaternion w, x, y, z

// Vectors side by side in memory are rows of an array.
template <int N>
std::span<const double> flat(const std::vector<Vec<N>>& v) {
  static_assert(sizeof(Vec<N>) == N * sizeof(double));
  return {v.empty() ? nullptr : v[0].v, v.size() * N};
}
template <class T>
std::span<const T> flat(const std::vector<T>& v) {
  return v;
}

template <int N>
std::vector<Vec<N>> get_vectors(const Store& store, const std::string& name) {
  const std::vector<double> all = store.get<double>(name, N);
  std::vector<Vec<N>> v;
  for (std::size_t i = 0; i + N <= all.size(); i += N) v.push_back(Vec<N>::load(&all[i]));
  return v;
}

Vec<2> numbers(const Rotation<2>& R) { return {R.c, R.s}; }
Vec<4> numbers(const Rotation<3>& R) { return {R.w, R.x, R.y, R.z}; }
Rotation<2> rotation(const Vec<2>& v) { return {v[0], v[1]}; }
Rotation<3> rotation(const Vec<4>& v) { return {v[0], v[1], v[2], v[3]}; }

template <int D>
void put_bodies(Store& store, const Cast<D>& cast) {
  std::vector<double> mass;
  std::vector<Vec<spins<D>>> inertia;
  std::vector<Vec<freedoms<D>>> locked;
  std::vector<std::uint8_t> free, driven;
  std::vector<Vec<D>> x, grain;
  std::vector<Vec<turn_numbers<D>>> r;
  for (const Body<D>& b : cast.bodies) {
    mass.push_back(b.mass), inertia.push_back(b.inertia), locked.push_back(b.locked);
    free.push_back(b.free()), driven.push_back(b.drive >= 0);
    x.push_back(b.placed.x), r.push_back(numbers(b.placed.R)), grain.push_back(b.grain);
  }
  store.put("bodies/mass", flat(mass));
  store.put("bodies/inertia", flat(inertia), spins<D>);
  store.put("bodies/locked", flat(locked), freedoms<D>);
  store.put("bodies/free", flat(free));
  store.put("bodies/driven", flat(driven));
  store.put("bodies/placed_x", flat(x), D);
  store.put("bodies/placed_r", flat(r), turn_numbers<D>);
  store.put("bodies/grain", flat(grain), D);
  store.put("bodies/label", flat(std::vector<std::int32_t>(cast.label.begin(), cast.label.end())));
  store.put_texts("bodies/name", cast.names);
}

template <int D>
void get_bodies(const Store& store, Cast<D>& cast) {
  const auto mass = store.get<double>("bodies/mass");
  const auto driven = store.get<std::uint8_t>("bodies/driven");
  const auto inertia = get_vectors<spins<D>>(store, "bodies/inertia");
  const auto locked = get_vectors<freedoms<D>>(store, "bodies/locked");
  const auto x = get_vectors<D>(store, "bodies/placed_x"), grain = get_vectors<D>(store, "bodies/grain");
  const auto r = get_vectors<turn_numbers<D>>(store, "bodies/placed_r");
  const auto label = store.get<std::int32_t>("bodies/label");
  cast.names = store.texts("bodies/name");
  const std::size_t n = mass.size();
  for (const std::size_t found : {driven.size(), inertia.size(), locked.size(), x.size(), grain.size(), r.size(),
                                  label.size(), cast.names.size()})
    if (found != n) throw Failure{fmt::format("bodies: {} entries, expected {} as in bodies/mass", found, n)};
  cast.label.assign(label.begin(), label.end());
  for (std::size_t b = 0; b < n; ++b)
    cast.bodies.push_back({mass[b], inertia[b], locked[b], driven[b] != 0 ? 0 : -1, {x[b], rotation(r[b])}, grain[b]});
}

template <int D>
void put_parts(Store& store, const Cast<D>& cast) {
  FlatShapes<D> shapes;
  std::vector<std::int32_t> body, material;
  std::vector<Vec<D>> x;
  std::vector<Vec<turn_numbers<D>>> r;
  for (const BodyPart<D>& p : cast.parts) {
    shapes.add(p.shape);
    body.push_back(p.body), material.push_back(p.material);
    x.push_back(p.pose.x), r.push_back(numbers(p.pose.R));
  }
  store.put_texts("parts/kind_names", shape_names<D>());
  store.put("parts/kind", flat(shapes.kind));
  store.put("parts/body", flat(body));
  store.put("parts/material", flat(material));
  store.put("parts/pose_x", flat(x), D);
  store.put("parts/pose_r", flat(r), turn_numbers<D>);
  store.put("parts/radius", flat(shapes.radius));
  store.put("parts/half_length", flat(shapes.half_length));
  store.put("parts/semi", flat(shapes.semi), D);
  store.put("parts/vertex_offset", flat(shapes.vertex_offset));
  store.put("parts/vertices", flat(shapes.vertices), D);
  store.put("parts/face_offset", flat(shapes.face_offset));
  store.put("parts/face_normal", flat(shapes.face_normal), D);
  store.put("parts/face_plane", flat(shapes.face_plane));
  store.put("parts/ring_offset", flat(shapes.ring_offset));
  store.put("parts/rings", flat(shapes.rings));
}

template <int D>
FlatShapes<D> get_shapes(const Store& store) {
  FlatShapes<D> flat;
  flat.kind = store.get<std::int32_t>("parts/kind");
  flat.radius = store.get<double>("parts/radius");
  flat.half_length = store.get<double>("parts/half_length");
  flat.semi = get_vectors<D>(store, "parts/semi");
  flat.vertex_offset = store.get<std::int64_t>("parts/vertex_offset");
  flat.vertices = get_vectors<D>(store, "parts/vertices");
  flat.face_offset = store.get<std::int64_t>("parts/face_offset");
  flat.face_normal = get_vectors<D>(store, "parts/face_normal");
  flat.face_plane = store.get<double>("parts/face_plane");
  flat.ring_offset = store.get<std::int64_t>("parts/ring_offset");
  flat.rings = store.get<std::int32_t>("parts/rings");
  return flat;
}

template <int D>
void get_parts(const Store& store, Cast<D>& cast) {
  std::vector<Shape<D>> shapes = get_shapes<D>(store).shapes();
  const auto body = store.get<std::int32_t>("parts/body"), material = store.get<std::int32_t>("parts/material");
  const auto x = get_vectors<D>(store, "parts/pose_x");
  const auto r = get_vectors<turn_numbers<D>>(store, "parts/pose_r");
  const std::size_t n = shapes.size();
  for (const std::size_t found : {body.size(), material.size(), x.size(), r.size()})
    if (found != n) throw Failure{fmt::format("parts: {} entries, expected {} as in parts/kind", found, n)};
  for (std::size_t i = 0; i < n; ++i) {
    if (body[i] < 0 || static_cast<std::size_t>(body[i]) >= cast.bodies.size())
      throw Failure{fmt::format("parts/body: part {} is of body {}, expected 0 to {}", i, body[i],
                                static_cast<long>(cast.bodies.size()) - 1)};
    cast.parts.push_back({body[i], std::move(shapes[i]), {x[i], rotation(r[i])}, material[i]});
  }
}

}  // namespace

template <int D>
void put_cast(Store& store, const Cast<D>& cast) {
  store.put_attribute("gravity", std::span<const double>(cast.gravity.v, D));
  store.put_attribute("size", std::span<const double>(&cast.size, 1));
  put_bodies(store, cast);
  put_parts(store, cast);
}

template <int D>
Cast<D> get_cast(const Store& store) {
  Cast<D> cast;
  const auto gravity = store.real_attribute("gravity"), size = store.real_attribute("size");
  if (gravity.size() != D || size.size() != 1)
    throw Failure{"attributes gravity, size: of another length than expected"};
  cast.gravity = Vec<D>::load(gravity.data()), cast.size = size[0];
  get_bodies(store, cast);
  get_parts(store, cast);
  return cast;
}

template void put_cast(Store&, const Cast<2>&);
template void put_cast(Store&, const Cast<3>&);
template Cast<2> get_cast(const Store&);
template Cast<3> get_cast(const Store&);

}  // namespace cairn::record
