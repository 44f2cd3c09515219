#include "cairn/model/drive_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <memory>
#include <string_view>

namespace cairn {
namespace {

// x + v s + a s^2/2 + j s^3/6 at the time s after t.
struct Cubic {
  Real t, x, v, a, j;

  Real operator()(Real time) const {
    const Real s = time - t;
    return x + s * (v + s * (a / 2 + s * (j / 6)));
  }
  bool finite() const { return std::isfinite(x) && std::isfinite(v) && std::isfinite(a) && std::isfinite(j); }
};

// Each holds from its own time to the next one's; the first also before, as a constant.
using Cubics = std::vector<Cubic>;

Real value(const Cubics& cubics, Real t) {
  if (!(t > cubics.front().t)) return cubics.front().x;
  const auto next =
      std::upper_bound(cubics.begin(), cubics.end(), t, [](Real time, const Cubic& c) { return time < c.t; });
  return (*(next - 1))(t);
}

// A message for what is wrong with a column, or none.
std::string fault_of_values(const char* what, const char* unit, const std::vector<Real>& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      return fmt::format("{} {} is {} {}, expected a finite number", what, i, values[i], unit);
  return "";
}

std::string fault_of_columns(const char* what, const char* unit, const std::vector<Real>& times,
                             const std::vector<Real>& values) {
  if (times.size() != values.size())
    return fmt::format("found {} times and {} {}s, expected as many", times.size(), values.size(), what);
  if (times.size() < 2) return fmt::format("found {} {}s, expected at least 2", times.size(), what);
  if (std::string bad = fault_of_values("time", "s", times); !bad.empty()) return bad;
  for (std::size_t i = 1; i < times.size(); ++i)
    if (!(times[i] > times[i - 1]))
      return fmt::format("time {} is {} s and the one before {} s, expected increasing times", i, times[i],
                         times[i - 1]);
  return fault_of_values(what, unit, values);
}

template <int D>
std::string fault_of_direction(const Vec<D>& direction) {
  const Real length = norm(direction);
  if (std::isfinite(length) && length > 0) return "";
  return fmt::format("the direction has length {}, expected a finite one > 0", length);
}

std::string fault_of_cubics(const Cubics& cubics) {
  for (std::size_t i = 0; i < cubics.size(); ++i)
    if (!cubics[i].finite()) return fmt::format("values or slopes after time {} are too large for numbers", i);
  return "";
}

// Second derivatives of the spline at its knots: continuity of the slope at inner knots,
//   h_- M_- + 2 (h_- + h_+) M + h_+ M_+ = 6 (slope_+ - slope_-),
// at the ends a given slope (the same with one side) or M = 0. Solved by elimination: the matrix is dominant.
std::vector<Real> second_derivatives(const std::vector<Real>& t, const std::vector<Real>& x, const TableEnds& ends) {
  const std::size_t n = t.size();
  const auto slope = [&](std::size_t i) { return (x[i + 1] - x[i]) / (t[i + 1] - t[i]); };
  std::vector<Real> M(n), ratio(n);  // ratio: the upper diagonal over the pivot
  for (std::size_t i = 0; i < n; ++i) {
    const bool first = i == 0, last = i + 1 == n;
    Real below = first ? 0 : t[i] - t[i - 1], above = last ? 0 : t[i + 1] - t[i];
    Real diagonal = 2 * (below + above);
    Real right = 0;
    if ((first && !ends.first) || (last && !ends.last))
      below = above = 0, diagonal = 1;
    else
      right = 6 * ((last ? *ends.last : slope(i)) - (first ? *ends.first : slope(i - 1)));
    const Real pivot = diagonal - (first ? 0 : below * ratio[i - 1]);
    ratio[i] = above / pivot;
    M[i] = (right - (first ? 0 : below * M[i - 1])) / pivot;
  }
  for (std::size_t i = n - 1; i-- > 0;) M[i] -= ratio[i] * M[i + 1];
  return M;
}

Cubics spline(const std::vector<Real>& t, const std::vector<Real>& x, const TableEnds& ends) {
  const std::vector<Real> M = second_derivatives(t, x, ends);
  Cubics cubics;
  for (std::size_t i = 0; i + 1 < t.size(); ++i) {
    const Real h = t[i + 1] - t[i];
    cubics.push_back({t[i], x[i], (x[i + 1] - x[i]) / h - h * (2 * M[i] + M[i + 1]) / 6, M[i], (M[i + 1] - M[i]) / h});
  }
  cubics.push_back({t.back(), x.back(), 0, 0, 0});
  return cubics;
}

// Place and velocity at the end of each interval, from those at its start.
Cubics integral(const std::vector<Real>& t, const std::vector<Real>& a) {
  Cubics cubics;
  Real x = 0, v = 0;
  for (std::size_t i = 0; i + 1 < t.size(); ++i) {
    const Real h = t[i + 1] - t[i];
    cubics.push_back({t[i], x, v, a[i], (a[i + 1] - a[i]) / h});
    x += h * v + h * h * (2 * a[i] + a[i + 1]) / 6;
    v += h * (a[i] + a[i + 1]) / 2;
  }
  cubics.push_back({t.back(), x, v, 0, 0});
  return cubics;
}

// Twice for rounding: what is left of the velocity after the first time is of the order of the sum's rounding.
Cubics integral_to_rest(const std::vector<Real>& t, std::vector<Real> a) {
  Cubics cubics = integral(t, a);
  const Real duration = t.back() - t.front();
  for (int k = 0; k < 2; ++k) {
    const Real c = 2 * cubics.back().v / (duration * duration);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] -= c * (t[i] - t.front());
    cubics = integral(t, a);
  }
  cubics.back().v = 0;
  return cubics;
}

template <int D>
Expected<Drive<D>> drive_along(const Vec<D>& direction, const char* what, Cubics cubics) {
  if (const std::string bad = fault_of_cubics(cubics); !bad.empty()) return Error{fmt::format("{}: {}", what, bad)};
  // Shared: drives are copied, one a boundary.
  auto shared = std::make_shared<const Cubics>(std::move(cubics));
  return Drive<D>([direction, shared](Real t) { return Excursion<D>{value(*shared, t) * direction, {}}; });
}

std::string_view trimmed(std::string_view text) {
  const char* blank = " \t\r\v\f";
  const std::size_t from = text.find_first_not_of(blank);
  if (from == text.npos) return {};
  return text.substr(from, text.find_last_not_of(blank) - from + 1);
}

// Takes a number off the front of the text; a message if there is none.
std::string take_number(std::string_view& text, Real& number) {
  const std::string_view word = text.substr(0, text.find_first_of(" \t\v\f,;"));
  const bool plus = word.size() > 1 && word[0] == '+' && word[1] != '-';
  const char *from = word.data() + plus, *end = word.data() + word.size();
  const auto [stop, fault] = std::from_chars(from, end, number);
  if (word.empty() || fault == std::errc::invalid_argument || stop != end)
    return fmt::format("found \"{}\", expected a number", word);
  if (fault == std::errc::result_out_of_range || !std::isfinite(number))
    return fmt::format("found {}, expected a finite number that can be held", word);
  text = trimmed(text.substr(word.size()));
  return "";
}

std::string take_row(std::string_view text, Table& table) {
  Real time = 0, value = 0;
  if (std::string bad = take_number(text, time); !bad.empty()) return bad;
  if (!text.empty() && (text.front() == ',' || text.front() == ';')) text = trimmed(text.substr(1));
  if (text.empty()) return "found one number, expected two";
  if (std::string bad = take_number(text, value); !bad.empty()) return bad;
  if (!text.empty()) return fmt::format("found \"{}\" after two numbers, expected no more", text);
  table.times.push_back(time), table.values.push_back(value);
  return "";
}

}  // namespace

