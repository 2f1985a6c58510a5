// What one scheme leaves to the other where a run changes between implicit and explicit.
//
// Both make their elements, ties and modules from the same model, so that these take each other's state by
// the names that dumps have. What the schemes keep in their own ways is here: motion of nodes and rigid
// bodies, and sums of energies. Contacts of nodes with segments and mortar contacts have no state in common;
// each scheme finds what touches at the positions that it is given.
#pragma once

#include <cstdint>
#include <vector>

#include "base/members.hpp"
#include "base/types.hpp"
#include "constraints/rotation.hpp"
#include "phases/carried_links.hpp"
#include "state/copied_fields.hpp"

namespace crumple::phases {

/// Position and velocity of a rigid body.
struct CarriedBody {
  Vec3 centre;  ///< of mass
  Vec3 turned;  ///< sum of rotation increments
  constraints::Quaternion orientation;
  Vec3 v, w;
};

/// Energies that are sums over time.
struct Totals {
  double external_work = 0, sliding = 0, damping = 0, joint = 0, stonewall = 0, eroded_kinetic = 0;
  double initial = 0;  ///< the total at the start of the run

  /// All that balances kinetic and internal energies.
  double dissipated() const { return sliding + damping + joint + stonewall + eroded_kinetic; }
  Totals operator-(const Totals& b) const {
    return {external_work - b.external_work,
            sliding - b.sliding,
            damping - b.damping,
            joint - b.joint,
            stonewall - b.stonewall,
            eroded_kinetic - b.eroded_kinetic,
            initial - b.initial};
  }
};
CRUMPLE_MEMBERS(Totals, external_work, sliding, damping, joint, stonewall, eroded_kinetic, initial)

struct CarriedState {
  double time = 0;
  std::int64_t cycle = 0;
  AlignedVector<Vec3> x, v, w;  ///< by node of the rank
  std::vector<Vec3> rotation;   ///< of Output::history_nodes: the integral of w
  std::vector<CarriedBody> bodies;
  state::CopiedFields fields;  ///< of elements, strains and modules
  CarriedLinks links;
  Totals totals;
  /// The run begins: loads before it have been relaxed. Velocities are those of the deck, sums are zero, and
  /// modules begin anew.
  bool begins_run = false;
};

}  // namespace crumple::phases
