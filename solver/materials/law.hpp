// The interface between element kernels and material laws.
//
// A law is a parameter struct P and pure updates on it. Every law's header defines, in the inline
// namespace of the instruction set,
//
//   template <class V> void update_solid(const P&, SolidPoint<V>&);
//   template <class V> void update_shell(const P&, ShellPoint<V>&);   // plane stress, s[2] = 0
//   template <class V> void update_beam(const P&, BeamPoint<V>&);     // s = xx, xy, zx only
//
// and laws.def lists it in one line, from which update.hpp makes the switch that kernels call:
// `materials::update_solid<V>(group.law_number, group.law, point)`.
//
// Order of components everywhere: xx yy zz xy yz zx. Strain increments d[] are the rate of deformation
// times dt; shear entries are engineering shear (twice the tensor's).
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "model/forward.hpp"
#include "simd/vec.hpp"

namespace crumple::materials {

/// History variables of a point: variable k of lanes [0, width) at h + k * stride. Of several
/// points (simd::Several), the next one's are `apart` values after those of the one before.
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

/// Isotropic 3D update. Stress is co-rotated already (Jaumann or corotational) when the law sees it.
template <class V>
struct SolidPoint {
  V d[6];            ///< strain increment
  V s[6];            ///< Cauchy stress, in and out
  V plastic_strain;  ///< effective plastic strain, in and out
  History<simd::scalar_t<V>> history;
  V dt;
  V volume_ratio;          ///< V / V0 at the end of the step (hydrodynamic and hyperelastic laws)
  simd::mask_t<V> failed;  ///< out: this point has failed, now or before; its stress is zero
  /// Rotation of the step, rows of R in R s R^T, that the element turned s by; laws turn the tensors in
  /// their history (back stress) by it. Null in a corotational frame.
  const V (*rotation)[3] = nullptr;
};

/// Plane stress update in the lamina frame; d[2] is found by the law. Transverse shear takes part in
/// yielding; the shear factor is applied by the element.
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
};

/// Elastic constants that elements need for hourglass control, transverse shear and the time step.
struct Elastic {
  double young = 0, poisson = 0, shear = 0, bulk = 0;
};

/// A material made ready: its parameter struct and what elements must know about it.
struct Prepared {
  std::shared_ptr<const void> parameters;
  int law = 0;
  int n_history = 0;
  Elastic elastic;
  double density = 0;
  bool rigid = false, null = false;
  double min_time_step = 0;  ///< an element whose stable step falls below is deleted (TDEL); 0: never
  double step_at_start = 0;  ///< masses of its elements are scaled at the start for this step (DT); 0: not
  /// Failed points at which a shell is deleted: > 0 their number, < 0 a percentage, 0 all.
  double points_to_fail = 0;
  /// The same of points that the criteria of *MAT_ADD_EROSION have failed, of every element; a percentage is
  /// of shells only, others go with one point.
  double points_to_erode = 0;
  double failure_time = 0;  ///< after which elements are deleted (FAILTM), < 0: in the run only; 0: never
};

/// Build the parameter struct of a law from the model. Throws Error CR-M... with the material's place
/// for missing density, a negative modulus, an unknown curve or a law that is not supported.
Prepared prepare(const model::Model& model, const model::Material& material);

}  // namespace crumple::materials
