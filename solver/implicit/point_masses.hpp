// Masses of an implicit run: of single nodes, and of rigid bodies as wholes.
//
// They are those of the explicit solver. Nodes of a rigid body have none of their own: the body has their
// mass, centre and inertia, or those that were given (*PART_INERTIA). Nodes that depend on others in another
// way keep their masses, which act where the nodes are: along the unknowns the mass matrix is T' M T
// (dependent_nodes.hpp).
#pragma once

#include <span>
#include <vector>

#include "constraints/rigid_bodies.hpp"
#include "implicit/dependent_nodes.hpp"
#include "implicit/rigid_points.hpp"
#include "model/model.hpp"
#include "state/nodal.hpp"

namespace crumple::implicit {

/// A rigid body with mass. Vectors and tensors are those of t = 0.
struct BodyMass {
  LocalId point = model::kNone;  ///< whose motion is that of the body's unknowns
  double mass = 0;
  Vec3 arm;                        ///< from the point to the centre of mass
  bool pivots = false;             ///< the point is not the centre and cannot move
  constraints::Matrix3 inertia{};  ///< about the centre, or about the point if the body pivots on it
  constraints::Directions free;    ///< rotations that are not held
};

/// A rigid body whose mass is in a line through its point: its turn about the line has no inertia, and moves
/// no node.
struct MassLine {
  LocalId point = model::kNone, node = model::kNone;  ///< a node on the line
  double inertia = 0;                                 ///< about the other axes
};

struct PointMasses {
  PointMasses() = default;
  PointMasses(const model::Model& model, const state::Nodal& nodal, const constraints::RigidBodies& bodies,
              std::span<const RigidPoint> rigid, const DependentNodes& dependents);

  std::vector<double> mass, inertia;  ///< of points; 0 at nodes of bodies, at their points and centres
  std::vector<char> moves, turns;     ///< of points: whether translations and rotations have inertia
  std::vector<BodyMass> bodies;       ///< of RigidBodies, not of welds
  std::vector<char> in_body;          ///< of points: nodes of these
  std::vector<MassLine> lines;

  void find_what_moves(const DependentNodes& dependents);

  /// The mass matrix by blocks of points. Each pair once.
  /// @param orientation of each body since t = 0
  /// @param dofs of each point: 0, 3 or 6
  void add_blocks(std::span<const constraints::Quaternion> orientation, std::span<const std::uint8_t> dofs,
                  const AddBlock& add) const;
};

/// Rows (u, spin of the point) of a body's mass matrix. @param arm, inertia at present
void body_mass_block(const BodyMass& body, const Vec3& arm, const constraints::Matrix3& inertia,
                     double (&block)[36]);

/// R J R', rows of R and J.
constraints::Matrix3 turned_tensor(const constraints::Matrix3& r, const constraints::Matrix3& j);

}  // namespace crumple::implicit
