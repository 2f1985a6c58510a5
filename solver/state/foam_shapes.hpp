// Solids that begin deformed: their reference shapes, and the states that these give them at the start
// (*INITIAL_FOAM_REFERENCE_GEOMETRY).
//
// An element goes from its reference shape, turned as it lies at the start, along straight lines to its shape
// at the start, in steps of the explicit kernel that take very long. Stress then follows from the deformation
// gradient dx/dX at each point of each formulation, hourglass stresses and the work of the foam, from which
// it unloads, are there too, and what depends on rates or relaxes is as after a long time. The laws for which
// this is done have their stress from the deformation alone, so the way does not matter to what they keep.
// Mass is that of the reference shape, in which the density is RO.
#pragma once

#include <span>
#include <vector>

#include "elements/kernel.hpp"
#include "model/model.hpp"

namespace crumple::state {

class FoamShapes {
 public:
  explicit FoamShapes(const model::Model& model);

  /// Puts the reference shape of an element into its input.
  /// @returns whether it has one; else nothing is changed
  bool put(model::ElementKind kind, LocalId part, std::span<const LocalId> nodes,
           elements::ElementInput& input) const;

 private:
  std::vector<char> asking_;  ///< by part: REF = 1
  std::vector<char> given_;   ///< by node; empty: no shape at all
  std::vector<Vec3> x_;
};

/// Fills the variables of an element with its state at the start.
/// @param reference its input with the reference shape
/// @param x its corners at the start
/// @returns the work that was done on it: the energy that it begins with
/// @throws Error CR-E215 for an element that is turned inside out, or fails, on its way
double follow_from_reference(const elements::Formulation& formulation, const elements::GroupParameters& group,
                             elements::Kernel<double> kernel, const elements::ElementInput& reference,
                             const Vec3* x, std::span<double> variables);

}  // namespace crumple::state
