// User numbers to indices: a flat hash table, since whole-vehicle decks look up millions of nodes.
#pragma once

#include <bit>
#include <vector>

#include "base/types.hpp"

namespace crumple::model {

/// Open addressing with linear probing; at most half full.
class IdTable {
 public:
  static constexpr LocalId kMissing = -1;

  void reserve(std::size_t n) { rehash(std::bit_ceil(2 * n + 16)); }

  /// Insert `id` with `index`; false, without a change, if the number exists already.
  bool insert(GlobalId id, LocalId index) {
    if (2 * (size_ + 1) > slots_.size()) rehash(slots_.empty() ? 16 : 2 * slots_.size());
    Slot& slot = slots_[position(id)];
    if (slot.index != kMissing) return false;
    slot = {id, index};
    ++size_;
    return true;
  }

  LocalId find(GlobalId id) const { return slots_.empty() ? kMissing : slots_[position(id)].index; }
  bool contains(GlobalId id) const { return find(id) != kMissing; }
  std::size_t size() const { return size_; }

 private:
  struct Slot {
    GlobalId id = 0;
    LocalId index = kMissing;
  };

  std::size_t position(GlobalId id) const {
    // Fibonacci hashing (Knuth 1998, vol. 3, section 6.4): neighbouring numbers spread over the table.
    const auto mixed = static_cast<std::uint64_t>(id) * 0x9e3779b97f4a7c15ULL;
    std::size_t at = static_cast<std::size_t>(mixed >> shift_);
    while (slots_[at].index != kMissing && slots_[at].id != id) at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  void rehash(std::size_t n) {
    std::vector<Slot> old(n);
    old.swap(slots_);
    shift_ = 64 - std::countr_zero(n);
    for (const Slot& slot : old)
      if (slot.index != kMissing) slots_[position(slot.id)] = slot;
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
  int shift_ = 64;
};

}  // namespace crumple::model
