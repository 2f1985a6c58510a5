// The unknowns of a step: which motion of which node, by elimination of everything that is held or given.
//
// The motion of the nodes is T q, q the unknowns, plus the given part. Forces along the unknowns are T' f and
// the stiffness is T' K T (Belytschko, Liu, Moran 2000, section 6.2.8). Each node has a row of unknowns:
// orthonormal directions of its translation, then of its rotation. So has the point of each rigid body, which
// follows the nodes: both are points. Nodes that depend on others (dependent_nodes.hpp) have rows of T with
// the unknowns of these.
//
// Where a node is free to turn about every axis, its unknowns are further turns from where it is, which is
// what moments do work on: then the stiffness of structures that turn far is nearly symmetric (Simo and
// Vu-Quoc 1986, "A three-dimensional finite-strain rod model. Part II", Comput. Methods Appl. Mech. Eng. 58,
// 79-116). Elsewhere they are added to the turn of the step: what is held stays exactly so.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "constraints/rotation.hpp"
#include "implicit/increment.hpp"
#include "implicit/linear/block_matrix.hpp"
#include "implicit/linear/solver.hpp"
#include "model/index.hpp"

namespace crumple::implicit {

/// Free directions of one node.
struct NodeFreedoms {
  constraints::Directions translation, rotation;
  int size() const { return translation.count + rotation.count; }
};

/// How a node moves with one point: rows (displacement, spin) of the node, columns those of the point.
struct PointRow {
  LocalId point = model::kNone;
  std::array<double, 36> t{};
};

/// Receives blocks of stiffness of two points: of translations (`dofs` 3) or of translations and rotations
/// (6), row by row. A pair of different points comes once, in any order: its transpose belongs to it.
using AddBlock = std::function<void(LocalId a, LocalId b, int dofs, const double* k)>;

class DependentNodes;

class DofMap {
 public:
  DofMap() = default;
  /// @param free of each point
  /// @param dependents kept by reference; null: no node depends on others
  explicit DofMap(std::vector<NodeFreedoms> free, const DependentNodes* dependents = nullptr);

  std::int32_t equations() const { return first_.empty() ? 0 : first_.back(); }
  std::int32_t first(LocalId node) const { return first_[at(node)]; }
  const NodeFreedoms& free(LocalId node) const { return free_[at(node)]; }
  /// Point of an equation.
  LocalId node_of(std::int32_t equation) const;
  /// By equation: whether it is a rotation.
  const std::vector<char>& rotations() const { return rotations_; }
  /// Rows of blocks, one of each point.
  std::vector<std::uint8_t> row_sizes() const;

  /// By equation: how it moves its point.
  std::vector<linear::Motion> motions() const;

  /// T' f, of loads that are on points with unknowns (DependentNodes::gather).
  void reduce(const NodalForces& f, std::span<double> along) const;
  /// Whether a node's turn is by further turns: its unknowns are, or those of what it turns with.
  bool turns_freely(LocalId node) const;
  /// Adds scale T q to displacements and rotations of points, or turns on by it. Dependent nodes stay.
  void add(double scale, std::span<const double> q, Increment& to) const;

  /// T' K T of the translations (`dofs` 3) or of translations and rotations (6) of two nodes, into the rows
  /// of `reduced`, which has 6 columns: sizes of the nodes count.
  /// @param k row by row, `stride` apart
  void reduce_block(LocalId a, LocalId b, int dofs, const double* k, int stride, double (&reduced)[36]) const;

  /// Adds T' K T of two nodes to the matrix, in the present trial; with its transpose, where they differ. As
  /// AddBlock.
  void add_block(LocalId a, LocalId b, int dofs, const double* k, linear::BlockMatrix& to) const;
  /// The same block by points of which the nodes are dependent: what each pair of these gets. `visit` has the
  /// pair in ascending order, and `dofs` 6 unless both nodes are points.
  void for_each_part(LocalId a, LocalId b, int dofs, const double* k, const AddBlock& visit) const;

 private:
  bool depends(LocalId node) const;
  bool turns_on_about_axis(std::size_t point, const Vec3& turn) const;
  void add_point_block(LocalId a, LocalId b, int dofs, const double* k, linear::BlockMatrix& to) const;

  const DependentNodes* dependents_ = nullptr;
  std::vector<NodeFreedoms> free_;
  std::vector<std::int32_t> first_;  ///< equation of a point; (n_points + 1)
  std::vector<char> rotations_;
};

}  // namespace crumple::implicit
