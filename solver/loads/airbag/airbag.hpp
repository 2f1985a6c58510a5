// *AIRBAG_SIMPLE_PRESSURE_VOLUME: gas in a closed surface, whose pressure follows from its volume.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "model/fields.hpp"

namespace crumple::model {
class Builder;
class Feature;
}  // namespace crumple::model

namespace crumple::loads {

/// What the deck says of an airbag.
struct Airbag {
  GlobalId id = 0;  ///< of _ID, else its number in deck order
  std::string title;
  std::vector<std::array<LocalId, 4>> segments;  ///< outwards; triangles repeat their last node
  std::vector<GlobalId> order;                   ///< of each segment: its place in the whole bag
  std::vector<LocalId> nodes;                    ///< of these, each on one rank only
  double volume_scale = 1, pressure_scale = 1, volume_offset = 0;  ///< VSCA, PSCA, VINI
  double damping = 0;                                              ///< MWD
  double coefficient = 0, beta = 1;                                ///< CN, BETA
  LocalId coefficient_curve = model::kNone;                        ///< CN < 0: as a curve of time
  LocalId relaxation_curve = model::kNone;                         ///< LCIDDR: CN in dynamic relaxation
  /// Shares in the volume of what the divergence theorem gives along each axis: of those across which the
  /// segments are closed. A model cut in half by a plane is open across it.
  Vec3 along{1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0};
  LocalId curve = model::kNone;  ///< LCID: pressure as a curve of the relative volume
  Place place;
};

template <class V>
void fields(V& v, Airbag& s) {
  using model::curves_of, model::nodes_of;
  model::members(v, s, s.id, s.title, nodes_of(s.segments), s.order, nodes_of(s.nodes), s.volume_scale,
                 s.pressure_scale, s.volume_offset, s.damping, s.coefficient, s.beta,
                 curves_of(s.coefficient_curve), curves_of(s.relaxation_curve), s.along, curves_of(s.curve),
                 s.place);
}

/// Adds the deck's airbags to the model.
void read_airbags(model::Builder& build);

const model::Feature& airbag_feature();

}  // namespace crumple::loads
