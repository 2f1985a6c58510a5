// Registers the discrete beam (ELFORM 6).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "elements/beam/discrete_layout.hpp"
#include "elements/kernel.hpp"
#include "materials/discrete_beam/law.hpp"

namespace crumple::elements::beam {
namespace discrete_beam {

const materials::DiscreteBeamLaw& law_of(const GroupParameters& group) {
  return *materials::discrete_beam_law(group.law);
}

double mass_of(const GroupParameters& group, double length) {
  const model::DiscreteBeamSection& s = law_of(group).section;
  return group.density * (s.volume > 0 ? s.volume : s.cable_area * length);
}

/// INER, or 2/5 m r^2 of a sphere of the volume VOL.
double inertia_of(const GroupParameters& group) {
  const model::DiscreteBeamSection& s = law_of(group).section;
  if (s.inertia >= 0) return s.inertia;
  const double radius = std::cbrt(0.75 * s.volume / std::numbers::pi);
  return 0.4 * group.density * s.volume * radius * radius;
}

/// Rotations, and moments that balance shear forces, need an inertia.
void check_inertia(const GroupParameters& group) {
  const materials::DiscreteBeamLaw& law = law_of(group);
  // With the r axis along the line only forces across it have a moment.
  const bool across = law.component[1].acts() || law.component[2].acts();
  const bool balances =
      !law.line && law.section.balanced() && (law.section.along_line() ? across : law.translates());
  if ((law.turns() || balances) && !(inertia_of(group) > 0))
    throw Error("CR-E312",
                fmt::format("a discrete beam with {} needs an inertia INER > 0",
                            law.turns() ? "moments" : fmt::format("SCOOR = {}", law.section.scoor)),
                {.field = "INER"});
}

void prepare(const model::Section& section, const model::Control&, GroupParameters& group) {
  group.section = &section;
  group.n_points = 0;
  const materials::DiscreteBeamLaw* const law = materials::discrete_beam_law(group.law);
  if (!law) throw Error("CR-E311", "a discrete beam (ELFORM 6) takes laws of discrete beams only");
  const bool cable = law->line && law->component[0].form == materials::ComponentForm::cable;
  if (!(law->section.volume > 0) && !(cable && law->section.cable_area > 0))
    throw Error("CR-E312", "a discrete beam needs a volume VOL > 0, a cable VOL or an area CA",
                {.field = "VOL"});
  if (cable && law->component[0].area < 0)
    throw Error("CR-E312", "a cable needs an area CA > 0", {.field = "CA"});
  if (group.stiffness_damping != 0)
    throw Error("CR-E313", "discrete beams have no damping by stiffness (*DAMPING_PART_STIFFNESS)");
  check_inertia(group);
}

StateLayout layout_of(const GroupParameters&) {
  StateLayout l;
  l.n_vars = kDiscreteVariables;
  l.resultants = kResultants;
  return l;
}

NodalShare mass(const ElementInput& input, const GroupParameters& group) {
  const double whole = mass_of(group, norm(input.x[1] - input.x[0]));
  NodalShare share;
  for (int a = 0; a < 2; ++a) {
    share.mass[a] = whole / 2;
    share.inertia[a] = inertia_of(group) / 2;
  }
  return share;
}

/// r along the beam, s towards a direction. Throws CR-E301, CR-E302.
void align(const ElementInput& input, const Vec3& towards, Vec3& r, Vec3& s) {
  const double length = norm(input.x[1] - input.x[0]);
  if (!(length > 0))
    throw Error("CR-E301",
                "a discrete beam between nodes at one place cannot have its r axis along them: give CID, "
                "no third node, and SCOOR other than 2 and 12");
  r = (1 / length) * (input.x[1] - input.x[0]);
  s = towards - dot(towards, r) * r;
  if (!(norm(s) > 1e-6 * norm(towards)))
    throw Error("CR-E302",
                "the direction of the s axis is in line with the beam, so it gives no orientation");
  s = (1 / norm(s)) * s;
}

/// The global axis with the largest angle to the beam; of equal ones the first.
Vec3 widest_axis(const Vec3& along) {
  int best = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(along[i]) < std::abs(along[best])) best = i;
  Vec3 d;
  d[best] = 1;
  return d;
}

/// Place of a state variable: the i-th from the first.
std::size_t at(int first, int i) { return static_cast<std::size_t>(first) + static_cast<std::size_t>(i); }

/// Force and history of a component at the start.
void load_component(const materials::DiscreteBeamLaw& law, int k, double free_length,
                    std::span<double> variables) {
  const materials::DiscreteBeamComponent& c = law.component[static_cast<std::size_t>(k)];
  constexpr int resultant[6] = {0, 1, 2, 5, 3, 4};
  double history[materials::kComponentHistory] = {};
  if (c.form == materials::ComponentForm::hysteresis) {
    history[0] = c.loading(c.start);
    history[1] = c.start;
  }
  const double d = variables[at(kDisplacement, k)];
  variables[at(kResultants, resultant[k])] = materials::component_force(c, d, 0.0, 0.0, free_length, history);
  for (int i = 0; i < materials::kComponentHistory; ++i)
    variables[at(kComponents + k * materials::kComponentHistory, i)] = history[i];
}

void initialise(const ElementInput& input, const GroupParameters& group, std::span<double> variables) {
  std::ranges::fill(variables, 0.0);
  const materials::DiscreteBeamLaw& law = law_of(group);
  const model::DiscreteBeamSection& section = law.section;
  const Vec3 along = input.x[1] - input.x[0];
  const double length = norm(along);
  Vec3 r = section.axes[0], s = section.axes[1];
  if (law.line) {
    if (law.component[0].form == materials::ComponentForm::cable && !(length - section.offset > 0))
      throw Error("CR-E301", "a cable needs a length without force: its length less OFFSET is not positive");
  } else if (section.along_line()) {
    align(input,
          section.has_axes        ? section.axes[1]
          : input.has_orientation ? input.orientation - input.x[0]
                                  : widest_axis(along),
          r, s);
  } else if (!section.has_axes && input.has_orientation) {
    align(input, input.orientation - input.x[0], r, s);
  }
  const Vec3 t = cross(r, s);
  const auto put = [&](int first, const Vec3& v) {
    for (int i = 0; i < 3; ++i) variables[at(first, i)] = v[i];
  };
  variables[kLength0] = length;
  put(kAxis, s);
  put(kDirection, r);
  put(kStart, {dot(along, r), dot(along, s), dot(along, t)});
  if (law.line) variables[kDisplacement] = section.offset;
  variables[kMass] = mass_of(group, length);
  variables[kInertia] = inertia_of(group);
  for (int k = 0; k < (law.line ? 1 : 6); ++k)
    load_component(law, k, law.line ? length - section.offset : 1.0, variables);
}

const detail::RegisterFormulation registered({.name = "discrete beam",
                                              .kind = model::ElementKind::beam,
                                              .elform = 6,
                                              .n_nodes = 2,
                                              .rotations = true,
                                              .cost = 0.5,
                                              .prepare = prepare,
                                              .layout = layout_of,
                                              .mass = mass,
                                              .initialise = initialise,
                                              .to_global = nullptr});

}  // namespace discrete_beam
}  // namespace crumple::elements::beam
