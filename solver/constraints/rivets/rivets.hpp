// Rivets in explicit runs: massless rods that keep the distance of two nodes, and do not hinder their turns.
//
// The impulse of a rod acts along its line r at t_n, so that it conserves momentum and angular momentum. Its
// size s is such that the nodes have their distance L at t_{n+1} (Ryckaert, Ciccotti and Berendsen 1977,
// "Numerical integration of the Cartesian equations of motion of a system with constraints", J. Comput. Phys.
// 23, eqs. 5.5 to 5.9, SHAKE):
//
//     e = r + dt (v_2 - v_1),   e.e - L^2 = 0,   v_1 -= s W_1 r,   v_2 += s W_2 r
//
// by Newton's method, rod by rod until all have their lengths. W are inverses of masses, 0 along directions
// in which a node is held or moved. The length is that of the start, so that errors do not add up.
#pragma once

#include <memory>
#include <vector>

#include "constraints/linked_motion.hpp"
#include "constraints/rivets/rivet.hpp"
#include "modules/module.hpp"

namespace crumple::constraints {

class Rivets final : public modules::Module {
 public:
  explicit Rivets(const modules::Start& start);

  // As a module (modules/module.hpp).
  static std::unique_ptr<modules::Module> start(const modules::Start& start);
  void add_held_nodes(std::vector<LocalId>& nodes) const override;
  void link(modules::Cycle& cycle) override;
  void add_work(modules::Work& work) const override { work.external.add(work_.done()); }
  void archive(state::Archive& archive, const parallel::IndexMap&) override;

 private:
  void hold(const RivetGroup& group, modules::Cycle& cycle);
  bool correct(const RivetGroup& group, const Rivet& rivet, modules::Cycle& cycle) const;

  const std::vector<RivetGroup>* groups_;
  const modules::Modules* modules_;
  int rank_;
  std::vector<Mobility> mobility_;  ///< of the nodes of one group
  LinkedMotion motion_;
  HalfStepWork work_;
};

}  // namespace crumple::constraints
