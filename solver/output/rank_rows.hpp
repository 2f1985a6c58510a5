// The rows of plot states that a rank has: its own nodes and elements, and their values.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "decomposition/distribution.hpp"
#include "output/results.hpp"

namespace crumple::output {

/// What a rank has of the model. Positions in the whole model ascend.
struct RankRows {
  struct Elements {
    std::span<const GlobalId> order;
    std::span<const LocalId> part;
  };
  struct Part {
    std::int32_t number = 0;  ///< in the order of the file, from 1
    bool rigid = false;
  };
  std::vector<GlobalId> node_order;  ///< of the nodes that it owns
  std::vector<LocalId> node;         ///< their local numbers
  Elements solids, beams, shells, particles;
  std::vector<Part> parts;

  const Elements& elements(ElementKind kind) const {
    return kind == ElementKind::solid  ? solids
           : kind == ElementKind::beam ? beams
           : kind == ElementKind::sph  ? particles
                                       : shells;
  }
};

/// @param subdomain must outlive the result
RankRows rows_of_rank(const decomposition::Subdomain& subdomain);

/// Values of the nodes of a rank, by local number.
struct NodeValues {
  std::span<const Vec3> x, v, a;
  std::span<const double> added_mass;  ///< if the layout has it
  std::span<const Vec3> x0;            ///< at t = 0
};

/// Fills the arrays of one kind of elements with those of a range of the rank's own.
using FillRows = std::function<void(ElementKind, Range of_rank, PlotState&)>;

}  // namespace crumple::output
