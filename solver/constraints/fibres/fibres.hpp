// Shell edges on solids in explicit runs: a fibre through the solids that stays straight and turns the shell.
//
// The nodes of solids stay on a line but may slide on it; the shell node keeps its share s of the way between
// the first and the last, and turns with the line (LS-DYNA keyword manual, vol. I,
// *CONSTRAINED_SHELL_TO_SOLID). With the line's direction n at t_n, e_1 and e_2 at right angles to it, the
// length l and the share s_i of a node,
//
//     e . (x_i - (1 - s_i) x_1 - s_i x_N) = 0       nodes between
//     x_shell - (1 - s) x_1 - s x_N = 0
//     e . (w_shell - n x (v_N - v_1) / l) = 0
//
// hold at t_{n+1} by multipliers (linear/linear_constraints.hpp): positions are those of the end of the step,
// so that errors do not add up. The forces of each multiplier have no resultant, and no moment while the
// nodes are on the line: momentum and angular momentum are conserved.
#pragma once

#include <memory>
#include <vector>

#include "constraints/fibres/fibre.hpp"
#include "constraints/linear/linear_constraints.hpp"
#include "constraints/linked_motion.hpp"
#include "modules/module.hpp"

namespace crumple::constraints {

class Fibres final : public modules::Module {
 public:
  explicit Fibres(const modules::Start& start);

  // As a module (modules/module.hpp).
  static std::unique_ptr<modules::Module> start(const modules::Start& start);
  void add_held_nodes(std::vector<LocalId>& nodes) const override;
  void link(modules::Cycle& cycle) override;
  void add_work(modules::Work& work) const override { work.external.add(work_.done()); }
  void archive(state::Archive& archive, const parallel::IndexMap&) override;

 private:
  void hold(const Fibre& fibre, modules::Cycle& cycle);
  void list_rows(const Fibre& fibre, const state::Nodal& nodal, double dt);
  void add_point(std::size_t place, double share, const Vec3& along, const Vec3& gap, double dt);

  const std::vector<Fibre>* all_;
  const modules::Modules* modules_;
  int rank_;
  // of one fibre in one step
  LinearGroup rows_;
  std::vector<double> excess_, multiplier_;
  std::vector<Mobility> mobility_;
  SemiDefinite matrix_;
  LinkedMotion motion_;
  HalfStepWork work_;
};

}  // namespace crumple::constraints
