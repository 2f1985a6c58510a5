// Gas in a closed surface. *AIRBAG_SIMPLE_PRESSURE_VOLUME: its pressure is a function of the volume.
// *AIRBAG_ADIABATIC_GAS_MODEL: of the volume, isentropic. *AIRBAG_LOAD_CURVE: of the time.
// *AIRBAG_SIMPLE_AIRBAG_MODEL, *AIRBAG_WANG_NEFSKE: it has mass and energy (inflation.hpp). *AIRBAG_HYBRID
// and bags of *AIRBAG_INTERACTION: several gases (gas_network.hpp).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "loads/airbag/bag_link.hpp"
#include "loads/airbag/inflation.hpp"
#include "loads/airbag/liquid.hpp"
#include "model/fields.hpp"

namespace crumple::loads {

/// Input of an airbag.
struct Airbag {
  GlobalId id = 0;  ///< of _ID, else its number in deck order
  std::string title;
  std::vector<std::array<LocalId, 4>> segments;  ///< outwards; triangles repeat their last node
  std::vector<GlobalId> order;                   ///< of each segment: its index in the whole bag
  std::vector<LocalId> nodes;                    ///< nodes of the segments, each on one rank only
  double volume_scale = 1, pressure_scale = 1, volume_offset = 0;  ///< VSCA, PSCA, VINI
  double damping = 0;                                              ///< MWD
  double coefficient = 0, beta = 1;                                ///< CN, BETA
  LocalId coefficient_curve = model::kNone;                        ///< CN < 0: as a curve of time
  LocalId relaxation_curve = model::kNone;                         ///< LCIDDR: CN in dynamic relaxation
  /// Weights of the three axes in the volume by the divergence theorem: zero for axes across which the
  /// surface is open. The model of a half, cut by a plane of symmetry, is open across this plane.
  Vec3 along{1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0};
  Inflation inflation;         ///< of a gas with mass and energy
  std::vector<BagLink> links;  ///< to other bags, of mixtures
  Liquid liquid;
  double exponent = 0;                      ///< GAMMA: isentropic change
  double first_pressure = 0;                ///< absolute, of that
  double outside_pressure = 0;              ///< PE of that
  LocalId pressure_by_time = model::kNone;  ///< gauge, from `begins` on
  double begins = 0;                        ///< STIME
  LocalId curve = model::kNone;             ///< LCID: pressure as a curve of the relative volume
  Place place;
};

template <class V>
void fields(V& v, Airbag& s) {
  using model::curves_of, model::nodes_of;
  model::members(v, s, s.id, s.title, nodes_of(s.segments), s.order, nodes_of(s.nodes), s.volume_scale,
                 s.pressure_scale, s.volume_offset, s.damping, s.coefficient, s.beta,
                 curves_of(s.coefficient_curve), curves_of(s.relaxation_curve), s.along, s.inflation, s.links,
                 s.liquid, s.exponent, s.first_pressure, s.outside_pressure, curves_of(s.pressure_by_time),
                 s.begins, curves_of(s.curve), s.place);
}

/// Adds the deck's airbags to the model.
void read_airbags(model::Builder& build);

const model::Feature& airbag_feature();

}  // namespace crumple::loads
