// Linear relations between freedoms of nodes in explicit runs: Lagrange multipliers, weighted with masses.
//
// With the velocities v* at t_{n+1/2} without the constraints C u = 0, the impulses -C' l on the nodes give
//
//     v = v* - W C' l,     C W C' l = C v*
//
// W the inverses of masses and inertias, 0 where a node is held or moved (Belytschko, Liu, Moran 2000,
// section 4.9.2, with the constraint on the velocity in the middle of the step). C is constant, so C u = 0
// holds for displacements to rounding. v is the motion nearest to v* in kinetic energy; where coefficients of
// a constraint sum to zero for each axis, momentum is conserved.
//
// C W C' is factored once and again where masses change or what is held. A constraint that follows from
// earlier ones of its group has no multiplier. All ranks with a node of a group have all of it.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "constraints/linear/linear_constraint.hpp"
#include "constraints/linked_motion.hpp"
#include "modules/module.hpp"

namespace crumple::constraints {

/// Solves A x = b for a symmetric positive semi-definite matrix: rows that depend on earlier ones get 0.
class SemiDefinite {
 public:
  /// @param a n rows of n, of which the lower triangle counts
  void factor(std::vector<double> a, std::size_t n);
  void solve(std::vector<double>& b) const;
  std::size_t rank() const { return rank_; }

 private:
  std::vector<double> l_;  ///< A = L D L' below the diagonal, on it D, 0 for dependent rows
  std::size_t n_ = 0, rank_ = 0;
};

/// Factors C W C' of constraints on nodes that answer by `mobility`.
void factor_rows(const LinearGroup& group, const std::vector<Mobility>& mobility, SemiDefinite& matrix);

/// Velocities v with C v + `excess` = 0, by the least change.
/// @param excess of each constraint; empty: 0
/// @param multiplier working memory
void hold_rows(const LinearGroup& group, const std::vector<Mobility>& mobility, const SemiDefinite& matrix,
               std::span<const double> excess, std::vector<double>& multiplier, state::Nodal& nodal);

class LinearConstraints final : public modules::Module {
 public:
  explicit LinearConstraints(const modules::Start& start);

  // As a module (modules/module.hpp).
  static std::unique_ptr<modules::Module> start(const modules::Start& start);
  void add_held_nodes(std::vector<LocalId>& nodes) const override;
  void link(modules::Cycle& cycle) override;
  void add_work(modules::Work& work) const override { work.external.add(work_.done()); }
  void archive(state::Archive& archive, const parallel::IndexMap&) override;

 private:
  struct Solved {
    const LinearGroup* group = nullptr;
    std::vector<Mobility> mobility;  ///< of its nodes, for which the matrix is factored
    SemiDefinite matrix;
    std::vector<double> multiplier;
    bool holds_any = false;
  };
  void hold(Solved& solved, modules::Cycle& cycle);

  const modules::Modules* modules_;
  int rank_;
  std::vector<Solved> groups_;
  std::vector<Mobility> now_;
  LinkedMotion motion_;
  HalfStepWork work_;
};

}  // namespace crumple::constraints
