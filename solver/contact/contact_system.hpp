// All penalty contacts of a run: tracking, sorting, forces, energies.
//
// Each tracked node is evaluated only by its owner, against bit-identical copies of segments that their home
// ranks send. (With SOFT = 2, points of segments are evaluated on the segment's home rank; edges/ does the
// same with lines.) Forces are fixed-point integers. So the result does not depend on ranks or threads. It
// does not depend on the times of sorts either: a sort only finds a superset of the segments that can touch.
//
// The cycle before decides whether to sort, with a margin for one more step of any node in any direction at
// the greatest speed; so this needs no reduction of its own. If nodes move farther than that in a step,
// contacts may be found one cycle late, in the same way on any number of ranks. ContactTiming counts such
// cycles.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "contact/force/penalty.hpp"
#include "contact/part_constants.hpp"
#include "contact/search/candidates.hpp"
#include "contact/search/neighbour_motion.hpp"
#include "contact/search/node_exchange.hpp"
#include "contact/search/segments.hpp"
#include "contact/transducer.hpp"
#include "model/model.hpp"
#include "parallel/communicator.hpp"
#include "parallel/exact_sum.hpp"
#include "state/archive.hpp"
#include "state/nodal.hpp"

namespace crumple::contact {

/// An element that was deleted, in the local arrays of its kind.
struct DeletedElement {
  model::ElementKind kind = model::ElementKind::none;
  LocalId element = model::kNone;
};

/// Results of a contact at the time of the last add_forces.
struct ContactResult {
  GlobalId id = 0;
  Vec3 force_a, force_b;         ///< on the surfaces; single surface: sum over tracked nodes and its negative
  double energy_a = 0.0;         ///< sliding energy of the nodes of a: work done against contact so far
  double energy_b = 0.0;         ///< the same for the nodes of b
  double friction_energy = 0.0;  ///< part of both that friction dissipated
  std::int64_t touching = 0;     ///< nodes in contact
  double max_penetration = 0.0;

  double sliding_energy() const { return energy_a + energy_b; }
};

/// A node that is inside a segment before the first cycle.
struct InitialPenetration {
  std::int32_t contact = 0;  ///< into Model::contacts
  GlobalId node = 0;         ///< user id
  GlobalId segment = 0;      ///< order in its surface
  double depth = 0.0;
  Vec3 direction;               ///< moving the node by depth * direction ends the penetration
  LocalId part = model::kNone;  ///< of the segment
};
CRUMPLE_MEMBERS(InitialPenetration, contact, node, segment, depth, direction, part)

/// A pair that the last sort has found near each other: a tracked node (or a segment with a tracked point)
/// and a segment, or two lines. Indices are into the arrays of the rank's model.
struct NearPair {
  LocalId node = model::kNone;  ///< the tracked node, evaluated by its owner; kNone: see item
  std::int32_t side = 0;        ///< 2 * contact, plus 1 for surface b
  GlobalId item = 0;            ///< order of the segment or line; its home rank evaluates the pair
  std::int32_t other_side = 0;
  GlobalId other = 0;         ///< order of the segment or line that may be touched
  bool within_reach = false;  ///< for a node or point: so near that it touches if it is on the right side
};

/// Contact force on one node of a side now.
struct NodalContactForce {
  std::int32_t contact = 0;  ///< into Model::contacts
  std::int32_t b = 0;        ///< 1: the node is of side b
  GlobalId node = 0;         ///< user id
  Vec3 force;
};
CRUMPLE_MEMBERS(NodalContactForce, contact, b, node, force)

/// A deleted segment, as it is reported to all ranks.
struct DeletedSegment {
  std::int32_t side = 0;
  std::int32_t corners = 0;
  GlobalId order = 0;
  GlobalId wakes = -1;  ///< order of the face behind it that becomes active, -1: none
  std::array<GlobalId, 4> nodes{};
  std::array<std::int64_t, 3> outward{};
  std::int32_t asleep = 0, solid = 0;
};
CRUMPLE_MEMBERS(DeletedSegment, side, corners, order, wakes, nodes, outward, asleep, solid)

/// Seconds of this rank since the start, and counters.
struct ContactTiming {
  double sort = 0.0, force = 0.0, wait = 0.0;
  std::int64_t sorts = 0, cycles = 0;
  std::int64_t late = 0;  ///< cycles before which nodes had moved farther than the margin allowed
};

class LineContact;
struct NodeCluster;
struct SegmentPoint;

class ContactSystem {
 public:
  /// Collective. `model` is the rank's extracted model; it must live as long as this.
  ///
  /// @param constants by part
  /// @param isa instruction set for closest points; results do not depend on it
  ContactSystem(const model::Model& model, const state::Nodal& nodal, const parallel::Communicator& comm,
                std::span<const PartConstants> constants, elements::Isa isa = elements::best_isa());
  ~ContactSystem();
  ContactSystem(const ContactSystem&) = delete;
  ContactSystem& operator=(const ContactSystem&) = delete;

