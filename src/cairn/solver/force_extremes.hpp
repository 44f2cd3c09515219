// The least and the greatest normal impulse of every member of an island: a program for each that needs one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cairn/solver/force_island.hpp"
#include "cairn/solver/force_path.hpp"
#include "cairn/solver/force_range.hpp"

namespace cairn {

class ForceExtremes {
 public:
  // `rows`: independent_rows() of the island.
  ForceExtremes(ForceIsland& island, const std::vector<int>& rows, ForceMethod method);

  // `go_on` is asked now and then; `done` counts members. False: no answer, see trouble() and stopped().
  bool run(const std::function<bool()>& go_on, int& done);

  const std::vector<ForceRange>& ranges() const { return range_; }  // (members) in the island's unit; of joints zero
  bool bounded() const { return bounded_; }
  bool stopped() const { return stopped_; }
  const std::string& trouble() const { return trouble_; }
  Real bracket() const;  // what is left between bounds, at most
  long programs() const { return programs_; }
  long newton_steps() const { return newton_steps_; }

 private:
  using Outcome = ForceIsland::Outcome;
  bool find_path(const std::vector<int>& rows);
  bool tell(const std::function<bool()>& go_on);
  bool give_up();
  bool start();
  void set_range(int member, Real sign, Real value);
  bool follow_path(std::vector<int>& members, Real sign, const std::function<bool()>& go_on, int& done);
  bool solve(int member, Real sign);
  bool show_idle(std::vector<int>& members, const std::function<bool()>& go_on);

  ForceIsland& island_;
  std::optional<ForceCones> cones_;
  std::optional<ForcePath> path_;
  std::vector<ForceRange> range_;
  struct Left {
    Real gap;
    std::vector<std::pair<int, Real>> price;  // (member, v) adds v times that member's greatest normal impulse
  };
  std::vector<Left> left_;  // (programs) between bounds
  bool bounded_ = true, stopped_ = false;
  std::string trouble_;
  long programs_ = 0, newton_steps_ = 0;  // of the path
};

}  // namespace cairn
