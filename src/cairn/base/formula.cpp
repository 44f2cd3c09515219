#include "cairn/base/formula.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <mutex>
#include <numbers>
#include <string_view>

namespace cairn {
namespace {

double floor_of(double x) { return std::floor(x); }
double ceil_of(double x) { return std::ceil(x); }

// A compiled formula and the time that it reads. Models that run at the same time may share it.
class Formula {
 public:
  Formula(const std::string& text, const Constants& constants, bool in_time) {
    parser_.DefineConst("pi", std::numbers::pi);
    parser_.DefineFun("floor", floor_of);
    parser_.DefineFun("ceil", ceil_of);
    for (const auto& [name, value] : constants) parser_.DefineConst(name, value);
    if (in_time) parser_.DefineVar("t", &t_);
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

// Names that a formula may use, for a message; a long list is cut.
std::string names_of(const Constants& constants, bool in_time) {
  std::string list = in_time ? "t, pi" : "pi";
  int count = 0;
  for (const auto& [name, value] : constants) list += ++count <= 12 ? ", " + name : count == 13 ? ", ..." : "";
  return list;
}

std::string what_was_expected(const mu::ParserError& error, const std::string& names, const std::string& formula) {
  switch (error.GetCode()) {
    case mu::ecUNASSIGNABLE_TOKEN: return names + ", a number or the name of a function with its argument";
    case mu::ecEMPTY_EXPRESSION: return formula;
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
    default: return formula;
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
std::shared_ptr<Formula> compiled(const std::string& text, const Constants& constants, bool in_time,
                                  std::string& message) {
  try {
    if (const std::size_t i = assignment(text); i != std::string::npos) {
      message = complaint(text, i, "an operator that compares: == <= >= !=");
      return nullptr;
    }
    auto formula = std::make_shared<Formula>(text, constants, in_time);
    if (formula->values() == 1) return formula;
    message = complaint(text, text.find(','), "one value");
  } catch (const mu::ParserError& error) {
    const auto at = static_cast<std::size_t>(std::max(0, error.GetPos()));
    message =
        complaint(text, std::min(at, text.size()),
                  what_was_expected(error, names_of(constants, in_time), in_time ? "a formula in t" : "a formula"));
  }
  return nullptr;
}

}  // namespace

Expected<std::function<Real(Real)>> formula_in_time(const std::string& text, const Constants& constants) {
  std::string message;
  const std::shared_ptr<Formula> formula = compiled(text, constants, true, message);
  if (!formula) return Error{message};
  return std::function<Real(Real)>([formula](Real t) { return (*formula)(t); });
}

Expected<Real> evaluate(const std::string& text, const Constants& constants) {
  std::string message;
  const std::shared_ptr<Formula> formula = compiled(text, constants, false, message);
  if (!formula) return Error{message};
  return (*formula)(0);
}

}  // namespace cairn
