// Contact between the lines of one contact definition: tracking, sorting, forces, energies.
//
// Works as ContactSystem does, which owns it and decides when to sort. A pair is evaluated on one rank only,
// the home rank of the line with the lower order (with two surfaces, of surface a), against bit-identical
// copies.
#pragma once

#include <span>
#include <tuple>
#include <vector>

#include "contact/contact_system.hpp"
#include "contact/edges/line_force.hpp"

namespace crumple::contact {

/// A line that is deleted, or whose properties have changed because elements were deleted; reported to all
/// ranks.
struct ChangedLine {
  GlobalId order = 0;
  bool alive = false;
  std::int8_t beam_side = -1;  ///< 0 or 1 if a beam was deleted: its nodes may no longer need tracking
  std::array<GlobalId, 2> nodes{};
};
CRUMPLE_MEMBERS(ChangedLine, order, alive, beam_side, nodes)

/// An element of a line, with the properties that the line would have from this element alone. Stored on the
/// element's rank.
struct LineElement : LineNature {
  model::ElementKind kind = model::ElementKind::none;
  LocalId element = model::kNone;
  GlobalId line = 0;       ///< order; the line may be on another rank
  std::int32_t place = 0;  ///< among the line's elements
  bool gone = false;
  auto key() const { return std::tuple(kind, element, line); }
};
CRUMPLE_MEMBERS_AND_BASE(LineElement, LineNature, kind, element, line, place, gone)

struct LineMessage;

/// Results of the lines of a contact.
struct LineSums {
  parallel::ExactSum energy, friction;
  /// Force on the first line of each pair (with two surfaces, the line of surface a); and its negative.
  std::array<parallel::ExactSum, 3> force, minus_force;
  std::int64_t touching = 0;  ///< pairs
  double max_penetration = 0.0;
};

/// Two lines in contact now.
struct TouchingLines {
  std::array<std::int32_t, 2> side{};  ///< of the first and the second line; 0: surface a, 1: surface b
  std::array<GlobalId, 4> node{};      ///< user ids: ends of the first, then of the second
  std::array<Vec3, 4> force{};         ///< on these nodes
};

class LineContact {
 public:
  /// Collective. `model` must live as long as this.
  LineContact(const model::Model& model, std::int32_t contact, const state::Nodal& nodal,
              const parallel::Communicator& comm, std::span<const PartConstants> constants);

  std::int32_t contact() const { return contact_; }
  void turn(bool on) { off_ = !on; }
  /// Whether lines touch each other; else they only keep ends of beams tracked.
  bool touches() const { return touches_; }
  std::span<const LineRecord> lines() const { return lines_; }
  /// Mean length of all lines; 0 without lines.
  double mean_length() const { return mean_length_; }
  /// Append the nodes whose motion changes distances of lines.
  void list_moving_nodes(std::vector<LocalId>& nodes) const;

  /// Collective. Find all pairs that can touch before any relative motion exceeds `margin`.
  void sort(const state::Nodal& nodal, double margin);
  /// As for ContactSystem. Local.
  void expect_new_masses() { masses_change_ = true; }
  /// Start sending the motion of copied lines' nodes.
  void post(const state::Nodal& nodal) { exchange_.post(nodal); }
  /// Wait for motion, add the forces of all pairs to `force`, send forces on copies to the home ranks.
  void add_forces(const state::Nodal& nodal, double time, double dt, double soft_dt,
                  std::span<parallel::LoadSum> loads);

  void delete_elements(std::span<const DeletedElement> elements);
  /// Whether elements of lines were deleted on this rank and not yet reported.
  bool has_losses() const { return !lost_.empty(); }
  /// Collective. Lines of which elements were deleted on any rank since the last call. If there are any, a
  /// sort must follow.
  std::vector<ChangedLine> exchange_deletions();

  /// Pairs of this rank, after a sort.
  std::vector<NearPair> near_pairs() const;
  void add_to(LineSums& sums) const;
  std::vector<TouchingLines> touching() const;
  /// Contacts with their work, and deletions. After reading, a sort must follow.
  void archive(state::Archive& archive);

 private:
  using Element = LineElement;
  using Message = LineMessage;
  struct Found;  ///< a line nearby, of this rank or a copy
  void archive_pairs(state::Archive& archive);
  void add_lines(const model::Surface& surface, std::int8_t side, double scale, const state::Nodal& nodal,
                 std::span<const PartConstants> constants);
  std::vector<Element> elements_left(std::span<const GlobalId> lines) const;
  std::vector<ChangedLine> count_losses();
  bool may_touch(const LineRecord& first, const LineRecord& second) const;
  std::vector<std::vector<Message>> bring_copies(const state::Nodal& nodal, double reach) const;
  void find_pairs(std::span<const Found> found, double reach, double margin);
  void number_used_nodes(const state::Nodal& nodal, std::span<const Found> found,
                         std::span<const std::vector<Message>> messages);
  void gather_used(const state::Nodal& nodal);
  double relative_motion();
  LineView view(std::int32_t candidate, const state::Nodal& nodal) const;
  template <bool kAtomic>
  void evaluate(const state::Nodal& nodal, double dt, double soft_dt, double moved,
                std::span<parallel::LoadSum> loads);
  template <bool kAtomic>
  void scatter(const LineContactState& state, std::int32_t first, std::span<parallel::LoadSum> loads);

  const model::Model& model_;
  std::int32_t contact_;
  parallel::Communicator comm_;
  PenaltyLaw law_;
  double birth_, death_;
  bool off_ = false;  ///< by a switch of a sensor
  bool two_surfaces_, touches_;
  double mean_length_ = 0.0;
  bool started_ = false;
  std::vector<LineRecord> lines_;                        ///< of this rank, ascending order
  std::vector<model::Neighbours> neighbours_;            ///< by orders of lines of both surfaces, ascending
  std::vector<Element> by_element_;                      ///< sorted by key
  std::vector<std::vector<LineContactState>> touching_;  ///< by line, ascending `other`
  std::vector<SlidingWork> work_;                        ///< by line
  std::vector<GlobalId> lost_;                           ///< orders of lines, once for each deleted element
  // since the last sort
  std::vector<std::int32_t> first_;            ///< lines that have pairs
  std::vector<std::int32_t> first_candidate_;  ///< their indices among the candidates
  std::vector<std::int32_t> begin_;            ///< pairs of first_[k] are begin_[k] .. begin_[k + 1]
  std::vector<Pair> pair_;                     ///< ascending order of the second line
  std::vector<CandidateLine> candidate_;
  UsedNodes used_;
  AlignedVector<Vec3> x_sorted_;  ///< of all candidates; empty until the first forces after a sort
  bool masses_change_ = false;
  NodeExchange exchange_;
};

}  // namespace crumple::contact
