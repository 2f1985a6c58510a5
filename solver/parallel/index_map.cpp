// Checks of a map, and its counts.
#include "parallel/index_map.hpp"

#include <algorithm>
#include <numeric>

#include "base/assert.hpp"

namespace crumple::parallel {

namespace {

[[maybe_unused]] bool is_sound(const IndexMap::Parts& p) {
  if (p.owner.size() != p.global.size() || p.shared.size() != p.neighbours.size()) return false;
  if (!std::ranges::is_sorted(p.neighbours)) return false;
  if (std::ranges::adjacent_find(p.neighbours) != p.neighbours.end()) return false;
  if (std::ranges::binary_search(p.neighbours, p.rank)) return false;
  std::vector<std::vector<int>> ranks(p.global.size());
  for (std::size_t k = 0; k < p.shared.size(); ++k)
    for (const LocalId item : p.shared[k]) {
      if (item < 0 || static_cast<std::size_t>(item) >= p.global.size()) return false;
      auto& of_item = ranks[static_cast<std::size_t>(item)];
      if (!of_item.empty() && of_item.back() == p.neighbours[k]) return false;  // twice for one neighbour
      of_item.push_back(p.neighbours[k]);
    }
  for (std::size_t i = 0; i < p.owner.size(); ++i)
    if (p.owner[i] != p.rank && !std::ranges::binary_search(ranks[i], p.owner[i])) return false;
  return true;
}

}  // namespace

IndexMap::IndexMap() : IndexMap(Parts{}) {}

IndexMap::IndexMap(Parts parts) : parts_(std::make_shared<const Parts>(std::move(parts))) {
  CRUMPLE_ASSERT(is_sound(*parts_), parts_->rank, parts_->global.size());
  owned_ = static_cast<std::size_t>(std::ranges::count(parts_->owner, parts_->rank));
}

IndexMap IndexMap::alone(std::size_t n) {
  Parts parts;
  parts.global.resize(n);
  std::iota(parts.global.begin(), parts.global.end(), GlobalId{0});
  parts.owner.assign(n, 0);
  return IndexMap(std::move(parts));
}

IndexMap IndexMap::narrowed(std::span<const std::int32_t> place) const {
  Parts some;
  some.rank = rank();
  for (std::size_t k = 0; k < parts_->neighbours.size(); ++k) {
    std::vector<LocalId> items;
    for (const LocalId item : parts_->shared[k])
      if (const std::int32_t at = place[static_cast<std::size_t>(item)]; at >= 0) items.push_back(at);
    if (items.empty()) continue;
    some.neighbours.push_back(parts_->neighbours[k]);
    some.shared.push_back(std::move(items));
  }
  const auto n =
      static_cast<std::size_t>(std::ranges::count_if(place, [](std::int32_t at) { return at >= 0; }));
  some.global.resize(n);
  some.owner.resize(n);
  for (std::size_t i = 0; i < place.size(); ++i) {
    if (place[i] < 0) continue;
    CRUMPLE_ASSERT(static_cast<std::size_t>(place[i]) < n, place[i], n, i, rank());
    some.global[static_cast<std::size_t>(place[i])] = parts_->global[i];
    some.owner[static_cast<std::size_t>(place[i])] = parts_->owner[i];
  }
  return IndexMap(std::move(some));
}

std::vector<LocalId> IndexMap::owned() const {
  std::vector<LocalId> items;
  items.reserve(owned_);
  for (std::size_t i = 0; i < size(); ++i)
    if (owns(i)) items.push_back(static_cast<LocalId>(i));
  return items;
}

std::vector<char> IndexMap::shared_mask() const {
  std::vector<char> mask(size(), 0);
  for (const auto& items : parts_->shared)
    for (const LocalId item : items) mask[static_cast<std::size_t>(item)] = 1;
  return mask;
}

std::vector<int> IndexMap::copies() const {
  std::vector<int> ranks(size(), 1);
  for (const auto& items : parts_->shared)
    for (const LocalId item : items) ++ranks[static_cast<std::size_t>(item)];
  return ranks;
}

}  // namespace crumple::parallel
