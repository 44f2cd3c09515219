#include "cairn/model/drive_expression.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <mutex>
#include <string_view>

namespace cairn {
namespace {

const char* const names[2][6] = {{"shift x", "shift y", "turn", "", "", ""},
                                 {"shift x", "shift y", "shift z", "turn x", "turn y", "turn z"}};

// A compiled formula and the time that it reads. Models that run at the same time may share it.
class Formula {
 public:
  explicit Formula(const std::string& text) {
    parser_.DefineConst("pi", std::numbers::pi);
    parser_.DefineVar("t", &t_);
    parser_.SetExpr(text);
    parser_.Eval();  // compiles
  }
  Formula(const Formula&) = delete;  // the parser points at t_
  Formula& operator=(const Formula&) = delete;

  int values() const { return parser_.GetNumResults(); }
  Real operator()(Real t) {
    const std::lock_guard lock(busy_);
    t_ = t;
    return parser_.Eval();
  }

 private:
  std::mutex busy_;
  Real t_ = 0;
  mu::Parser parser_;
};

const char* what_was_expected(const mu::ParserError& error) {
  switch (error.GetCode()) {
    case mu::ecUNASSIGNABLE_TOKEN: return "t, pi, a number or the name of a function with its argument";
    case mu::ecEMPTY_EXPRESSION: return "a formula in t";
    case mu::ecUNEXPECTED_EOF:
    case mu::ecUNEXPECTED_OPERATOR: return "a value";
    case mu::ecUNEXPECTED_VAL:
    case mu::ecUNEXPECTED_VAR:
    case mu::ecUNEXPECTED_FUN: return "an operator, or the end";
    case mu::ecMISSING_PARENS: return "a closing parenthesis";
    case mu::ecUNEXPECTED_PARENS: return "as many opening parentheses as closing ones";
    case mu::ecTOO_FEW_PARAMS: return "more arguments of the function";
    case mu::ecTOO_MANY_PARAMS: return "fewer arguments of the function";
    case mu::ecMISSING_ELSE_CLAUSE: return "a colon and a value after condition ? value";
    default: return "a formula in t";
  }
}

std::string complaint(const std::string& text, std::size_t at, std::string_view expected) {
  const std::string found = at < text.size() ? fmt::format("\"{}\"", text.substr(at)) : "the end";
  return fmt::format("\"{}\": found {} at position {}, expected {}", text, found, at, expected);
}

// The parser would let t = 3 change the time.
std::size_t assignment(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '=' && (i == 0 || !std::strchr("=<>!", text[i - 1])) && (i + 1 == text.size() || text[i + 1] != '='))
      return i;
  return std::string::npos;
}

// None, and a message, where the text is wrong.
std::shared_ptr<Formula> compiled(const std::string& text, std::string& message) {
  try {
    if (const std::size_t i = assignment(text); i != std::string::npos) {
      message = complaint(text, i, "an operator that compares: == <= >= !=");
      return nullptr;
    }
    auto formula = std::make_shared<Formula>(text);
    if (formula->values() == 1) return formula;
    message = complaint(text, text.find(','), "one value");
  } catch (const mu::ParserError& error) {
    const auto at = static_cast<std::size_t>(std::max(0, error.GetPos()));
    message = complaint(text, std::min(at, text.size()), what_was_expected(error));
  }
  return nullptr;
}

}  // namespace

template <int D>
Expected<Drive<D>> expression(const std::vector<std::string>& components) {
  constexpr std::size_t most = std::size_t{freedoms<D>};
  if (components.empty() || components.size() > most)
    return Error{fmt::format("drive: found {} formulas, expected 1 to {}", components.size(), most)};
  std::array<std::shared_ptr<Formula>, most> formulas;
  for (std::size_t i = 0; i < components.size(); ++i) {
    std::string message;
    formulas[i] = compiled(components[i], message);
    if (!formulas[i]) return Error{fmt::format("drive, {}: {}", names[D - 2][i], message)};
  }
  return Drive<D>([formulas](Real t) {
    Excursion<D> e;
    for (int i = 0; i < freedoms<D>; ++i)
      if (const auto& f = formulas[static_cast<std::size_t>(i)]; f) (i < D ? e.shift[i] : e.turn[i - D]) = (*f)(t);
    return e;
  });
}

template Expected<Drive<2>> expression<2>(const std::vector<std::string>&);
template Expected<Drive<3>> expression<3>(const std::vector<std::string>&);

}  // namespace cairn
