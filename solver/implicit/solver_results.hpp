// The implicit solver's results after its last step, for observers.
#pragma once

#include "implicit/solver.hpp"
#include "output/results_view.hpp"

namespace crumple::implicit {

/// Valid as long as the solver. Velocities are zero in statics.
class SolverResults : public output::ResultsView {
 public:
  explicit SolverResults(const Solver& solver) : solver_(solver), rest_(solver.nodal().size()) {}

  /// Results that are due before `next` belong to the present state.
  void set_next(double next) { next_ = next; }

  output::CycleTimes cycle() const override;
  output::NodeView nodes() const override;
  std::span<const state::GroupView> elements() const override { return solver_.groups(); }
  const state::Strains* strains() const override { return solver_.strains(); }
  std::vector<output::NodeAction> reactions() const override;
  std::vector<output::NodeAction> loads() const override;
  std::vector<output::NodeAction> pressures() const override;
  std::vector<output::NodeAction> drives() const override;
  std::vector<output::RigidBodyRow> rigid_bodies() const override;
  std::vector<output::BndoutBlock::Row> body_drives() const override;
  std::vector<output::SpcforcBlock::Row> support_reactions() const override;
  output::GlobalRow energies() const override;
  std::vector<output::RcforcRow> contact_forces() const override;
  std::vector<output::SleoutRow> contact_energies() const override;
  std::vector<output::ContactNode> contact_nodes() const override;
  std::vector<output::MatsumRow> parts() const override;
  std::vector<output::SecforcRow> sections() const override;
  std::vector<output::RwforcRow> walls() const override;
  std::vector<output::JointRow> joints() const override;
  std::vector<output::JointStiffnessRow> joint_stiffnesses() const override;

 private:
  const Solver& solver_;
  std::vector<Vec3> rest_;
  double next_ = 0;
};

}  // namespace crumple::implicit
