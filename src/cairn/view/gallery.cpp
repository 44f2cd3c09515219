#include "cairn/view/gallery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "cairn/plot/page.hpp"
#include "cairn/view/embed.hpp"
#include "cairn/view/html.hpp"

namespace cairn::view {
namespace {

using plot::escape;

constexpr const char* style = R"(
:root { color-scheme: light dark; --paper: #f6f7f8; --card: #ffffff; --ink: #1b2024; --soft: #5a646d; --line: #dde1e5;
  --accent: #1f5f99; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171a; --card: #1c2024; --ink: #e4e8eb; --soft: #9aa5ae;
  --line: #30363c; --accent: #7db4e6; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 88rem; padding: 2rem 1.25rem 3rem; background: var(--paper); color: var(--ink);
  font: 15px/1.45 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
h1 { font-size: 1.5rem; font-weight: 600; margin: 0 0 .25rem; }
h2 { font-size: 1.05rem; font-weight: 600; margin: 0; overflow-wrap: anywhere; }
p { margin: 0; color: var(--soft); overflow-wrap: anywhere; }
ul { list-style: none; margin: 1.5rem 0; padding: 0; display: grid; gap: 1.25rem;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); }
li { position: relative; min-width: 0; background: var(--card); border: 1px solid var(--line); border-radius: 6px;
  overflow: hidden; }
li:hover, li:focus-within { border-color: var(--accent); outline: 1px solid var(--accent); }
li:hover h2 { color: var(--accent); }
a { color: inherit; text-decoration: none; outline: none; }
a::after { content: ""; position: absolute; inset: 0; }
.picture { display: flex; align-items: center; justify-content: center; height: 13.5rem; background: #ffffff;
  border-bottom: 1px solid var(--line); }
img { max-width: 100%; max-height: 100%; width: auto; height: auto; display: block; }
.text { padding: .85rem 1rem 1rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .1rem 1rem; margin: .75rem 0 0; font-size: .86rem; }
dt { color: var(--soft); }
dd { margin: 0; text-align: right; overflow-wrap: anywhere; }
dl + dl { border-top: 1px solid var(--line); padding-top: .6rem; margin-top: .6rem; }
section p { margin: .35rem 0; }
footer { border-top: 1px solid var(--line); padding-top: .75rem; font-size: .86rem; color: var(--soft); }
)";

// Numbers of an outcome have more digits than a person reads.
std::string readable(const std::string& json) {
  const std::string text = plain_text(json);
  if (json == "true" || json == "false") return json == "true" ? "yes" : "no";
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (json.starts_with('"') || end != text.c_str() + text.size() || text.empty()) return text;
  return fmt::format("{:.4g}", value);
}

std::string row(const std::string& name, const std::string& value) {
  return fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape(name), escape(value));
}

std::string certificate(const Card& card) {
  std::string out = "<dl>\n";
  out += row("bodies", card.free == card.bodies ? fmt::format("{}", card.bodies)
                                                : fmt::format("{}, {} free", card.bodies, card.free));
  out += row("contacts, at most", fmt::format("{}", card.contacts));
  out += row("time", fmt::format("{:.4g} s{}", card.time, card.finished ? "" : ", not finished"));
  out += row("steps", fmt::format("{}", card.steps));
  out += row("contact error, worst", fmt::format("{:.1e}", card.error));
  out += row("violation, deepest", fmt::format("{:.1e} m", card.violation));
  out += row("energy defect", fmt::format("{:.1e}", card.energy_defect));
  return out + "</dl>\n";
}

std::string outcome(const Card& card) {
  std::string rows;
  for (const auto& [name, value] : members_of(card.outcome)) rows += row(name, readable(value));
  return rows.empty() ? "" : "<dl>\n" + rows + "</dl>\n";
}

// Where it comes from, and what its page is.
std::string origin(const Card& card) {
  constexpr const char* dot = " \u00b7 ";
  std::string out = card.name;
  if (card.scene != card.name) out += dot + card.scene;
  out += fmt::format("{}{}{}{:.1f} MB", dot, card.dimension == 2 ? "plane" : "space", dot, card.megabytes);
  if (card.page_frames < card.frames) out += fmt::format(", {} of {} frames", card.page_frames, card.frames);
  return out;
}

// The link covers the card, but is named by the title alone.
std::string card_html(const Card& card) {
  const std::string title = card.title.empty() ? card.name : card.title;
  return fmt::format(
      "<li>\n<div class=\"picture\"><img src=\"{}\" width=\"{:.0f}\" height=\"{:.0f}\" loading=\"lazy\" "
      "alt=\"{}\"></div>\n<div class=\"text\">\n<h2><a href=\"{}\">{}</a></h2>\n<p>{}</p>\n{}{}</div>\n</li>\n",
      address_of(card.picture), card.picture_width, card.picture_height,
      escape(fmt::format("{}: bodies and forces in the last frame", title)), address_of(card.page), escape(title),
      escape(origin(card)), certificate(card), outcome(card));
}

}  // namespace

void add_steps(Card& card, const std::vector<record::StepRow>& steps) {
  Real defect = 0, exchanged = 0, kinetic = 0, contacts = 0;
  for (const record::StepRow& r : steps) {
    card.error = std::max(card.error, r.error);
    card.violation = std::max({card.violation, r.violation, r.deepest});
    contacts = std::max(contacts, r.active), kinetic = std::max(kinetic, r.kinetic);
    defect += r.change - r.applied - r.inertial - r.boundary + r.dissipation;
    exchanged += std::abs(r.applied) + std::abs(r.boundary) + std::abs(r.dissipation);
  }
  card.steps = static_cast<long>(steps.size()), card.contacts = std::lround(contacts);
  card.energy_defect = exchanged + kinetic > 0 ? std::abs(defect) / (exchanged + kinetic) : 0;
}

std::string address_of(const std::string& path) {
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte < 0x80 && (std::isalnum(byte) || c == '-' || c == '_' || c == '.' || c == '/');
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out;
}

bool shows(const std::string& front_page, const std::string& path) {
  return front_page.find("src=\"" + address_of(path) + "\"") != std::string::npos ||
         front_page.find("href=\"" + address_of(path) + "\"") != std::string::npos;
}

std::string gallery_html(const std::string& title, const std::string& version, const std::vector<Card>& cards,
                         const std::vector<Unreadable>& unreadable) {
  std::string out = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  out += generator_tag(version, gallery_kind);
  out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  out +=
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "img-src 'self' file:\">\n";
  out += fmt::format("<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n", escape(title),
                     style);
  out += fmt::format("<p>{} {}. Each opens as a page with the whole motion.</p>\n<ul>\n", cards.size(),
                     cards.size() == 1 ? "result" : "results");
  for (const Card& card : cards) out += card_html(card);
  out += "</ul>\n";
  if (!unreadable.empty()) out += "<section>\n<h2>Files without a page</h2>\n";
  for (const Unreadable& u : unreadable) out += fmt::format("<p>{}: {}</p>\n", escape(u.file), escape(u.reason));
  if (!unreadable.empty()) out += "</section>\n";
  return out + fmt::format("</main>\n<footer>Made by Cairn {}.</footer>\n</body>\n</html>\n", escape(version));
}

}  // namespace cairn::view
