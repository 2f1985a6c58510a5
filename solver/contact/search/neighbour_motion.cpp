// Boxes of displacements in a step, block by block.
#include "contact/search/neighbour_motion.hpp"

#include <algorithm>

#include "contact/search/displacement_box.hpp"

namespace crumple::contact {

namespace {
constexpr std::size_t kBlocksForThreads = 512;  ///< with fewer, starting threads takes longer than the work
}

void NeighbourMotion::start(std::span<const Vec3> x) {
  x_before_.assign(x.begin(), x.end());
  box_.assign((x.size() + kNodes - 1) / kNodes, Box{{0, 0, 0}, {0, 0, 0}});
}

void NeighbourMotion::measure(std::span<const Vec3> x) {
#pragma omp parallel for if (box_.size() > kBlocksForThreads)
  for (std::size_t b = 0; b < box_.size(); ++b) {
    constexpr std::size_t n = DisplacementBox::kNodes;
    DisplacementBox of_many;
    Box box;
    const std::size_t end = std::min((b + 1) * kNodes, x.size());
    std::size_t k = b * kNodes;
    for (; k + n <= end; k += n) of_many.add(&x[k], &x_before_[k]);
    for (; k < end; ++k) box.add(x[k] - x_before_[k]);
    of_many.join_to(box);
    box_[b] = box;
    std::copy(x.begin() + b * kNodes, x.begin() + end, x_before_.begin() + b * kNodes);
  }
}

/// The diagonal of the box of all displacements.
double NeighbourMotion::bound(std::span<const std::int32_t> blocks) const {
  Box all;
  for (const std::int32_t b : blocks) all.join(box_[b]);
  return blocks.empty() ? 0.0 : norm(all.high - all.low) * (1.0 + 1e-12);
}

}  // namespace crumple::contact