  /// Masses of nodes may change in the run: contacts use those of each cycle, not of the last search. Before
  /// the first cycle; the same on every rank. Local.
  void expect_new_masses();

  /// Maxima over ranks in each cycle: the largest displacement of a node in the last step, the largest speed,
  /// whether segments were deleted, and, shortly before a sort, the box of all displacements since the last
  /// sort.
  using Motion = std::array<double, 9>;
  /// Values of this rank, after prepare_cycle of the same cycle.
  ///
  /// @param way displacement of the rank's fastest node in the last step
  /// @param speed speed of its fastest node at t_{n-1/2}; in the first cycle at t = 0
  Motion motion(const state::Nodal& nodal, double way, double speed) const;
  /// Takes the maxima over all ranks; then the next prepare_cycle may be called.
  void take_motion(const Motion& of_all);

  /// Collective. Sort if, by the maxima of the last cycle, nodes may have moved too far. Then start sending
  /// the motion of segment nodes. nodal.x is at t_n, nodal.v at t_{n-1/2}. Elements may be computed between
  /// this and add_forces.
  ///
  /// @param dt t_n - t_{n-1}; 0 in the first cycle
  void prepare_cycle(const state::Nodal& nodal, double dt);
  /// Nodes have been put elsewhere, which `motion` does not know: the next prepare_cycle sorts. The same on
  /// every rank.
  void sort_next() { jumped_ = true; }
  /// Collective. The same if there was no reduction since nodes moved.
  void measure_and_prepare(const state::Nodal& nodal);

  /// Collective. Add the contact forces at t_n to nodal.loads, before the sum over copies of nodes.
  ///
  /// @param dt t_n - t_{n-1}; 0 in the first cycle
  void add_forces(state::Nodal& nodal, double time, double dt);
  /// A contact of Model::contacts acts from now on, or does not; not of ties and mortar contacts. The same on
  /// every rank.
  void turn(std::int32_t contact, bool on);

  /// Nodes that ties hold in a tiebreak contact are left out: those with a count that is not 0. Until the
  /// next call.
  ///
  /// @param ties by node of this rank
  void hold(std::int32_t contact, std::span<const std::int64_t> ties);

  /// The first step, before any step has been made. The stable stiffness of springs depends on it.
  void expect_step(double dt) { soft_dt_ = std::max(soft_dt_, dt); }

  /// Elements of this rank that were deleted. Takes effect, on all ranks at once, at the next
  /// prepare_cycle: their segments are deleted, those behind them become active in eroding contacts, and
  /// nodes without active segments are no longer tracked, unless ENMASS keeps them.
  void delete_elements(const state::Nodal& nodal, std::span<const DeletedElement> elements);

  /// Collective. One for each of Model::contacts, the same on every rank.
  std::vector<ContactResult> results() const;

  /// Collective. On rank 0 the nodes that are in contact now, on sides that ncforc lists, by contact, side
  /// and user id; empty elsewhere.
  std::vector<NodalContactForce> nodal_forces() const;

  /// Collective; only before the first cycle, to be repeated whenever nodes were moved. On rank 0 all nodes
  /// inside segments, by contact, node and segment; empty elsewhere.
  std::vector<InitialPenetration> initial_penetrations(const state::Nodal& nodal);

  /// Collective. Largest step at which each contact's springs are stable, sqrt(2 m / k) for the lighter
  /// side; HUGE_VAL without contacts.
  double stable_step(const state::Nodal& nodal) const;

