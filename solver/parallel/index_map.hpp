// Who owns which node, who has a copy of it, and in which order they are numbered.
//
// Every rank has some of the items of a set (nodes), numbered from 0 in an order of its own. An item is on
// every rank that needs it. One of them, its owner, counts the item in sums and writes it. Follows DOLFINx's
// IndexMap.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/members.hpp"
#include "base/types.hpp"

namespace crumple::parallel {

/// Immutable; copies share their data.
class IndexMap {
 public:
  /// The data of a map, in which form it is also sent.
  struct Parts {
    int rank = 0;                              ///< this one
    std::vector<GlobalId> global;              ///< position of each item in the whole set
    std::vector<int> owner;                    ///< rank of each item
    std::vector<int> neighbours;               ///< ranks that have items of this one, ascending
    std::vector<std::vector<LocalId>> shared;  ///< with each neighbour, in an order that both have
  };

  /// An empty map.
  IndexMap();
  /// @pre `global` and `owner` have an entry for each item. Neighbours ascend, are symmetric and do not
  /// include this rank. Shared items are items of the map, each at most once per neighbour; an item of
  /// another owner is shared with its owner. Checked where assertions are on.
  explicit IndexMap(Parts parts);
  /// A map of n items that no other rank has.
  static IndexMap alone(std::size_t n);

  std::size_t size() const { return parts_->global.size(); }
  int rank() const { return parts_->rank; }
  int owner(std::size_t item) const { return parts_->owner[item]; }
  bool owns(std::size_t item) const { return parts_->owner[item] == parts_->rank; }
  std::span<const int> owners() const { return parts_->owner; }
  std::size_t n_owned() const { return owned_; }
  /// The items that this rank owns, ascending.
  std::vector<LocalId> owned() const;
  /// Positions in the whole set.
  std::span<const GlobalId> global() const { return parts_->global; }

  std::span<const int> neighbours() const { return parts_->neighbours; }
  /// Items that neighbour k has, too. Both sides list the same items in the same order.
  std::span<const LocalId> shared(std::size_t k) const { return parts_->shared[k]; }
  const std::vector<std::vector<LocalId>>& shared() const { return parts_->shared; }
  /// By item: whether other ranks have it, too.
  std::vector<char> shared_mask() const;
  /// By item: how many ranks have it.
  std::vector<int> copies() const;

  /// The map of a subset of the items. `place` is the index of an item in the new map, or negative for items
  /// that are left out; indices run from 0 without gaps. Both sides of a border must select the same items.
  /// Neighbours that share no item any more are dropped.
  IndexMap narrowed(std::span<const std::int32_t> place) const;

  const Parts& parts() const { return *parts_; }

 private:
  std::shared_ptr<const Parts> parts_;
  std::size_t owned_ = 0;
};
CRUMPLE_MEMBERS(IndexMap::Parts, rank, global, owner, neighbours, shared)

}  // namespace crumple::parallel
