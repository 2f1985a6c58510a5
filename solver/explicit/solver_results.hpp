// The explicit solver's results at its snapshot, for observers.
#pragma once

#include "explicit/solver.hpp"
#include "output/results_view.hpp"

namespace crumple::explicit_dynamics {

/// Valid as long as the solver; shows its last snapshot.
class SolverResults : public output::ResultsView {
 public:
  explicit SolverResults(Solver& solver) : solver_(solver) {}

  output::CycleTimes cycle() const override;
  output::NodeView nodes() const override;
  std::span<const state::GroupView> elements() const override { return solver_.elements().groups(); }
  const state::Strains* strains() const override { return solver_.strains(); }
  std::vector<double> added_nodal_mass(bool percent) const override;
  std::vector<output::NodeAction> reactions() const override;
  std::vector<output::NodeAction> loads() const override;
  std::vector<output::NodeAction> pressures() const override;
  std::vector<output::NodeAction> drives() const override;

  output::GlobalRow energies() const override;
  output::ControllingElement controlling() const override;
  std::vector<output::MatsumRow> parts() const override;
  std::vector<output::RwforcRow> walls() const override;
  std::vector<output::RcforcRow> contact_forces() const override;
  std::vector<output::SleoutRow> contact_energies() const override;
  std::vector<output::ContactNode> contact_nodes() const override;
  std::vector<output::SecforcRow> sections() const override;
  std::vector<output::RigidBodyRow> rigid_bodies() const override;
  std::vector<output::BndoutBlock::Row> body_drives() const override;
  std::vector<output::SpcforcBlock::Row> support_reactions() const override;
  std::vector<output::JointRow> joints() const override;
  std::vector<output::JointStiffnessRow> joint_stiffnesses() const override;
  std::vector<output::History*> histories() const override { return solver_.modules().histories(); }

 private:
  Solver& solver_;  ///< not const, because sums are computed on request
};

}  // namespace crumple::explicit_dynamics
