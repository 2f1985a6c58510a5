// The deck of two plates on each other, of contact and of ties.
#pragma once

#include <fmt/format.h>

#include <string>

#include "yielding_mesh_deck.hpp"

namespace crumple::bench {

/// Shells along an edge of a plate, and their size in mm.
inline constexpr int kShellsOfEdge = 150;
inline constexpr double kShellEdge = 4.0;

/// Two plates of shells of 1.2 mm: part 1 at z = 0, and part 2 `gap` mm above it, whose nodes are beside the
/// edges of part 1's shells. `cards` follow, with the upper plate's material if it is not the lower one's.
inline std::string two_plates_deck(double gap, const std::string& cards, int material_of_upper = 1) {
  const int side = kShellsOfEdge, row = side + 1;
  std::string text = mesh_deck({model::ElementKind::shell, 2, "001", 0}, side * side);
  text.resize(text.rfind("*END"));
  std::string nodes = fmt::format("*PART\nupper plate\n2,1,{}\n*NODE\n", material_of_upper),
              elements = "*ELEMENT_SHELL\n";
  for (int i = 0; i <= side; ++i)
    for (int j = 0; j <= side; ++j)
      nodes += fmt::format("{},{},{},{}\n", row * row + i * row + j + 1, kShellEdge * (i - side / 2 + 0.3),
                           kShellEdge * (j - side / 2 + 0.4), gap);
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      const int a = row * row + i * row + j + 1;
      elements +=
          fmt::format("{},2,{},{},{},{}\n", side * side + i * side + j + 1, a, a + row, a + row + 1, a + 1);
    }
  return text + nodes + elements + cards + "*END\n";
}

}  // namespace crumple::bench
