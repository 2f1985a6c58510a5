// *LOAD_BODY: what the deck says of base accelerations.
#pragma once

#include <vector>

#include "model/fields.hpp"

namespace crumple::loads {

/// Base acceleration (*LOAD_BODY_X, _Y, _Z) or angular velocity about an axis through `centre` (_RX, _RY,
/// _RZ, or along `about`).
///
/// The coordinate system is accelerated: a positive value gives every node an inertia force in the NEGATIVE
/// direction of the axis, so gravity towards -z is a positive *LOAD_BODY_Z. An angular velocity gives forces
/// radially outward.
struct BodyLoad {
  static constexpr int kAboutVector = 6;
  int axis = 0;  ///< 0-2 translation, 3-5 rotation, 6 rotation about `about`
  LocalId curve = model::kNone;
  LocalId relaxation_curve = model::kNone;  ///< LCIDDR: replaces `curve` in dynamic relaxation
  double scale = 1.0;
  Vec3 centre;
  std::vector<LocalId> parts;  ///< empty: everything (*LOAD_BODY_PARTS); if `by_nodes`, rigid ones
  Vec3 about;                  ///< a unit vector
  bool by_nodes = false;       ///< acts on `nodes`, and on rigid bodies with one of `parts`
  std::vector<LocalId> nodes;
  bool on_all() const { return parts.empty() && !by_nodes; }
};

template <class V>
void fields(V& v, BodyLoad& s) {
  model::members(v, s, s.axis, model::curves_of(s.curve), model::curves_of(s.relaxation_curve), s.scale,
                 s.centre, s.parts, s.about, s.by_nodes, model::nodes_of(s.nodes));
}

/// Adds the deck's loads to the model.
void read_body_loads(model::Builder& build);

const model::Feature& body_load_feature();

}  // namespace crumple::loads
