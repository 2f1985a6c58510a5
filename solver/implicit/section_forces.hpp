// Forces and moments through cross sections in implicit runs, of the last step.
//
// As in explicit runs (explicit/section_forces.hpp): the internal forces of a section's elements on its
// nodes, once more computed when a step has converged.
#pragma once

#include <span>
#include <vector>

#include "explicit/section_forces.hpp"
#include "implicit/elements.hpp"

namespace crumple::implicit {

class SectionForces {
 public:
  /// Keeps a reference to `model`.
  explicit SectionForces(const model::Model& model) : model_(&model), results_(model.cross_sections.size()) {}

  /// @param x positions of nodes at the end of the step
  void measure(const Elements& elements, const Trial& trial, std::span<const Vec3> x);

  /// In the order of the model, in global axes.
  std::span<const explicit_dynamics::SectionForce> results() const { return results_; }

 private:
  const model::Model* model_;
  std::vector<explicit_dynamics::SectionForce> results_;
};

}  // namespace crumple::implicit
