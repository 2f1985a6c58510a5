// Sorting points into buckets.
#include "contact/search/bucket_grid.hpp"

#include "base/assert.hpp"

namespace crumple::contact {

namespace {

constexpr std::size_t kPointsForThreads = 8192;  ///< with fewer, starting threads takes longer than the work

Box box_of(std::span<const Vec3> points) {
  Box all;
#pragma omp parallel if (points.size() > kPointsForThreads)
  {
    Box box;
#pragma omp for nowait
    for (std::size_t i = 0; i < points.size(); ++i) box.add(points[i]);
#pragma omp critical(crumple_bucket_grid)
    all.join(box);
  }
  return all;
}

}  // namespace

void BucketGrid::build(std::span<const Vec3> points, double size) {
  const Box box = points.empty() ? Box{{0, 0, 0}, {0, 0, 0}} : box_of(points);
  points_ = points;
  cells_ = CellRange::of_size(box, size, 8.0 * static_cast<double>(points.size()) + 64.0);
  begin_.assign(cells_.size() + 1, 0);
  cell_of_.resize(points.size());
#pragma omp parallel for if (points.size() > kPointsForThreads)
  for (std::size_t i = 0; i < points.size(); ++i)
    cell_of_[i] = static_cast<std::int32_t>(cells_.index(points[i]));
  for (const std::int32_t cell : cell_of_) ++begin_[cell + 1];
  for (std::size_t c = 0; c < cells_.size(); ++c) begin_[c + 1] += begin_[c];
  item_.resize(points.size());
  for (std::vector<float>& row : at_) row.resize(points.size() + kFour);
  fill_.assign(begin_.begin(), begin_.end() - 1);
  for (std::size_t i = 0; i < points.size(); ++i) item_[fill_[cell_of_[i]]++] = static_cast<std::int32_t>(i);
  for (std::size_t c = 0; c < cells_.size(); ++c)
    CRUMPLE_ASSERT(fill_[c] == begin_[c + 1], c, fill_[c], begin_[c + 1], cells_.size(), points.size());
#pragma omp parallel for if (points.size() > kPointsForThreads)
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Vec3 from_corner = points[item_[k]] - box.low;
    for (int c = 0; c < 3; ++c) at_[c][k] = static_cast<float>(from_corner[c]);
  }
}

}  // namespace crumple::contact
