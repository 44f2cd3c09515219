// The contact problem of a step as an FCLIB file, for other solvers.
#pragma once

#include <string>

#include "cairn/problem/fclib.hpp"
#include "cairn/scheme/collection.hpp"

namespace cairn::exporting {

// What the collection solved in its last step, with its answer as the solution. The format knows Coulomb's law with one
// coefficient a contact: friction that depends on direction, rolling resistance and joints are refused, with the
// reason. Friction that fell from static to dynamic is written with the coefficient in force.
template <int D>
Expected<fclib::Problem> fclib_of_step(const Model<D>& model, const Collection<D>& collection,
                                       fclib::Kind kind = fclib::Kind::global);

// `title` tells the reader of the file what it is; the answer is the path.
template <int D>
Expected<std::string> write_fclib(const std::string& path, const Model<D>& model, const Collection<D>& collection,
                                  const std::string& title, fclib::Kind kind = fclib::Kind::global);

}  // namespace cairn::exporting
