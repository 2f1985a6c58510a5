// Trusses in a line that stretch as one (*PART_AVERAGED): their common length, its rate, and their inertia.
//
// A chain has one strain: the change of its whole length over its whole length, as LS-DYNA averages it
// (keyword manual, vol. I, *PART, remark on AVERAGED). All its trusses have the same stress and the same
// force F, so the chain is one spring of the length L = sum l_i. With the unit vectors e_i of the trusses,
// the force on node a is F g_a, g_a = e_a - e_{a-1} (0 where the line is straight), and the chain's stiffness
// k g g^T has rank one. Its frequency with the masses m_a that the trusses give the nodes is exact,
//
//   omega^2 = k sum_a |g_a|^2 / m_a,
//
// to which tension adds F / l_i across each truss (elements/beam/truss.hpp). A straight chain of n equal
// trusses has a step sqrt(n) times that of one truss: its ends have the mass of half a truss only. With one
// truss this is L / c. LS-DYNA's step is L / c whatever n, which is stable only where the ends are held or
// have masses of their own.
//
// Positions and velocities go from the rank that owns a node to all others, bit by bit, and every rank adds
// in the order of the line: the same bits on any number of ranks.
#pragma once

#include <span>
#include <vector>

#include "model/truss_chain.hpp"
#include "parallel/communicator.hpp"
#include "state/group_view.hpp"
#include "state/nodal.hpp"

namespace crumple::state {

/// What all trusses of a chain read (elements/beam/layout.hpp: ChainVariable).
struct ChainMotion {
  double length = 0;      ///< at the end of the step; 0: one of its trusses was deleted, so it ends
  double mid_length = 0;  ///< half way through it
  double speed = 0;       ///< rate of the length
  double length0 = 0;     ///< at the start
  double mobility = 0;    ///< sum of |g_a|^2 over the length of truss that node a carries
};

/// Motion of a line of nodes in the step dt that led to `x`; `first` are their positions at the start.
ChainMotion chain_motion(std::span<const Vec3> first, std::span<const Vec3> x, std::span<const Vec3> v,
                         double dt);

class TrussChains {
 public:
  /// Keeps references. Collective.
  TrussChains(const model::Model& model, const Nodal& nodal, const parallel::Communicator& comm);

  /// Give the trusses of each chain its motion in the step dt that led to the present positions. Collective.
  void update(const Nodal& nodal, std::span<const WritableGroup> groups, double dt);

 private:
  void share(const Nodal& nodal);
  void count_deleted(std::span<const WritableGroup> groups);

  const std::vector<model::TrussChain>* chains_;
  const parallel::Communicator* comm_;
  std::vector<Vec3> first_, x_, v_;    ///< of the nodes of all chains
  std::vector<std::int64_t> bits_;     ///< of x_ and v_, in messages
  std::vector<std::int64_t> deleted_;  ///< trusses of each chain
};

}  // namespace crumple::state
