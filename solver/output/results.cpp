// The plotted layers, and the check that the sizes of a plot_state fit its catalogue.
#include "output/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace crumple::output {

double PointState::von_mises() const {
  const auto& s = stress;
  const double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
  return std::sqrt(0.5 * (a * a + b * b + c * c) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

void BndoutBlock::count_from(const BndoutBlock& start) {
  const auto count = [](std::vector<Row>& rows, const std::vector<Row>& from) {
    for (std::size_t k = 0; k < from.size(); ++k) rows[k].energy -= from[k].energy;
  };
  count(loaded, start.loaded);
  count(pressed, start.pressed);
  count(moved, start.moved);
  count(bodies, start.bodies);
}

std::vector<LayerPick> plot_layers(int nip, int maxint) {
  nip = std::max(nip, 1);
  std::vector<LayerPick> layers;
  if (maxint == 3) {
    layers = {{(nip - 1) / 2, nip / 2}, {0, 0}, {nip - 1, nip - 1}};
    return layers;
  }
  for (int i = 0; i < maxint; ++i) layers.push_back({std::min(i, nip - 1), std::min(i, nip - 1)});
  return layers;
}

namespace {

template <class T>
void require(const char* what, const std::vector<T>& array, std::size_t size, bool may_be_empty = true) {
  if (array.size() == size || (may_be_empty && array.empty())) return;
  throw Error("CR-O001", fmt::format("plot_state has {} values of {}, expected {}", array.size(), what, size),
              {}, Exit::run);
}

}  // namespace

void check_sizes(const Catalogue& catalogue, const Layout& layout, const PlotState& s) {
  const std::size_t nodes = catalogue.node_id.size();
  require("node positions", s.x, nodes, false);
  require("node velocities", s.v, nodes);
  require("node accelerations", s.a, nodes);
  require("added masses", s.added_mass, layout.added_mass ? nodes : 0);
  const std::size_t shells = catalogue.shells.size(), layers = shells * std::size_t(layout.shell_layers);
  require("shell stress", s.shells.stress, 6 * layers);
  require("shell plastic strain", s.shells.plastic_strain, layers);
  require("shell history", s.shells.history, layers * std::size_t(layout.shell_history));
  require("shell resultants", s.shells.resultant, 8 * shells);
  require("shell thickness", s.shells.thickness, shells);
  require("shell energy density", s.shells.energy_density, shells);
  require("shell strain", s.shells.strain, layout.strains ? 12 * shells : 0);
  require("shell deletion flags", s.shells.alive, shells);
  const std::size_t solids = catalogue.solids.size(), points = solids * std::size_t(layout.solid_points);
  require("solid stress", s.solids.stress, 6 * points);
  require("solid plastic strain", s.solids.plastic_strain, points);
  require("solid history", s.solids.history, points * std::size_t(layout.solid_history));
  require("solid strain", s.solids.strain, layout.strains ? 6 * points : 0);
  require("solid deletion flags", s.solids.alive, solids);
  const std::size_t particles = catalogue.particles.size();
  require("particle stress", s.particles.stress, 6 * particles);
  require("particle plastic strain", s.particles.plastic_strain, particles);
  require("particle length", s.particles.length, particles);
  require("particle density", s.particles.density, particles);
  require("particle energy", s.particles.energy, particles);
  require("particle neighbours", s.particles.neighbours, particles);
  require("particle mass", s.particles.mass, particles);
  require("particle deletion flags", s.particles.alive, particles);
  const std::size_t beams = catalogue.beams.size();
  require("beam resultants", s.beams.resultant, 6 * beams);
  require("beam points", s.beams.point, 5 * beams * std::size_t(layout.beam_points));
  require("beam deletion flags", s.beams.alive, beams);
  check_globals(catalogue, s);
}

void check_globals(const Catalogue& catalogue, const PlotState& s) {
  require("part states", s.parts, catalogue.parts.size(), false);
  require("wall forces", s.wall_force, catalogue.walls.size(), false);
}

}  // namespace crumple::output