template <int D>
Expected<Drive<D>> table(const Vec<D>& direction, std::vector<Real> times, std::vector<Real> positions,
                         const TableEnds& ends) {
  std::string bad = fault_of_direction(direction);
  if (bad.empty()) bad = fault_of_columns("position", "m", times, positions);
  for (const auto& [name, end] : {std::pair{"first", ends.first}, {"last", ends.last}})
    if (bad.empty() && end && !std::isfinite(*end))
      bad = fmt::format("the velocity at the {} time is {} m/s, expected a finite number", name, *end);
  if (!bad.empty()) return Error{"table: " + bad};
  return drive_along(direction, "table", spline(times, positions, ends));
}

template <int D>
Expected<Drive<D>> accelerogram(const Vec<D>& direction, Table record, const AccelerogramOptions& options) {
  std::string bad = fault_of_direction(direction);
  if (bad.empty()) bad = fault_of_columns("acceleration", "m/s^2", record.times, record.values);
  if (!bad.empty()) return Error{"accelerogram: " + bad};
  return drive_along(direction, "accelerogram",
                     options.end_at_rest ? integral_to_rest(record.times, std::move(record.values))
                                         : integral(record.times, record.values));
}

template <int D>
Expected<Drive<D>> accelerogram(const Vec<D>& direction, Real dt, std::vector<Real> accelerations,
                                const AccelerogramOptions& options) {
  if (!(dt > 0 && std::isfinite(dt)))
    return Error{fmt::format("accelerogram: the time step is {} s, expected a finite one > 0", dt)};
  Table record;
  for (std::size_t i = 0; i < accelerations.size(); ++i) record.times.push_back(static_cast<Real>(i) * dt);
  record.values = std::move(accelerations);
  return accelerogram(direction, std::move(record), options);
}

Expected<Table> read_table(const std::string& path) {
  std::ifstream file(path);
  if (!file) return Error{fmt::format("{}: cannot be opened ({}), expected a file", path, std::strerror(errno))};
  Table table;
  std::string line;
  for (long number = 1; std::getline(file, line); ++number) {
    const std::string_view row = trimmed(std::string_view(line).substr(0, line.find('#')));
    if (row.empty()) continue;
    if (const std::string bad = take_row(row, table); !bad.empty())
      return Error{fmt::format("{}, line {}: {}", path, number, bad)};
  }
  if (file.bad()) return Error{fmt::format("{}: cannot be read ({}), expected a file", path, std::strerror(errno))};
  if (table.times.empty()) return Error{path + ": holds no row, expected two numbers a line"};
  return table;
}

template Expected<Drive<2>> table(const Vec<2>&, std::vector<Real>, std::vector<Real>, const TableEnds&);
template Expected<Drive<3>> table(const Vec<3>&, std::vector<Real>, std::vector<Real>, const TableEnds&);
template Expected<Drive<2>> accelerogram(const Vec<2>&, Table, const AccelerogramOptions&);
template Expected<Drive<3>> accelerogram(const Vec<3>&, Table, const AccelerogramOptions&);
template Expected<Drive<2>> accelerogram(const Vec<2>&, Real, std::vector<Real>, const AccelerogramOptions&);
template Expected<Drive<3>> accelerogram(const Vec<3>&, Real, std::vector<Real>, const AccelerogramOptions&);

}  // namespace cairn
