// Nodes that move as the weighted mean of others: *CONSTRAINED_INTERPOLATION.
//
// With weights w_i of sum 1 the independent nodes have the centre c = sum w_i x_i and, in the sense of least
// squares, the rotation W = K^-1 sum w_i r_i x v_i, r_i = x_i - c, K = sum w_i (r_i . r_i I - r_i r_i). The
// dependent node is at the end of an arm d from the centre, and the arm rotates with the independent nodes:
//     v = sum w_i v_i + W x d, and its own spin is W where its rotations are tied.
// For a force f and a moment m on it, virtual power gives the nodal forces (the RBE3 of Nastran; MacNeal
// 1994, Finite Elements: Their Design and Performance, chapter 10): f_i = w_i f + w_i (K^-1 M) x r_i, M = m +
// d x f. Their sum and their moment are those of f and m. The dependent node follows rigid motion of the
// independent ones exactly.
//
// The mass of the dependent node is transferred like the forces and lumped, w_i m each. This is exact in
// translation; its moment of inertia about the centre becomes that of these masses.
//
// Hanging nodes (*CONSTRAINED_ADAPTIVITY), which lie on the line between nodes with rotations, have these
// instead:
//     v = sum w_i v_i, spin sum w_i s_i;  f_i = w_i f, m_i = w_i m,
// so that the edges of elements on both sides of the line stay together. The point stays at the weighted mean
// of the others; their translations and their spins are linear, so rigid motion is followed exactly. Mass and
// inertia are transferred with the same weights.
//
// Every rank that has one of the nodes has all of them, and also all other dependent nodes of each. Sums over
// copies are complete before. So no messages are needed, and all copies do the same arithmetic.
#pragma once

#include <vector>

#include "constraints/rotation.hpp"
#include "model/model.hpp"
#include "state/nodal.hpp"

namespace crumple::state {
class Archive;
}

namespace crumple::constraints {

class Interpolations {
 public:
  /// Sets the masses of dependent nodes in `nodal` to zero. Keeps a reference to `model`.
  Interpolations(const model::Model& model, state::Nodal& nodal);

  /// Give dependent nodes their velocities at t = 0.
  void start(state::Nodal& nodal);
  /// Arms become those of the present positions. Local.
  void take_arms(const state::Nodal& nodal);

  /// Transfer the forces at t_n, summed over copies, and the masses that were added to dependent nodes.
  void transfer(state::Nodal& nodal);

  /// Part of the nodes' own masses, transferred as their full masses were. Local.
  std::vector<double> transferred(std::vector<double> mass) const;

  /// Velocities of dependent nodes at t_{n+1/2} from those of the others, which are final.
  void move(state::Nodal& nodal, double dt_x);

  /// Arms.
  void archive(state::Archive& archive);

 private:
  struct Held {
    Vec3 arm;
    std::vector<Vec3> x;  ///< of the independent nodes at t_n, for one step
  };
  void take_mass(const model::Interpolation& input, state::Nodal& nodal) const;

  const model::Model* model_;
  std::vector<Held> held_;
};

}  // namespace crumple::constraints
