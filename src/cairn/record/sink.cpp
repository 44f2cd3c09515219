#include "cairn/record/sink.hpp"

#include <algorithm>

#include "cairn/base/replacement.hpp"
#include "cairn/record/cast_store.hpp"
#include "cairn/record/reader.hpp"

namespace cairn::record {
namespace {

using hdf5::Failure;

Vec<1> numbers(const Orientation<2>& r) { return {r.angle}; }
Vec<4> numbers(const Orientation<3>& r) { return {r.r.w, r.r.x, r.r.y, r.r.z}; }

void put_info(Store& store, const ResultInfo& info, const WriterOptions& options) {
  store.put_attribute("format", std::string(format_name));
  store.put_attribute("format_version", format_version);
  store.put_attribute("dimension", info.dimension);
  store.put_attribute("version", info.version);
  store.put_attribute("title", info.title);
  store.put_attribute("h", std::span<const double>(&info.h, 1));
  store.put_attribute("contacts", options.contacts ? 1 : 0);
  store.put_attribute("compression", options.compression);
  store.put_text("scene/name", info.scene_name);
  store.put_text("scene/text", info.scene_text);
  store.put_text("scene/parameters", info.parameters);
  store.put_texts("probes/names", info.probe_names);
  store.put_texts("probes/units", info.probe_units);
  std::vector<std::string> names, units, docs;
  for (const Column& c : step_columns()) names.push_back(c.name), units.push_back(c.unit), docs.push_back(c.doc);
  store.put_texts("steps/names", names);
  store.put_texts("steps/units", units);
  store.put_texts("steps/doc", docs);
}

template <int D>
void append_contacts(ContactSets& sets, const std::vector<ContactRow<D>>& rows) {
  const std::size_t n = rows.size();
  std::vector<std::int32_t> pair(2 * n);
  std::vector<Real> reals(D * n);
  const auto put_pairs = [&](Series& series, auto member) {
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t side = 0; side < 2; ++side) pair[2 * a + side] = (rows[a].*member)[side];
    series.append(pair.data(), n);
  };
  const auto put_vectors = [&](Series& series, auto member) {
    for (std::size_t a = 0; a < n; ++a) (rows[a].*member).store(&reals[D * a]);
    series.append(reals.data(), n);
  };
  put_pairs(sets.body, &ContactRow<D>::body);
  put_pairs(sets.part, &ContactRow<D>::part);
  put_vectors(sets.point, &ContactRow<D>::point);
  put_vectors(sets.normal, &ContactRow<D>::normal);
  put_vectors(sets.impulse, &ContactRow<D>::impulse);
  put_vectors(sets.velocity, &ContactRow<D>::velocity);
  std::vector<std::uint32_t> feature(n);
  std::vector<std::uint8_t> status(n);
  for (std::size_t a = 0; a < n; ++a)
    feature[a] = rows[a].feature, reals[a] = rows[a].gap, status[a] = static_cast<std::uint8_t>(rows[a].status);
  sets.feature.append(feature.data(), n);
  sets.gap.append(reals.data(), n);
  sets.status.append(status.data(), n);
  if (!sets.use) return;
  for (std::size_t a = 0; a < n; ++a) reals[a] = rows[a].use;
  sets.use->append(reals.data(), n);
}

}  // namespace

template <int D>
std::unique_ptr<Sink<D>> Sink<D>::make(const std::string& path, const ResultInfo& info, const Cast<D>& cast,
                                       const WriterOptions& options) {
  Replacement file(path);  // others never see it half made
  Store store = Store::create(file.temporary());
  put_info(store, info, options);
  put_cast(store, cast);
  const SetsShape shape{D, cast.bodies.size(), info.probe_names.size(), options.contacts, options.compression};
  Sets::create(store, shape);
  {
    const std::int64_t zero = 0;
    const std::uint8_t no = 0;
    Series::open<std::int64_t>(store, "frames/contact_offset", {}).append(&zero, 1);
    Series::open<std::uint8_t>(store, "finished", {}).append(&no, 1);
  }
  store.flush();
  store.let_read();
  Sets sets = Sets::open(store, shape);
  if (const std::string bad = file.commit_to_disk(); !bad.empty()) throw Failure{bad};
  return std::make_unique<Sink>(Sink{path, std::move(store), shape, std::move(sets)});
}

template <int D>
std::unique_ptr<Sink<D>> Sink<D>::in_place(const std::string& path, const SetsShape& shape, std::int64_t contacts) {
  try {
    Store store = Store::open_again(path);
    Sets sets = Sets::open(store, shape);
    auto sink = std::make_unique<Sink>(Sink{path, std::move(store), shape, std::move(sets), contacts});
    sink->mark(0);
    return sink;
  } catch (const Failure&) {
    return nullptr;
  }
}

template <int D>
std::string Sink<D>::refuse(const Frame<D>& f) const {
  const std::size_t n = shape.bodies;
  if (f.x.size() == n && f.r.size() == n && f.u.size() == n) return "";
  return fmt::format("{}: frame of {} places, {} orientations and {} velocities, expected {} bodies", path, f.x.size(),
                     f.r.size(), f.u.size(), n);
}

template <int D>
void Sink<D>::write_rows() {
  sets.steps.append(pending.data(), pending.size());
  if (sets.probes) sets.probes->append(pending_probes.data(), pending.size());
  pending.clear(), pending_probes.clear();
}

template <int D>
void Sink<D>::write_frame(const Frame<D>& f) {
  write_rows();
  std::vector<Vec<static_cast<int>(orientation_numbers<D>)>> r;
  for (const Orientation<D>& o : f.r) r.push_back(numbers(o));
  sets.x.append(f.x.data(), 1);
  sets.r.append(r.data(), 1);
  sets.u.append(f.u.data(), 1);
  if (sets.contacts) {
    append_contacts<D>(*sets.contacts, f.contacts);
    contacts += static_cast<std::int64_t>(f.contacts.size());
  }
  const std::int64_t step = f.step, rows = static_cast<std::int64_t>(sets.steps.rows());
  sets.step.append(&step, 1);
  sets.h.append(&f.h, 1);
  sets.rows.append(&rows, 1);
  sets.contact_offset.append(&contacts, 1);
  if (at_once) store.flush();
  sets.time.append(&f.t, 1);
  if (at_once) sets.time.flush();
}

template <int D>
void Sink<D>::write_outcome(const std::string& outcome) {
  write_rows();
  std::string text = outcome;
  if (text.size() < sets.outcome.rows()) text.resize(sets.outcome.rows(), ' ');  // series never shrink
  sets.outcome.overwrite(text.data(), text.size());
  store.flush();
  mark(1);
}

template <int D>
void Sink<D>::mark(std::uint8_t finished) {
  sets.finished.overwrite(&finished, 1);
  sets.finished.flush();
}

template struct Sink<2>;
template struct Sink<3>;

}  // namespace cairn::record
