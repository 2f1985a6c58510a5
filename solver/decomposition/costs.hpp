// Cost of an element in a cycle: measured by `crumple tune`, or built in.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"

namespace crumple::decomposition {

/// Time of elements of one formulation and law, in any one unit. A shell costs `element`, plus `point` for
/// each layer, plus `yield` for each yielding layer.
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
/// not measured count as the most expensive of their formulation; formulations that were not measured have
/// built-in costs; rigid elements cost almost nothing.
void set_costs(model::Model& model, const MeasuredCosts& measured = {});

}  // namespace crumple::decomposition
