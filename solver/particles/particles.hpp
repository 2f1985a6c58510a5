// Smooth particles (*ELEMENT_SPH): velocity gradients and forces from sums over neighbours.
//
// With W_ij the cubic spline for h = (h_i + h_j) / 2, g_ij its gradient at i, V = m / rho, v_ij = v_i - v_j:
//
//   FORM 0 (Monaghan 1992, sections 2 and 3; Libersky and Petschek 1991)
//     L_i = -1 / rho_i sum m_j v_ij (x) g_ij         f_i = sum m_i m_j (s_i / rho_i^2 + s_j / rho_j^2) g_ij
//   FORM 1 (Randles and Libersky 1996: gradients of linear fields are exact)
//     L_i = -sum V_j v_ij (x) B_i g_ij,  B_i^-1 = -sum V_j g_ij (x) (x_i - x_j)
//     f_i = sum V_i V_j (s_i B_i + s_j B_j) g_ij      the forces conjugate to L (Bonet and
//     Lok 1999)
//
// So in both the power of the forces is the stress power sum V_i s_i : L_i, with the opposite sign, whatever
// the velocities; f_ij = -f_ji. FORM 0 conserves the angular momentum of fluids, FORM 1 that of solids, too,
// because L of a rotation is its spin. Where neighbours lie on a plane or are few, B is 1.
//
// Viscosity (Gingold and Monaghan 1983, "Shock simulation by the particle method SPH"; Monaghan 1992,
// section 4), where a pair closes, v_ij . r_ij < 0:
//
//   f_ij = -m_i m_j P g_ij,  P = (-alpha c mu + beta mu^2) / rho,  mu = h v_ij . r_ij / (r^2 + 0.01 h^2)
//
// with means of c, rho, alpha = Q2 and beta = Q1 of the two; half of its power heats each of them.
//
// L is taken at mid step, where that of a rigid motion is exactly skew in FORM 1 (solid/kinematics.hpp), from
// the density before the step; forces at its end.
//
// Every rank has positions, velocities, lengths and densities of all particles, and sums over the neighbours
// of its own ones: L in the order of the particles in the whole model, forces in fixed point. So sums have
// the same bits on any number of ranks and threads. A cycle sends 23 numbers of each particle to all ranks.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "model/model.hpp"
#include "parallel/communicator.hpp"
#include "particles/neighbours.hpp"
#include "state/group_view.hpp"
#include "state/nodal.hpp"

namespace crumple::particles {

using Matrix = std::array<double, 9>;  ///< by rows

class Particles {
 public:
  /// Keeps references. Collective.
  Particles(const model::Model& model, const parallel::Communicator& comm,
            std::span<const state::WritableGroup> groups, int threads);

  /// Writes the velocity gradients of the step that led to `time`, and what else the particles' kernel reads
  /// (elements/particle/layout.hpp). Collective.
  void find_rates(const state::Nodal& nodal, std::span<const state::WritableGroup> groups, double time,
                  double dt);
  /// Adds the forces of the present stresses, after the kernel. Collective.
  void add_forces(state::Nodal& nodal, std::span<const state::WritableGroup> groups);

 private:
  /// A particle of this rank: its place in the groups, its node, its number in the whole model.
  struct Own {
    std::int32_t group, element;
    LocalId node;
  };
  struct PartInput {
    double alpha = 0, beta = 0;  ///< Q2, Q1
    double birth = 0, death = 0;
  };
  struct Sums;
  struct Pair;

  template <std::size_t N, class Pack, class Take>
  void share(Pack&& pack, Take&& take) const;
  void share_motion(const state::Nodal& nodal, std::span<const state::WritableGroup> groups, double time);
  double drift(double dt) const;
  bool meet(std::size_t i, std::size_t j) const;
  template <class Visit>
  void each_pair(std::size_t k, double back, Visit&& visit) const;
  double viscous(std::size_t i, std::size_t j, const Pair& pair, double closing) const;
  Sums rates_of(std::size_t k, double dt) const;
  Matrix correction_of(std::size_t k) const;
  void share_sizes(std::span<const state::WritableGroup> groups);
  void share_stresses(std::span<const state::WritableGroup> groups);

  const model::Model& model_;
  const parallel::Communicator& comm_;
  int threads_;
  bool renormalised_;
  std::vector<Own> own_;
  std::vector<std::int32_t> number_;  ///< of own particles in the whole model
  std::vector<std::int32_t> order_;   ///< numbers of all particles, rank by rank
  std::vector<PartInput> parts_;
  // Of all particles, by number.
  std::vector<LocalId> part_;
  std::vector<double> mass_, length_, density_, speed_;
  std::vector<char> present_;   ///< it acts
  std::vector<Vec3> x_, v_;     ///< at t_n, t_{n-1/2}
  std::vector<Matrix> stress_;  ///< times the correction of gradients
  Neighbours neighbours_;
};

/// The inverse of a matrix of moments, symmetric as xx yy zz xy yz zx; the identity where they are nearly
/// those of points on a plane, or of too few.
Matrix gradient_correction(const std::array<double, 6>& moments);

}  // namespace crumple::particles
