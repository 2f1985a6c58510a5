// Mortar contact of one contact definition in explicit runs: pairs, forces, energies.
//
// Works as ContactSystem does, which owns it and decides when to sort. A pair of segments has the forces of
// pair.hpp; it is evaluated on one rank only, the home rank of its first segment (that of surface a; of a
// single surface, the one with the lower order), against bit-identical copies.
//
// What a pair does depends on its positions now and on whether it touched in the last cycle, not on when
// pairs were searched. A pair that did not touch is in contact if its segments' boxes are near enough, and if
// no point is deeper than half of what Overlap allows: of two faces of solids back to back each is deep
// behind the other. It keeps the side on which shells touch until it opens.
//
// Stability. With lumped masses the work of a pressure k d on any motion is at most k (1/m1 + 1/m2) times its
// kinetic energy form, m_i the least of mass over area at the surfaces' nodes: (u1 - u2)^2 <= (1/m1 + 1/m2)
// (m1 u1^2 + m2 u2^2) at each point, and an integral of shape functions' u^2 is not larger than its lumped
// form. So omega^2 <= k (1/m1 + 1/m2), and the slope of the pressure is limited to kStableShare / (1/m1 +
// 1/m2) / dt^2 (force/penalty.hpp): the parabola ends where it reaches that.
#pragma once

#include <span>
#include <vector>

#include "contact/contact_system.hpp"
#include "contact/mortar/faces.hpp"
#include "contact/mortar/moving_pair.hpp"
#include "contact/search/bucket_grid.hpp"

namespace crumple::contact::mortar {

/// A segment on its home rank; constant during the run but for `alive` and `searched`.
struct FaceRecord {
  GlobalId order = 0;                    ///< in its surface
  std::array<GlobalId, 8> excluded{};    ///< user ids of the nodes of its element, its own first
  std::array<LocalId, kCorners> node{};  ///< local on the home rank
  std::array<double, kCorners> area{};   ///< of the surface that belongs to each of its nodes
  double half_thickness = 0, depth = 0;  ///< see Face
  double modulus = 0, length = 0;        ///< see Face
  LocalId rigid_body = -1;
  std::int8_t corners = kCorners;
  bool solid = false;
  bool alive = true;
  bool searched = true;  ///< alive, or its last forces are still to be counted
};
CRUMPLE_MEMBERS(FaceRecord, order, excluded, node, area, half_thickness, depth, modulus, length, rigid_body,
                corners, solid, alive, searched)

/// What a first segment keeps from cycle to cycle.
struct FaceState {
  std::array<double, kCorners> taken_out{};                 ///< see PairInput
  std::array<std::array<double, kCorners>, 2> stretched{};  ///< see PairInput
  double work_a = 0, work_b = 0;                            ///< done against the contact by nodes of a and b
  double friction = 0;                                      ///< part of both that friction dissipated
};
CRUMPLE_MEMBERS(FaceState, taken_out, stretched, work_a, work_b, friction)

/// A pair in contact, stored from cycle to cycle.
struct TouchingFaces {
  GlobalId other = 0;                       ///< order of the second segment
  std::array<GlobalId, kPairNodes> node{};  ///< user ids
  std::array<Vec3, kPairNodes> force{};
  double side = 1;  ///< PairInput::side of the first
  double penetration = 0;
  std::array<std::int8_t, 2> corners{};
};
CRUMPLE_MEMBERS(TouchingFaces, other, node, force, side, penetration, corners)

/// Sums over the pairs of this rank.
struct MortarSums {
  parallel::ExactSum energy_a, energy_b, friction;
  std::array<parallel::ExactSum, 3> force, minus_force;  ///< on the first segments, and its negative
  std::int64_t touching = 0;                             ///< pairs
  double max_penetration = 0.0;
};

struct FaceMessage;

class ExplicitMortar {
 public:
  /// Collective. `model` must live as long as this.
  ///
  /// @param mean_size of the segments of both surfaces, over all ranks
  ExplicitMortar(const model::Model& model, std::int32_t contact, const state::Nodal& nodal,
                 const parallel::Communicator& comm, std::span<const PartConstants> constants,
                 elements::Isa isa, const std::array<double, 2>& mean_size);

  std::int32_t contact() const { return contact_; }
  bool single() const { return single_; }
  double mean_size() const { return std::max(mean_size_[0], mean_size_[1]); }
  /// Append the nodes whose motion changes distances of segments.
  void list_moving_nodes(std::vector<LocalId>& nodes) const;

  /// Collective. Find all pairs that can touch before any relative motion exceeds `margin`.
  ///
  /// @param a, b the segments of both surfaces, with those that are deleted
  void sort(const state::Nodal& nodal, std::span<const SegmentRecord> a, std::span<const SegmentRecord> b,
            double margin);
  void expect_new_masses() { masses_change_ = true; }
  /// Start sending the motion of copied segments' nodes.
  void post(const state::Nodal& nodal) { exchange_.post(nodal); }
  /// Collective. Wait for motion, add the forces of all pairs to `loads`, send forces on copies home.
  ///
  /// @param dt t_n - t_{n-1}; 0 in the first cycle
  /// @param stable_dt the largest step so far
  void add_forces(const state::Nodal& nodal, double time, double dt, double stable_dt,
                  std::span<parallel::LoadSum> loads);
  /// Segments of a surface that are deleted on any rank, ascending orders.
  void delete_faces(bool of_b, std::span<const GlobalId> orders);

