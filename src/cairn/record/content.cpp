#include "cairn/record/content.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "cairn/record/cast_store.hpp"

namespace cairn::record {
namespace {

using hdf5::Failure;

SetsShape shape_of(const Store& store, const ResultInfo& info, std::size_t bodies) {
  return {static_cast<hsize_t>(info.dimension), bodies, info.probe_names.size(), store.int_attribute("contacts") != 0,
          store.int_attribute("compression")};
}

template <int D>
void find_committed(Content<D>& c) {
  const hsize_t n = c.sets.frames();
  c.times = c.sets.time.template read<Real>(0, n);
  c.offset = c.sets.contact_offset.template read<std::int64_t>(0, n + 1);
  c.rows = c.sets.rows.template read<std::int64_t>(0, n);
  const auto contacts = static_cast<std::int64_t>(c.sets.contacts ? c.sets.contacts->rows() : 0);
  hsize_t all_rows = c.sets.steps.rows();
  if (c.sets.probes) all_rows = std::min(all_rows, c.sets.probes->rows());
  std::size_t whole = 0;
  if (c.offset[0] != 0) throw Failure{"frames/contact_offset: does not start with 0"};
  for (std::int64_t row = 0; whole < n && !std::isnan(c.times[whole]); row = c.rows[whole], ++whole)
    if (c.offset[whole + 1] < c.offset[whole] || c.offset[whole + 1] > contacts || c.rows[whole] < row ||
        c.rows[whole] > static_cast<std::int64_t>(all_rows))
      break;
  c.times.resize(whole), c.rows.resize(whole), c.offset.resize(whole + 1);
  c.steps = c.info.finished ? all_rows : whole > 0 ? static_cast<hsize_t>(c.rows.back()) : 0;
}

// An outcome that cannot be read (a file that has been cut) is none: the frames are what matters.
void get_outcome(const Store& store, ResultInfo& info) {
  info.finished = false, info.outcome.clear();
  try {
    const Series mark = Series::open<std::uint8_t>(store, "finished", {});
    const auto marked = mark.read<std::uint8_t>(0, mark.rows());
    if (marked.empty() || marked[0] == 0) return;
    const Series outcome = Series::open<std::uint8_t>(store, "outcome", {});
    const auto text = outcome.read<std::uint8_t>(0, outcome.rows());
    info.outcome.assign(text.begin(), text.end());
    info.outcome.erase(info.outcome.find_last_not_of(' ') + 1);  // blanks over a longer outcome of before
    info.finished = true;
  } catch (const Failure&) {
  }
}

Orientation<2> orientation(const Vec<1>& v) { return {v[0]}; }
Orientation<3> orientation(const Vec<4>& v) { return {{v[0], v[1], v[2], v[3]}}; }

template <int N>
std::vector<Vec<N>> vectors(const Series& series, hsize_t first, hsize_t rows) {
  const std::vector<Real> all = series.read<Real>(first, rows);
  std::vector<Vec<N>> v;
  v.reserve(all.size() / N);
  for (std::size_t i = 0; i + N <= all.size(); i += N) v.push_back(Vec<N>::load(&all[i]));
  return v;
}

template <int D>
std::vector<ContactRow<D>> contacts(const ContactSets& sets, hsize_t first, hsize_t n, const Cast<D>& cast) {
  const auto body = sets.body.read<std::int32_t>(first, n), part = sets.part.read<std::int32_t>(first, n);
  const auto feature = sets.feature.read<std::uint32_t>(first, n);
  const auto point = vectors<D>(sets.point, first, n), normal = vectors<D>(sets.normal, first, n);
  const auto impulse = vectors<D>(sets.impulse, first, n), velocity = vectors<D>(sets.velocity, first, n);
  const auto gap = sets.gap.read<Real>(first, n);
  const auto status = sets.status.read<std::uint8_t>(first, n);
  const auto use = sets.use ? sets.use->read<Real>(first, n) : std::vector<Real>(n, NAN);
  const auto within = [](std::int32_t i, std::size_t count) { return i >= 0 && static_cast<std::size_t>(i) < count; };
  std::vector<ContactRow<D>> rows(n);
  for (std::size_t a = 0; a < n; ++a) {
    ContactRow<D>& c = rows[a];
    for (std::size_t side = 0; side < 2; ++side) {
      c.body[side] = body[2 * a + side], c.part[side] = part[2 * a + side];
      if (!within(c.body[side], cast.bodies.size()) || !within(c.part[side], cast.parts.size()))
        throw Failure{fmt::format("contacts: contact {} names a body or part that is not there", first + a)};
    }
    if (status[a] > static_cast<std::uint8_t>(Status::slide))
      throw Failure{fmt::format("contacts/status: {} at contact {}, expected 0, 1 or 2", status[a], first + a)};
    c.feature = feature[a], c.point = point[a], c.normal = normal[a], c.impulse = impulse[a];
    c.velocity = velocity[a], c.gap = gap[a], c.status = static_cast<Status>(status[a]), c.use = use[a];
  }
  return rows;
}

}  // namespace

FileNumber file_number(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) throw Failure{std::strerror(errno)};
  return {static_cast<unsigned long>(about.st_dev), static_cast<unsigned long>(about.st_ino)};
}

