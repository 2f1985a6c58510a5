// Layout of a shell's state variables, and functions that its formulations share outside the kernels.
#pragma once

#include <array>
#include <span>

#include "elements/kernel.hpp"
#include "simd/vec.hpp"

namespace crumple::elements::shell {
inline namespace CRUMPLE_ISA {
/// Squared radius of gyration of a node's share of rotational inertia: max(t^2 / 12, A / 8).
///
/// With the true t^2/12, rotations would limit the time step of thin shells; A/8 keeps their frequency below
/// the membrane's (Hughes, Cohen and Haroun 1978; as Belytschko, Lin and Tsay 1984).
template <class V>
inline V rotary_radius2(V area, V thickness) {
  return simd::max(thickness * thickness * V(1.0 / 12), area * V(0.125));
}
}  // namespace CRUMPLE_ISA

// Of the element
inline constexpr int kThickness = 0;
inline constexpr int kHourglass = 1;  ///< membrane x, y, bending x, y, warping
inline constexpr int kFailedCount = 6;
inline constexpr int kFirstPoint = 7;
// Of a point, from its first variable
inline constexpr int kPlasticStrain = 6;
inline constexpr int kHistory = 7;

/// Variables of a point: 6 stresses, plastic strain, history, and a flag that says it has failed (last).
inline int point_stride(const GroupParameters& g) { return kHistory + g.n_history + 1; }

/// After the points: moments of the drilling stiffness, one per corner, where it is used.
inline int drilling_at(const GroupParameters& g) { return kFirstPoint + g.n_points * point_stride(g); }
/// Last: the offset of the middle surface, where elements have offsets of their own.
inline int offset_at(const GroupParameters& g) { return drilling_at(g) + (g.drilling > 0 ? 4 : 0); }
inline int shell_variables(const GroupParameters& g) { return offset_at(g) + (g.own_offsets ? 1 : 0); }

/// Positions and weights of `n` points on [-1, 1], ascending; weights sum to 2.
/// Throws Error CR-E101 for a number of points the rule does not have.
void quadrature(model::Quadrature rule, int n, std::span<double> zeta, std::span<double> weight);

/// Parameters of every shell from its section and the control cards; `in_plane` points times NIP layers.
/// Throws Error CR-E101 (points), CR-E102 (thickness).
void prepare_shell(const model::Section& section, const model::Control& control, int in_plane,
                   GroupParameters& group);

/// The form of a quadrilateral or triangle (elements/of_deck.hpp): two equal neighbouring corners make a C0
/// triangle, four different ones are not a triangle.
Form quad_or_triangle(std::span<const LocalId> corners, int elform);
/// The three different corners of a quadrilateral with two equal neighbours, with the same orientation; empty
/// for one without.
std::vector<LocalId> triangle_corners(std::span<const LocalId> corners);

StateLayout shell_layout(const GroupParameters& group);

/// Lumped mass and rotational inertia of an element with `n_nodes` nodes.
NodalShare shell_mass(const ElementInput& input, const GroupParameters& group, int n_nodes);

/// Initial state without stress; its thickness is the mean of the nodal ones. Throws Error CR-E103 for a
/// degenerate element.
void initialise_shell(const ElementInput& input, const GroupParameters& group, int n_nodes,
                      std::span<double> variables);

/// global = R^T local R with the rows of R the axes of the element's frame.
void rotate_to_global(const Vec3& e1, const Vec3& e2, const Vec3& e3, const double* local6, double* global6);

/// Unit axes e1, e2, e3 of the frame of a quadrilateral or triangle at positions `x`.
std::array<Vec3, 3> shell_frame(const Vec3* x, int n_nodes);

/// Rotate a stress of a quadrilateral or triangle from its frame at positions `x` to global axes.
void quad_to_global(const Vec3* x, const double* local6, double* global6);
void triangle_to_global(const Vec3* x, const double* local6, double* global6);

}  // namespace crumple::elements::shell
