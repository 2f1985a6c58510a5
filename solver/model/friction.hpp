// Coulomb's friction of contacts, also by pairs of parts.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "model/index.hpp"

namespace crumple::model {

/// Coulomb's friction.
struct Friction {
  double fs = 0, fd = 0, dc = 0;
  double vc = 0;  ///< largest shear stress; 0: no limit

  /// FD + (FS - FD) exp(-DC v) at a sliding speed.
  double coefficient(double speed) const { return fs == fd ? fs : fd + (fs - fd) * std::exp(-dc * speed); }
  bool operator==(const Friction&) const = default;
};

/// Friction of two parts with each other.
struct PairFriction {
  LocalId one = kNone, other = kNone;  ///< into Model::parts, one <= other
  Friction friction;
};

/// *DEFINE_FRICTION.
struct FrictionTable {
  bool given = false;
  Friction otherwise;               ///< of pairs that are not listed
  std::vector<PairFriction> pairs;  ///< ascending, each once

  const Friction& of(LocalId a, LocalId b) const {
    const std::pair<LocalId, LocalId> wanted(std::min(a, b), std::max(a, b));
    const auto key = [](const PairFriction& p) { return std::pair<LocalId, LocalId>(p.one, p.other); };
    const auto at = std::ranges::lower_bound(pairs, wanted, {}, key);
    return at != pairs.end() && key(*at) == wanted ? at->friction : otherwise;
  }
  bool any() const {
    const auto acts = [](const Friction& f) { return f.fs > 0.0 || f.fd > 0.0; };
    return acts(otherwise) || std::ranges::any_of(pairs, acts, &PairFriction::friction);
  }
};

}  // namespace crumple::model
