#include "cairn/export/csv.hpp"

#include <fmt/format.h>

#include <iterator>

#include "cairn/base/check.hpp"
#include "cairn/export/output_file.hpp"
#include "cairn/record/reader.hpp"

namespace cairn::exporting {
namespace {

using record::StepRow;

// Shortest form that reads back to the same number.
class Row {
 public:
  explicit Row(std::string& out) : out_(out) {}
  ~Row() { out_ += '\n'; }
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;

  template <class T>
  Row& add(const T& value) {
    separate();
    fmt::format_to(std::back_inserter(out_), "{}", value);
    return *this;
  }
  template <int N>
  Row& add(const Vec<N>& v) {
    for (int i = 0; i < N; ++i) add(v[i]);
    return *this;
  }

 private:
  void separate() {
    if (!first_) out_ += ',';
    first_ = false;
  }
  std::string& out_;
  bool first_ = true;
};

void add_orientation(Row& row, const Orientation<2>& r) { row.add(r.angle); }
void add_orientation(Row& row, const Orientation<3>& r) { row.add(r.r.w).add(r.r.x).add(r.r.y).add(r.r.z); }

template <int D>
std::string components(const std::string& name, const std::string& unit) {
  std::string out;
  for (int i = 0; i < D; ++i) out += fmt::format(",{}_{} [{}]", name, "xyz"[i], unit);
  return out;
}

template <int D>
Real energy_of(const Body<D>& body, const Vec<freedoms<D>>& u) {
  Real energy = 0;
  if (body.free())
    for (int k = 0; k < freedoms<D>; ++k) energy += body.A(k) * u[k] * u[k] / 2;
  return energy;
}

const char* name_of(Status status) {
  return status == Status::take_off ? "take_off" : status == Status::stick ? "stick" : "slide";
}

// Rows go out frame by frame: the table may be longer than memory.
template <int D, class Append>
Expected<std::string> write_table(const std::string& path, const std::string& header, const FrameSource<D>& frames,
                                  const Append& append) {
  OutputFile file(path);
  file.write(header);
  std::string rows;
  for (int k = 0; k < frames.count; ++k) {
    const Expected<Frame<D>> frame = frames.frame(k);
    if (!frame) return Error{fmt::format("{}: frame {}: {}", path, k, frame.error())};
    rows.clear();
    append(rows, *frame);
    file.write(rows);
  }
  return file.commit();
}

}  // namespace

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

template <int D>
std::string states_header() {
  return "t [s],step,body,name,label" + components<D>("position", "m") +
         (D == 2 ? ",angle [rad]" : ",q_w,q_x,q_y,q_z") + components<D>("velocity", "m/s") +
         (D == 2 ? ",spin [rad/s]" : components<3>("spin", "rad/s")) + ",kinetic_energy [J]\n";
}

template <int D>
void append_states(std::string& out, const Cast<D>& cast, const Frame<D>& frame) {
  for (std::size_t b = 0; b < frame.x.size(); ++b) {
    Row row(out);
    row.add(frame.t).add(frame.step).add(b);
    row.add(b < cast.names.size() ? csv_field(cast.names[b]) : "").add(b < cast.label.size() ? cast.label[b] : 0);
    row.add(frame.x[b]);
    add_orientation(row, frame.r[b]);
    row.add(frame.u[b]).add(energy_of(cast.bodies[b], frame.u[b]));
  }
}

template <int D>
std::string contacts_header() {
  return "t [s],step,first,second,first_part,second_part,feature,status" + components<D>("point", "m") +
         components<D>("normal", "-") + components<D>("impulse", "N s") + components<D>("force", "N") +
         ",normal_force [N]" + components<D>("velocity", "m/s") + ",gap [m],friction_use [-]\n";
}

template <int D>
void append_contacts(std::string& out, const Frame<D>& frame) {
  const Real h = frame.h;
  for (const ContactRow<D>& c : frame.contacts) {
    Vec<D> force{};
    for (int i = 0; i < D && h > 0; ++i) force[i] = c.impulse[i] / h;
    Row row(out);
    row.add(frame.t).add(frame.step).add(c.body[0]).add(c.body[1]).add(c.part[0]).add(c.part[1]).add(c.feature);
    row.add(name_of(c.status)).add(c.point).add(c.normal).add(c.impulse).add(force).add(dot(force, c.normal));
    row.add(c.velocity).add(c.gap).add(c.use);
  }
}

std::string steps_csv(const std::vector<StepRow>& steps) {
  std::string out;
  {
    Row header(out);
    for (const record::Column& column : record::step_columns())
      header.add(*column.unit == '\0' ? column.name : fmt::format("{} [{}]", column.name, column.unit));
    header.add("defect [J]");
  }
  for (const StepRow& step : steps) {
    Row row(out);
    for (const record::Column& column : record::step_columns()) row.add(step.*column.member);
    row.add(step.change - step.applied - step.inertial - step.boundary + step.dissipation);
  }
  return out;
}

std::string probes_csv(const std::vector<std::string>& names, const std::vector<std::string>& units,
                       const std::vector<Real>& times, const std::vector<std::vector<Real>>& values) {
  CAIRN_CHECK(names.size() == values.size() && names.size() == units.size(), "a probe has a name, a unit and values");
  std::string out;
  {
    Row header(out);
    header.add("t [s]");
    for (std::size_t p = 0; p < names.size(); ++p)
      header.add(csv_field(units[p].empty() || units[p] == "-" ? names[p] : names[p] + " [" + units[p] + "]"));
  }
  for (std::size_t k = 0; k < times.size(); ++k) {
    Row row(out);
    row.add(times[k]);
    for (const std::vector<Real>& probe : values) {
      CAIRN_CHECK(k < probe.size(), "a probe has one value a step");
      row.add(probe[k]);
    }
  }
  return out;
}

template <int D>
Expected<std::string> write_states_csv(const std::string& path, const Cast<D>& cast, const FrameSource<D>& frames) {
  return write_table<D>(path, states_header<D>(), frames,
                        [&cast](std::string& out, const Frame<D>& frame) { append_states(out, cast, frame); });
}

template <int D>
Expected<std::string> write_contacts_csv(const std::string& path, const FrameSource<D>& frames) {
  return write_table<D>(path, contacts_header<D>(), frames,
                        [](std::string& out, const Frame<D>& frame) { append_contacts(out, frame); });
}

template std::string states_header<2>();
template std::string states_header<3>();
template std::string contacts_header<2>();
template std::string contacts_header<3>();
template void append_states(std::string&, const Cast<2>&, const Frame<2>&);
template void append_states(std::string&, const Cast<3>&, const Frame<3>&);
template void append_contacts(std::string&, const Frame<2>&);
template void append_contacts(std::string&, const Frame<3>&);
template Expected<std::string> write_states_csv(const std::string&, const Cast<2>&, const FrameSource<2>&);
template Expected<std::string> write_states_csv(const std::string&, const Cast<3>&, const FrameSource<3>&);
template Expected<std::string> write_contacts_csv(const std::string&, const FrameSource<2>&);
template Expected<std::string> write_contacts_csv(const std::string&, const FrameSource<3>&);

}  // namespace cairn::exporting
