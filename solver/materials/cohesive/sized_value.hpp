// A constant of a law, or a curve of it over the size of the element.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "materials/plasticity/bounded_curve.hpp"

namespace crumple::model {
struct Curve;
struct Material;
struct Model;
}  // namespace crumple::model

namespace crumple::materials {

struct SizedValue {
  double constant = 0;
  bool by_size = false;
  FlowCurves curve;  ///< only if by_size; constant beyond its ends
};

/// Reads fields of which a negative one is minus the number of a curve, and owns their curves.
class SizedValues {
 public:
  /// Throws CR-M106 and CR-M107 for a curve that is missing or not usable, CR-M103 for 0.
  SizedValue read(const model::Model& model, const model::Material& material, const std::string& field);
  /// The curve `id`, which `field` names.
  SizedValue curve(const model::Model& model, const model::Material& material, const std::string& field,
                   GlobalId id);
  /// Sizes at which a curve has a corner; one size where there is none.
  std::vector<double> sizes() const;

 private:
  std::vector<std::unique_ptr<FlowCurveStorage>> storage_;
  std::vector<double> sizes_;
};

inline namespace CRUMPLE_ISA {

template <class V>
V value_at(const SizedValue& of, V size) {
  return of.by_size ? bounded_curve(of.curve, size).value : V(of.constant);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
