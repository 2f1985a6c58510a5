// Curves of springs and dampers from the model.
#pragma once

#include <deque>
#include <memory>

#include "materials/discrete/force_curve.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

/// A copy of the curve that `field` names. Throws CR-M105 for a table, CR-M106 for a curve that does not
/// exist, CR-M107 for one with fewer than two points or with points out of order.
model::Curve force_curve_of(const model::Model& model, const model::Material& material,
                            const std::string& field);

/// Parameters P together with the curves to which they point.
template <class P>
class WithCurves {
 public:
  P& law() { return owned_->law; }
  const model::Curve& curve(std::size_t i) const { return owned_->curves[i]; }
  /// Throws the errors of force_curve_of.
  ForceCurve read(const model::Model& model, const model::Material& material, const std::string& field) {
    const model::Curve& copy = owned_->curves.emplace_back(force_curve_of(model, material, field));
    return {copy.x.data(), copy.y.data(), static_cast<int>(copy.x.size())};
  }
  Prepared prepared() const {
    Prepared made;
    made.parameters = std::shared_ptr<const void>(owned_, &owned_->law);
    return made;
  }

 private:
  struct Owned {
    P law;
    std::deque<model::Curve> curves;  // a deque: its elements do not move
  };
  std::shared_ptr<Owned> owned_ = std::make_shared<Owned>();
};

}  // namespace crumple::materials
