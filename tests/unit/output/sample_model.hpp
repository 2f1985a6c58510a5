// A tiny model with every kind of element and made-up but distinct results, for tests of the writers.
#pragma once

#include <vector>

#include "output/results.hpp"

namespace crumple::output::sample {

/// Numbers that differ from each other and fill the digits of a float.
inline std::vector<double> numbers(std::size_t count, double salt) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = (1.0 + 0.37 * double(i % 97) + salt) * (i % 3 == 1 ? -1.0 : 1.0) / 3.0;
  }
  return values;
}

inline std::vector<Vec3> vectors(std::size_t count, double salt) {
  const std::vector<double> v = numbers(3 * count, salt);
  std::vector<Vec3> result(count);
  for (std::size_t i = 0; i < count; ++i) result[i] = {v[3 * i], v[3 * i + 1], v[3 * i + 2]};
  return result;
}

/// Two bricks, two wedges, a pyramid, a tetrahedron, five quadrilaterals and a triangle, two beams, a rigid
/// plate; ids neither sorted nor dense, parts out of order, one part without elements.
inline Catalogue catalogue() {
  Catalogue c;
  c.title = "Sample of every kind of element";
  c.run = {"crumple 0.1", "abc1234", "01/02/2026", 1767312000};
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 4; ++i) {
        c.node_id.push_back(1000 - 7 * GlobalId(c.node_id.size()));
        c.node_x.push_back({double(i), double(j), 1.5 * k});
      }
    }
  }
  const auto at = [](int i, int j, int k) { return std::int32_t(i + 4 * j + 12 * k); };
  const auto brick = [&](int i, int j, int k) {
    return std::array<std::int32_t, 8>{
        at(i, j, k),     at(i + 1, j, k),     at(i + 1, j + 1, k),     at(i, j + 1, k),
        at(i, j, k + 1), at(i + 1, j, k + 1), at(i + 1, j + 1, k + 1), at(i, j + 1, k + 1)};
  };
  c.parts = {{300, "wires", 1, false, ElementKind::beam},
             {20, "foam block", 24, false, ElementKind::solid},
             {7, "sheet", 24, false, ElementKind::shell},
             {5, "anvil", 20, true, ElementKind::shell},
             {9, "springs only", 0, false, ElementKind::discrete}};
  auto wedge = brick(1, 0, 0);
  wedge[3] = wedge[2], wedge[7] = wedge[6];
  const auto b = brick(2, 0, 0), p = brick(0, 1, 0), t = brick(1, 1, 0);
  c.solids = {{501, 77, 78, 60, 61, 62},
              {1, 1, 1, 1, 1, 1},
              {brick(0, 0, 0),
               brick(0, 0, 1),
               wedge,
               {b[0], b[1], b[2], b[3], b[4], b[4], b[7], b[7]},
               {p[0], p[1], p[2], p[3], p[4], p[4], p[4], p[4]},
               {t[0], t[1], t[2], t[5], t[5], t[5], t[5], t[5]}}};
  c.beams = {
      {91, 90}, {0, 0}, {{at(3, 0, 0), at(3, 0, 1), at(3, 1, 0)}, {at(3, 0, 1), at(3, 0, 2), at(3, 1, 0)}}};
  const auto quad = [&](int i, int j) {
    return std::array<std::int32_t, 4>{at(i, j, 2), at(i + 1, j, 2), at(i + 1, j + 1, 2), at(i, j + 1, 2)};
  };
  c.shells = {{10, 12, 11, 15, 14, 2000},
              {2, 2, 3, 3, 2, 2},
              {quad(0, 0),
               quad(1, 0),
               quad(0, 1),
               quad(1, 1),
               quad(2, 0),
               {at(2, 1, 2), at(3, 1, 2), at(3, 2, 2), at(3, 2, 2)}}};
  c.walls = {{4, "barrier"}, {8, "floor"}};
  c.contacts = {{3, "self contact", true, false}, {31, "tool to sheet", true, true}};
  c.history_nodes = {{c.node_id[5], "corner"}, {c.node_id[2], ""}};
  return c;
}

