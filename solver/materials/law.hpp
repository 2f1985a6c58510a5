// The interface between elements and material laws.
//
// A law is one file, materials/<family>/<law>.hpp: a parameter struct P, pure updates on it, the function
// that makes P from the deck's fields, and one row that registers the law (materials/register.hpp). The
// updates are in the inline namespace of the instruction set. A law has one for each kind of element that it
// supports:
//
//   template <class V> void update_solid(const P&, SolidPoint<V>&);
//   template <class V> void update_shell(const P&, ShellPoint<V>&);   // plane stress, s[2] = 0
//   template <class V> void update_beam(const P&, BeamPoint<V>&);     // s = xx, xy, zx only
//   template <class V> void update_cohesive(const P&, CohesivePoint<V>&);  // tractions of two surfaces
//   void update_discrete(const P&, double d, double v, DiscreteState&);  // discrete/law.hpp
//
// They are compiled once per instruction set and separately from elements, which call them by
// `materials::update_solid(group.law, point)` (materials/update.hpp).
//
// Order of components everywhere: xx yy zz xy yz zx. Strain increments d[] are the rate of deformation
// times dt; shear entries are engineering shear (twice the tensor's).
#pragma once

#include <array>
#include <cstddef>

#include "simd/vec.hpp"

namespace crumple::materials {

/// History variables of a point: variable k of lanes [0, width) at h + k * stride. With several points
/// (simd::Several), those of each point are `apart` values after those of the one before.
template <class T>
struct History {
  T* h = nullptr;
  int stride = 0;  ///< elements::kLanes
  std::ptrdiff_t apart = 0;

  template <class V>
  V load(int k) const {
    return simd::load<V>(h + k * stride, apart);
  }
  template <class V>
  void store(int k, V value) const {
    simd::store(h + k * stride, apart, value);
  }
};

/// Isotropic 3D update. The stress is already rotated (Jaumann or corotational) when the law is called.
template <class V>
struct SolidPoint {
  V d[6];            ///< strain increment
  V s[6];            ///< Cauchy stress, in and out
  V plastic_strain;  ///< effective plastic strain, in and out
  History<simd::scalar_t<V>> history;
  V dt;
  V volume_ratio;          ///< V / V0 at the end of the step (hydrodynamic and hyperelastic laws)
  simd::mask_t<V> failed;  ///< out: this point has failed, now or before; its stress is zero
  /// Rotation of the step, rows of R in R s R^T, by which the element rotated s. Laws rotate the tensors in
  /// their history (back stress) by it. Null in a corotational frame.
  const V (*rotation)[3] = nullptr;
};

/// Plane stress update in the lamina frame; the law computes d[2]. Transverse shear contributes to yielding;
/// the shear factor is applied by the element.
template <class V>
struct ShellPoint {
  V d[6];  ///< d[2] out: thickness strain increment
  V s[6];  ///< s[2] = 0 in and out
  V plastic_strain;
  History<simd::scalar_t<V>> history;
  V dt;
  simd::mask_t<V> failed;
};

/// Beam fibre: normal stress along the axis and two transverse shears; syy = szz = syz = 0.
template <class V>
struct BeamPoint {
  V d[3];  ///< xx, xy, zx increments
  V s[3];
  V plastic_strain;
  History<simd::scalar_t<V>> history;
  V dt;
  simd::mask_t<V> failed;
  bool truss = false;  ///< of a truss: no shear
};

/// A point between two surfaces that a cohesive layer joins. Components are along the mid-surface (two) and
/// normal to it. The whole separation is given, not an increment: a step without motion changes nothing.
template <class V>
struct CohesivePoint {
  V d[3];    ///< separation of the upper surface from the lower one; d[2] > 0 opens
  V s[3];    ///< out: traction that resists it
  V damage;  ///< in and out: 0 to 1, or 1 where the point has failed, for output and the law
  History<simd::scalar_t<V>> history;
  V size;  ///< of the element at the start: the root of the area of its mid-surface
  V dt;
  simd::mask_t<V> failed;  ///< out: this point has failed, now or before
};

/// What a cohesive law says of its elements.
struct Cohesive {
  double stiffness = 0;  ///< largest slope of a traction over its separation
  /// `stiffness` is a modulus, to be divided by the thickness that the element has at the start, which is the
  /// first history variable of each point.
  bool by_thickness = false;
  bool per_area = false;        ///< ROFLG: the density is a mass per area
  bool at_corners = false;      ///< INTFAIL <= 0: points at the corners (Newton-Cotes), else Gauss's
  double points_to_delete = 0;  ///< |INTFAIL|; 0: elements are not deleted
};

/// Elastic constants that elements need for hourglass control, transverse shear and the time step.
struct Elastic {
  double young = 0, poisson = 0, shear = 0, bulk = 0;
};

struct Row;

/// The updates of a law by instruction set (simd::kIsaNumber); each is a materials::Updates. Filled before
/// main, read-only afterwards.
struct UpdatesByIsa {
  std::array<const void*, 3> of{};
};

/// Updates of parameters P.
template <class P>
inline UpdatesByIsa updates_by_isa{};

namespace detail {
/// The only code that runs before main in a file for an instruction set that the processor may not have: it
/// registers the address of the file's table.
struct RegisterUpdates {
  RegisterUpdates(UpdatesByIsa& updates, int isa, const void* table);
};
}  // namespace detail

/// A law with parameters, as elements hold it: the functions to call and their parameters.
struct Law {
  const Row* row = nullptr;               ///< data of the law that do not depend on parameters
  const UpdatesByIsa* updates = nullptr;  ///< those of criteria or damage where they wrap the law
  const void* parameters = nullptr;
  /// First history variable of *MAT_ADD_EROSION's criteria, a flag for a point that has failed by them; -1
  /// without criteria.
  int criteria = -1;
  /// The history variable of an added damage model that flags a point that has failed by it; -1 without.
  int damage = -1;
};

inline namespace CRUMPLE_ISA {

/// A mask of no lane, from any value.
template <class V>
simd::mask_t<V> never(const V&) {
  return V(0) > V(0);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials

// The rows at the end of laws' files do nothing in files that do not register them (materials/register.hpp).
#ifndef CRUMPLE_REGISTERS_LAWS
#define CRUMPLE_LAW(PARAMETERS, ...)
#define CRUMPLE_ROW(PARAMETERS, ...)
#define CRUMPLE_UPDATES(PARAMETERS)
#endif
