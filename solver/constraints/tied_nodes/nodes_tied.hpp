// Coincident nodes that move as one until the elements around them have flowed too far.
//
// The nodes of a group have one velocity and one angular velocity,
//
//     v = sum m_i v_i / sum m_i,   w = sum J_i w_i / sum J_i,
//
// which conserve momentum and, since the nodes are at one place, angular momentum (Hallquist 2006, LS-DYNA
// Theory Manual, section on tied nodes with failure). Where one of them is held or moved, all have its motion
// in this direction.
//
// The group fails, all its nodes at once, when the plastic strain of the elements at its nodes exceeds EPPF
// in the mean (mean_plastic_strains.hpp).
#pragma once

#include <memory>
#include <vector>

#include "constraints/linked_motion.hpp"
#include "constraints/tied_nodes/mean_plastic_strains.hpp"
#include "constraints/tied_nodes/tied_nodes.hpp"
#include "modules/module.hpp"

namespace crumple::constraints {

class NodesTied final : public modules::Module {
 public:
  explicit NodesTied(const modules::Start& start);

  /// The mean plastic strain of each group in the last step in which it was tied.
  const std::vector<double>& strains() const { return strain_; }
  const std::vector<char>& failed() const { return failed_; }

  // As a module (modules/module.hpp).
  static std::unique_ptr<modules::Module> start(const modules::Start& start);
  void initialize(state::Nodal& nodal, const RigidBodies&) override;
  void add_held_nodes(std::vector<LocalId>& nodes) const override;
  void link(modules::Cycle& cycle) override;
  void add_work(modules::Work& work) const override { work.external.add(work_.done()); }
  void archive(state::Archive& archive, const parallel::IndexMap&) override;

 private:
  void find_failed(std::span<const state::GroupView> groups);
  void hold(const TiedNodes& tied, modules::Cycle& cycle);

  const std::vector<TiedNodes>* all_;  ///< on every rank; nodes are those that it has
  const modules::Modules* modules_;
  int rank_;
  MeanPlasticStrains strains_;
  std::vector<char> failed_;
  std::vector<double> strain_;
  std::vector<Mobility> mobility_;
  LinkedMotion motion_;
  HalfStepWork work_;
};

}  // namespace crumple::constraints
