// The deck of a synthetic mesh: one part, one formulation, one law. Units: mm, s, tonne.
#pragma once

#include <string>

#include "elements/kernel.hpp"

namespace crumple::bench {

/// What the part is made of.
struct Part {
  model::ElementKind kind = model::ElementKind::shell;
  int elform = 2;
  std::string material = "024";  ///< a name of `materials()`
  int hourglass = 0;             ///< IHQ, 0: the formulation's own
};

/// A material by the name that benchmarks give it, and its cards (material 1, curve 1).
struct MaterialCards {
  const char* name;
  const char* cards;
};
/// All laws; 024 is that of the whole runs: a curve of ten points, no strain rates.
std::span<const MaterialCards> materials();

/// A plate (shells), block (solids) or rows (beams) of at least `elements` elements.
std::string mesh_deck(const Part& part, int elements);

}  // namespace crumple::bench
