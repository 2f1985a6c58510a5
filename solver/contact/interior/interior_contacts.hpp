// *CONTACT_INTERIOR: solids that are crushed flat resist before they invert.
//
// An element's thicknesses are t_i = D_i . (D_j x D_k) / |D_j x D_k|, D_1, D_2, D_3 the lines between the
// centres of opposite faces (TYPE 1: crushing), or the edges that meet at a corner, for all eight corners
// (TYPE 2: shear and hourglass modes too). Below F_a times its initial value t_0 a thickness has the energy
//     k/2 (F_a t_0 - t)^2,   k = PSF E A_0 / (F_a t_0):
// a column of modulus E in the remaining thickness. Each of the eight corners has an eighth. The forces are
// its gradient: their sum and their moment are zero. With n the normal of D_j, D_k, N its area and p = (D_i -
// n n . D_i) / N
//     dt = n . dD_i + (D_k x p) . dD_j + (p x D_j) . dD_k.
// A bound of omega^2 is the largest row sum of the springs' stiffness matrix, divided by one element's share
// of the mass of the row's node. Elements that are so flat reduce the step, and the springs' stiffness may
// come near theirs: all springs of an element are softened together where omega^2 dt^2 would exceed 0.5.
//
// The rank of an element computes its springs, in fixed point, so results do not depend on ranks.
#pragma once

#include <span>
#include <vector>

#include "contact/contact_system.hpp"
#include "model/model.hpp"
#include "parallel/exact_sum.hpp"
#include "parallel/halo.hpp"
#include "state/nodal.hpp"

namespace crumple::contact {

class InteriorContacts {
 public:
  /// Collective. `nodal` is at t = 0.
  ///
  /// @param constants by part
  InteriorContacts(const model::Model& model, const state::Nodal& nodal, const parallel::Halo& halo,
                   std::span<const PartConstants> constants);

  /// Elements of this rank that were deleted. Local.
  void delete_elements(std::span<const DeletedElement> elements);

  /// Add the forces at t_n to those of the nodes, before the sum over copies. Local.
  ///
  /// @param dt t_n - t_{n-1}; 0 in the first cycle
  /// @param stable_dt the step at which springs must be stable; 0: no forces yet
  void add_forces(state::Nodal& nodal, double dt, double stable_dt);

  /// Work done against the rank's elements so far.
  const parallel::ExactSum& work() const { return work_; }

 private:
  using Eight = std::array<Vec3, 8>;
  /// Three lines of an element, as differences of its nodes.
  struct Frame {
    const double (*of)[8];
    double share = 1.0;  ///< fraction of the element's stiffness
  };
  struct Element {
    std::array<LocalId, 8> nodes{};
    LocalId solid = model::kNone;
    std::int32_t interior = 0;  ///< into Model::interiors
    double modulus = 0.0;
    bool alive = true, active = false;
    std::vector<std::array<double, 3>> first, stiffness;  ///< by frame
    Eight force{};                                        ///< of the last cycle
  };
  static std::span<const Frame> frames(int form, const std::array<LocalId, 8>& nodes);
  void add_element(const model::Model& model, const state::Nodal& nodal, LocalId solid, std::int32_t interior,
                   double modulus);
  Eight forces(const Element& element, const Eight& x, double dt) const;

  const model::Model* model_;
  std::vector<Element> elements_;
  std::vector<double> inverse_share_;  ///< by node: number of its elements over its mass
  parallel::ExactSum work_;
};

}  // namespace crumple::contact
