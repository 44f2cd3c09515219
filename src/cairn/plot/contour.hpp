// Maps of a function of two variables: coloured cells, and the lines on which it has a value.
#pragma once

#include <string>
#include <vector>

#include "cairn/plot/figure.hpp"

namespace cairn::plot {

// value[j * x.size() + i] at (x[i], y[j]); what is not finite has no colour and no line.
struct Field {
  std::vector<double> x, y, value;
};

// Colours at rising values, twelve shades between.
struct ColourScale {
  std::vector<double> at;
  std::vector<std::string> colour;  // #rrggbb

  std::string operator()(double value) const;
};

// A rectangle about each node, neighbours of one colour in a row joined: draw them as shapes of the axes.
std::vector<Shape> cells(const Field& field, const ColourScale& colours, const std::string& undefined = "#bbbbbb");

// The line value = level, in pieces (straight in each triangle of the grid).
Curve contour(const Field& field, double level);

// A bar beside a map: the colours from low to high as axes of their own.
Axes colour_bar(const ColourScale& colours, double low, double high, const std::string& title);

}  // namespace cairn::plot
