// *LOAD_THERMAL_... and *MAT_ADD_THERMAL_EXPANSION: what the deck says of temperatures, and of parts that
// expand.
#pragma once

#include <string>
#include <vector>

#include "model/fields.hpp"

namespace crumple::materials {
struct Row;
struct Expansion;
struct Prepared;
}  // namespace crumple::materials

namespace crumple::loads {

/// T(t) = base + scale f(t) of some nodes, each of which has one temperature.
struct Temperature {
  std::vector<LocalId> nodes;
  double base = 0, scale = 0;
  LocalId curve = model::kNone;             ///< f; kNone: 0
  LocalId relaxation_curve = model::kNone;  ///< replaces it in dynamic relaxation
  /// The reference temperature, without thermal strain, is that at the start; otherwise it is 0.
  bool relative_to_start = false;
};

template <class V>
void fields(V& v, Temperature& s) {
  model::members(v, s, model::nodes_of(s.nodes), s.base, s.scale, model::curves_of(s.curve),
                 model::curves_of(s.relaxation_curve), s.relative_to_start);
}

/// The instantaneous coefficient of expansion of a part: `scale` times a curve over the temperature, or
/// without one `scale`.
struct ThermalExpansion {
  LocalId part = model::kNone;
  LocalId curve = model::kNone;
  double scale = 0;
};

template <class V>
void fields(V& v, ThermalExpansion& s) {
  model::members(v, s, s.part, model::curves_of(s.curve), s.scale);
}

/// Add the deck's temperatures and expansions to the model. Expansions are read first.
void read_temperatures(model::Builder& build);
void read_expansions(model::Builder& build);

/// Why elements of a kind and form cannot expand with a law; empty if they can.
std::string why_no_expansion(const materials::Row& law, model::ElementKind kind, int elform);

/// The law of a part with its expansion, from *MAT_ADD_THERMAL_EXPANSION or a table of its own. Throws Error
/// CR-M105 where elements of this form cannot expand.
materials::Prepared with_expansion(const model::Model& model, const model::Part& part,
                                   const model::Section& section, int elform, materials::Prepared prepared);

const model::Feature& temperature_feature();
const model::Feature& thermal_expansion_feature();

}  // namespace crumple::loads
