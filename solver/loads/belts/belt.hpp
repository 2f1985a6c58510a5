// *ELEMENT_SEATBELT, its sensors, retractors, pretensioners and slip rings: what the deck says.
//
// Belts of all devices are one input, which every rank has: lengths of belt that pass through rings and
// retractors depend on each other. Elements and devices name nodes by their place in `Belts::nodes`.
//
// A belt of shells is rows of elements along it, with a device for each row. All lengths and forces of a row
// are those of a belt of which it were the whole width; its share of the width scales what it does to nodes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/fields.hpp"

namespace crumple::loads {

/// *MAT_SEATBELT.
struct BeltMaterial {
  LocalId loading = model::kNone;    ///< LLCID: force over engineering strain
  LocalId unloading = model::kNone;  ///< ULCID; the same curve where it is not given
  double mass = 0;                   ///< MPUL, of a unit of length
  double shortest = 0;               ///< LMIN
};
template <class V>
void fields(V& v, BeltMaterial& s) {
  model::members(v, s, model::curves_of(s.loading), model::curves_of(s.unloading), s.mass, s.shortest);
}

struct BeltElement {
  GlobalId id = 0;
  std::int64_t first = 0, second = 0;  ///< nodes
  std::int32_t material = 0;
  std::int32_t retractor = -1;  ///< in which it is at the start, -1: outside
  double slack = 0;             ///< SLEN
  double share = 1;             ///< of the belt's width, in a row of a belt of shells
  bool weightless = false;      ///< shells have its mass
};
template <class V>
void fields(V& v, BeltElement& s) {
  model::members(v, s, s.id, s.first, s.second, s.material, s.retractor, s.slack, s.share, s.weightless);
}

/// Damping of fabric at the stable step: of its stiffness, for a time or for a fraction of that step.
struct FabricDamping {
  double time = 0;
  double fraction = 0;  ///< of critical damping at the highest frequency
};
template <class V>
void fields(V& v, FabricDamping& s) {
  model::members(v, s, s.time, s.fraction);
}

/// A shell of a belt, between two elements of rows.
struct BeltShell {
  GlobalId id = 0;
  std::int32_t first = 0, second = 0;  ///< elements
  double share = 0;                    ///< of the belt's width
  std::array<std::int64_t, 4> nodes{};
  double mass = 0;
  double rigidity = 0;     ///< the fabric's largest modulus times its thickness
  double sound_speed = 0;  ///< of this modulus and the fabric's density
  FabricDamping damping;
};
template <class V>
void fields(V& v, BeltShell& s) {
  model::members(v, s, s.id, s.first, s.second, s.share, s.nodes, s.mass, s.rigidity, s.sound_speed,
                 s.damping);
}

/// SBSTYP.
enum class SensorType : std::int8_t { acceleration = 1, pull_out_rate, time, distance, pull_out };

struct BeltSensor {
  GlobalId id = 0;
  SensorType type = SensorType::acceleration;
  bool in_relaxation = false;        ///< SBSFL
  std::int64_t node = 0, other = 0;  ///< of an acceleration or a distance
  std::int32_t axis = 0, retractor = -1;
  double upper = 0, lower = 0;  ///< ACC, PULRAT, TIME, DMX or PULMX; DMN or PULMN
  double duration = 0;          ///< ATIME, PULTIM
};
template <class V>
void fields(V& v, BeltSensor& s) {
  model::members(v, s, s.id, s.type, s.in_relaxation, s.node, s.other, s.axis, s.retractor, s.upper, s.lower,
                 s.duration);
}

struct Retractor {
  GlobalId id = 0;
  std::int64_t node = 0;
  std::int32_t mouth = 0;                                    ///< its first element outside
  std::vector<std::int32_t> inside;                          ///< elements from the mouth inwards
  std::vector<std::int32_t> sensors;                         ///< any of them starts the locking
  double delay = 0, payout = 0;                              ///< TDEL, PULL
  LocalId loading = model::kNone, unloading = model::kNone;  ///< tension over pull-out
  double fed = 0;                                            ///< LFED
};
template <class V>
void fields(V& v, Retractor& s) {
  model::members(v, s, s.id, s.node, s.mouth, s.inside, s.sensors, s.delay, s.payout,
                 model::curves_of(s.loading), model::curves_of(s.unloading), s.fed);
}

struct Pretensioner {
  GlobalId id = 0;
  bool by_force = false;  ///< SBPRTY 4 and 6, else by length: 1 and 5
  std::int32_t retractor = 0;
  std::vector<std::int32_t> sensors;
  double delay = 0;
  LocalId curve = model::kNone;  ///< over time since it has fired
  double limit = 0;              ///< LMTFRC, 0: none
};
template <class V>
void fields(V& v, Pretensioner& s) {
  model::members(v, s, s.id, s.by_force, s.retractor, s.sensors, s.delay, model::curves_of(s.curve), s.limit);
}

struct SlipRing {
  GlobalId id = 0;
  std::int32_t first = 0, second = 0;  ///< elements that meet at it
  std::int64_t node = 0;
  double friction = 0;
  LocalId friction_curve = model::kNone;  ///< of time
  double lock_time = 1e20;                ///< LTIME
  int direction = 0;                      ///< DIRECT: 12, 21 or both
};
template <class V>
void fields(V& v, SlipRing& s) {
  model::members(v, s, s.id, s.first, s.second, s.node, s.friction, model::curves_of(s.friction_curve),
                 s.lock_time, s.direction);
}

/// All belts of a deck.
struct Belts {
  std::vector<LocalId> nodes;       ///< kNone where a rank has no copy
  std::vector<GlobalId> node_ids;   ///< ascending
  std::vector<std::uint8_t> owned;  ///< 1: on this rank
  std::vector<BeltMaterial> materials;
  /// By ascending user id, as the other lists. Then the rows of belts of shells, with negative numbers of
  /// shells.
  std::vector<BeltElement> elements;
  std::vector<BeltShell> shells;
  std::vector<BeltSensor> sensors;
  std::vector<Retractor> retractors;  ///< one for each row of a belt of shells, as the following
  std::vector<Pretensioner> pretensioners;
  std::vector<SlipRing> rings;
};
template <class V>
void fields(V& v, Belts& s) {
  model::members(v, s, model::nodes_of(s.nodes), s.node_ids, s.owned, s.materials, s.elements, s.shells,
                 s.sensors, s.retractors, s.pretensioners, s.rings);
}

/// Adds the deck's belts to the model: at most one input.
void read_belts(model::Builder& build);

const model::Feature& belt_feature();

}  // namespace crumple::loads
