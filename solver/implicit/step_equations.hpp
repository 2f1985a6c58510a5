// The equations of one step: forces and stiffness of elements and loads along the unknowns.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "implicit/dof_map.hpp"
#include "implicit/elements.hpp"
#include "implicit/external_loads.hpp"
#include "implicit/inertia.hpp"
#include "implicit/linear/block_matrix.hpp"
#include "implicit/linear/solver.hpp"
#include "implicit/newton.hpp"

namespace crumple::implicit {

/// The matrix of a run and its factor, kept from step to step.
struct Stiffness {
  linear::BlockPattern pattern;
  linear::BlockMatrix matrix;
  linear::Solver* solver = nullptr;
};

/// Everything that a step's equations refer to.
struct StepInput {
  Elements& elements;
  const ExternalLoads& loads;
  const DofMap& dofs;
  Stiffness& stiffness;
  std::span<const Vec3> at_start_of_run, x;  ///< positions; x at the start of the step
  const Increment& given;                    ///< prescribed motion in the step
  double start = 0, end = 0;
  Inertia* inertia = nullptr;  ///< none in statics
};

class StepEquations final : public Equations {
 public:
  explicit StepEquations(const StepInput& input);

  std::size_t size() const override { return static_cast<std::size_t>(in_.dofs.equations()); }
  std::span<const char> rotations() const override { return in_.dofs.rotations(); }
  bool linearise(bool reuse, std::span<double> r, StiffnessFound& found) override;
  void solve(std::span<const double> r, std::span<double> d) override;
  bool residual(double s, std::span<const double> d, std::span<double> r) override;
  void keep() override;
  void displacement(bool total, std::span<double> u) const override;

  /// The matrix of the elements at the start of the step, not factored: without loads. False if an element
  /// is broken.
  bool assemble();

  /// The last trial, and the forces in it.
  const Increment& increment() const { return trial_; }
  const NodalForces& internal() const { return internal_; }
  const NodalForces& external() const { return external_; }

 private:
  bool forces(bool stiffness, NodalForces* given_forces);
  void add_to_matrix(const ElementTangent& element);
  std::span<const double> by_unknowns(const ElementTangent& element);
  void add_load_stiffness();
  void imbalance(const NodalForces* given_forces, std::span<double> r) const;

  StepInput in_;
  Increment kept_, trial_;
  bool given_pending_ = true;
  std::vector<Vec3> x_;  ///< positions of the trial
  NodalForces internal_, external_;
  std::vector<double> turned_;  ///< stiffness of an element by further turns
};

}  // namespace crumple::implicit
