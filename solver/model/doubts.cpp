// Guesses the units, then compares speeds of sound, masses, velocities and thicknesses with usual values.
#include "model/doubts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "materials/row.hpp"
#include "model/feature.hpp"
#include "model/units.hpp"

namespace crumple::model {

namespace {

// Limits for solids, from soft plastics to ceramics. Foams and rubbers, whose laws have no field E, are left
// out.
constexpr double kLeastSpeed = 500.0, kMostSpeed = 20e3;      // m/s
constexpr double kLeastDensity = 100.0, kMostDensity = 25e3;  // kg/m^3
constexpr double kLeastMass = 1e-9, kMostMass = 1e9;          // kg: a grain of dust, a dozen large ships

using materials::young;

/// A material of deformable parts with elements.
struct Solid {
  const Material* material = nullptr;
  double speed = 0.0;  ///< speed of sound in a bar, in units of the deck

  bool has_usual_speed(const Units& u) const {
    const double c = speed * u.metres_per_second();
    return c >= kLeastSpeed && c <= kMostSpeed;
  }
  bool looks_like_a_solid(const Units& u) const {
    const double rho = material->density * u.density();
    return has_usual_speed(u) && rho >= kLeastDensity && rho <= kMostDensity;
  }
};

std::vector<Solid> solids_of(const Model& m) {
  std::vector<char> used(m.materials.size(), 0);
  for (const Part& p : m.parts)
    if (p.material != kNone && p.rigid_body == kNone && p.kind != ElementKind::none &&
        p.kind != ElementKind::discrete)
      used[at(p.material)] = 1;
  std::vector<Solid> solids;
  for (std::size_t k = 0; k < m.materials.size(); ++k) {
    const Material& material = m.materials[k];
    if (used[k] != 0 && young(material) > 0.0 && material.density > 0.0)
      solids.push_back({&material, std::sqrt(young(material) / material.density)});
  }
  return solids;
}

/// Whether a material equals another one except for the density: ballast. With a mistake in units the ratio
/// of densities would be a power of ten.
bool is_ballast(const Solid& heavy, const std::vector<Solid>& solids, const std::vector<Units>& likely) {
  return std::any_of(solids.begin(), solids.end(), [&](const Solid& other) {
    const bool same =
        std::abs(young(*other.material) - young(*heavy.material)) < 0.05 * young(*heavy.material);
    const double tens = std::log10(heavy.material->density / other.material->density);
    return same && tens > 0.0 && std::abs(tens - std::round(tens)) > 0.05 &&
           std::any_of(likely.begin(), likely.end(),
                       [&](const Units& u) { return other.looks_like_a_solid(u); });
  });
}

/// The deck's own units, or the systems in which most materials look like solids; all systems if there is
/// none.
std::vector<Units> likely_units(const Model& m, const std::vector<Solid>& solids, std::ptrdiff_t& fitting) {
  std::vector<Units> systems;
  if (const auto own = find_units(m.control.units))
    systems.push_back(*own);
  else
    for (const std::string_view name : common_units())
      if (const auto found = find_units(name)) systems.push_back(*found);
  const auto count = [&](const Units& u) {
    return std::count_if(solids.begin(), solids.end(),
                         [&](const Solid& s) { return s.looks_like_a_solid(u); });
  };
  fitting = 0;
  for (const Units& u : systems) fitting = std::max(fitting, count(u));
  if (fitting > 0) std::erase_if(systems, [&](const Units& u) { return count(u) < fitting; });
  return systems;
}

void speeds(const Model& m, const std::vector<Solid>& solids, const std::vector<Units>& likely, bool fit,
            std::vector<Doubt>& doubts) {
  std::vector<GlobalId> ids;
  const Solid* first = nullptr;
  const bool known = !m.control.units.empty();
  for (const Solid& s : solids) {
    const bool usual = (fit || known) && std::any_of(likely.begin(), likely.end(),
                                                     [&](const Units& u) { return s.has_usual_speed(u); });
    if (usual || is_ballast(s, solids, likely)) continue;
    ids.push_back(s.material->id);
    if (first == nullptr) first = &s;
  }
  if (first == nullptr) return;
  const std::string whose = ids.size() == 1 ? fmt::format("material {}", ids[0])
                                            : fmt::format("materials {}; that of {}", listed(ids), ids[0]);
  const Material& material = *first->material;
  if (fit || known)
    doubts.push_back(
        {"CR-D341",
         fmt::format("speed of sound of {}: {:.3g} km/s in {}, where solids have {:g} to {:g}: E = "
                     "{:g} or RO = {:g} may be in other units",
                     whose, 1e-3 * first->speed * likely[0].metres_per_second(), likely[0].name,
                     1e-3 * kLeastSpeed, 1e-3 * kMostSpeed, young(material), material.density),
         material.place, ""});
  else
    doubts.push_back(
        {"CR-D341",
         fmt::format("speed of sound of {}: {:.4g} in the deck's units; with E = {:g} and RO = {:g} "
                     "it is a solid in none of the usual systems of units ({})",
                     whose, first->speed, young(material), material.density, list_of_units()),
         material.place, ""});
}

void mass(const Model& m, const ModelCheck& check, const std::vector<Units>& likely,
          std::vector<Doubt>& doubts) {
  const std::size_t elements = m.shells.size() + m.solids.size() + m.beams.size();
  if (elements == 0) return;
  if (!(check.mass > 0.0)) {
    doubts.push_back({"CR-D342", "the model has no mass", {}, "PART"});
    return;
  }
  const auto sensible = [&](const Units& u) {
    const double kg = check.mass * u.kilograms;
    return kg >= kLeastMass && kg <= kMostMass;
  };
  if (std::any_of(likely.begin(), likely.end(), sensible)) return;
  doubts.push_back({"CR-D342",
                    fmt::format("the model's mass of {:.4g} is {:.3g} kg in {}", check.mass,
                                check.mass * likely[0].kilograms, likely[0].name),
                    {},
                    "PART"});
}

double shortest_edge(const Model& m, const Segment& segment) {
  double least = HUGE_VAL;
  for (std::size_t k = 0; k < 4; ++k) {
    const LocalId a = segment.nodes[k], b = segment.nodes[(k + 1) % 4];
    if (a != b) least = std::min(least, norm(m.nodes.x[at(b)] - m.nodes.x[at(a)]));
  }
  return least;
}

void thicknesses(const Model& m, std::vector<Doubt>& doubts) {
  for (const Contact& contact : m.contacts) {
    if (is_tied(contact.type) || contact.type == ContactType::force_transducer) continue;
    std::size_t thick = 0, all = 0;
    double most = 1.0;
    const Segment* worst = nullptr;
    for (const Surface* side : {&contact.a, &contact.b})
      for (const Segment& segment : side->segments) {
        ++all;
        const double ratio = segment.thickness / shortest_edge(m, segment);
        if (!(ratio > 1.0 + 1e-9)) continue;
        ++thick;
        if (ratio <= most) continue;
        most = ratio;
        worst = &segment;
      }
    if (worst == nullptr) continue;
    const std::string part =
        worst->part == kNone ? "" : fmt::format(" in part {}", m.parts[at(worst->part)].id);
    doubts.push_back(
        {"CR-C019",
         fmt::format("contact {}: {} of its {} segments have a contact thickness beyond their "
                     "shortest edge, up to {:.4g} on {:.4g}{}: what is nearer than that in the mesh "
                     "does not touch",
                     contact.id, thick, all, worst->thickness, worst->thickness / most, part),
         contact.place, ""});
  }
}

}  // namespace

std::string listed(const std::vector<GlobalId>& ids) {
  constexpr std::size_t most = 10;
  std::string text;
  for (std::size_t k = 0; k < std::min(most, ids.size()); ++k)
    text += fmt::format("{}{}", k == 0 ? "" : ", ", ids[k]);
  return ids.size() > most ? text + ", ..." : text;
}

std::vector<Doubt> doubts(const Model& model, const ModelCheck& check) {
  std::vector<Doubt> found;
  const std::vector<Solid> solids = solids_of(model);
  std::ptrdiff_t fitting = 0;
  const std::vector<Units> likely = likely_units(model, solids, fitting);
  speeds(model, solids, likely, fitting > 0, found);
  mass(model, check, likely, found);
  for (const Feature* const feature : features()) feature->add_doubts(model, found);
  thicknesses(model, found);
  return found;
}

}  // namespace crumple::model
