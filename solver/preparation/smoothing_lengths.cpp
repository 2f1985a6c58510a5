// Finds the nearest neighbour of each particle, part by part.
#include "preparation/smoothing_lengths.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "base/error.hpp"
#include "particles/cells.hpp"

namespace crumple::preparation {

namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

/// The largest distance of a nearest neighbour.
double largest_gap(const std::vector<Vec3>& x, double spacing, GlobalId part) {
  particles::Cells cells;
  const double size = 2 * spacing;
  cells.sort(x, size);
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    double nearest = kFar;
    const auto look = [&](std::size_t j) {
      if (j != i) nearest = std::min(nearest, norm(x[j] - x[i]));
    };
    cells.visit_near(x[i], [&](std::int32_t j) { look(static_cast<std::size_t>(j)); });
    if (!(nearest <= size))
      for (std::size_t j = 0; j < x.size(); ++j) look(j);
    if (nearest == kFar)
      throw Error(
          "CR-E207",
          fmt::format("part {} has one SPH particle, whose smoothing length SPHINI must be given", part));
    if (nearest == 0) throw Error("CR-E208", fmt::format("part {} has two SPH particles at one place", part));
    largest = std::max(largest, nearest);
  }
  return largest;
}

}  // namespace

void set_smoothing_lengths(model::Model& model) {
  std::map<LocalId, std::vector<std::size_t>> members;
  for (std::size_t e = 0; e < model.particles.size(); ++e) members[model.particles.part[e]].push_back(e);
  for (const auto& [p, of_part] : members) {
    const model::Part& part = model.parts[at(p)];
    const model::SphSection& section = model.sections[at(part.section)].sph;
    double length = section.length;
    if (length == 0) {
      std::vector<Vec3> x;
      double mass = 0;
      for (const std::size_t e : of_part) {
        x.push_back(model.nodes.x[at(model.particles.nodes[e][0])]);
        mass += model.particles.mass[e];
      }
      const double volume = mass / model.materials[at(part.material)].density;
      length =
          section.factor * largest_gap(x, std::cbrt(volume / static_cast<double>(of_part.size())), part.id);
    }
    for (const std::size_t e : of_part) model.particles.length[e] = length;
  }
}

}  // namespace crumple::preparation
