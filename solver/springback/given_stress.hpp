// Stresses and strains of a record of *INITIAL_STRESS_SHELL and others, before they are given to elements.
#pragma once

#include <vector>

#include "model/builder.hpp"

namespace crumple::springback {

struct GivenStress {
  model::ElementKind kind = model::ElementKind::none;
  int planes = 1, layers = 1, history = 0;
  struct Point {
    double at = 0;               ///< T
    std::vector<double> values;  ///< stress xx yy zz xy yz zx, plastic strain, history
  };
  std::vector<Point> points;
};

GivenStress shell_stress(const model::Record& r);

/// Strains of a shell at its lower surface, then at its upper one: xx yy zz xy yz zx of each.
std::vector<double> surface_strains(const model::Record& r);

}  // namespace crumple::springback
