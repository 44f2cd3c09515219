// Errors against steps, and what is read from them.
#pragma once

#include <string>
#include <vector>

#include "examples/example.hpp"

namespace cairn::app {

struct Decade {
  double H;
  double mean, median, min, max;
  double spread;  // max / min
  int count;      // of finite errors
};

struct Slope {
  double value, error;  // of log error against log h, with its standard error; nan: too few points
  double offset;        // log10 error = offset + value log10 h
  int left_out;         // points that are zero or not finite
};

// One value of what is varied, or the only one.
struct Series {
  std::string label;             // empty: the only one
  std::vector<double> h, error;  // in the order drawn
  std::vector<Decade> decades = {};
  Slope slope = {};
};

Decade summary(double H, std::vector<double> errors);
// Least squares on the points with a positive error.
Slope fitted_slope(const std::vector<double>& h, const std::vector<double>& error);

// Log-log figure and table of the points.
examples::Output study_output(const std::string& example, const std::vector<Series>& series);

}  // namespace cairn::app
