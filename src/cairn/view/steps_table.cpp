#include "cairn/view/steps_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/base/json.hpp"
#include "cairn/view/bundle.hpp"

namespace cairn::view {
namespace {

// Least, greatest and sum so far of `columns` numbers in each interval. What is not a number counts as not there.
class Thinned {
 public:
  Thinned(std::size_t columns, std::size_t intervals)
      : low(columns * intervals, std::numeric_limits<float>::quiet_NaN()),
        high(low),
        total(columns * intervals, 0.0),
        intervals_(intervals),
        sum_(columns, 0.0) {}

  void add(std::size_t interval, std::size_t column, Real value) {
    const std::size_t place = column * intervals_ + interval;
    if (!std::isnan(value)) {
      low[place] = std::fmin(low[place], static_cast<float>(value));  // fmin: the number of the two
      high[place] = std::fmax(high[place], static_cast<float>(value));
      sum_[column] += value;
    }
    total[place] = sum_[column];
  }

  std::vector<float> low, high;  // (columns, intervals)
  std::vector<double> total;

 private:
  std::size_t intervals_;
  std::vector<double> sum_;
};

std::string list(const std::vector<std::string>& objects) {
  std::string all;
  for (const std::string& o : objects) all += (all.empty() ? "" : ",") + o;
  return "[" + all + "]";
}

std::string fields(const record::ResultInfo& info, long rows) {
  std::vector<std::string> columns, probes;
  for (const record::Column& c : record::step_columns())
    columns.push_back(JsonObject().text("name", c.name).text("unit", c.unit).text("doc", c.doc).str());
  for (std::size_t i = 0; i < info.probe_names.size(); ++i)
    probes.push_back(JsonObject().text("name", info.probe_names[i]).text("unit", info.probe_units[i]).str());
  return JsonObject().raw("columns", list(columns)).raw("probes", list(probes)).integer("rows", rows).str();
}

}  // namespace

template <int D>
Expected<std::string> steps_bundle(const record::Reader<D>& reader, int points) {
  const std::vector<record::Column>& columns = record::step_columns();
  const auto rows = static_cast<std::size_t>(reader.rows()), probes = reader.info().probe_names.size();
  const std::size_t intervals = std::min<std::size_t>(rows, static_cast<std::size_t>(points));
  Thinned steps(columns.size(), intervals), curves(probes, intervals);
  std::vector<double> t(intervals);
  constexpr std::size_t block = 1 << 14;  // rows in memory at a time
  for (std::size_t first = 0; first < rows; first += block) {
    const std::size_t n = std::min(block, rows - first);
    const auto read = reader.steps(static_cast<long>(first), static_cast<long>(n));
    const auto probed = reader.probe_rows(static_cast<long>(first), static_cast<long>(n));
    if (!read || !probed) return Error{read ? probed.error() : read.error()};
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t interval = (first + i) * intervals / rows;
      t[interval] = (*read)[i].t;
      for (std::size_t c = 0; c < columns.size(); ++c) steps.add(interval, c, (*read)[i].*columns[c].member);
      for (std::size_t p = 0; p < probes; ++p) curves.add(interval, p, (*probed)[i * probes + p]);
    }
  }
  return Bundle(fields(reader.info(), reader.rows()))
      .array<double>("t", t, {intervals})
      .template array<float>("low", steps.low, {columns.size(), intervals})
      .template array<float>("high", steps.high, {columns.size(), intervals})
      .template array<double>("total", steps.total, {columns.size(), intervals})
      .template array<float>("probe_low", curves.low, {probes, intervals})
      .template array<float>("probe_high", curves.high, {probes, intervals})
      .bytes();
}

template Expected<std::string> steps_bundle(const record::Reader<2>&, int);
template Expected<std::string> steps_bundle(const record::Reader<3>&, int);

}  // namespace cairn::view
