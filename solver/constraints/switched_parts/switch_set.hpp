// *DEFORMABLE_TO_RIGID_AUTOMATIC: what the deck says of parts that switch between deformable and rigid.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/fields.hpp"

namespace crumple::constraints {

/// CODE: what is tested.
enum class SwitchTest : std::int8_t { time, wall_force_zero, contact_force_zero, wall_force, contact_force };
constexpr bool tests_wall(SwitchTest t) {
  return t == SwitchTest::wall_force_zero || t == SwitchTest::wall_force;
}
constexpr bool tests_contact(SwitchTest t) {
  return t == SwitchTest::contact_force_zero || t == SwitchTest::contact_force;
}

/// A switch set: some parts become rigid and others deformable when its test holds.
struct SwitchSet {
  GlobalId id = 0;  ///< SWSET
  SwitchTest test{};
  double begin = 0, end = 1e20;      ///< TIME1, TIME2
  double delay = 0;                  ///< TIME3: after it has acted, no set acts for this time
  GlobalId entity = 0;               ///< ENTNO: the wall or contact
  GlobalId related = 0;              ///< RELSW
  int paired = 0;                    ///< PAIRED: 1 the first of a pair, -1 the second, 0 alone
  int walls = 0;                     ///< RWF: 1 walls end, 2 they act again
  double longest_step = 0;           ///< DTMAX after it has acted; 0: no limit
  std::vector<LocalId> rigid, lead;  ///< D2R: parts that become rigid, and each one's lead part, or kNone
  std::vector<LocalId> deformable;   ///< R2D
};

template <class V>
void fields(V& v, SwitchSet& s) {
  model::members(v, s, s.id, s.test, s.begin, s.end, s.delay, s.entity, s.related, s.paired, s.walls,
                 s.longest_step, s.rigid, s.lead, s.deformable);
}

/// A part that some set makes rigid.
struct SwitchedPart {
  LocalId part = model::kNone;
  std::vector<LocalId> nodes;  ///< on this rank, ascending user id
};

template <class V>
void fields(V& v, SwitchedPart& s) {
  model::members(v, s, s.part, model::nodes_of(s.nodes));
}

/// Adds the deck's switch sets and their parts to the model.
void read_switched_parts(model::Builder& build);

/// Why a part of this model that was rigid could not go on as a deformable one; empty if it can.
std::string why_not_deformable(const model::Model& model, LocalId part);

const model::Feature& switched_parts_feature();
const model::Feature& part_switches_feature();

}  // namespace crumple::constraints
