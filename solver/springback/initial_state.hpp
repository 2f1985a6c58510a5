// *INITIAL_STRESS_..., *INITIAL_STRAIN_...: stresses and strains of elements at the start of a run.
#pragma once

#include <vector>

#include "model/fields.hpp"

namespace crumple::springback {

/// Stresses of one element, of as many points as its formulation has, in the formulation's order.
struct InitialStress {
  model::ElementKind kind = model::ElementKind::none;
  LocalId element = model::kNone;
  int n_history = 0;
  /// By point: stress xx yy zz xy yz zx in global axes (of beams in their own), plastic strain, history.
  /// Transverse shear stresses of shells are those of results: with the shear factor.
  std::vector<double> values;

  std::size_t stride() const { return 7 + static_cast<std::size_t>(n_history); }
};

/// Strains of one element for results, in global axes; shears are the tensor's.
struct InitialStrain {
  model::ElementKind kind = model::ElementKind::none;
  LocalId element = model::kNone;
  std::vector<double> values;  ///< xx yy zz xy yz zx; of shells at the lower surface, then at the upper one
};

template <class V>
void fields(V& v, InitialStress& s) {
  model::members(v, s, s.kind, model::elements_of(s.element, s.kind), s.n_history, s.values);
}
template <class V>
void fields(V& v, InitialStrain& s) {
  model::members(v, s, s.kind, model::elements_of(s.element, s.kind), s.values);
}

/// Adds the deck's stresses to the model, sorted by kind and element. Reports what does not fit an element's
/// formulation or law.
void read_initial_stresses(model::Builder& build);
/// The same for strains, which only results show (STRFLG).
void read_initial_strains(model::Builder& build);

const model::Feature& initial_stress_feature();
const model::Feature& initial_strain_feature();

}  // namespace crumple::springback
