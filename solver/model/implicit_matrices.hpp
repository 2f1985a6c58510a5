// What matrices an implicit run has: whether masses are consistent, and how equations are ordered.
#pragma once

#include "model/feature.hpp"
#include "model/fields.hpp"
#include "model/model.hpp"

namespace crumple::model {

struct ImplicitMatrices {
  bool consistent_mass = false;    ///< IFLAG = 1 of *CONTROL_IMPLICIT_CONSISTENT_MASS
  bool ordered_by_planes = false;  ///< ORDER = 4 of *CONTROL_IMPLICIT_SOLVER; else by METIS
};

template <class V>
void fields(V& v, ImplicitMatrices& m) {
  members(v, m, m.consistent_mass, m.ordered_by_planes);
}

/// Of a deck; the defaults without keywords.
inline ImplicitMatrices implicit_matrices(const Model& model) {
  const auto& given = model.features.of<ImplicitMatrices>();
  return given.empty() ? ImplicitMatrices{} : given.front();
}

/// To be changed while the deck is read.
inline ImplicitMatrices& own_implicit_matrices(Model& model) {
  auto& given = model.features.of<ImplicitMatrices>();
  if (given.empty()) given.emplace_back();
  return given.front();
}

const Feature& implicit_matrices_feature();

}  // namespace crumple::model
