// Every solution of a step problem, whatever its law: which way of listing them applies.
#pragma once

#include <concepts>
#include <utility>
#include <vector>

#include "cairn/law/static_dynamic.hpp"
#include "cairn/solver/all_solutions.hpp"
#include "cairn/solver/sampled_solutions.hpp"

namespace cairn {

template <ContactLaw L>
Expected<AllSolutions> listed_solutions(const LocalProblem<L>& p) {
  if constexpr (std::same_as<L, Coulomb2> || std::same_as<L, Signorini>) {
    return all_solutions(p);
  } else if constexpr (std::same_as<L, Coulomb3>) {
    return sampled_solutions(p);
  } else if constexpr (std::same_as<L, StaticDynamic2> || std::same_as<L, StaticDynamic3>) {
    std::vector<std::decay_t<decltype(p.law[0].current())>> laws;  // within a step it is one of the two
    for (const L& law : p.law) laws.push_back(law.current());
    return listed_solutions(LocalProblem<typename decltype(laws)::value_type>{p.begin, p.column, p.block, p.diagonal,
                                                                              p.q, std::move(laws), p.symmetric});
  } else {
    return Error{"solutions are listed for Coulomb friction and for contacts without friction"};
  }
}

}  // namespace cairn
