// Ties of tiebreak contacts (*CONTACT_..._TIEBREAK): springs between nodes and their points on segments,
// until they fail; then the contact touches as any other.
//
// The place of a node relative to its segment is that of tied/tie_springs.hpp, p = sum w_a x_a + h n. Of the
// distance between a node of shells and the segment, a share turns with the node, so that both surfaces slide
// on each other where they meet: g = x + r - p, r turned by the node's spin. With the normal n towards the
// node the energy
//
//   U = (1 - D) (k_n <n . g>^2 + k_t |g - n n . g|^2) / 2 + k_n <-n . g>^2 / 2
//
// does not change in rigid motions, so that its gradient conserves momentum and angular momentum: the force F
// = -dU/dg on the node with the moment r x F, and on the segment's corners its reaction, with that of dU/dn
// on the normal.
//
// k_t = CT2CN k_n. k_n is CN times the node's area, at most the stable stiffness of tie_springs.hpp for the
// longest step so far, which is also taken without CN; it never increases. When and how a tie fails is in
// breaking_law.hpp. OPTION 4 holds the opening only: sliding and compression are the contact's own from the
// start.
//
// While a node has a tie, or is a corner of a segment to which a node is tied, the contact leaves it out
// (ContactSystem::hold): the tie has both directions. The rank of the segment's element computes a tie; all
// ranks learn of failures in the same cycle, by one sum over ranks, and of the nodes that are free then.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/contact_system.hpp"
#include "contact/tied/segment_spin.hpp"
#include "parallel/halo.hpp"

namespace crumple::contact {

class BreakingTies {
 public:
  /// Collective. `nodal` is at t = 0.
  BreakingTies(const model::Model& model, const state::Nodal& nodal, const parallel::Communicator& comm,
               const parallel::Halo& halo);

  /// Elements of this rank that were deleted: ties to their segments end at once. Local.
  void delete_elements(std::span<const DeletedElement> elements);

  /// The nodes that ties hold, for contacts: before their forces at t_n. Collective.
  void hold(ContactSystem& contact, const parallel::Halo& halo, std::size_t n_nodes);

  /// Add the forces at t_n to those of the nodes, before the sum over copies. Local.
  ///
  /// @param dt t_n - t_{n-1}; 0 in the first cycle
  void add_forces(state::Nodal& nodal, double time, double dt, model::Stage stage);

  /// Add forces, energies and living ties at the last t_n to those of their contacts. Collective.
  void add_results(std::span<ContactResult> results) const;

  /// Which ties live, their damage, what they did last, and their work.
  void archive(state::Archive& archive);

 private:
  struct Spring {
    model::BreakingTie input;  ///< weights of p
    std::int32_t contact = 0;
    bool alive = true;
    double height = 0.0;
    double side = 1.0;        ///< of the segment's normal on which the node is
    double compliance = 0.0;  ///< sum c C / m of tie_springs.hpp
    double damage = 0.0;
    Vec3 arm;            ///< from the node to where the surfaces meet; turns with the node
    Vec3 force, moment;  ///< on the node
    NodalLoads loads;    ///< on the segment's nodes
    double work = 0.0;   ///< done against the tie so far
  };
  void place(Spring& spring, const state::Nodal& nodal) const;
  void share_masses(const state::Nodal& nodal, const parallel::Halo& halo);
  void update(Spring& spring, const state::Nodal& nodal, double dt);
  void end(Spring& spring);

  const model::Model* model_;
  parallel::Communicator comm_;
  bool any_ = false;  ///< on any rank
  std::vector<Spring> springs_;
  double longest_dt_ = 0.0;
  bool ended_ = true;  ///< some since the last `hold`; at the start all nodes are new
};

}  // namespace crumple::contact