  /// Pairs of this rank, after a sort.
  void append_near_pairs(std::vector<NearPair>& pairs) const;
  void add_to(MortarSums& sums) const;
  /// Calls `visit(pair)` for all pairs in contact.
  template <class Visit>
  void for_each_touch(Visit visit) const {
    for (const auto& list : touching_)
      for (const TouchingFaces& pair : list) visit(pair);
  }
  /// Contacts with their work. After reading, a sort must follow.
  void archive(state::Archive& archive);

 private:
  struct Found;  ///< a segment nearby, of this rank or a copy
  struct Candidate {
    FaceRecord face;
    std::array<std::int32_t, kCorners> node{};  ///< into UsedNodes
    bool of_b = false;
  };
  /// Values of a cycle.
  struct Cycle {
    const state::Nodal* nodal = nullptr;
    double dt = 0, stable_dt = 0;
    double left = 1;      ///< share of initial penetrations that is taken out
    double moved = 0;     ///< relative motion of the used nodes since the sort
    bool acts = true;     ///< between birth and death
    bool first = false;   ///< since its birth
    bool tracks = false;  ///< IGNORE = 1
  };
  const model::Contact& deck() const { return model_.contacts[at(contact_)]; }
  std::vector<FaceRecord> faces_of(const model::Surface& surface, double scale, const SegmentBuilder& build,
                                   std::span<const PartConstants> constants) const;
  void share_areas(std::vector<FaceRecord>& faces, double mean_size, const state::Nodal& nodal) const;
  // explicit_sorting.cpp
  bool may_touch(const FaceRecord& first, const FaceRecord& second) const;
  std::vector<std::vector<FaceMessage>> bring_copies(const state::Nodal& nodal, double margin) const;
  void find_pairs(std::span<const Found> found, double margin);
  void number_used_nodes(const state::Nodal& nodal, std::span<const Found> found,
                         std::span<const std::vector<FaceMessage>> messages);
  // explicit_mortar.cpp
  void gather_used(const state::Nodal& nodal);
  double relative_motion();
  Vec3 velocity(std::int32_t used, const Cycle& cycle) const;
  std::array<double, 2> inverse_masses(const Candidate& first, const Candidate& second) const;
  bool lay(const Candidate& first, const Candidate& second, const TouchingFaces* held, MovingPair& in) const;
  bool set_sides(const Candidate& first, const Candidate& second, const TouchingFaces* held,
                 MovingPair& in) const;
  void set_laws(const Candidate& first, const Candidate& second, const FaceState& state, const Cycle& cycle,
                MovingPair& in) const;
  void set_friction(const Candidate& first, const Candidate& second, const FaceState& state,
                    const Cycle& cycle, double stiffness, MovingPair& in) const;
  void count_work(const TouchingFaces& pair, const Candidate& first, const Candidate& second,
                  const Cycle& cycle, FaceState& state) const;
  void take_out();
  template <bool kAtomic>
  void evaluate(const Cycle& cycle, std::span<parallel::LoadSum> loads);
  template <bool kAtomic>
  void evaluate_face(std::size_t f, const Cycle& cycle, std::vector<TouchingFaces>& before,
                     std::span<parallel::LoadSum> loads);
  template <bool kAtomic>
  void scatter(const TouchingFaces& pair, const Candidate& first, const Candidate& second,
               std::span<parallel::LoadSum> loads);

  const model::Model& model_;
  std::int32_t contact_;
  parallel::Communicator comm_;
  const PairFunctions* functions_;
  MovingPairFunction forces_;
  std::array<double, 2> mean_size_;
  bool single_;
  bool began_ = false;                                ///< it has acted since its birth
  std::vector<FaceRecord> a_, b_;                     ///< of this rank, ascending order; b_ empty if single
  std::vector<model::Neighbours> neighbours_;         ///< ascending
  std::vector<FaceState> states_;                     ///< by face of a
  std::vector<std::vector<TouchingFaces>> touching_;  ///< by face of a, ascending `other`
  // since the last sort
  std::vector<std::int32_t> first_;            ///< faces of a that have pairs
  std::vector<std::int32_t> first_candidate_;  ///< their indices among the candidates
  std::vector<std::int32_t> begin_;            ///< pairs of first_[k] are begin_[k] .. begin_[k + 1]
  std::vector<contact::Pair> pair_;            ///< ascending order of the second face
  std::vector<Candidate> candidate_;
  UsedNodes used_;
  AlignedVector<Vec3> x_sorted_;  ///< of used nodes; empty until the first forces after a sort
  bool masses_change_ = false;
  NodeExchange exchange_;
};

}  // namespace crumple::contact::mortar
