#include "cairn/model/drive_expression.hpp"

#include <fmt/format.h>

#include <array>

namespace cairn {
namespace {

const char* const names[2][6] = {{"shift x", "shift y", "turn", "", "", ""},
                                 {"shift x", "shift y", "shift z", "turn x", "turn y", "turn z"}};

}  // namespace

template <int D>
Expected<Drive<D>> expression(const std::vector<std::string>& components, const Constants& constants) {
  constexpr std::size_t most = std::size_t{freedoms<D>};
  if (components.empty() || components.size() > most)
    return Error{fmt::format("drive: found {} formulas, expected 1 to {}", components.size(), most)};
  std::array<std::function<Real(Real)>, most> formulas;
  for (std::size_t i = 0; i < components.size(); ++i) {
    auto formula = formula_in_time(components[i], constants);
    if (!formula) return Error{fmt::format("drive, {}: {}", names[D - 2][i], formula.error())};
    formulas[i] = std::move(*formula);
  }
  return Drive<D>([formulas](Real t) {
    Excursion<D> e;
    for (int i = 0; i < freedoms<D>; ++i)
      if (const auto& f = formulas[static_cast<std::size_t>(i)]; f) (i < D ? e.shift[i] : e.turn[i - D]) = f(t);
    return e;
  });
}

template Expected<Drive<2>> expression<2>(const std::vector<std::string>&, const Constants&);
template Expected<Drive<3>> expression<3>(const std::vector<std::string>&, const Constants&);

}  // namespace cairn
