// Storage of the contacts of tracked nodes: only for nodes that touch, as most do not.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "contact/force/penalty.hpp"

namespace crumple::contact {

/// Contacts by tracked node. A node gets a slot when it first touches, and keeps it until `give_back`.
/// Meanwhile its address does not change, so threads can use existing slots while another thread takes new
/// ones.
class SlotPool {
 public:
  /// Clear all slots; the pool is then for nodes [0, n).
  void resize(std::size_t n) {
    place_.assign(n, kNowhere);
    free_.clear();
    taken_ = 0;
    chunks_.clear();
    chunks_.reserve(n / kChunk + 1);  // never moves again
  }

  bool has(std::size_t node) const { return place_[node] >= 0; }
  NodeSlots& operator[](std::size_t node) { return at(place_[node]); }
  const NodeSlots& operator[](std::size_t node) const { return at(place_[node]); }

  /// Prefetch the first contact of a node that has a slot, as most have one contact.
  [[gnu::always_inline]] void ask_for(std::size_t node) const {
    if (!has(node)) return;
    const auto* const first = reinterpret_cast<const char*>(&at(place_[node]).slot[0]);
    for (std::size_t line = 0; line < sizeof(Slot); line += 64) __builtin_prefetch(first + line, 1);
  }

  /// The slot of a node; a new one if it has none. One thread at a time.
  NodeSlots& take(std::size_t node) {
    std::int32_t& place = place_[node];
    if (place < 0 && !free_.empty()) {
      place = free_.back();
      free_.pop_back();
    } else if (place < 0) {
      place = taken_++;
      if (static_cast<std::size_t>(place) / kChunk == chunks_.size())
        chunks_.push_back(std::make_unique<Chunk>());
    }
    return at(place);
  }

  /// One thread at a time.
  void give_back(std::size_t node) {
    if (!has(node)) return;
    free_.push_back(place_[node]);
    place_[node] = kNowhere;
  }

 private:
  static constexpr std::size_t kChunk = 64;
  static constexpr std::int32_t kNowhere = -1;
  using Chunk = std::array<NodeSlots, kChunk>;

  NodeSlots& at(std::int32_t place) const {
    const auto p = static_cast<std::size_t>(place);
    return (*chunks_[p / kChunk])[p % kChunk];
  }

  std::vector<std::int32_t> place_;  ///< by node
  std::vector<std::int32_t> free_;
  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::int32_t taken_ = 0;  ///< places ever used
};

}  // namespace crumple::contact
