#include "cairn/input/load.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cairn/base/closest.hpp"
#include "cairn/input/parameters.hpp"
#include "cairn/input/parse.hpp"

namespace cairn::input {
namespace {

// Materials are read before all else: every table may call them by name.
std::vector<std::string> material_names(const Node& root) {
  std::vector<std::string> names;
  const Node::Entry* e = root.find("material");
  static const std::vector<Node> none;
  for (const Node& item : e != nullptr ? e->value.items : none) {
    const Node::Entry* name = item.find("name");
    // One without a name is a fault of its own: the numbers of the others still fit.
    names.push_back(name != nullptr && name->value.kind == Node::text ? name->value.word : "");
  }
  if (names.empty()) names.emplace_back("default");
  return names;
}

void check_contacts(const SceneFile& scene, const std::vector<std::string>& materials, Diagnostics& out) {
  for (const ContactSpec& c : scene.contacts) {
    for (const std::string& m : c.between)
      if (std::ranges::find(materials, m) == materials.end())
        out.add(c.of("between"), fmt::format("between: no material \"{}\"{}; expected one of {}", m, hint(m, materials),
                                             fmt::join(materials, ", ")));
    if (const std::string bad = complaint(c.surface); !bad.empty()) out.add(c.at, "[[contact]]: " + bad);
  }
}

template <class Specs>
void check_names(const Specs& specs, const char* what, Diagnostics& out) {
  for (std::size_t k = 0; k < specs.size(); ++k)
    for (std::size_t j = 0; j < k; ++j)
      if (!specs[k].name.empty() && specs[k].name == specs[j].name)
        out.add(specs[k].of("name"),
                fmt::format("{} \"{}\" is already declared in line {}", what, specs[k].name, specs[j].of("name").line));
}

void check_references(const SceneFile& scene, Diagnostics& out) {
  std::vector<std::string> motions;
  for (const MotionSpec& m : scene.motions) motions.push_back(m.name);
  const auto check = [&](const auto& spec) {
    if (spec.motion.empty() || std::ranges::find(motions, spec.motion) != motions.end()) return;
    out.add(spec.of("motion"), fmt::format("motion: no [[motion]] \"{}\"{}; expected one of {}", spec.motion,
                                           hint(spec.motion, motions), fmt::join(motions, ", ")));
  };
  for (const BodySpec& b : scene.bodies) check(b);
  for (const GenerateSpec& g : scene.generate) check(g);
  for (const AdjustSpec& a : scene.adjust) check(a);
}

}  // namespace

Expected<SceneText> read_text(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return Error{path + ": a folder, expected a scene file (TOML)"};
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return Error{fmt::format("{}: cannot be read ({}), expected a scene file (TOML)", path, std::strerror(errno))};
  std::string text(most_bytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return SceneText{path, std::filesystem::path(path).stem().string(), std::move(text)};
}

std::optional<SceneFile> read_scene(const SceneText& scene, const std::vector<std::string>& settings,
                                    Diagnostics& diagnostics) {
  std::optional<Node> root = parse_toml(scene.text, diagnostics);
  if (!root) return std::nullopt;
  SceneFile file;
  file.parameters = read_parameters(*root, settings, diagnostics);
  if (diagnostics.any()) return std::nullopt;  // formulas would complain again
  std::erase_if(root->entries, [](const Node::Entry& e) { return e.key == "parameters"; });
  Scope scope = scope_of(file.parameters);
  scope.materials = material_names(*root);
  read_section(scene_section(), &file, *root, "the scene", scope, diagnostics);
  check_contacts(file, scope.materials, diagnostics);
  check_names(file.materials, "material", diagnostics);
  check_names(file.motions, "motion", diagnostics);
  check_names(file.bodies, "body", diagnostics);
  check_names(file.probes, "probe", diagnostics);
  check_references(file, diagnostics);
  if (file.bodies.empty() && file.generate.empty() && file.tables.empty() && !diagnostics.any())
    diagnostics.add({1, 1, 1}, "no bodies: expected a [[body]], a [[generate]] or a [[table]]");
  if (diagnostics.any()) return std::nullopt;
  return file;
}

}  // namespace cairn::input
