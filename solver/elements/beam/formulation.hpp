// Common parts of the formulations of beams with rotations.
#pragma once

#include <string>
#include <utility>

#include "elements/beam/layout.hpp"
#include "elements/kernel.hpp"

namespace crumple::elements::beam {

/// The formulation of a beam with `extra` variables after its points.
template <int extra>
Formulation beam_formulation(std::string name, int elform, double cost,
                             decltype(Formulation::prepare) prepare, decltype(Formulation::mass) mass) {
  Formulation f;
  f.name = std::move(name);
  f.kind = model::ElementKind::beam;
  f.elform = elform;
  f.n_nodes = 2;
  f.rotations = true;
  f.cost = cost;
  f.prepare = prepare;
  f.layout = [](const GroupParameters& group) { return layout(group, extra); };
  f.mass = mass;
  f.initialise = [](const ElementInput& input, const GroupParameters&, std::span<double> variables) {
    initialise_beam(input, variables);
  };
  return f;
}

}  // namespace crumple::elements::beam
