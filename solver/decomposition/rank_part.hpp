// The nodes and elements of the whole model that one rank has, and their numbers on that rank.
#pragma once

#include <array>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "base/assert.hpp"
#include "base/types.hpp"
#include "decomposition/partition.hpp"
#include "model/fields.hpp"

namespace crumple::decomposition {

/// Copies of nodes on ranks, collected before the model is cut.
class Copies {
 public:
  /// Keeps references.
  Copies(const Partition& partition, std::span<const int> owner, std::vector<std::pair<LocalId, int>>& pairs)
      : partition_(partition), owner_(owner), pairs_(pairs) {}
  int owner(LocalId node) const { return owner_[static_cast<std::size_t>(node)]; }
  /// Rank of an element.
  int home(model::ElementKind kind, LocalId element) const {
    return partition_.of[kind][static_cast<std::size_t>(element)];
  }
  /// Add a copy of a node on a rank; repeated calls are allowed.
  void add(LocalId node, int rank) { pairs_.emplace_back(node, rank); }

 private:
  const Partition& partition_;
  std::span<const int> owner_;
  std::vector<std::pair<LocalId, int>>& pairs_;
};

/// Numbers on a rank by number in the whole model; kNone: not on the rank.
using Numbers = std::vector<LocalId>;

/// Arguments are numbers of nodes and elements in the whole model.
class RankPart {
 public:
  /// Keeps a reference to `owner`, the rank of each node of the whole model.
  RankPart(int rank, std::span<const int> owner)
      : rank_(rank), owner_(owner), node_(owner.size(), model::kNone) {}

  int rank() const { return rank_; }
  /// Whether the rank has a copy of the node.
  bool here(LocalId node) const { return node_[static_cast<std::size_t>(node)] != model::kNone; }
  /// Whether the rank owns the node; false for kNone.
  bool mine(LocalId node) const {
    return node != model::kNone && owner_[static_cast<std::size_t>(node)] == rank_;
  }
  /// Whether it has the element.
  bool has(model::ElementKind kind, LocalId element) const {
    return element_.at(kind)[static_cast<std::size_t>(element)] != model::kNone;
  }
  void keep_here(std::vector<LocalId>& nodes) const {
    std::erase_if(nodes, [&](LocalId n) { return !here(n); });
  }
  void keep_mine(std::vector<LocalId>& nodes) const {
    std::erase_if(nodes, [&](LocalId n) { return !mine(n); });
  }
  void keep_elements(model::ElementKind kind, std::vector<LocalId>& elements) const {
    const Numbers& numbers = element_.at(kind);
    std::erase_if(elements, [&](LocalId e) { return numbers[static_cast<std::size_t>(e)] == model::kNone; });
  }
  /// Replace numbers of nodes and elements in `item` by the rank's numbers.
  template <class T>
  void renumber(T& item) const {
    Renumber visitor{*this};
    fields(visitor, item);
  }

  Numbers& nodes() { return node_; }
  const Numbers& nodes() const { return node_; }
  Numbers& elements(model::ElementKind kind) { return element_[kind]; }

 private:
  struct Renumber {
    const RankPart& part;
    template <class T>
    void operator()(model::NodesOf<T>& nodes) {
      put(nodes.index, part.node_);
    }
    template <class T>
    void operator()(model::ElementsOf<T>& elements) {
      if (elements.kind != model::ElementKind::none) put(elements.index, part.element_.at(elements.kind));
    }
    template <class T>
    void operator()(T&) {}
  };
  static void put(LocalId& index, const Numbers& numbers) {
    if (index == model::kNone) return;
    CRUMPLE_ASSERT(index >= 0 && static_cast<std::size_t>(index) < numbers.size(), index, numbers.size());
    index = numbers[static_cast<std::size_t>(index)];  // kNone where another rank has the element
  }
  template <class T>
  static void put(std::vector<T>& list, const Numbers& numbers) {
    for (T& item : list) put(item, numbers);
  }
  template <class T, std::size_t N>
  static void put(std::array<T, N>& list, const Numbers& numbers) {
    for (T& item : list) put(item, numbers);
  }

  int rank_;
  std::span<const int> owner_;
  Numbers node_;
  std::map<model::ElementKind, Numbers> element_;
};

}  // namespace crumple::decomposition
