// The surface of the whole model as triangles, with few of them where a model has very many.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "output/results.hpp"

namespace crumple::output {

/// Triangles between some nodes of the model; each stands for one face of an element or for several.
struct CoarseSurface {
  /// An element whose face a triangle stands for; solids are counted first, then shells.
  struct Use {
    std::int32_t element = 0, triangle = 0;
  };
  std::vector<std::int32_t> nodes;                     ///< of each point: its position in the catalogue
  std::vector<std::array<std::int32_t, 3>> triangles;  ///< their points
  std::vector<std::int32_t> part;                      ///< of each triangle, into Catalogue::parts
  std::vector<std::uint8_t> edges;                     ///< bits 1, 2, 4: the side after corner 0, 1, 2 is one
  std::vector<Use> uses;                               ///< by element
  std::size_t whole = 0;                               ///< triangles of the surface before it was simplified
};

/// Faces of all shells, and those of solids that no other solid shares, on the undeformed model. If they are
/// more than `most` triangles, of the nodes of a part in a cube one is left, and triangles that become the
/// same are one (vertex clustering: Rossignac and Borrel, Multi-resolution 3D approximations for rendering
/// complex scenes, 1993).
CoarseSurface coarse_surface(const Catalogue& catalogue, std::size_t most);

}  // namespace crumple::output
