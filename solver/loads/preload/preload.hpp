// *INITIAL_AXIAL_FORCE_BEAM, *INITIAL_STRESS_SECTION: the force or stress of an element that is tightened.
#pragma once

#include "model/fields.hpp"

namespace crumple::loads {

/// The preload of one element.
struct Preload {
  model::ElementKind kind = model::ElementKind::none;  ///< a beam or a solid
  LocalId element = model::kNone;
  LocalId curve = model::kNone;
  double scale = 1;  ///< of the curve: force of a beam, stress of a solid
  /// KBEND = 1, a beam's points bend; IZSHEAR = 1, a solid's shear stress on the plane is that of its law.
  bool keeps = false;
  Vec3 normal;  ///< of solids: along the stress, at the start
};

template <class V>
void fields(V& v, Preload& s) {
  model::members(v, s, s.kind, model::elements_of(s.element, s.kind), model::curves_of(s.curve), s.scale,
                 s.keeps, s.normal);
}

/// Adds the deck's preloads to the model, sorted by kind and element. Reports elements that cannot have one.
void read_preloads(model::Builder& build);

const model::Feature& preload_feature();

}  // namespace crumple::loads
