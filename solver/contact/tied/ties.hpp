// Tied contacts by a constraint: nodes that move as a point of a segment, or as the end of a rigid arm on it.
//
// With weights w_a of the segment's nodes at the point, velocities v_a, spins W_a and the arm r from the
// point to the node, the node moves with
//     v = sum w_a v_a + W x r,   W = sum w_a W_a.
// By virtual power, a force f and a moment m on the node give the segment's nodes the forces w_a f and the
// moments w_a (m + r x f). Their sum and their moment about any point equal those of f and m: momentum and
// angular momentum are conserved. Nodes of solids have no spins; there W is the mean rotation K^-1 sum r_a x
// v_a with K = sum (r_a . r_a I - r_a r_a), and a moment M gives the forces (K^-1 M) x r_a.
//
// Masses are transferred like forces and lumped: w_a m, and w_a (J + m r . r) of inertia (Hallquist 2006,
// LS-DYNA Theory Manual, section 26.10, without the arm). As sum w_a |v_a|^2 >= |sum w_a v_a|^2, the
// transferred mass has at least the kinetic energy of the node in the same motion. So ties without arms never
// reduce the stable step. A tied node has no mass left; energies count where the mass is.
//
// A tied node's owner transfers its force, in fixed point; its motion is computed on every rank that has the
// node, from copies of the segment's nodes. So results do not depend on ranks.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "contact/contact_system.hpp"
#include "contact/tied/held_tie.hpp"
#include "contact/tied/tie_passes.hpp"
#include "model/model.hpp"
#include "parallel/communicator.hpp"
#include "parallel/exact_sum.hpp"
#include "parallel/halo.hpp"
#include "state/nodal.hpp"

namespace crumple::contact {

class Ties {
 public:
  /// Collective. Transfers the masses of tied nodes in `nodal`.
  ///
  /// @param isa instruction set of passes over ties; results do not depend on it
  Ties(const model::Model& model, state::Nodal& nodal, const parallel::Communicator& comm,
       const parallel::Halo& halo, elements::Isa isa = elements::best_isa());

  /// Give tied nodes the velocities of their segments, at t = 0. Local.
  void start(state::Nodal& nodal);
  /// Arms become those of the present positions; a node on its segment has none. Local.
  void take_arms(const state::Nodal& nodal);

  /// Elements of this rank that were deleted. Ties to their segments end in the next cycle: the node is free
  /// and has its mass again. Local.
  void delete_elements(std::span<const DeletedElement> elements);

  /// Transfer the forces at t_n, summed over copies, to the nodes of segments; and masses that were added to
  /// tied nodes. Collective.
  void transfer(state::Nodal& nodal, double time);

  /// Accelerations of tied nodes at t_n from those of their segments, which are final, and the forces for
  /// them: for output, before `move`. Local.
  void accelerate(state::Nodal& nodal);

  /// Velocities of tied nodes at t_{n+1/2} from those of their segments, which are final. Local.
  void move(state::Nodal& nodal, double dt_x);

  /// Part of the nodes' own masses, transferred as their full masses were. Collective.
  std::vector<double> transferred(std::vector<double> mass) const;

  /// Kinetic energy of this rank's nodes that was lost when ties ended: a tied node's mass had the velocities
  /// of its segment's nodes, and now has the node's own.
  const parallel::ExactSum& lost_energy() const { return lost_; }

  /// Fill in the forces of tied contacts at the last t_n. Collective.
  void add_results(std::span<ContactResult> results) const;

  /// What a cycle reads of a tie, for docs/limits.md.
  static constexpr std::size_t bytes_of_tie() { return sizeof(HeldTie); }

  /// Which ties live, where their nodes are on their segments, and what mass they have transferred.
  void archive(state::Archive& archive);

 private:
  /// The other data of a tie.
  struct Record {
    std::int32_t contact = 0, level = 0;
    LocalId element = model::kNone;    ///< of the segment
    std::int32_t at = 0;               ///< the tied node, index into nodes_
    std::array<std::int32_t, 4> on{};  ///< the segment's nodes, indices into nodes_
    double inertia = 0.0;              ///< transferred
    double turning = 0.0;              ///< inertia that was added to the segment's nodes
    Vec3 force;                        ///< on the node, from the segment
    GlobalId id = 0;                   ///< of the node
    std::array<GlobalId, 4> ids{};     ///< of the segment's nodes
  };
  void list_ties(const model::Model& model, const state::Nodal& nodal);
  void number_nodes(const state::Nodal& nodal, const parallel::Halo& halo);
  void choose_scales(const state::Nodal& nodal, const parallel::Halo& halo);
  void measure(std::size_t k, std::span<parallel::ExactSum> sums) const;
  void release(std::size_t k, state::Nodal& nodal, double time);
  void count_loss(std::size_t k, const state::Nodal& nodal, double mass, double inertia, double turning);
  void give_mass(std::size_t k, double mass, double turning);
  bool has_mass(std::size_t k, const state::Nodal& nodal) const;
  void take_mass(std::size_t k, state::Nodal& nodal);
  template <bool kAtomic>
  void give_force(std::size_t k, state::Nodal& nodal);
  void share_among_threads(std::size_t n_nodes);
  void give_loads(std::size_t level, state::Nodal& nodal);
  void give_one(std::size_t k, state::Nodal& nodal);
  void move_one(HeldTie& held, state::Nodal& nodal, double dt_x) const;
  template <class Visit>
  void for_each_by_level(Visit visit) const;
  void receive(state::Nodal& nodal);

  const model::Model* model_;
  parallel::Communicator comm_;
  const TiePasses& passes_;
  std::vector<Transducer> transducers_;
  std::vector<HeldTie> held_;   ///< by level
  std::vector<Record> record_;  ///< of each of held_
  std::vector<std::size_t> level_begin_;
  std::size_t runs_ = 1;           ///< of the ties of a level, one per thread
  std::int32_t levels_ = 0;        ///< over all ranks; 0 without ties
  double first_death_ = HUGE_VAL;  ///< earliest death time of a tied contact
  std::vector<LocalId> nodes_;     ///< nodes of ties: first those shared with other ranks, then the others
  std::size_t n_shared_ = 0;
  parallel::Halo halo_;           ///< of nodes_, by their index there
  std::vector<LocalId> deleted_;  ///< tied nodes (into nodes_) whose segments this rank deleted
  parallel::ExactSum lost_;
  bool started_ = false;
  // By node in nodes_.
  std::vector<char> let_go_;                        ///< free from now on, known to all ranks
  std::vector<double> mass_scale_, inertia_scale_;  ///< of sums
  // To be sent. Shared nodes: forces and moments. All nodes, 3 values each: a mark of deleted segments, a
  // mass and an inertia. Forces on other nodes are added at once.
  std::vector<parallel::LoadSum> loads_;
  std::vector<std::int64_t> mass_;
  bool mass_on_the_way_ = false, some_let_go_ = false;
};

}  // namespace crumple::contact
