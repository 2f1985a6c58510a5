// *LOAD_BLAST_ENHANCED with *LOAD_BLAST_SEGMENT and _SET: what the deck says of blasts on segments.
#pragma once

#include <array>

#include "model/fields.hpp"
#include "model/never.hpp"

namespace crumple::loads {

/// A charge acts on a segment.
struct BlastLoad {
  std::array<LocalId, 4> nodes{};  ///< a triangle repeats its last node
  Vec3 charge;                     ///< its centre
  double mass = 0;                 ///< of TNT [kg]
  double detonation = 0, death = model::kNever;
  bool surface = false;  ///< a hemisphere on the ground, else a sphere in the air
  bool negative = true;  ///< pressures below that of the air follow the positive phase
  double scale = 1;      ///< of the pressure
  // Units of the deck.
  double metres = 1, milliseconds = 1e3, kilopascals = 1e-3;

  int corners() const { return nodes[3] == nodes[2] ? 3 : 4; }
};

template <class V>
void fields(V& v, BlastLoad& s) {
  model::members(v, s, model::nodes_of(s.nodes), s.charge, s.mass, s.detonation, s.death, s.surface,
                 s.negative, s.scale, s.metres, s.milliseconds, s.kilopascals);
}

/// Adds the deck's blasts to the model.
void read_blast_loads(model::Builder& build);

const model::Feature& blast_load_feature();

}  // namespace crumple::loads
