// The parameters of all laws of discrete beams: six components that do not depend on each other, and limits.
//
// A law's file makes these parameters from its cards. They are complete when they have the section of the
// part, too (`with_section`). The element evaluates them itself (elements/beam/discrete_beam.hpp): they have
// no update by instruction set.
#pragma once

#include <array>
#include <memory>

#include "materials/discrete_beam/component.hpp"
#include "materials/law.hpp"
#include "materials/prepared.hpp"
#include "materials/row.hpp"
#include "model/discrete_beam_section.hpp"

namespace crumple::materials {

/// The beam fails where the sum over the freedoms of (x / limit)^2 is at least 1; x is a force or a
/// displacement.
struct DiscreteBeamLimit {
  bool of_forces = false;
  double inverse_positive[6] = {}, inverse_negative[6] = {};  ///< 1 / limit, both positive; 0 without limit

  double operator()(const double (&x)[6]) const {
    double sum = 0;
    for (int k = 0; k < 6; ++k) {
      const double part = x[k] * (x[k] > 0 ? inverse_positive[k] : inverse_negative[k]);
      sum += part * part;
    }
    return sum;
  }
};

struct DiscreteBeamLaw {
  std::array<DiscreteBeamComponent, 6> component;  ///< along r, s, t, about r, s, t
  bool line = false;                               ///< only the first, along the line between the nodes
  std::array<DiscreteBeamLimit, 6> limit;
  int n_limits = 0;
  double greatest_strain = 0;  ///< of cables, 0: no limit
  model::DiscreteBeamSection section;

  bool translates() const {
    return component[0].acts() || (!line && (component[1].acts() || component[2].acts()));
  }
  bool turns() const { return !line && (component[3].acts() || component[4].acts() || component[5].acts()); }
};

/// Forces and moments of a beam at a displacement of one, for the scales of sums.
struct DiscreteBeamScale {
  double force = 0, moment = 0;
};
DiscreteBeamScale characteristic_forces(const DiscreteBeamLaw& law, double length);

/// Whether a law is for discrete beams, which take no other.
bool is_discrete_beam(const Row& law);

/// The parameters of a law of discrete beams, null for other laws.
inline const DiscreteBeamLaw* discrete_beam_law(const Law& law) {
  return law.row && is_discrete_beam(*law.row) ? static_cast<const DiscreteBeamLaw*>(law.parameters)
                                               : nullptr;
}

/// A law of discrete beams with the section of its part; other laws as they are.
Prepared with_section(Prepared prepared, const model::DiscreteBeamSection& section);

}  // namespace crumple::materials
