// The element phase of a cycle: all groups, all threads of a rank.
#pragma once

#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "elements/kernel.hpp"
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

/// An element that died in this cycle.
struct Death {
  model::ElementKind kind = model::ElementKind::none;
  LocalId element = model::kNone;  ///< index in the rank's model
  ElementName name;
};

/// Internal forces of all deformable elements of the rank.
template <class T>
class ElementForces {
 public:
  ElementForces(const model::Model& model, elements::Isa isa, std::size_t n_nodes, int threads);

  /// Subtract internal forces at t from the nodal sums; dt is the step that led here.
  void add(state::Nodal& nodal, double time, double dt);
  /// Smallest stable step of the rank's living elements (1e30 without), after add().
  double smallest_step() const { return smallest_step_; }
  /// The element that has it, smallest user id first. Searches: for output, not for every cycle.
  ElementName controlling() const;
  /// Elements whose step is not a positive number: inverted or not-a-number, after add().
  bool broken() const { return broken_; }
  ElementName first_broken() const;
  /// Of the rank's living elements at `node`, for messages; no name without. Searches.
  Suspect suspect_at(LocalId node) const;
  /// Elements that died in the last add().
  std::span<const Death> deaths() const { return deaths_; }

  /// Multiplies the steps of a group's elements by `factor(e)`; find_smallest_step() then.
  template <class Factor>
  void lengthen_steps(std::size_t group, Factor&& factor) {
    state::ElementGroup<T>& g = groups_[group];
    for (std::int32_t e = 0; e < g.count; ++e) g.step[e] *= static_cast<T>(factor(e));
  }
  void find_smallest_step();
  /// From now on elements of a kind die when their own step falls below `step`.
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
  struct Range {
    std::size_t group;
    std::int32_t begin, end;
  };
  void share_out(int threads);
  void inspect(double time);

  const model::Model& model_;
  std::vector<state::ElementGroup<T>> groups_;
  std::vector<std::vector<Range>> ranges_;                   ///< of each thread
  std::vector<AlignedVector<std::int64_t>> force_, moment_;  ///< of threads 1, 2, ...
  std::vector<std::vector<bool>> was_alive_;
  std::vector<Death> deaths_;
  std::array<double, 5> least_step_{};  ///< of each kind of element
  double smallest_step_ = 1e30;
  bool broken_ = false;
  std::int64_t count_ = 0;
};

}  // namespace crumple::explicit_dynamics
