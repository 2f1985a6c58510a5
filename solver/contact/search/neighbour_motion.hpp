// Relative motion of neighbouring nodes in a step, a bound of the change of a gap.
//
// Two vehicles that approach each other move by metres relative to each other, but hardly within each
// vehicle. So the relative motion of a few dozen neighbours decides which candidates must be tested, not that
// of the whole model.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "contact/search/step_boxes.hpp"

namespace crumple::contact {

/// Displacements in the last step, by blocks of consecutive nodes.
class NeighbourMotion {
 public:
  explicit NeighbourMotion(elements::Isa isa) : functions_(&step_boxes(isa)) {}

  static std::int32_t block_of(std::int32_t node) {
    return node / static_cast<std::int32_t>(StepBoxes::kNodes);
  }

  /// To be called at a sort, with the positions of nodes.
  ///
  /// @param n_local this rank's nodes, which come first; copies of others follow
  void start(std::span<const Vec3> x, std::size_t n_local);
  /// To be called in each cycle: sets the positions of this rank's nodes, and measures the displacements of
  /// all nodes since the last call, or since `start`.
  ///
  /// @param from positions by the numbers in `local` (an AlignedVector)
  /// @param x those of the last call, of copies the present ones; out: the present ones (an AlignedVector)
  void advance(const Vec3* from, std::span<const LocalId> local, std::span<Vec3> x);
  std::size_t blocks() const { return box_.size(); }
  /// Upper bound of the decrease of distance between any two nodes of these blocks between the last two
  /// positions. So the sum over cycles bounds it from any cycle to any later one.
  double bound(std::span<const std::int32_t> blocks) const {
    if (blocks.empty()) return 0.0;
    return functions_->diagonal(box_.data(), blocks.data(), blocks.size()) * (1.0 + 1e-12);
  }

 private:
  void add_copies(std::span<const Vec3> x);

  const StepBoxes* functions_;
  std::size_t n_local_ = 0;
  std::vector<Vec3> copies_before_;
  std::vector<StepBox> box_;  ///< of each block
};

}  // namespace crumple::contact