/// State number `step` of that model: shell 1 is deleted from state 1 on, solid 0 and beam 1 from state 2.
inline PlotState plot_state(const Catalogue& c, const Layout& l, int step) {
  const double t = step;
  PlotState s;
  s.time = 0.25e-3 * step;
  s.cycle = 100 * step;
  s.x = c.node_x;
  const std::vector<Vec3> u = vectors(s.x.size(), 0.1 * t);
  for (std::size_t i = 0; i < s.x.size(); ++i) s.x[i] += 0.01 * t * u[i];
  s.v = vectors(s.x.size(), 1 + t), s.a = vectors(s.x.size(), 2 + t);
  const std::size_t points = c.solids.size() * std::size_t(l.solid_points);
  s.solids.stress = numbers(6 * points, 3 + t);
  s.solids.plastic_strain = numbers(points, 4 + t);
  s.solids.history = numbers(points * std::size_t(l.solid_history), 5 + t);
  if (l.strains) s.solids.strain = numbers(6 * points, 6 + t);
  s.beams.resultant = numbers(6 * c.beams.size(), 7 + t);
  s.beams.point = numbers(5 * std::size_t(l.beam_points) * c.beams.size(), 8 + t);
  const std::size_t shells = c.shells.size(), layers = shells * std::size_t(l.shell_layers);
  s.shells.stress = numbers(6 * layers, 9 + t);
  s.shells.plastic_strain = numbers(layers, 10 + t);
  s.shells.history = numbers(layers * std::size_t(l.shell_history), 11 + t);
  s.shells.resultant = numbers(8 * shells, 12 + t);
  s.shells.thickness = numbers(shells, 13 + t);
  s.shells.energy_density = numbers(shells, 14 + t);
  if (l.strains) s.shells.strain = numbers(12 * shells, 15 + t);
  s.shells.alive.assign(shells, 1), s.solids.alive.assign(c.solids.size(), 1);
  s.beams.alive.assign(c.beams.size(), 1);
  s.shells.alive[1] = step < 1, s.solids.alive[0] = step < 2, s.beams.alive[1] = step < 2;
  s.kinetic = 5 + t, s.internal = 6 + t, s.total = 11 + 2 * t;
  s.velocity = {7 + t, 8 + t, 9 + t};
  for (std::size_t p = 0; p < c.parts.size(); ++p) {
    const double q = 10 * double(p) + t;
    s.parts.push_back({q + 1, q + 2, q + 3, q + 4, {q + 5, q + 6, q + 7}});
  }
  s.wall_force = numbers(c.walls.size(), 16 + t);
  return s;
}

inline GlobalRow global_row(const Catalogue& c, int step) {
  const double t = step;
  GlobalRow row;
  row.cycle = 100 * step + 1, row.time = 0.25e-3 * step, row.dt = 1.25e-6 + 1e-8 * t;
  row.controlling = ElementKind::shell, row.controlling_element = 12, row.controlling_part = 7;
  const std::vector<double> v = numbers(15, t);
  row.kinetic = v[0], row.internal = v[1], row.spring_damper = v[2], row.hourglass = v[3], row.damping = v[4];
  row.sliding = v[5], row.external_work = v[6], row.eroded_kinetic = v[7], row.eroded_internal = v[8];
  row.eroded_hourglass = v[9], row.total = v[10], row.ratio = v[11], row.ratio_without_eroded = v[12];
  row.stonewall = numbers(c.walls.size(), 2 + t);
  row.velocity = {v[0] + 1, v[1] + 1, v[2] + 1};
  row.ns_per_zone_cycle = 812.4;
  row.added_mass = v[13], row.added_mass_percent = v[14];
  return row;
}

inline std::vector<MatsumRow> matsum_rows(const Catalogue& c, int step) {
  std::vector<MatsumRow> rows;
  for (std::size_t p = 0; p < c.parts.size(); ++p) {
    const std::vector<double> v = numbers(14, double(step) + 10 * double(p));
    rows.push_back(
        {v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], {v[8], v[9], v[10]}, {v[11], v[12], v[13]}});
  }
  return rows;
}

inline std::vector<RcforcRow> rcforc_rows(const Catalogue& c, int step) {
  std::vector<RcforcRow> rows;
  for (std::size_t i = 0; i < c.contacts.size(); ++i) {
    const std::vector<double> v = numbers(8, double(step) + 20 * double(i));
    rows.push_back({{v[0], v[1], v[2]}, {v[3], v[4], v[5]}, v[6], v[7]});
  }
  return rows;
}

inline std::vector<RwforcRow> rwforc_rows(const Catalogue& c, int step) {
  std::vector<RwforcRow> rows;
  for (std::size_t i = 0; i < c.walls.size(); ++i) {
    const std::vector<double> v = numbers(4, double(step) + 30 * double(i));
    rows.push_back({v[0], {v[1], v[2], v[3]}});
  }
  return rows;
}

inline std::vector<NodoutRow> nodout_rows(const Catalogue& c, int step) {
  std::vector<NodoutRow> rows;
  for (std::size_t i = 0; i < c.history_nodes.size(); ++i) {
    const std::vector<Vec3> v = vectors(7, double(step) + 40 * double(i));
    rows.push_back({v[0], v[1], v[2], v[3], v[4], v[5], v[6]});
  }
  return rows;
}

}  // namespace crumple::output::sample
