// Mass scaling, added mass that gives small elements a larger step: DT2MS of *CONTROL_TIMESTEP, DT of spot
// welds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "explicit/elements.hpp"
#include "parallel/communicator.hpp"
#include "parallel/exact_sum.hpp"
#include "parallel/halo.hpp"
#include "state/nodal.hpp"

namespace crumple::explicit_dynamics {

/// Conventional mass scaling. The stable step of an element is proportional to the square root of its
/// density. So an element with the step dt_e needs its mass times (DT2MS / dt_e)^2 for the step DT2MS
/// (Hallquist 2006, LS-DYNA Theory Manual, section 22.6; Olovsson, Simonsson, Unosson 2005, section 2). The
/// added mass is lumped like the element's own.
///
/// DT2MS < 0: mass is only added, to elements whose step is below |DT2MS|. DT2MS > 0: all elements start with
/// the mass that gives the step DT2MS, more or less than their own. Later, mass is added where a step falls
/// below DT2MS, unless MS1ST = 1; it is never removed. Nodes of rigid bodies get no mass, because elements
/// cannot move them individually. Springs and rigid elements have no mass to scale.
///
/// DT of *MAT_SPOTWELD adds mass at the start to beams of that material whose step is smaller than DT.
///
/// Increments are summed in fixed point, so masses have the same bits on any number of ranks.
class MassScaling : private MassFactors {
 public:
  /// `groups`, which are kept, and `nodal` as at t = 0; `rigid` marks nodes of rigid bodies. Local.
  MassScaling(const model::Model& model, std::span<const state::GroupView> groups, const state::Nodal& nodal,
              std::span<const char> rigid);

  /// Whether the deck has mass scaling.
  bool active() const { return active_; }

  /// Whether mass may be added to nodes in a cycle; the same on every rank.
  bool adds_in(std::int64_t cycle) const { return active_ && (cycle == 0 || !once_); }

  /// After the element forces of the groups at the border, then after those of all others: computes the
  /// missing mass, and sets the elements' steps to those with this mass. Local.
  void find_missing(bool border, std::int64_t cycle, Elements& elements);
  /// Missing mass at each node, to be summed over copies of nodes. At shared nodes it is complete after the
  /// groups at the border.
  std::array<parallel::NodeSums, 2> sums() { return {{{mass_, 1}, {inertia_, 1}}}; }
  /// Adds the sums to the nodal masses. Local.
  void give_to_nodes(std::int64_t cycle, int rank, const parallel::Halo& halo, state::Nodal& nodal);

  /// Added mass of each part. Collective.
  std::vector<double> by_part(const parallel::Communicator& comm) const;
  /// Mass added to each node of the rank, absolute or in percent of the node's own. Local.
  std::vector<double> of_nodes(const state::Nodal& nodal, bool percent) const;
  /// Kinetic energy that mass added during the run has at once, on this rank, without work of any force.
  const parallel::ExactSum& work() const { return work_; }

 private:
  /// Data of one group of elements.
  struct Group {
    double step_at_start = 0.0;         ///< DT of its material
    std::vector<double> factor;         ///< mass over the element's own
    std::vector<char> changed;          ///< by block: whether any factor is not 1
    std::vector<double> mass, inertia;  ///< own share of each node
  };
  std::span<const double> of_block(std::size_t group, std::int32_t block, double least) override;
  bool raise(bool first, const state::GroupView& elements, Group& group, std::int32_t e);
  void add_block(const state::GroupView& elements, const Group& group, std::int32_t block,
                 parallel::ExactSum& sum) const;
  double needed_factor(const Group& group, double factor, double step, bool first) const;

  double target_ = 0.0;
  bool active_ = false;
  bool shrink_ = false, once_ = false;
  bool found_ = false;       ///< an element of the rank needs mass in this cycle
  std::vector<char> given_;  ///< by block of consecutive nodes: whether one of them gets mass
  std::vector<char> rigid_;
  std::span<const state::GroupView> elements_;
  std::vector<Group> groups_;
  std::size_t parts_ = 0;
  std::int64_t cycle_ = 0;
  std::vector<double> mass_scale_, inertia_scale_;  ///< powers of two of each node's fixed-point sums
  std::vector<std::int64_t> mass_, inertia_;        ///< increments of this cycle
  std::vector<double> nodal_added_;
  parallel::ExactSum work_;
};

}  // namespace crumple::explicit_dynamics