ResultInfo get_info(const Store& store) {
  ResultInfo info;
  if (store.text_attribute("format") != format_name)
    throw Failure{fmt::format("format '{}', expected '{}'", store.text_attribute("format"), format_name)};
  if (const int version = store.int_attribute("format_version"); version != format_version)
    throw Failure{fmt::format("version {} of the format, expected {}", version, format_version)};
  info.dimension = store.int_attribute("dimension");
  if (info.dimension != 2 && info.dimension != 3)
    throw Failure{fmt::format("attribute dimension: {}, expected 2 or 3", info.dimension)};
  info.title = store.text_attribute("title"), info.version = store.text_attribute("version");
  const auto h = store.real_attribute("h");
  if (h.size() != 1) throw Failure{"attribute h: expected one number"};
  info.h = h[0];
  info.scene_name = store.text("scene/name"), info.scene_text = store.text("scene/text");
  info.parameters = store.text("scene/parameters");
  info.probe_names = store.texts("probes/names"), info.probe_units = store.texts("probes/units");
  if (info.probe_names.size() != info.probe_units.size()) throw Failure{"probes: as many units as names expected"};
  get_outcome(store, info);
  return info;
}

template <int D>
Content<D> Content<D>::open(const std::string& path) {
  const FileNumber file = file_number(path);
  Store store = Store::open(path);
  ResultInfo info = get_info(store);
  if (info.dimension != D) throw Failure{fmt::format("results in {} dimensions, expected {}", info.dimension, D)};
  Cast<D> cast = get_cast<D>(store);
  if (cast.bodies.empty()) throw Failure{"bodies: none, expected at least one"};
  const SetsShape shape = shape_of(store, info, cast.bodies.size());
  Sets sets = Sets::open(store, shape);
  Content c{file, std::move(store), std::move(info), std::move(cast), shape, std::move(sets), {}, {0}, {}, 0};
  find_committed(c);
  return c;
}

template <int D>
void Content<D>::look_again() {
  sets.refresh();
  get_outcome(store, info);
  find_committed(*this);
}

template <int D>
Frame<D> Content<D>::frame(hsize_t k, FrameParts parts) const {
  Frame<D> f;
  f.t = times[k];
  f.step = sets.step.read<std::int64_t>(k, 1)[0];
  f.h = sets.h.read<Real>(k, 1)[0];
  if (parts != FrameParts::contacts) {
    f.x = vectors<D>(sets.x, k, 1);
    f.u = vectors<freedoms<D>>(sets.u, k, 1);
    for (const auto& r : vectors<static_cast<int>(orientation_numbers<D>)>(sets.r, k, 1)) f.r.push_back(orientation(r));
  }
  if (sets.contacts && parts != FrameParts::bodies)
    f.contacts = contacts<D>(*sets.contacts, static_cast<hsize_t>(offset[k]),
                             static_cast<hsize_t>(offset[k + 1] - offset[k]), cast);
  return f;
}

template <int D>
FrameMarks Content<D>::marks(hsize_t from) const {
  const hsize_t count = times.size() - from;
  return {sets.h.read<Real>(from, count), sets.step.read<std::int64_t>(from, count)};
}

template <int D>
std::vector<Vec<D>> Content<D>::places(hsize_t body, std::span<const int> of_frames) const {
  std::vector<Vec<D>> x(of_frames.size());
  for (std::size_t i = 0; i < x.size(); ++i) sets.x.read_entry(static_cast<hsize_t>(of_frames[i]), body, x[i].v);
  return x;
}

template <int D>
std::vector<StepRow> Content<D>::step_rows(hsize_t first, hsize_t count) const {
  std::vector<StepRow> out(count);
  if (count > 0) sets.steps.read(first, count, out.data());
  return out;
}

template <int D>
std::vector<Real> Content<D>::probe_rows(hsize_t first, hsize_t count) const {
  return sets.probes ? sets.probes->template read<Real>(first, count) : std::vector<Real>{};
}

template struct Content<2>;
template struct Content<3>;

}  // namespace cairn::record
