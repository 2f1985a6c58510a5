// The formulation of a solid that isoparametric.hpp integrates; all follows from its shape.
#pragma once

#include <string>
#include <utility>

#include "elements/kernel.hpp"
#include "elements/solid/degenerate.hpp"
#include "elements/solid/isoparametric.hpp"
#include "elements/solid/layout.hpp"
#include "elements/solid/prepare.hpp"

namespace crumple::elements::solid {

template <class Shape>
Formulation isoparametric_formulation(std::string name, int elform, double cost) {
  Formulation f;
  f.name = std::move(name);
  f.kind = model::ElementKind::solid;
  f.elform = elform;
  f.n_nodes = Shape::n_nodes;
  f.rotations = false;
  f.cost = cost;
  f.gives.energy = !NodalDilatation<Shape>;
  f.prepare = [](const model::Section& section, const model::Control&, GroupParameters& group) {
    prepare_solid(section, group);
    group.n_points = Shape::n_points;
    group.hourglass.type = 0;  // every mode has its stiffness
    group.nodal_dilatation = NodalDilatation<Shape>;
  };
  f.form = Shape::n_nodes == 4    ? tetrahedron_form
           : Shape::n_nodes == 6  ? wedge_form
           : Shape::n_nodes == 10 ? nullptr
                                  : brick_form;
  f.layout = layout;
  f.mass = [](const ElementInput& input, const GroupParameters& group) {
    const double volume = volume_of_points<Shape>(input);
    NodalShare share = equal_mass(volume, Shape::n_nodes, group);
    if constexpr (OwnMassShares<Shape>)
      for (int a = 0; a < Shape::n_nodes; ++a) share.mass[a] = group.density * volume * Shape::mass_share(a);
    return share;
  };
  f.initialise = [](const ElementInput& input, const GroupParameters&, std::span<double> variables) {
    double least = 0;
    const double volume = volume_of_points<Shape>(input, &least);
    // Nodes may lie so far from the middles of their edges that a point is inside out.
    initialise_solid(OwnMassShares<Shape> && !(least > 0) ? least : volume, variables);
  };
  return f;
}

}  // namespace crumple::elements::solid
