// Volume changes of nodes; tetrahedra with nodal pressure (ELFORM 13) use their mean.
//
// A node has a quarter of the volume of each tetrahedron at it. Its dilatation in a step is the sum of the
// quarters' changes over the sum of the quarters, both at mid step. The dilatation of an element is the mean
// of its nodes'. For a linear law this is Bonet and Burton's (1998) nodal pressure in rates: with p_a = K
// theta_a at the nodes and their mean in the element, sum_e p_e dV_e = sum_a p_a dv_a, so forces and energy
// match. Each part has sums of its own: pressure may jump where materials meet. Deleted elements do not
// count.
//
// Sums are fixed point, the same bits on any number of ranks; nothing is kept from one step to the next.
#pragma once

#include <span>
#include <vector>

#include "parallel/halo.hpp"
#include "state/group_view.hpp"
#include "state/nodal.hpp"

namespace crumple::state {

class NodalDilatation {
 public:
  /// Collective.
  NodalDilatation(const model::Model& model, std::size_t n_nodes, const parallel::Halo& halo);

  /// Set the dilatation of every tetrahedron of ELFORM 13 in the step dt that led to the present positions.
  /// Collective.
  void update(const Nodal& nodal, const parallel::Halo& halo, std::span<const WritableGroup> groups,
              double dt);

 private:
  std::vector<LocalId> parts_;      ///< with ELFORM 13, the same on every rank
  std::vector<double> scale_;       ///< of each node's sums
  std::vector<std::int64_t> sums_;  ///< volume and its change, 2 a node
  std::vector<double> dilatation_;  ///< of each node in the step
};

}  // namespace crumple::state
