// The stiffness of one element, for an implicit solver.
//
// K = d f_int / d u for an increment u of the step: positions x + u at its end, velocities v + u / dt and, of
// nodes with rotations, angular velocities w + u / dt at its middle, so that an increment of rotation is the
// vector w dt. Degrees of freedom are node by node: three displacements, then, with rotations, three
// rotations. K is that of the element function (element.hpp) as it is, and need not be symmetric.
//
// Forces that depend on dt: viscous forces of laws and dampers are always part of force and stiffness. Other
// viscous forces (viscous hourglass control, bulk viscosity, stiffness damping) are, too, unless the group is
// that of `static_parameters`. Forces that are not smooth: where a law, a clearance or a contact of a curve
// has a corner, K belongs to the branch at the end of the step. An element that the step deletes is reported
// in `survives`; its forces are still those at the end of the step. Tetrahedra with nodal pressure (ELFORM
// 13) take the dilatation of the step as given: K leaves out the neighbours on which it depends. What depends
// on these is a product of `by_given` and the derivatives of the dilatation (implicit/nodal_pressure.hpp).
#pragma once

#include "elements/kernel.hpp"

namespace crumple::elements {

/// Arguments of one element, in double. n_dof is 3 or 6 times its number of nodes.
struct TangentArguments {
  const GroupParameters* group = nullptr;
  const double* x = nullptr;      ///< [node * 3 + i], end of the step
  const double* v = nullptr;      ///< [node * 3 + i], middle of the step
  const double* w = nullptr;      ///< angular velocity, middle of the step; only with rotations
  const double* state = nullptr;  ///< before the step: variable k at [k * kLanes], as a group keeps it
  double dt = 0;                  ///< of the step, not 0
  double time = 0;                ///< at its end
  // out
  double* state_after = nullptr;  ///< n_vars * kLanes, variable k at [k * kLanes]; must not be `state`
  double* force = nullptr;        ///< [n_dof], internal forces on the nodes
  double* stiffness = nullptr;    ///< [i * n_dof + j] = d force[i] / d u[j]; null: forces only
  double* by_given = nullptr;     ///< [n_dof], d force / d the variable that is given from outside; or null
  bool survives = true;
  double step = 0;  ///< stable step at its end; not a positive number: the element is inverted or broken
};
using Tangent = void (*)(TangentArguments&);

/// Null if there is none.
Tangent find_tangent(Isa isa, model::ElementKind kind, int elform);

/// `group` without bulk viscosity, stiffness damping and viscous hourglass forces: elements with hourglass
/// control of a viscous type (1 to 3) then have modes without stiffness. Solids' steps may turn far.
GroupParameters static_parameters(const GroupParameters& group);

namespace detail {
struct RegisterTangent {
  RegisterTangent(Isa isa, model::ElementKind kind, int elform, Tangent tangent);
};
}  // namespace detail

}  // namespace crumple::elements
