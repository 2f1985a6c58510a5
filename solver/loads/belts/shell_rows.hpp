// The rows of a belt of shells: which sides of its quadrilaterals go along it, from the nodes of one end.
//
// An edge across the belt is a path of sides of quadrilaterals. Opposite sides of a quadrilateral both go
// across or both go along, so one edge (EDGSET of *SECTION_SHELL) says it for all quadrilaterals that hang
// together, as far as the belt is a grid. Each node of the edge begins a row of sides along the belt.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/types.hpp"

namespace crumple::loads {

class ShellRows {
 public:
  using Corners = std::array<LocalId, 4>;
  explicit ShellRows(std::vector<Corners> quads);

  /// Finds the rows of the belt of which these nodes, in any order, are an edge. Without effect if it is
  /// known.
  /// @param x positions by node
  /// @return what is wrong, empty if nothing is
  std::string follow(std::span<const LocalId> edge, std::span<const Vec3> x);

  /// A side along the belt.
  struct Side {
    LocalId first = 0, second = 0;
    std::int32_t row = 0, belt = 0;
    std::vector<std::int32_t> quads;  ///< one or two
  };
  /// The sides along the belt, and which of the gaps between rows it fills.
  struct Quad {
    std::array<std::int32_t, 2> sides{-1, -1};
    std::int32_t belt = -1, gap = -1;  ///< -1: of no belt
    bool across = false;               ///< its sides 1-2 and 3-4 go across
  };
  struct Belt {
    double width = 0;
    std::vector<double> share;  ///< of each row in the width: half of the gaps beside it
    std::vector<double> gap;    ///< between rows, as shares of the width
  };
  const std::vector<Side>& sides() const { return sides_; }
  const std::vector<Quad>& quads() const { return quads_; }
  const std::vector<Belt>& belts() const { return belts_; }

 private:
  using Edge = std::pair<LocalId, LocalId>;
  static Edge edge_of(LocalId a, LocalId b) { return a < b ? Edge{a, b} : Edge{b, a}; }
  bool order(std::span<const LocalId> edge, std::vector<LocalId>& path) const;
  Belt measure(const std::vector<LocalId>& path, std::span<const Vec3> x) const;
  std::string pass(std::int32_t quad, Edge across, std::vector<Edge>& next);
  std::int32_t side(LocalId first, LocalId second, std::int32_t row, std::int32_t quad);

  std::vector<Corners> corners_;
  std::map<Edge, std::vector<std::int32_t>> quads_at_;
  std::map<LocalId, std::pair<std::int32_t, std::int32_t>> place_;  ///< belt and row of nodes
  std::map<Edge, std::int32_t> side_at_;
  std::vector<Side> sides_;
  std::vector<Quad> quads_;
  std::vector<Belt> belts_;
};

}  // namespace crumple::loads