  /// Nodes of this rank in contact now.
  std::size_t active() const;
  /// Nodes of this rank that have candidate segments.
  std::size_t candidates() const;
  const ContactTiming& timing() const { return timing_; }

  /// Pairs of this rank, after a sort: first nodes and points, then the lines of each contact that has lines.
  std::vector<std::vector<NearPair>> near_pairs() const;

  /// Contacts with their work, and deletions. After reading, a sort follows.
  void archive(state::Archive& archive);

  static constexpr double kFirstMargin = 0.3;  ///< margin of the first sort
  /// Fraction of the mean segment size that nodes may move between sorts. It affects speed only; tests change
  /// it.
  void set_margin(double fraction);

 private:
  /// Largest displacements since the last sort along x, y, z and -x, -y, -z.
  using Extent = std::array<double, 6>;
  struct Side;  ///< one surface of a contact
  struct Pass;  ///< nodes of one surface against segments of one surface
  struct Due;   ///< nodes that a thread evaluates together

  // segment_based/segment_points.cpp
  void find_segment_masses(const state::Nodal& nodal);
  std::int32_t add_point_side(std::int32_t base, const state::Nodal& nodal);
  // setup.cpp
  void build_lines(const state::Nodal& nodal, std::span<const PartConstants> constants);
  void attach_beams(const state::Nodal& nodal);
  void build_sides(const model::Model& model, const state::Nodal& nodal,
                   std::span<const PartConstants> constants);
  void build_passes(const state::Nodal& nodal);
  void attach_nodes(const state::Nodal& nodal);
  void index_elements();
  void list_moving_nodes();
  // sorting.cpp
  struct Found;     ///< working data of a sort
  struct BlockSet;  ///< of a cluster of nodes
  bool has_deletions() const;
  Extent extent(const state::Nodal& nodal) const;
  void measure(const state::Nodal& nodal);
  void sort_if_moved(const state::Nodal& nodal, double dt);
  double measured_motion() const;
  double least_margin() const;
  double margin(const Pass& pass) const;
  void adapt_margin();
  void sort(const state::Nodal& nodal);
  void bring_copies(const state::Nodal& nodal, Found& found) const;
  void search(const state::Nodal& nodal, Found& found);
  void number_used_nodes(const state::Nodal& nodal, Found& found);
  template <class Visit>
  void for_each_node_near(const Pass& pass, std::size_t first, std::size_t last, Visit visit) const;
  void number_nodes(const state::Nodal& nodal, const Found& found,
                    std::span<const std::vector<std::int32_t>> kept, std::span<std::int32_t> number,
                    WantedNodes& wanted, UsedNodes& used) const;
  void fill_segments(std::size_t p, const Found& found, std::span<const std::int32_t> kept,
                     std::span<const std::int32_t> number, const WantedNodes& wanted, UsedNodes& used);
  void find_blocks(const Pass& pass, std::span<const std::int32_t> number, std::size_t first,
                   std::size_t last, BlockSet& blocks) const;
  void cluster_nodes(Pass& pass, std::span<const std::int32_t> number) const;
  void renew_slots(Pass& pass) const;
  // erosion.cpp
  void exchange_deletions();
  template <class Visit>
  void for_each_node(const DeletedSegment& deleted, Visit visit);
  void detach(const DeletedSegment& deleted, bool wakes);
  void settle(const DeletedSegment& deleted);
  void wake(Side& side, std::span<const GlobalId> orders);
  void delete_points(std::span<const std::vector<GlobalId>> orders);
  void delete_lines();
  void set_dying(std::int32_t side, std::int32_t segment);
  void forget_dying();
  // archive.cpp
  void archive_sides(state::Archive& archive);
  void archive_pass(state::Archive& archive, Pass& pass);
  void archive_deletions(state::Archive& archive);
  // contact_system.cpp
  void post(const state::Nodal& nodal);
  void gather_used(const state::Nodal& nodal);
  void add_steps(Pass& pass) const;
  PassView view(const Pass& pass, const state::Nodal& nodal, double dt) const;
  NodeView view(const Pass& pass, std::size_t active, const state::Nodal& nodal) const;
  static void set_point(const SegmentPoint& point, const state::Nodal& nodal, NodeView& view);
  template <bool kAtomic>
  void scatter_own(const Side& side, std::size_t tracked, const Vec3& f, std::span<parallel::LoadSum> loads);
  template <bool kAtomic>
  void scatter(const Pass& pass, std::size_t node, std::span<parallel::LoadSum> loads);
  void ask_for_loads(std::span<const SegmentWithinReach> near, const PassView& pass,
                     std::span<parallel::LoadSum> loads) const;
  Vec3 position(const Pass& pass, std::int32_t active, const state::Nodal& nodal) const;
  void find_due_clusters(Pass& pass, std::size_t first, std::size_t end, const state::Nodal& nodal,
                         Due& due) const;
  template <class Visit>
  static void for_each_due(const Pass& pass, std::size_t cluster, Visit visit);
  void ask_for_lists(const Pass& pass, std::span<const std::size_t> clusters) const;
  void ask_for_nodes(const Pass& pass, std::span<const std::size_t> clusters,
                     const state::Nodal& nodal) const;
  void end_watches(Pass& pass, NodeCluster& cluster, const state::Nodal& nodal) const;
  void find_due(Pass& pass, std::span<const std::size_t> clusters, const state::Nodal& nodal, Due& due) const;
  void look_ahead(Pass& pass, std::span<const std::size_t> clusters, Due& due) const;
  template <bool kAtomic>
  void update(Pass& pass, const PassView& of_pass, Due& due, std::size_t k,
              std::span<parallel::LoadSum> loads);
  template <bool kAtomic>
  void evaluate(Pass& pass, const state::Nodal& nodal, double dt, std::span<parallel::LoadSum> loads);
  template <bool kAtomic>
  void evaluate(Pass& pass, const PassView& of_pass, std::span<const std::size_t> clusters,
                const state::Nodal& nodal, Due& due, std::span<parallel::LoadSum> loads);

