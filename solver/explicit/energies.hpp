// Energies, masses and momenta of parts and of the whole model, summed exactly.
#pragma once

#include <span>
#include <vector>

#include "model/model.hpp"
#include "parallel/communicator.hpp"
#include "parallel/exact_sum.hpp"
#include "state/group_view.hpp"
#include "state/nodal.hpp"

namespace crumple::explicit_dynamics {

/// Energies of one part; kinetic energy and momentum from the elements' lumped masses.
struct PartEnergies {
  double internal = 0, hourglass = 0, kinetic = 0, mass = 0;
  double eroded_internal = 0, eroded_hourglass = 0;
  Vec3 momentum;
};

/// Energies of the whole model.
struct GlobalEnergies {
  double internal = 0, hourglass = 0, mass = 0, spring = 0;
  double kinetic = 0;          ///< of the velocities at t_n, never negative
  double kinetic_balance = 0;  ///< as the energy balance counts it: Motion::v2, w2
  double damping = 0;          ///< dissipated by stiffness damping
  double eroded_internal = 0, eroded_hourglass = 0;
  Vec3 momentum;
};

/// Nodal motion at t_n, for energies.
struct Motion {
  std::span<const Vec3> v, w;      ///< velocities: the means of both half steps
  std::span<const double> v2, w2;  ///< squares as the energy balance counts them: v_{n-1/2} . v_{n+1/2}
};

/// Mean mass per node of every element of the rank, including rigid ones.
class MassShares {
 public:
  explicit MassShares(const model::Model& model);
  /// Mass per node of element e of a kind; of a tetrahedron with ten nodes per corner.
  double share(model::ElementKind kind, LocalId e) const { return share_[kind][static_cast<std::size_t>(e)]; }
  /// Mass per node in the middle of the edges of a solid that has such nodes.
  double middle_share(LocalId e) const { return middle_[static_cast<std::size_t>(e)]; }

 private:
  model::PerKind<std::vector<double>> share_;
  std::vector<double> middle_;  ///< of solids; empty if none has nodes in the middle of its edges
};

/// Energies of all parts, on every rank. Collective.
std::vector<PartEnergies> part_energies(const parallel::Communicator& comm, const model::Model& model,
                                        const MassShares& masses, const Motion& motion,
                                        std::span<const state::GroupView> groups);

/// Energies of the whole; kinetic energy and momentum from owned nodes with `counted` set. Collective.
GlobalEnergies global_energies(const parallel::Communicator& comm, const state::Nodal& nodal,
                               const Motion& motion, std::span<const char> counted,
                               std::span<const state::GroupView> groups);

}  // namespace crumple::explicit_dynamics
