// Edges of shells tied to edges of others in explicit runs, until the shells at a node have flowed too far.
//
// A node at the share s of the way between two nodes of the other edge has, as the sheet would without a
// seam,
//
//     v = (1 - s) v_a + s v_b,   w = (1 - s) w_a + s w_b
//
// by multipliers (linear/linear_constraints.hpp); rotations where all three have inertia. It is free when the
// plastic strain of the shells at it exceeds EPPF in the mean, weighted with their volumes (LS-DYNA keyword
// manual, vol. I, *CONSTRAINED_TIE-BREAK; tied_nodes/mean_plastic_strains.hpp), and so a seam unzips.
#pragma once

#include <memory>
#include <vector>

#include "constraints/linear/linear_constraints.hpp"
#include "constraints/linked_motion.hpp"
#include "constraints/tied_edges/tied_edge.hpp"
#include "constraints/tied_nodes/mean_plastic_strains.hpp"
#include "modules/module.hpp"

namespace crumple::constraints {

class TiedEdges final : public modules::Module {
 public:
  explicit TiedEdges(const modules::Start& start);

  // As a module (modules/module.hpp).
  static std::unique_ptr<modules::Module> start(const modules::Start& start);
  void add_held_nodes(std::vector<LocalId>& nodes) const override;
  void link(modules::Cycle& cycle) override;
  void add_work(modules::Work& work) const override { work.external.add(work_.done()); }
  void archive(state::Archive& archive, const parallel::IndexMap&) override;

 private:
  struct Seam {
    const TiedEdge* edge = nullptr;
    std::size_t first = 0;  ///< of its nodes in `failed_`
    LinearGroup rows;       ///< of those that are tied still; empty: to be listed
    std::vector<Mobility> mobility;
    SemiDefinite matrix;
  };
  void find_failed(std::span<const state::GroupView> groups);
  void list_rows(Seam& seam, const state::Nodal& nodal) const;
  void hold(Seam& seam, modules::Cycle& cycle);

  const modules::Modules* modules_;
  int rank_;
  std::vector<Seam> seams_;  ///< on every rank; without nodes where it has none
  MeanPlasticStrains strains_;
  std::vector<char> failed_;  ///< by tied node of all seams
  std::vector<double> strain_;
  std::vector<Mobility> now_;
  std::vector<double> multiplier_;
  LinkedMotion motion_;
  HalfStepWork work_;
};

}  // namespace crumple::constraints
