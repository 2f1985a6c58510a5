// Curves of nominal stress over nominal strain, both positive in compression, for laws of foams: values,
// slopes and the work up to a strain.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "materials/plasticity/flow_curves.hpp"

namespace crumple::model {
struct Material;
struct Model;
}  // namespace crumple::model

namespace crumple::materials {

/// A set of curves for kernels, and the work of the first one per initial volume at the beginning of each
/// segment, 0 without strain.
struct FoamCurves {
  FlowCurves curves;
  const double* work = nullptr;
};

/// Owner of a set's arrays.
class FoamCurveStorage {
 public:
  /// As FlowCurveStorage takes them.
  FoamCurveStorage(std::span<const model::Curve> curves, std::span<const double> rates);

  FoamCurves view() const { return {flow_.view(), work_.data()}; }
  double steepest() const;    ///< largest slope of all curves at strains below 1
  double last_slope() const;  ///< of the first curve at its end

 private:
  FlowCurveStorage flow_;
  std::vector<double> work_;
};

/// Curves of the field, a *DEFINE_CURVE or, if `tables`, a *DEFINE_TABLE over strain rates. Throws CR-M106 if
/// there is none, CR-M107 for one that is not usable: fewer than two points, strains that do not increase,
/// stress without strain, compression that pulls, rates that do not increase.
std::unique_ptr<FoamCurveStorage> read_foam_curves(const model::Model& model, const model::Material& material,
                                                   const std::string& field, bool tables);

/// A *DEFINE_CURVE of yield stress over volumetric strain, which need not begin at the origin. Throws as
/// above.
std::unique_ptr<FoamCurveStorage> read_yield_curve(const model::Model& model, const model::Material& material,
                                                   const std::string& field);

/// The same, or a *DEFINE_TABLE of such curves over strain rates.
std::unique_ptr<FoamCurveStorage> read_yield_table(const model::Model& model, const model::Material& material,
                                                   const std::string& field);

inline namespace CRUMPLE_ISA {

/// Of one curve at a strain.
template <class V>
struct FoamStress {
  V stress, slope, work;
};

/// The first curve.
template <class V>
FoamStress<V> foam_stress(const FoamCurves& c, V strain) {
  const Segment<V> segment = find_segment(c.curves, strain);
  const Line<V> line = line_of(c.curves, V(0), segment);
  const V beyond = strain - segment.begin;
  return {line.value + line.slope * beyond, line.slope,
          simd::lookup<V>(c.work, segment.index) + beyond * (line.value + V(0.5) * line.slope * beyond)};
}

/// Of curves over strain rate, with the work of the first one.
template <class V>
FoamStress<V> foam_stress(const FoamCurves& c, V strain, const RatePosition<V>& rate) {
  const Segment<V> segment = find_segment(c.curves, strain);
  const Line<V> slow = line_of(c.curves, V(0), segment);
  const Line<V> line = c.curves.n_curves < 2
                           ? slow
                           : blend(line_of(c.curves, rate.curve, segment),
                                   line_of(c.curves, rate.curve + V(1), segment), rate.weight);
  const V beyond = strain - segment.begin;
  return {line.value + line.slope * beyond, line.slope,
          simd::lookup<V>(c.work, segment.index) + beyond * (slow.value + V(0.5) * slow.slope * beyond)};
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
