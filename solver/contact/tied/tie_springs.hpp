// Tied contacts by penalty: springs between nodes and their initial positions relative to their segments.
//
// The position p of a node relative to a segment with nodes x_a depends on the segment only,
//     p = sum w_a x_a + h n,   n = g1 x g2 / |g1 x g2|,   g1, g2 = sums of d_a x_a (its mean lines),
// with weights w_a of sum 1 and the height h, such that p is the node at t = 0. The energy k/2 |x - p|^2 does
// not change in rigid motions. So the forces, its gradient, are in balance of forces and moments, and are
// zero when segment and node rotate together. With d = x - p, f = -k d on the node and q = (f - n n . f) /
// |g1 x g2|, each node of the segment gets
//     -(w_a f + h (d1_a g2 x q + d2_a q x g1)).
// A tie of rotations has a second spring, between the spin of the node and that of the segment; its relative
// rotation vector rotates with the segment.
//
// Stiffness. The springs add sum_j k_j b_j b_j^T to the stiffness matrix; let c_jn >= |b_j| at node n. Let
// mu_jn be spring j's share of the mass m_n, sum_j mu_jn <= m_n. By Cauchy's inequality the largest
// eigenvalue omega^2 is at most max_j k_j sum_n c_jn^2 / mu_jn. Shares proportional to c_jn give
//     omega^2 dt^2 <= s   if   k_j = s / (dt^2 sum_n c_jn C_n / m_n),   C_n = sum_j c_jn:
// s times the reduced mass of node and segment over dt^2, each mass divided among its springs. Elements at
// TSSFAC = 0.9 take 3.24 of the 4 at which central differences lose stability, which leaves 0.76 for both
// kinds of springs.
//
// The rank of the segment's element computes a tie; it has copies of all its nodes, and knows when the
// element is deleted. Forces are in fixed point, so results do not depend on ranks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/contact_system.hpp"
#include "contact/tied/segment_spin.hpp"
#include "contact/tied/tie_load.hpp"
#include "parallel/halo.hpp"

namespace crumple::contact {

class TieSprings {
 public:
  /// Collective. `nodal` is at t = 0.
  TieSprings(const model::Model& model, const state::Nodal& nodal, const parallel::Communicator& comm,
             const parallel::Halo& halo);

  /// Elements of this rank that were deleted: ties to their segments end at once. Local.
  void delete_elements(std::span<const DeletedElement> elements);

  /// Add the forces at t_n to those of the nodes, before the sum over copies. Local.
  ///
  /// @param dt t_n - t_{n-1}; 0 in the first cycle
  void add_forces(state::Nodal& nodal, double time, double dt, model::Stage stage);

  /// Add forces and energies of these ties at the last t_n to those of their contacts. Collective.
  void add_results(std::span<ContactResult> results) const;

  /// Goes on from what implicit steps have left, at the positions of the next step. Local.
  void begin_with(std::span<const TieLoad> loads, const state::Nodal& nodal);
  /// At the last t_n, of this rank's springs. Local.
  std::vector<TieLoad> loads() const;

  /// Which springs live, what they did last, and their work.
  void archive(state::Archive& archive);

 private:
  struct Spring {
    model::Tie tie;  ///< weights of p
    std::int32_t contact = 0;
    bool alive = true;
    double height = 0.0;
    double compliance = 0.0, turning_compliance = 0.0;  ///< sum c C / m; 0: no such spring
    Vec3 turned;                                        ///< rotation of the node relative to the segment
    Vec3 force, moment;                                 ///< on the node
    NodalLoads loads;                                   ///< on the segment's nodes
    double work = 0.0;                                  ///< done against the spring so far
    TieStart start;                                     ///< what implicit steps have left
  };
  void place(Spring& spring, const state::Nodal& nodal) const;
  void share_masses(const state::Nodal& nodal, const parallel::Halo& halo);
  void update(Spring& spring, const state::Nodal& nodal, double dt);
  void archive_starts(state::Archive& archive, const state::Rows& rows);

  const model::Model* model_;
  parallel::Communicator comm_;
  bool any_ = false;  ///< on any rank
  std::vector<Spring> springs_;
  double longest_dt_ = 0.0;
  bool no_step_yet_ = false;  ///< since `begin_with`
};

}  // namespace crumple::contact
