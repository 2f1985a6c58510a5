// The element phase of a cycle: all groups, all threads of a rank.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "elements/kernel.hpp"
#include "explicit/block_shares.hpp"
#include "explicit/block_times.hpp"
#include "state/groups.hpp"
#include "state/nodal.hpp"

namespace crumple::explicit_dynamics {

/// An element named for messages, results and ties.
struct ElementName {
  model::ElementKind kind = model::ElementKind::none;
  GlobalId id = 0, part = 0;
};

/// The element at a node that is nearest to breaking.
struct Suspect {
  double step = 1e30;  ///< its stable step, the shortest at the node
  ElementName name;
};

/// What deleted an element, as far as the element phase knows it.
enum class DeletionCause : std::int8_t {
  law,    ///< a criterion of its material: failure strain, *MAT_ADD_EROSION, ...
  tdel,   ///< step below TDEL of its material
  dtmin,  ///< step below DTMIN of *CONTROL_TERMINATION with ERODE of *CONTROL_TIMESTEP
  failtm  ///< time beyond FAILTM of *MAT_ADD_EROSION
};

/// An elements that were deleted in this cycle.
struct Deletion {
  model::ElementKind kind = model::ElementKind::none;
  LocalId element = model::kNone;  ///< index in the rank's model
  ElementName name;
  DeletionCause cause = DeletionCause::law;
};

/// Internal forces of all deformable elements of the rank.
template <class T>
class ElementForces {
 public:
  /// @param shared by node: whether other ranks have it, too
  /// @param loads the nodes', for their scales
  ElementForces(const model::Model& model, elements::Isa isa, std::span<const char> shared,
                std::span<const parallel::LoadSum> loads, int threads);

  /// Subtract internal forces at t from the nodal sums; dt is the step that led here. First those of the
  /// elements at nodes that other ranks share, then of all others, which touch no such node.
  void add_border(state::Nodal& nodal, double time, double dt, model::Stage stage);
  void add_interior(state::Nodal& nodal, double time, double dt, model::Stage stage);
  /// Smallest stable step of the rank's living elements (1e30 without), after add_interior().
  double smallest_step() const { return smallest_step_; }
  /// The element that has it, smallest user id first. Searches: for output, not for every cycle.
  ElementName controlling() const;
  /// Elements whose step is not a positive number: inverted or not-a-number, after add_interior().
  bool broken() const { return broken_; }
  ElementName first_broken() const;
  /// Of the rank's living elements at `node`, for messages; no name without. Searches.
  Suspect suspect_at(LocalId node) const;
  /// Elements that were deleted since the last add_border().
  std::span<const Deletion> deletions() const { return deletions_; }

  /// Calls `visit(group, block)` for the blocks at the border or for all others, each on the thread that has
  /// just computed it. The rank's smallest step is then that of all that `visit` returns.
  template <class Visit>
  void revisit(bool border, Visit visit) {
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (longer_[g].empty()) longer_[g].assign(static_cast<std::size_t>(groups_[g].count), T(1));
    const BlockShares& shares = border ? border_ : interior_;
    const int threads = static_cast<int>(shares.of_thread.size());
    T smallest = T(1e30);
#pragma omp parallel for schedule(static, 1) num_threads(threads) reduction(min : smallest)
    for (int share = 0; share < threads; ++share)
      for (const BlockRange& range : shares.of_thread[share])
        for (std::int32_t b = range.begin; b < range.end; ++b)
          smallest = std::min(smallest, visit(range.group, b));
    smallest_step_ = border ? smallest : std::min(smallest_at_border_, static_cast<double>(smallest));
    if (border) smallest_at_border_ = smallest_step_;
  }
  /// Multiplies an element's step by what mass scaling gives, while it is visited.
  void lengthen_step(std::size_t group, std::int32_t e, T factor) {
    longer_[group][e] = factor;
    groups_[group].step[e] *= factor;
  }
  /// From now on elements of a kind are deleted when their step, with the mass that they had been given,
  /// falls below `step`.
  void erode_below(model::ElementKind kind, double step) {
    least_step_[static_cast<std::size_t>(kind)] = step;
  }
  /// The `count` smallest steps of the rank's living elements, and whose they are, smallest first.
  std::vector<std::pair<double, ElementName>> smallest_steps(std::size_t count) const;

  const std::vector<state::ElementGroup<T>>& groups() const { return groups_; }
  std::vector<state::ElementGroup<T>>& groups() { return groups_; }
  std::int64_t count() const { return count_; }
  std::size_t parts() const { return model_.parts.size(); }

 private:
  /// Sums that a thread keeps apart; zero between cycles. Memory counts where it is touched: at few nodes.
  using Apart = std::unique_ptr<parallel::LoadSum[]>;
  /// What a look at elements after their kernel has found.
  struct Findings {
    T smallest = T(1e30);
    bool broken = false;
    std::vector<Deletion> deletions;
  };
  void set_apart(const BlockShares& shares, std::span<const parallel::LoadSum> loads);
  void balance(bool border, std::span<const parallel::LoadSum> loads);
  void add(const BlockShares& shares, state::Nodal& nodal, double time, double dt, model::Stage stage);
  void note(const state::ElementGroup<T>& group, int thread, std::int32_t begin, std::int32_t end) const;
  void add_share(const BlockShares& shares, int thread, state::Nodal& nodal, double time, double dt,
                 model::Stage stage);
  void join(const BlockShares& shares, int thread, state::Nodal& nodal);
  void inspect(std::size_t group, std::int32_t begin, std::int32_t end, double time, model::Stage stage,
               Findings& found);

  const model::Model& model_;
  std::vector<state::ElementGroup<T>> groups_;
  BlockShares border_, interior_;
  BlockTimes times_;                     ///< by which shares are cut anew
  bool measured_ = false;                ///< in this cycle
  bool was_uneven_[2] = {false, false};  ///< interior_ and border_, when they were judged last
  std::vector<Apart> apart_;             ///< of threads 1, 2, ...
  std::vector<Findings> findings_;       ///< of each thread
  std::vector<std::vector<char>> was_alive_;
  std::vector<std::vector<T>>
      longer_;  ///< times their own: steps of a group's elements; empty without scaling
  std::vector<Deletion> deletions_;
  std::array<double, 5> least_step_{};  ///< of each kind of element
  double smallest_step_ = 1e30, smallest_at_border_ = 1e30;
  bool broken_ = false;
  std::int64_t count_ = 0;
};

}  // namespace crumple::explicit_dynamics
