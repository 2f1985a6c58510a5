// Rows and places of a plot state.
#include "output/d3plot/state_layout.hpp"

#include <numeric>

namespace crumple::output {

namespace {

/// [n][width] values, or zeros where the plot_state has none.
void put_values(Words& out, const std::vector<double>& values, std::size_t first, int count) {
  if (values.empty())
    out.zeros(std::size_t(count));
  else
    out.reals(std::span<const double>(values).subspan(first, std::size_t(count)));
}

}  // namespace

StateRows::StateRows(const D3plotOptions& options)
    : layout_(options.layout),
      solid_stress_(options.sigflg < 3),
      solid_plastic_(options.epsflg < 3),
      shell_stress_(options.sigflg == 1),
      shell_plastic_(options.epsflg == 1),
      shell_resultants_(options.shell_resultants),
      shell_energies_(options.shell_energies) {}

int StateRows::words(ElementKind kind) const {
  const Layout& l = layout_;
  if (kind == ElementKind::solid)
    return l.solid_points * (6 * solid_stress_ + solid_plastic_ + l.solid_history + 6 * l.strains);
  if (kind == ElementKind::beam) return 6 + 5 * l.beam_points;
  if (kind == ElementKind::sph) return std::accumulate(kParticleItems.begin(), kParticleItems.end(), 1);
  return l.shell_layers * (6 * shell_stress_ + shell_plastic_ + l.shell_history) + 8 * shell_resultants_ +
         4 * shell_energies_ + 12 * l.strains;
}

void StateRows::put(Words& out, ElementKind kind, const PlotState& s, std::size_t i, int part_number) const {
  if (kind == ElementKind::sph) return put_particle(out, s.particles, i, part_number);
  if (kind == ElementKind::solid) return put_solid(out, s.solids, i);
  if (kind == ElementKind::beam) return put_beam(out, s.beams, i);
  put_shell(out, s.shells, i);
}

void StateRows::put_particle(Words& out, const ParticleStates& s, std::size_t i, int part_number) {
  const auto value = [&](const std::vector<double>& of) { return of.empty() ? 0.0 : of[i]; };
  out.real(s.alive.empty() || s.alive[i] ? part_number : -part_number);
  out.real(2 * value(s.length));  // the radius of the kernel
  const double* const stress = s.stress.empty() ? nullptr : &s.stress[6 * i];
  out.real(stress == nullptr ? 0.0 : -(stress[0] + stress[1] + stress[2]) / 3);
  put_values(out, s.stress, 6 * i, 6);
  for (const auto* of : {&s.plastic_strain, &s.density, &s.energy, &s.neighbours, &s.mass})
    out.real(value(*of));
}

void StateRows::put_solid(Words& out, const SolidStates& s, std::size_t i) const {
  const auto points = std::size_t(layout_.solid_points), history = std::size_t(layout_.solid_history);
  for (std::size_t p = i * points; p < (i + 1) * points; ++p) {
    if (solid_stress_) put_values(out, s.stress, 6 * p, 6);
    if (solid_plastic_) put_values(out, s.plastic_strain, p, 1);
    put_values(out, s.history, history * p, layout_.solid_history);
    if (layout_.strains) put_values(out, s.strain, 6 * p, 6);
  }
}

void StateRows::put_beam(Words& out, const BeamStates& s, std::size_t i) const {
  const int points = 5 * layout_.beam_points;
  put_values(out, s.resultant, 6 * i, 6);
  put_values(out, s.point, std::size_t(points) * i, points);
}

void StateRows::put_shell(Words& out, const ShellStates& s, std::size_t i) const {
  const auto layers = std::size_t(layout_.shell_layers), history = std::size_t(layout_.shell_history);
  for (std::size_t p = i * layers; p < (i + 1) * layers; ++p) {
    if (shell_stress_) put_values(out, s.stress, 6 * p, 6);
    if (shell_plastic_) put_values(out, s.plastic_strain, p, 1);
    put_values(out, s.history, history * p, layout_.shell_history);
  }
  if (shell_resultants_) put_values(out, s.resultant, 8 * i, 8);
  // In this order: thickness, two element-dependent words, [strains], internal energy.
  if (shell_energies_) put_values(out, s.thickness, i, 1), out.zeros(2);
  if (layout_.strains) put_values(out, s.strain, 12 * i, 12);
  if (shell_energies_) put_values(out, s.energy_density, i, 1);
}

void StateRows::put_flag(Words& out, ElementKind kind, const PlotState& s, std::size_t i, int part_number) {
  const std::vector<std::uint8_t>& alive = kind == ElementKind::solid  ? s.solids.alive
                                           : kind == ElementKind::beam ? s.beams.alive
                                                                       : s.shells.alive;
  out.real(alive.empty() || alive[i] ? part_number : 0.0);
}

void StateRows::put_globals(Words& out, const PlotState& s, std::span<const std::int32_t> part_order) {
  const auto put = [&](const Vec3& v) { out.real(v.x), out.real(v.y), out.real(v.z); };
  out.real(s.kinetic), out.real(s.internal), out.real(s.total);
  put(s.velocity);
  for (const auto p : part_order) out.real(s.parts[p].internal);
  for (const auto p : part_order) out.real(s.parts[p].kinetic);
  for (const auto p : part_order) put(s.parts[p].velocity);
  for (const auto p : part_order) out.real(s.parts[p].mass);
  for (const auto p : part_order) out.real(s.parts[p].hourglass);
  out.reals(s.wall_force);
}

StatePlaces::StatePlaces(const D3plotOptions& options, const StateCounts& n) {
  const StateRows row(options);
  std::int64_t at = globals;
  const auto block = [&](std::int64_t words) { return std::exchange(at, at + words); };
  block(6 + 7 * n.parts + n.walls);
  x = block(3 * n.nodes);
  added_mass = block(options.layout.added_mass ? n.nodes : 0);
  const std::int64_t motion = options.node_motion ? 3 * n.nodes : 0;
  v = block(motion);
  a = block(motion);
  solids = block(n.solids * row.words(ElementKind::solid));
  beams = block(n.beams * row.words(ElementKind::beam));
  shells = block((n.shells - n.dropped) * row.words(ElementKind::shell));
  solid_flags = block(n.solids);
  shell_flags = block(n.shells);
  beam_flags = block(n.beams);
  particles = block(n.particles * row.words(ElementKind::sph));
  end = at;
}

}  // namespace crumple::output
