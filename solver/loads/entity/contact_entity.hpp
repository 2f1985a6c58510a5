// *CONTACT_ENTITY: what the deck says of analytic surfaces that move with rigid bodies.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "loads/entity/surface.hpp"
#include "model/fields.hpp"
#include "model/never.hpp"

namespace crumple::loads {

struct ContactEntity {
  GlobalId id = 0;
  std::string title;
  LocalId body = model::kNone;
  EntityShape shape{};
  std::array<double, 3> size{};  ///< see EntitySurface
  bool inside = false;           ///< INOUT = 1: nodes stay inside
  Vec3 point;                    ///< origin of the surface's axes at t = 0
  std::array<Vec3, 3> axis{};    ///< its axes at t = 0
  double scale = 1.0;            ///< SF
  double damping = 0.0;          ///< DF > 0, fraction of critical
  double friction = 0.0;         ///< CF
  double birth = 0.0, death = model::kNever;
  LocalId damping_curve = model::kNone;  ///< DF < 0: force over the relative normal speed
  LocalId force_curve = model::kNone;    ///< SO < 0: force over the penetration
  std::vector<LocalId> nodes;            ///< ascending user id
  std::vector<double> half_thickness;    ///< ITHK = 1: of shells at each of `nodes`; else empty

  EntitySurface surface() const { return {shape, size, inside}; }
};

template <class V>
void fields(V& v, ContactEntity& s) {
  model::members(v, s, s.id, s.title, s.body, s.shape, s.size, s.inside, s.point, s.axis, s.scale, s.damping,
                 s.friction, s.birth, s.death, model::curves_of(s.damping_curve),
                 model::curves_of(s.force_curve), model::nodes_of(s.nodes), s.half_thickness);
}

/// Adds the deck's entities to the model.
void read_contact_entities(model::Builder& build);

const model::Feature& contact_entity_feature();

}  // namespace crumple::loads
