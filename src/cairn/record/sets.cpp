#include "cairn/record/sets.hpp"

#include <algorithm>
#include <bit>

namespace cairn::record {
namespace {

constexpr hsize_t few = 128;  // rows of a number or two that are stored together

hsize_t spins_of(hsize_t dimension) { return dimension == 2 ? 1 : 3; }

// Some frames together where bodies are few, some bodies together where they are many. A chunk that is compressed must
// be filled by one frame: one rewritten with each frame would get another length and leave its old place unused.
SeriesShape of_bodies(const SetsShape& shape, hsize_t columns) {
  const hsize_t bytes = shape.bodies * columns * sizeof(Real);
  const bool compressed = shape.compression > 0 && bytes >= 1024;
  SeriesShape s;
  s.row = {shape.bodies, columns};
  s.chunk_rows = compressed ? 1 : std::clamp<hsize_t>(8192 / bytes, 1, 64);
  const hsize_t pieces = (shape.bodies + 8191) / 8192;
  s.chunk_width = (shape.bodies + pieces - 1) / pieces;
  s.compression = compressed ? shape.compression : 0;
  return s;
}

// About as many contacts together as there are bodies, which a frame fills.
SeriesShape of_contacts(const SetsShape& shape, std::vector<hsize_t> row) {
  SeriesShape s;
  s.row = std::move(row);
  s.chunk_rows = std::clamp<hsize_t>(std::bit_floor(shape.bodies), 32, 4096);
  s.compression = shape.bodies >= 64 ? shape.compression : 0;
  return s;
}

void create_contacts(Store& store, const SetsShape& shape) {
  const auto series = [&](std::vector<hsize_t> row) { return of_contacts(shape, std::move(row)); };
  Series::create<std::int32_t>(store, "contacts/body", series({2}));
  Series::create<std::int32_t>(store, "contacts/part", series({2}));
  Series::create<std::uint32_t>(store, "contacts/feature", series({}));
  Series::create<double>(store, "contacts/point", series({shape.dimension}));
  Series::create<double>(store, "contacts/normal", series({shape.dimension}));
  Series::create<double>(store, "contacts/impulse", series({shape.dimension}));
  Series::create<double>(store, "contacts/velocity", series({shape.dimension}));
  Series::create<double>(store, "contacts/gap", series({}));
  Series::create<std::uint8_t>(store, "contacts/status", series({}));
  Series::create<double>(store, "contacts/use", series({}));
}

}  // namespace

ContactSets ContactSets::open(const Store& store, hsize_t d) {
  std::optional<Series> use;
  if (store.has("contacts/use")) use.emplace(Series::open<double>(store, "contacts/use", {}));
  return {Series::open<std::int32_t>(store, "contacts/body", {2}),
          Series::open<std::int32_t>(store, "contacts/part", {2}),
          Series::open<std::uint32_t>(store, "contacts/feature", {}),
          Series::open<double>(store, "contacts/point", {d}),
          Series::open<double>(store, "contacts/normal", {d}),
          Series::open<double>(store, "contacts/impulse", {d}),
          Series::open<double>(store, "contacts/velocity", {d}),
          Series::open<double>(store, "contacts/gap", {}),
          Series::open<std::uint8_t>(store, "contacts/status", {}),
          std::move(use)};
}

std::vector<Series*> ContactSets::all() {
  std::vector<Series*> list{&body, &part, &feature, &point, &normal, &impulse, &velocity, &gap, &status};
  if (use) list.push_back(&*use);
  return list;
}
std::vector<const Series*> ContactSets::all() const {
  std::vector<const Series*> list{&body, &part, &feature, &point, &normal, &impulse, &velocity, &gap, &status};
  if (use) list.push_back(&*use);
  return list;
}

hsize_t ContactSets::rows() const {
  hsize_t least = body.rows();
  for (const Series* s : all()) least = std::min(least, s->rows());
  return least;
}

void Sets::create(Store& store, const SetsShape& shape) {
  const hsize_t spins = spins_of(shape.dimension);
  const SeriesShape one{.row = {}, .chunk_rows = few};
  Series::create<double>(store, "frames/time", {.row = {}, .chunk_rows = few, .nan_first = true});
  Series::create<std::int64_t>(store, "frames/step", one);
  Series::create<double>(store, "frames/h", one);
  Series::create<std::int64_t>(store, "frames/contact_offset", one);
  Series::create<std::int64_t>(store, "frames/rows", one);
  Series::create<double>(store, "frames/x", of_bodies(shape, shape.dimension));
  Series::create<double>(store, "frames/r", of_bodies(shape, spins == 1 ? 1 : 4));
  Series::create<double>(store, "frames/u", of_bodies(shape, shape.dimension + spins));
  Series::create<double>(store, "steps/values", {.row = {step_numbers}, .chunk_rows = 64});
  if (shape.probes > 0) Series::create<double>(store, "probes/values", {.row = {shape.probes}, .chunk_rows = 64});
  if (shape.contacts) create_contacts(store, shape);
  Series::create<std::uint8_t>(store, "outcome", {.row = {}, .chunk_rows = 1024});
  Series::create<std::uint8_t>(store, "finished", {.row = {}, .chunk_rows = 1});
}

Sets Sets::open(const Store& store, const SetsShape& shape) {
  const hsize_t d = shape.dimension, spins = spins_of(d);
  Sets s{Series::open<double>(store, "frames/time", {}),
         Series::open<std::int64_t>(store, "frames/step", {}),
         Series::open<double>(store, "frames/h", {}),
         Series::open<double>(store, "frames/x", {shape.bodies, d}),
         Series::open<double>(store, "frames/r", {shape.bodies, spins == 1 ? 1u : 4u}),
         Series::open<double>(store, "frames/u", {shape.bodies, d + spins}),
         Series::open<std::int64_t>(store, "frames/contact_offset", {}),
         Series::open<std::int64_t>(store, "frames/rows", {}),
         Series::open<double>(store, "steps/values", {step_numbers}),
         Series::open<std::uint8_t>(store, "outcome", {}),
         Series::open<std::uint8_t>(store, "finished", {}),
         {},
         {}};
  if (shape.probes > 0) s.probes.emplace(Series::open<double>(store, "probes/values", {shape.probes}));
  if (shape.contacts) s.contacts.emplace(ContactSets::open(store, d));
  return s;
}

// Time first: what it counts was in the file before.
void Sets::refresh() {
  for (Series* s : {&time, &step, &h, &x, &r, &u, &contact_offset, &rows, &steps, &finished, &outcome}) s->refresh();
  if (probes) probes->refresh();
  if (contacts)
    for (Series* s : contacts->all()) s->refresh();
}

hsize_t Sets::frames() const {
  const hsize_t offsets = contact_offset.rows() > 0 ? contact_offset.rows() - 1 : 0;  // one more than frames
  return std::min({time.rows(), step.rows(), h.rows(), x.rows(), r.rows(), u.rows(), offsets, rows.rows()});
}

}  // namespace cairn::record
