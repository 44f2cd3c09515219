#include "cairn/plot/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cairn::plot {
namespace {

unsigned byte_at(const std::string& text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

// Bytes of the character at `at`; 0 where there is none that XML allows.
std::size_t character_length(const std::string& text, std::size_t at) {
  const unsigned a = byte_at(text, at), b = byte_at(text, at + 1);
  if (a < 0x80) return a >= 0x20 || a == '\t' || a == '\n' ? 1 : 0;
  const std::size_t length = a >= 0xC2 && a <= 0xDF ? 2 : (a & 0xF0) == 0xE0 ? 3 : a >= 0xF0 && a <= 0xF4 ? 4 : 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte_at(text, at + k) & 0xC0) != 0x80) return 0;
  const bool overlong = (a == 0xE0 && b < 0xA0) || (a == 0xF0 && b < 0x90);
  const bool no_character = (a == 0xED && b > 0x9F) || (a == 0xF4 && b > 0x8F) ||
                            (a == 0xEF && b == 0xBF && byte_at(text, at + 2) >= 0xBE);  // U+FFFE, U+FFFF
  return overlong || no_character ? 0 : length;
}

// Hundredths of a pixel, without trailing zeros; far outside the page it is enough to be outside.
std::string px(double value) {
  std::string text = fmt::format("{:.2f}", std::clamp(value, -1e5, 1e5));
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

const char* anchor_name(Text::Anchor anchor) {
  return anchor == Text::start ? "start" : anchor == Text::middle ? "middle" : "end";
}

}  // namespace

std::string escape(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text, at);
    const char c = text[at];
    if (length == 0)
      out += '?';
    else if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out.append(text, at, length);
    at += std::max<std::size_t>(1, length);
  }
  return out;
}

double text_width(const std::string& text, double size) {
  const auto characters = std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; });
  return 0.6 * size * static_cast<double>(characters);
}

Page::Page(double width, double height) {
  const std::string w = px(width), h = px(height);
  out_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"DejaVu Sans, Verdana, Helvetica, Arial, sans-serif\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      w, h);
}

void Page::leave_style() {
  if (!style_.empty()) out_ += "</g>\n";
  style_.clear();
}

void Page::in_style(const Stroke& stroke) {
  std::string style = fmt::format("fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\"", escape(stroke.fill),
                                  escape(stroke.colour), px(stroke.width));
  if (stroke.opacity < 1) style += fmt::format(" fill-opacity=\"{}\"", px(stroke.opacity));
  style += stroke.dashed ? " stroke-dasharray=\"6 3.5\"" : " stroke-linecap=\"round\"";
  if (style == style_) return;
  leave_style();
  out_ += fmt::format("<g {} stroke-linejoin=\"round\">\n", style);
  style_ = std::move(style);
}

void Page::line(double x0, double y0, double x1, double y1, const Stroke& stroke) {
  in_style(stroke);
  out_ += fmt::format("<path d=\"M{} {}L{} {}\"/>\n", px(x0), px(y0), px(x1), px(y1));
}

void Page::box(const Box& b, const Stroke& stroke) {
  in_style(stroke);
  out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", px(b.left), px(b.top), px(b.width()),
                      px(b.height()));
}

void Page::label(const Label& l) {
  if (l.text.empty() && l.exponent.empty()) return;
  leave_style();
  const std::string x = px(l.x), y = px(l.y);
  out_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\"", x, y, px(l.size),
                      anchor_name(l.anchor));
  if (l.colour != "black") out_ += fmt::format(" fill=\"{}\"", escape(l.colour));
  if (l.bold) out_ += " font-weight=\"bold\"";
  if (l.upward) out_ += fmt::format(" transform=\"rotate(-90 {} {})\"", x, y);
  out_ += ">" + escape(l.text);
  if (!l.exponent.empty())  // dy: baseline-shift is not known to every browser
    out_ += fmt::format("<tspan dy=\"{}\" font-size=\"{}\">{}</tspan>", px(-0.4 * l.size), px(0.75 * l.size),
                        escape(l.exponent));
  out_ += "</text>\n";
}

void Page::path(const std::vector<Stretch>& runs, bool closed, const Stroke& stroke) {
  std::string d;
  for (const Stretch& run : runs) {
    for (std::size_t k = 0; k < run.size(); ++k)
      d += (k == 0 ? "M" : k == 1 ? "L" : " ") + px(run[k].x) + " " + px(run[k].y);
    d += run.size() == 1 ? "h0" : closed ? "Z" : "";
  }
  if (d.empty()) return;
  in_style(stroke);
  out_ += "<path d=\"" + d + "\"/>\n";
}

// Dots are strokes of no length with round ends: a few characters each.
void Page::dots(const std::vector<Stretch>& runs, double diameter, const std::string& colour) {
  std::string d;
  for (const Stretch& run : runs)
    for (const Point& p : run) d += "M" + px(p.x) + " " + px(p.y) + "h0";
  if (d.empty()) return;
  in_style({colour, diameter});
  out_ += "<path d=\"" + d + "\"/>\n";
}

void Page::ellipse(Point centre, double rx, double ry, const Stroke& stroke) {
  in_style(stroke);
  const std::string at = fmt::format("cx=\"{}\" cy=\"{}\"", px(centre.x), px(centre.y));
  if (px(rx) == px(ry))
    out_ += fmt::format("<circle {} r=\"{}\"/>\n", at, px(rx));
  else
    out_ += fmt::format("<ellipse {} rx=\"{}\" ry=\"{}\"/>\n", at, px(rx), px(ry));
}

void Page::begin_clip(const Box& b) {
  leave_style();
  out_ += fmt::format(
      "<clipPath id=\"c{0}\"><rect x=\"{1}\" y=\"{2}\" width=\"{3}\" height=\"{4}\"/></clipPath>\n"
      "<g clip-path=\"url(#c{0})\">\n",
      ++clips_, px(b.left), px(b.top), px(b.width()), px(b.height()));
}

void Page::end_clip() {
  leave_style();
  out_ += "</g>\n";
}

std::string Page::finish() {
  leave_style();
  return out_ + "</svg>\n";
}

}  // namespace cairn::plot
