// The element phase of a cycle in one precision: all groups, all threads of a rank.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "explicit/block_shares.hpp"
#include "explicit/block_times.hpp"
#include "explicit/elements.hpp"
#include "state/groups.hpp"

namespace crumple::explicit_dynamics {

/// Elements that are computed in precision T. No other code depends on T.
template <class T>
class ElementForces : public Elements {
 public:
  /// @param shared by node: whether other ranks have it, too
  /// @param loads sums of the nodes, for their scales
  ElementForces(const model::Model& model, elements::Isa isa, std::span<const char> shared,
                std::span<const parallel::LoadSum> loads, int threads);

  void add_border(state::Nodal& nodal, double time, double dt, model::Stage stage) override;
  void add_interior(state::Nodal& nodal, double time, double dt, model::Stage stage) override;
  void scale_steps(bool border, MassFactors& factors) override;

  double smallest_step() const override { return smallest_step_; }
  bool broken() const override { return broken_; }
  std::span<const Deletion> deletions() const override { return deletions_; }
  void erode_below(model::ElementKind kind, double step) override { least_step_[kind] = step; }
  void sleep(std::span<const char> parts) override;
  void mark_deleted(const std::function<bool(const ElementName&)>& gone, DeletionCause cause) override;
  std::unique_ptr<ElementCopies> copies(const Wanted& wanted) const override;

  std::span<const state::GroupView> groups() const override { return views_; }
  std::span<const state::WritableGroup> writable_groups() override { return writable_; }

  void archive(state::Archive& archive) override;
  void archive_state(state::Archive& archive) override;

 private:
  /// Separate sums of a thread; zero between cycles. Only the few nodes that are used take memory.
  using Apart = std::unique_ptr<parallel::LoadSum[]>;
  /// Result of the check of elements after their kernel.
  struct Findings {
    T smallest = T(kNoLimit);
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
  void archive_scales(state::Archive& archive);
  T scale_block(std::size_t group, std::int32_t block, MassFactors& factors);
  void inspect(std::size_t group, std::int32_t begin, std::int32_t end, double time, model::Stage stage,
               Findings& found);

  static constexpr char kDead = 0, kAlive = 1, kMarked = 2;

  const model::Model& model_;
  std::vector<state::ElementGroup<T>> groups_;
  std::vector<state::GroupView> views_;
  std::vector<state::WritableGroup> writable_;
  BlockShares border_, interior_;
  BlockTimes times_;                     ///< from which shares are changed
  bool measured_ = false;                ///< in this cycle
  bool was_uneven_[2] = {false, false};  ///< interior_ and border_, at the last check
  std::vector<Apart> apart_;             ///< of threads 1, 2, ...
  std::vector<Findings> findings_;       ///< by thread
  /// Of each element, at the end of the last cycle: kDead, kAlive, or kMarked plus the cause if something
  /// else than its own forces has deleted it since.
  std::vector<std::vector<char>> was_alive_;
  std::vector<char> asleep_;            ///< by group: its elements are not computed
  std::vector<std::vector<T>> longer_;  ///< scaled steps of a group's elements; empty without scaling
  bool scales_ = false;                 ///< masses are scaled
  std::vector<Deletion> deletions_;
  model::PerKind<double> least_step_;  ///< 0: no deletion by step
  double smallest_step_ = kNoLimit, smallest_at_border_ = kNoLimit;
  bool broken_ = false;
};

}  // namespace crumple::explicit_dynamics
