// *DEFINE_ELEMENT_DEATH_SOLID, _SHELL, _BEAM and their _SET: what the deck says of elements that are deleted.
#pragma once

#include <array>
#include <vector>

#include "model/fields.hpp"
#include "model/never.hpp"

namespace crumple::loads {

/// Elements that are deleted at a time, where their centre is in a box or outside it, or with their group.
struct ElementDeath {
  model::ElementKind kind = model::ElementKind::none;
  std::vector<LocalId> elements;
  double time = model::kNever;
  bool boxed = false, outside = false;
  Vec3 low, high, origin;       ///< of the box, in its axes; both limits included
  std::array<Vec3, 3> axis{};   ///< unit vectors
  std::int32_t group = -1;      ///< -1: none; else from 0, in the order of the deck
  std::int64_t group_size = 0;  ///< its elements on all ranks
  double percent = 0.0;         ///< of its elements; 0: one of them
};

template <class V>
void fields(V& v, ElementDeath& s) {
  model::members(v, s, s.kind, model::elements_of(s.elements, s.kind), s.time, s.boxed, s.outside, s.low,
                 s.high, s.origin, s.axis, s.group, s.group_size, s.percent);
}

/// Adds the deck's deaths of elements to the model.
void read_element_deaths(model::Builder& build);

const model::Feature& element_death_feature();

}  // namespace crumple::loads
