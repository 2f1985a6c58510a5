// The equations of one step: forces and stiffness of elements and loads along the unknowns.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "contact/mortar/mortar_contacts.hpp"
#include "implicit/arc_length.hpp"
#include "implicit/dependent_nodes.hpp"
#include "implicit/dof_map.hpp"
#include "implicit/elements.hpp"
#include "implicit/external_loads.hpp"
#include "implicit/inertia.hpp"
#include "implicit/inertia_relief.hpp"
#include "implicit/linear/block_matrix.hpp"
#include "implicit/linear/solver.hpp"
#include "implicit/links/links.hpp"
#include "implicit/work_clock.hpp"

namespace crumple::implicit {

/// What solutions of linear equations took.
struct LinearWork {
  int iterations = 0;     ///< of an iterative method
  std::string stands_in;  ///< why a direct method has solved in its place; empty: it has not
};

/// The matrix of a run and its factor, kept from step to step.
struct Stiffness {
  linear::BlockPattern pattern;
  linear::BlockMatrix matrix;
  linear::Solver* solver = nullptr;
  LinearWork work;
};

/// Everything that a step's equations refer to.
struct StepInput {
  Elements& elements;
  const ExternalLoads& loads;
  const DofMap& dofs;
  DependentNodes& dependents;  ///< moved with each trial
  Stiffness& stiffness;
  std::span<const Vec3> at_start_of_run, x;  ///< positions of points; x at the start of the step
  const Increment& given;                    ///< prescribed motion in the step, of dependent nodes, too
  double start = 0, end = 0;
  contact::mortar::MortarContacts* contacts = nullptr;  ///< of the step; null without
  Inertia* inertia = nullptr;                           ///< none in statics
  WorkClock* clock = nullptr;                           ///< null: nobody asks
  const InertiaRelief* relief = nullptr;                ///< of bodies without supports
  const AllLinks* links = nullptr;                      ///< null without
};

class StepEquations final : public LoadedEquations {
 public:
  explicit StepEquations(const StepInput& input);

  std::size_t size() const override { return static_cast<std::size_t>(in_.dofs.equations()); }
  std::span<const char> rotations() const override { return in_.dofs.rotations(); }
  bool linearise(bool reuse, std::span<double> r, StiffnessFound& found) override;
  void solve(std::span<const double> r, std::span<double> d) override;
  StiffnessFound found_by_solution() const override { return late_; }
  bool residual(double s, std::span<const double> d, std::span<double> r) override;
  void keep() override;
  void displacement(bool total, std::span<double> u) const override;
  /// Without a call, loads are those of the end of the step.
  void load_to(double time) override { load_time_ = time; }
  void load_rate(std::span<double> q) override;

  /// What a matrix at the start of the step has of elements and contacts.
  enum class Parts {
    rest,        ///< their stiffness, with stress
    unstressed,  ///< without the stress of elements
    all          ///< with stress, and the stiffness of loads, also on the arms of dependent nodes
  };
  /// Makes the matrix, not factored. False if an element is broken.
  bool assemble(Parts parts);

  /// The last trial, and the forces in it.
  const Increment& increment() const { return trial_; }
  std::span<const Vec3> positions() const { return x_; }
  const NodalForces& internal() const { return internal_; }
  const NodalForces& external() const { return external_; }
  /// Internal minus external.
  NodalForces reactions() const;

 private:
  /// Adds the stiffness of a pair of nodes in the trial, and its transpose if they differ (AddBlock).
  void add_block(LocalId a, LocalId b, int dofs, const double* k) {
    in_.dofs.add_block(a, b, dofs, k, in_.stiffness.matrix);
  }
  bool forces(bool stiffness, NodalForces* given_forces);
  void add_to_matrix(const ElementTangent& element);
  std::span<const double> by_unknowns(const ElementTangent& element);
  void add_coupled_masses();
  void add_half(LocalId a, LocalId b, const constraints::Matrix3& block);
  void add_load_stiffness();
  StiffnessFound factor();
  void add_contact_stiffness();
  void add_stiffness_of_dependents();
  NodalForces out_of_balance() const;
  void subtract_contact(NodalForces& to);
  void imbalance(const NodalForces* given_forces, std::span<double> r) const;

  WorkClock& clock() { return in_.clock != nullptr ? *in_.clock : unasked_; }

  StepInput in_;
  WorkClock unasked_;
  double load_time_;
  bool unstressed_ = false;
  Increment kept_, trial_;
  bool given_pending_ = true;
  std::vector<Vec3> x_;  ///< positions of points in the trial
  NodalForces internal_, external_;
  StiffnessFound late_;         ///< by the last solution
  std::vector<double> turned_;  ///< stiffness of an element by further turns
};

}  // namespace crumple::implicit
