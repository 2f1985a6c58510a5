// Boxes of displacements in a step, block by block.
#include "contact/search/neighbour_motion.hpp"

#include <algorithm>
#include <cmath>

#include "base/assert.hpp"

namespace crumple::contact {

namespace {
constexpr std::size_t kBlocksForThreads = 512;  ///< with fewer, starting threads takes longer than the work
}

void NeighbourMotion::start(std::span<const Vec3> x, std::size_t n_local) {
  n_local_ = n_local;
  copies_before_.assign(x.begin() + static_cast<std::ptrdiff_t>(n_local), x.end());
  box_.assign((x.size() + StepBoxes::kNodes - 1) / StepBoxes::kNodes, {});
}

void NeighbourMotion::advance(const Vec3* from, std::span<const LocalId> local, std::span<Vec3> x) {
  CRUMPLE_ASSERT(local.size() == n_local_ && x.size() == n_local_ + copies_before_.size(), local.size(),
                 x.size(), n_local_);
  constexpr std::size_t n = StepBoxes::kNodes;
#pragma omp parallel for if (box_.size() > kBlocksForThreads)
  for (std::size_t begin = 0; begin < n_local_; begin += n)
    functions_->advance(from, local.data(), begin, std::min(begin + n, n_local_), x.data(), box_.data());
  add_copies(x);
}

void NeighbourMotion::add_copies(std::span<const Vec3> x) {
  for (std::size_t k = n_local_; k < x.size(); ++k) {
    StepBox& box = box_[k / StepBoxes::kNodes];
    const bool first = k % StepBoxes::kNodes == 0;
    const Vec3 u = x[k] - copies_before_[k - n_local_];
    for (int c = 0; c < 3; ++c) {
      box.most[c] = first ? u[c] : std::max(box.most[c], u[c]);
      box.most[4 + c] = first ? -u[c] : std::max(box.most[4 + c], -u[c]);
    }
    copies_before_[k - n_local_] = x[k];
  }
}

}  // namespace crumple::contact
