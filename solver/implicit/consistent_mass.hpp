// What the consistent mass matrix of solids is beyond masses at their nodes.
//
// M_ab = rho int N_a N_b dV over an element at t = 0, with its shape functions (Archer 1963, "Consistent mass
// matrix for distributed mass systems", J. Struct. Div. ASCE 89, 161-178; Hughes 2000, "The Finite Element
// Method", section 7.3.2), the same along every axis. The element's mass is that of the explicit solver. Kept
// is the difference D = M - diag(m) to the masses m that the explicit solver gives the nodes, whose sum over
// all entries is zero: so masses of nodes, bodies and lumps stay where they are (point_masses.hpp), and D is
// added to forces, energies and matrices.
//
// Integrals are by Gauss points, with collapsed coordinates for wedges and tetrahedra (Stroud 1971,
// "Approximate Calculation of Multiple Integrals"), exact for every shape: the Jacobian of a brick has degree
// 2 in each coordinate, and N_a N_b too.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "implicit/dof_map.hpp"
#include "implicit/increment.hpp"
#include "model/model.hpp"

namespace crumple::implicit {

/// Of a solid with 4, 6, 8 or 10 nodes, in the order of the elements: int N_a N_b dV over the volume,
/// (n, n). Their sum is 1.
std::vector<double> mass_shares(std::span<const Vec3> x);

/// Whether the run is to have consistent masses: they are asked for, and something depends on masses.
bool has_consistent_masses(const model::Model& model);

/// Whether elements of this part have a consistent mass matrix. Rigid parts have their own, and springs no
/// mass.
bool has_consistent_mass(const model::Model& model, const model::Part& part);

class ConsistentMass {
 public:
  /// None: all mass is at nodes.
  ConsistentMass() = default;
  /// Of all deformable solids but those whose nodes `leave_out` says are of one rigid body: the body has
  /// their mass.
  using LeaveOut = std::function<bool(std::span<const LocalId> nodes)>;
  ConsistentMass(const model::Model& model, const LeaveOut& leave_out);

  bool any() const { return !elements_.empty(); }
  /// to += D v
  void add_product(std::span<const Vec3> v, std::span<Vec3> to) const;
  /// Blocks of D, each pair of nodes of an element once.
  void add_blocks(double scale, const AddBlock& add) const;

  /// Kinetic energy and momentum of D at velocities v.
  struct Motion {
    double kinetic = 0;
    Vec3 momentum;
  };
  Motion motion(std::span<const Vec3> v) const;
  /// The same by part.
  std::vector<Motion> motion_of_parts(std::span<const Vec3> v, std::size_t parts) const;

 private:
  struct Element {
    LocalId part = model::kNone;
    int nodes = 0;
    std::size_t first_node = 0, first_value = 0;
  };
  template <class Visit>
  void each_product(std::span<const Vec3> v, Visit&& visit) const;

  std::vector<Element> elements_;
  std::vector<LocalId> nodes_;
  std::vector<double> values_;  ///< (n, n) of each element
};

}  // namespace crumple::implicit
