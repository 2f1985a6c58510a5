// Tetrahedra with nodal pressure (ELFORM 13) in implicit steps: the dilatation that elements share at nodes,
// and the stiffness that comes with it.
//
// The dilatation of a node in the step is theta_a = sum_e dV_e / sum_e V_e over the elements at it, both at
// mid step (state/nodal_dilatation.hpp); that of an element is theta_e = sum_a theta_a / 4. So forces depend
// on neighbours, too:
//
//   d f / d u = sum_e d f_e / d u |theta  +  sum_a (sum_e 1/4 d f_e / d theta_e) (d theta_a / d u)^T
//
// The first sum is that of elements, the second has one product of two vectors a node, of the nodes of all
// elements at it. With a linear law d f_e / d theta_e = K dV_e / du, and the product is symmetric (Bonet and
// Burton 1998, equation 15).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "implicit/increment.hpp"
#include "state/group_view.hpp"

namespace crumple::implicit {

struct ElementTangent;

class NodalPressure {
 public:
  /// @param groups stay where they are
  explicit NodalPressure(std::span<const state::GroupView> groups);

  /// The dilatation of each element in a step, by group and element; none of other elements.
  using Dilatations = std::vector<std::vector<double>>;
  Dilatations dilatations(std::span<const Vec3> x0, std::span<const Vec3> u) const;
  /// The same of a step that is over: positions at its end, mean velocities.
  Dilatations dilatations(std::span<const Vec3> x, std::span<const Vec3> v, double dt) const;

  /// Nodes that depend on each other, patch by patch, for the pattern of the stiffness.
  void append_nodes(std::vector<std::int64_t>& begin, std::vector<std::int32_t>& rows) const;
  /// Visits the stiffness of patches in a fixed order; their forces are zero.
  /// @param by_dilatation d f_e / d theta_e of each element, by group: (12 * elements)
  void evaluate(std::span<const Vec3> x0, std::span<const Vec3> u,
                std::span<const std::vector<double>> by_dilatation,
                const std::function<void(const ElementTangent&)>& visit) const;

 private:
  struct Corner {
    std::int32_t group = 0, element = 0;
  };
  /// A node and the elements of one part at it.
  struct Patch {
    std::vector<Corner> elements;
    std::vector<LocalId> nodes;                      ///< of these elements, ascending
    std::vector<std::array<std::int32_t, 4>> place;  ///< in `nodes`, of each element's corners
  };
  struct Motion {
    std::span<const Vec3> x, u;
    double back = 0;  ///< x + back u is at mid step
  };
  void add_patches(LocalId part);
  Dilatations of(const Motion& motion) const;
  double dilatation(const Patch& patch, const Motion& motion, std::span<Vec3> derivative) const;

  std::span<const state::GroupView> groups_;
  std::vector<Patch> patches_;  ///< part by part, by node
};

}  // namespace crumple::implicit
