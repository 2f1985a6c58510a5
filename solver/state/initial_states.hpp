// Stresses and strains that elements have at the start (*INITIAL_STRESS_..., *INITIAL_STRAIN_...).
#pragma once

#include <array>
#include <map>
#include <span>
#include <utility>

#include "elements/kernel.hpp"
#include "model/model.hpp"
#include "springback/initial_state.hpp"

namespace crumple::state {

/// Whether some elements of a rank's model have stresses at the start. Local.
bool any_initial_stress(const model::Model& model);

/// Components xx yy zz xy yz zx along an element's axes at positions `x`, from global ones; unchanged where
/// the formulation's stresses are global.
std::array<double, 6> to_local(const elements::Formulation& formulation, const Vec3* x,
                               std::span<const double, 6> global);

/// The initial stresses of a model by element. Keeps references.
class InitialStresses {
 public:
  explicit InitialStresses(const model::Model& model);

  /// Puts an element's stresses, plastic strain and history, if it has any, into its initial variables.
  /// @returns the elastic energy of the stresses
  double put(model::ElementKind kind, LocalId element, const elements::Formulation& formulation,
             const elements::GroupParameters& group, const elements::StateLayout& layout,
             const elements::ElementInput& input, std::span<double> variables) const;

 private:
  std::map<std::pair<model::ElementKind, LocalId>, const springback::InitialStress*> of_;
};

}  // namespace crumple::state
