// Registers springs and dampers (*ELEMENT_DISCRETE).
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "elements/discrete/layout.hpp"
#include "elements/kernel.hpp"
#include "materials/discrete/law.hpp"

namespace crumple::elements::discrete {
namespace spring {

void prepare(const model::Section& section, const model::Control&, GroupParameters& group) {
  group.section = &section;
  group.n_points = 0;
  static_assert(kCompliance == kHistory + materials::kDiscreteHistory);
  if (!group.law.row->supports.discrete)
    throw Error("CR-E401", "a discrete element takes one of the laws S01 to S08 and S15");
  if (section.compression_limit != 0 || section.tension_limit != 0)
    throw Error("CR-E402", "CDL and TDL: deflection limits of discrete elements are not available",
                {.field = "CDL"});
  if (section.kd != 0 && !(section.v0 > 0))
    throw Error("CR-E403", "KD needs a test velocity V0 > 0", {.field = "V0"});
}

StateLayout layout(const GroupParameters&) {
  StateLayout l;
  l.n_vars = kVariables;
  return l;
}

NodalShare mass(const ElementInput&, const GroupParameters&) { return {}; }

void initialise(const ElementInput& input, const GroupParameters& group, std::span<double> variables) {
  std::ranges::fill(variables, 0.0);
  const bool oriented = input.has_orientation;
  const Vec3 line = input.x[1] - input.x[0];
  if (group.section->rotational && !oriented && (input.to_ground || norm(line) == 0))
    throw Error("CR-E404",
                "a rotational spring between nodes at one place, or to ground, needs an orientation VID");
  if (!input.to_ground) variables[kLength0] = oriented ? dot(line, input.direction) : norm(line);
  for (int i = 0; i < 3; ++i)
    variables[kDirection + static_cast<std::size_t>(i)] = oriented ? input.direction[i] : 0;
  variables[kOriented] = oriented ? 1 : 0;
  variables[kGround] = input.to_ground ? 1 : 0;
  variables[kScale] = input.scale;
  variables[kOffset] = input.offset;
  variables[kElongation] = input.offset;
}

const detail::RegisterFormulation registered({.name = "spring or damper",
                                              .kind = model::ElementKind::discrete,
                                              .elform = 0,
                                              .n_nodes = 2,
                                              .rotations = true,
                                              .cost = 0.2,
                                              .prepare = prepare,
                                              .layout = layout,
                                              .mass = mass,
                                              .initialise = initialise,
                                              .to_global = nullptr});

}  // namespace spring
}  // namespace crumple::elements::discrete