  void end(Pass& pass, const state::Nodal& nodal, double dt);

  template <class Visit>
  void for_each_touch(Visit visit) const;
  void add_transducers(std::vector<parallel::ExactSum>& sums, std::size_t stride) const;

  const model::Model& model_;
  parallel::Communicator comm_;
  const ClosestPairs& closest_pairs_;
  std::vector<Side> sides_;
  std::vector<Pass> passes_;
  std::vector<Transducer> transducers_;
  std::vector<LineContact> lines_;
  UsedNodes used_;
  NeighbourMotion neighbours_;  ///< of used_
  NodeExchange exchange_;
  bool moving_changed_ = true;
  std::vector<LocalId> moving_;  ///< nodes of active segments and tracked nodes, each once
  std::vector<Vec3> x_sorted_;   ///< their positions at the last sort
  Extent extent_{};              ///< over all ranks, when it was last measured
  double travelled_ = 0.0;       ///< bound on any node's displacement since then
  double speed_ = 0.0;           ///< largest speed in the last cycle
  bool measures_ = false;        ///< in this cycle
  bool deletes_ = false;         ///< some rank had deletions in the last cycle
  bool sorted_ = false;
  bool just_sorted_ = false;  ///< in this cycle
  bool jumped_ = false;       ///< nodes have been put elsewhere since the last sort
  double margin_fraction_ = kFirstMargin;
  bool adapt_margin_ = true;
  std::int64_t last_sort_ = 0;  ///< cycle
  double soft_dt_ = 0.0;
  struct ElementSegment {
    model::ElementKind kind;
    LocalId element;
    std::int32_t side, segment;
    auto operator<=>(const ElementSegment&) const = default;
  };
  std::vector<ElementSegment> by_element_;  ///< sorted
  bool masses_change_ = false;
  std::vector<DeletedSegment> deleted_;  ///< deleted here, not yet reported to other ranks
  std::vector<std::pair<std::int32_t, std::int32_t>> dying_;  ///< side, segment: SegmentRecord::dying
  std::vector<parallel::LoadSum> contact_loads_;              ///< by node; only with transducers
  std::vector<Due> due_;                                      ///< by thread
  ContactTiming timing_;
};

}  // namespace crumple::contact
