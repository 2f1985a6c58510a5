// Sets and boxes of the deck.
#pragma once

#include <array>
#include <vector>

#include "base/types.hpp"
#include "model/coordinate_system.hpp"

namespace crumple::model {

/// Sets of the deck, resolved to indices: each entry once, ascending user id; segments in the given order.
struct NodeSet {
  GlobalId id = 0;
  std::vector<LocalId> nodes;
};

struct PartSet {
  GlobalId id = 0;
  std::vector<LocalId> parts;
  std::array<double, 4> attributes{};  ///< DA1 to DA4
};

struct ShellSet {
  GlobalId id = 0;
  std::vector<LocalId> shells;
};

/// Solids, beams or springs.
struct ElementSet {
  GlobalId id = 0;
  std::vector<LocalId> elements;
};

struct SegmentSet {
  GlobalId id = 0;
  std::vector<std::array<LocalId, 4>> segments;  ///< a triangle repeats its last node
};

/// *DEFINE_BOX: limits in the global frame or in `system`, both included.
struct Box {
  GlobalId id = 0;
  Vec3 low, high;
  bool local = false;
  CoordinateSystem system;
  bool contains(const Vec3& x) const;
};

/// Data for the surfaces of contacts; only on rank 0, empty in subdomains.
struct Sets {
  std::vector<NodeSet> nodes;
  std::vector<PartSet> parts;
  std::vector<ShellSet> shells;
  std::vector<ElementSet> solids, beams, discretes;
  std::vector<SegmentSet> segments;
  std::vector<Box> boxes;

  const NodeSet* node_set(GlobalId id) const;  ///< null if there is none
  const PartSet* part_set(GlobalId id) const;
  const ShellSet* shell_set(GlobalId id) const;
  const SegmentSet* segment_set(GlobalId id) const;
};

}  // namespace crumple::model
