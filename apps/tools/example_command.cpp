#include "example_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <exception>

#include "cairn/base/json.hpp"
#include "example_files.hpp"
#include "exit_code.hpp"
#include "progress.hpp"

namespace cairn::app {
namespace {

using examples::Example;
using examples::Output;
using examples::Parameters;
using examples::Value;

// --- values ----------------------------------------------------------------------------------------------------------

std::string json_value(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return json_number(*number);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* text = std::get_if<std::string>(&value)) return json_string(*text);
  if (const auto* list = std::get_if<std::vector<double>>(&value)) return json_list(*list);
  std::string rows;
  for (const auto& row : std::get<std::vector<std::vector<double>>>(value))
    rows += (rows.empty() ? "" : ", ") + json_list(row);
  return "[" + rows + "]";
}

std::string short_list(const std::vector<double>& list) {
  constexpr std::size_t most = 6;
  const std::vector<double> first(list.begin(), list.begin() + static_cast<long>(std::min(most, list.size())));
  const std::string more = list.size() > most ? fmt::format(", ... {} in all", list.size()) : "";
  return fmt::format("{:.6g}{}", fmt::join(first, ", "), more);
}

std::string readable(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{:.10g}", *number);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "yes" : "no";
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* list = std::get_if<std::vector<double>>(&value)) return short_list(*list);
  const auto& rows = std::get<std::vector<std::vector<double>>>(value);
  std::string out;
  for (const auto& row : rows) {
    if (out.size() > 60) return fmt::format("{}, ... {} in all", out, rows.size());
    out += (out.empty() ? "[" : ", [") + short_list(row) + "]";
  }
  return out;
}

// --- tables of text --------------------------------------------------------------------------------------------------

using Row = std::vector<std::string>;

// Columns as wide as they need to be, the last as it comes.
void print_rows(const std::vector<Row>& rows, const char* indent) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  }
  for (const Row& row : rows) {
    std::string line = indent;
    for (std::size_t k = 0; k < row.size(); ++k)
      if (widths[k] > 0) line += fmt::format("{:<{}}  ", row[k], widths[k]);
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  }
}

// --- list, show ------------------------------------------------------------------------------------------------------

int list(const ExampleCommand& command) {
  std::vector<Row> rows{{"name", "source", "summary"}};
  for (const Example& e : examples::all()) {
    rows.push_back({e.name, e.source, e.summary});
    if (!command.json) continue;
    JsonObject object;
    object.text("name", e.name).text("source", e.source).text("summary", e.summary);
    object.raw("study", e.error ? "true" : "false");
    fmt::print("{}\n", object.str());
  }
  if (!command.json) print_rows(rows, "");
  return done;
}

int show(const Example& e) {
  fmt::print("{} ({})\n{}\n", e.name, e.source, e.summary);
  std::vector<Row> parameters{{"name", "default", "unit", "allowed", "meaning"}}, outputs{{"name", "unit", "meaning"}};
  for (const auto& p : e.parameters)
    parameters.push_back({p.name, examples::to_text(p.value), p.unit, allowed(p), p.doc});
  for (const auto& o : e.outputs) outputs.push_back({o.name, o.unit, o.doc});
  if (!e.parameters.empty()) fmt::print("\nParameters, to change by --set name=value:\n"), print_rows(parameters, "  ");
  if (!e.outputs.empty()) fmt::print("\nOutputs:\n"), print_rows(outputs, "  ");
  fmt::print("\nExamples:\n  cairn example {0}\n  cairn example {0} --json\n  cairn example {0} --out results --png\n",
             e.name);
  if (e.error) fmt::print("  cairn study {} --h 1e-2,1e-3,1e-4\n", e.name);
  return done;
}

// --- run -------------------------------------------------------------------------------------------------------------

Expected<Output> computed(const Example& example, const Parameters& parameters) {
  const ProgressLine progress;
  progress.show(example.name);
  try {
    return example.run(parameters);
  } catch (const std::exception& failure) {
    return Error{fmt::format("{}: stopped ({})", example.name, failure.what())};
  }
}

void print_json(const Example& example, const Parameters& parameters, const Output& output,
                const std::vector<std::string>& files) {
  JsonObject object;
  object.text("example", example.name).raw("parameters", json_parameters(parameters));
  for (const auto& [name, value] : output.values) object.raw(name.c_str(), json_value(value));
  object.raw("remarks", json_list(output.remarks)).raw("files", json_list(files));
  fmt::print("{}\n", object.str());
}

void print_text(const Example& example, const Parameters& parameters, const Output& output,
                const std::vector<std::string>& files) {
  fmt::print("{} ({}): {}\n\n", example.name, example.source, example.summary);
  std::vector<Row> rows;
  for (const auto& p : parameters.all()) rows.push_back({p.name, examples::to_text(p.value), p.unit, p.doc});
  print_rows(rows, "  ");
  rows.clear();
  for (const auto& [name, value] : output.values) {
    const auto doc = std::ranges::find(example.outputs, name, &examples::OutputDoc::name);
    const bool known = doc != example.outputs.end();
    rows.push_back({name, readable(value), known ? doc->unit : "", known ? doc->doc : ""});
  }
  fmt::print("\n");
  print_rows(rows, "  ");
  for (const std::string& remark : output.remarks) fmt::print("\n{}\n", remark);
  if (!files.empty()) fmt::print("\nwritten: {}\n", fmt::join(files, "\n         "));
}

int run(const Example& example, const ExampleCommand& command) {
  const auto parameters = choose_parameters(example, command.settings);
  if (!parameters) return complain(example.name + ": " + parameters.error());
  const OutputFolder folder{command.out, command.png};
  if (const std::string error = make_folder(folder); !error.empty()) return complain(error);
  const auto output = computed(example, *parameters);
  if (!output) return complain(output.error());
  const auto files = write_files(folder, *output);
  if (!files) return complain(files.error());
  (command.json ? print_json : print_text)(example, *parameters, *output, *files);
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) return complain("standard output cannot be written");
  return done;
}

}  // namespace

int run(const ExampleCommand& command) {
  const auto& words = command.words;
  if (words.empty()) return complain("example: no name, expected 'list', 'show NAME' or the NAME of one");
  const bool showing = words[0] == "show";
  if (words.size() > (showing ? 2u : 1u))
    return complain(fmt::format("example: '{}' is one word too many", words.back()));
  if (words[0] == "list") return list(command);
  if (showing && words.size() < 2) return complain("example show: no name, expected that of an example");
  const auto example = choose_example(words.back());
  if (!example) return complain(example.error());
  return showing || command.help ? show(**example) : run(**example, command);
}

}  // namespace cairn::app
