// What an element costs a rank in a cycle: measured by `crumple tune`, or built in.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"

namespace crumple::decomposition {

/// Time of elements of one formulation and law, in any one unit. A shell costs `element`, and for each layer
/// `point`; a layer that yields `yield` more.
struct MeasuredCost {
  model::ElementKind kind = model::ElementKind::none;
  int elform = 0, law = 0;
  double element = 0, point = 0, yield = 0;
};
using MeasuredCosts = std::vector<MeasuredCost>;

/// Reads the file that `crumple tune` writes; the figures of one precision.
/// Throws Error CR-P030 when it cannot be read or understood.
MeasuredCosts read_costs(const std::string& path, bool single_precision);

/// Set `element_cost` of every part, relative to an elastic Belytschko-Tsay shell of 2 layers. Laws that were
/// not measured count as the dearest of their formulation; formulations that were not, as built in; rigid
/// elements cost next to nothing.
void set_costs(model::Model& model, const MeasuredCosts& measured = {});

}  // namespace crumple::decomposition
