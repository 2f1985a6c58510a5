// What a cycle reads of a tie.
#pragma once

#include <array>

#include "base/types.hpp"
#include "model/model.hpp"

namespace crumple::contact {

struct HeldTie {
  LocalId node = model::kNone;
  std::array<LocalId, 4> nodes{};  ///< as in model::Tie
  std::array<double, 4> weight{};
  Vec3 arm;           ///< present arm
  double mass = 0.0;  ///< transferred
  model::ElementKind kind = model::ElementKind::none;
  bool rotations = false, torsion = false;
  bool mine = false;    ///< this rank owns the node
  bool shared = false;  ///< other ranks have some of the segment's nodes, too
  bool meets = false;   ///< other threads have ties to some of the segment's nodes, too
  bool alive = true;
};

/// The nodes of most segments have rotations, which say how it turns: then nothing else is looked at.
template <class Tie>
bool turns_with_nodes(const Tie& tie) {
  return tie.kind == model::ElementKind::shell && !tie.torsion;
}

}  // namespace crumple::contact
