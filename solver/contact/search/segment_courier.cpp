// The coarse map of nodes.
#include "contact/search/segment_courier.hpp"

#include <algorithm>

namespace crumple::contact {

namespace {

constexpr std::int32_t kCells = 16;  ///< along each side of the map
constexpr std::size_t kWords = std::size_t(kCells) * kCells * kCells / 64;

Box global_box(const parallel::Communicator& comm, std::span<const Vec3> points) {
  Box box;
  for (const Vec3& p : points) box.add(p);
  std::array<double, 6> extent{box.high.x, box.high.y, box.high.z, -box.low.x, -box.low.y, -box.low.z};
  comm.max(std::span<double>(extent));
  return {{-extent[3], -extent[4], -extent[5]}, {extent[0], extent[1], extent[2]}};
}

}  // namespace

NodeMap::NodeMap(const parallel::Communicator& comm, std::span<const Vec3> points) : me_(comm.rank()) {
  const Box box = global_box(comm, points);
  if (box.empty()) {
    cells_ = CellRange(box, {1, 1, 1});
    begin_.assign(2, 0);
    return;
  }
  cells_ = CellRange(box, {kCells, kCells, kCells});
  std::vector<std::uint64_t> mine(kWords, 0);
  for (const Vec3& p : points) {
    const std::size_t c = cells_.index(p);
    mine[c / 64] |= std::uint64_t{1} << (c % 64);
  }
  const auto all = comm.all_gather(std::span<const std::uint64_t>(mine));
  const auto occupied = [&](int r, std::size_t c) { return (all[r * kWords + c / 64] >> (c % 64)) & 1U; };
  begin_.assign(cells_.size() + 1, 0);
  for (std::size_t c = 0; c < cells_.size(); ++c) {
    for (int r = 0; r < comm.size(); ++r)
      if (r != me_ && occupied(r, c)) rank_.push_back(r);
    begin_[c + 1] = static_cast<std::int32_t>(rank_.size());
  }
}

void NodeMap::ranks_near(const Box& box, std::vector<int>& ranks) const {
  ranks.clear();
  if (!box.overlaps(cells_.box())) return;
  cells_.for_each_row(box, [&](std::size_t first, std::size_t last) {
    ranks.insert(ranks.end(), rank_.begin() + begin_[first], rank_.begin() + begin_[last + 1]);
  });
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
}

}  // namespace crumple::contact
