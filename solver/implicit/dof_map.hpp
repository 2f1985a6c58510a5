// The unknowns of a step: which motion of which node, by elimination of everything that is held or given.
//
// The motion of the nodes is T q, q the unknowns, plus the given part. Forces along the unknowns are T' f and
// the stiffness is T' K T (Belytschko, Liu, Moran 2000, section 6.2.8). Each node has a row of unknowns:
// orthonormal directions of its translation, then of its rotation. What ties nodes to each other, such as
// rigid bodies, belongs here: rows of T with the unknowns of other nodes.
//
// Where a node is free to turn about every axis, its unknowns are further turns from where it is, which is
// what moments do work on: then the stiffness of structures that turn far is nearly symmetric (Simo and
// Vu-Quoc 1986, "A three-dimensional finite-strain rod model. Part II", Comput. Methods Appl. Mech. Eng. 58,
// 79-116). Elsewhere they are added to the turn of the step: what is held stays exactly so.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "constraints/rotation.hpp"
#include "implicit/increment.hpp"
#include "implicit/linear/block_matrix.hpp"

namespace crumple::implicit {

/// Free directions of one node.
struct NodeFreedoms {
  constraints::Directions translation, rotation;
  int size() const { return translation.count + rotation.count; }
};

class DofMap {
 public:
  DofMap() = default;
  explicit DofMap(std::vector<NodeFreedoms> free);

  std::int32_t equations() const { return first_.empty() ? 0 : first_.back(); }
  std::int32_t first(LocalId node) const { return first_[at(node)]; }
  const NodeFreedoms& free(LocalId node) const { return free_[at(node)]; }
  /// Node of an equation.
  LocalId node_of(std::int32_t equation) const;
  /// By equation: whether it is a rotation.
  const std::vector<char>& rotations() const { return rotations_; }
  /// Rows of blocks, one of each node.
  std::vector<std::uint8_t> row_sizes() const;

  /// T' f.
  void reduce(const NodalForces& f, std::span<double> along) const;
  /// Whether the unknowns of a node are further turns.
  bool turns_freely(LocalId node) const { return free_[at(node)].rotation.count == 3; }
  /// Adds scale T q to displacements and rotations, or turns on by it.
  void add(double scale, std::span<const double> q, Increment& to) const;

  /// T' K T of the translations (`dofs` 3) or of translations and rotations (6) of two nodes, into the rows
  /// of `reduced`, which has 6 columns: sizes of the nodes count.
  /// @param k row by row, `stride` apart
  void reduce_block(LocalId a, LocalId b, int dofs, const double* k, int stride, double (&reduced)[36]) const;

 private:
  std::vector<NodeFreedoms> free_;
  std::vector<std::int32_t> first_;  ///< equation of a node; (n_nodes + 1)
  std::vector<char> rotations_;
};

}  // namespace crumple::implicit
