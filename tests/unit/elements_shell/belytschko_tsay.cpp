// Belytschko-Tsay shell against closed forms, rigid motions and LS-DYNA's own printed results.
#include "elements/shell/belytschko_tsay.hpp"

#include <gtest/gtest.h>

#include "elements/explicit_driver.hpp"
#include "mini_loop.hpp"

namespace crumple::test {
namespace {

using elements::shell::BelytschkoTsayForm;

/// A quad of unit thickness at given corners, elastic.
MiniLoop<double> one_quad(const std::array<Vec3, 4>& x, int nip = 2, int hourglass = 0) {
  MiniLoop<double> m;
  m.section = shell_section(2, 1.0, nip);
  m.group.hourglass.type = hourglass;
  use_elastic(m);
  for (const Vec3& p : x) m.add_node(p);
  m.elements.push_back({0, 1, 2, 3});
  m.prepare(elements::explicit_kernel<BelytschkoTsayForm, double>);
  return m;
}

const std::array<Vec3, 4> kSquare{Vec3{0, 0, 0}, {10, 0, 0}, {10, 10, 0}, {0, 10, 0}};

TEST(BelytschkoTsay, StableStepIsAreaOverLongestSideByPlateSpeed) {
  auto m = one_quad({Vec3{0, 0, 0}, {12, 0, 0}, {12, 4, 0}, {0, 5, 0}});
  m.call_kernel();
  const double area = 54, longest = std::sqrt(145.0), speed = std::sqrt(210 / (7.8e-6 * 0.91));
  EXPECT_NEAR(m.smallest_step(), area / longest / speed, 1e-14);
}

TEST(BelytschkoTsay, ThinStripStepOfLsDyna) {
  auto m = one_quad(kSquare);
  m.call_kernel();
  EXPECT_NEAR(0.9 * m.smallest_step(), 1.65463e-3, 5e-9);
}

TEST(BelytschkoTsay, HourglassModesAreControlled) {
  for (const int type : {0, 4}) {
    auto m = one_quad(kSquare, 2, type);
    for (int i = 0; i < 4; ++i) {
      const double h = i % 2 ? -1 : 1;
      m.nodes.v[i] = {0.01 * h, 0, 0.01 * h};
      m.nodes.w[i] = {1e-4 * h, 0, 0};
    }
    const double before = m.kinetic_energy();
    m.run(0.5, 0.05);  // short steps: kinetic energy is half a step off
    const double after = m.kinetic_energy() + m.hourglass_energy() + m.internal_energy();
    EXPECT_NEAR(after, before, 0.02 * before);  // what the modes lose is booked as hourglass energy
    // The in-plane mode would move 0.005 mm in x unhindered.
    EXPECT_LT(std::abs(m.nodes.x[0].x), 1e-3) << "type " << type;
    EXPECT_GT(m.hourglass_energy(), 0.01 * before);
  }
}

/// A square of edge 2 and thickness 0.5 whose nodes move at +-rate in one mode: membrane x, y, bending
/// (rotations about x, y), warping; for one step of `dt`.
MiniLoop<double> move_in_mode(int type, int mode, double rate, double dt, double coefficient) {
  MiniLoop<double> m;
  m.section = shell_section(2, 0.5, 2);
  m.group.hourglass.type = type;
  m.group.hourglass.qm = m.group.hourglass.qb = m.group.hourglass.qw = 0;
  (mode < 2 ? m.group.hourglass.qm : mode < 4 ? m.group.hourglass.qb : m.group.hourglass.qw) = coefficient;
  use_elastic(m);
  for (const Vec3& p : {Vec3{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}}) m.add_node(p);
  m.elements.push_back({0, 1, 2, 3});
  m.prepare(elements::explicit_kernel<BelytschkoTsayForm, double>);
  m.call_kernel();
  for (int i = 0; i < 4; ++i) {
    const double v = i % 2 ? -rate : rate;
    if (mode < 2) m.nodes.v[i][mode] = v;
    if (mode == 2 || mode == 3) m.nodes.w[i][mode - 2] = v;
    if (mode == 4) m.nodes.v[i].z = v;
  }
  for (int i = 0; i < 4; ++i) m.nodes.x[i] += dt * m.nodes.v[i];
  m.dt = dt;
  for (parallel::LoadSum& sum : m.nodes.loads) sum.clear();
  m.call_kernel();
  return m;
}

/// The modes of a square plate: elastic energy over the square of the nodes' displacement or rotation.
/// Membrane: two strips bend in their plane, E t 2 / 3. Bending: kappa = 2 eta / a, E t^3 / 18. Warping: the
/// plate twists, kappa_xy = 8 w / a^2.
double exact_energy(int mode, double young, double shear, double a, double t) {
  if (mode < 2) return 2 * young * t / 3;
  if (mode < 4) return young * t * t * t / 18;
  return shear * t * t * t / 24 * 64 / (a * a);
}

TEST(BelytschkoTsay, StiffnessHourglassIsASmallPartOfTheModesExactStiffness) {
  const double young = 210, shear = young / 2.6, kappa = 5.0 / 6, a = 2, t = 0.5, u = 1e-5;
  const double ratio[5] = {3.0 / 16, 3.0 / 16, 3.0 / 32, 3.0 / 32, kappa / 32};
  for (const int type : {4, 5})
    for (const double coefficient : {0.05, 0.1})
      for (int mode = 0; mode < 5; ++mode) {
        const double dt = 1e-3;
        auto m = move_in_mode(type, mode, u / dt, dt, coefficient);
        const double energy = exact_energy(mode, young, shear, a, t) * u * u * ratio[mode] * coefficient;
        EXPECT_NEAR(m.hourglass_energy(), energy, 1e-4 * energy) << type << " mode " << mode;
        // Force (or moment) at the node: energy = 4 f u / 2.
        const double f = mode < 2    ? m.nodes.force_at(0)[mode]
                         : mode == 4 ? m.nodes.force_at(0).z
                                     : m.nodes.moment_at(0)[mode - 2];
        EXPECT_NEAR(f, -energy / (2 * u), 1e-4 * energy / u) << type << " mode " << mode;
      }
}

TEST(BelytschkoTsay, ViscousHourglassForcesByHand) {
  // At each node QM rho c t sqrt(A) / 4 times the sum of +-1, that is 4 v; bending and warping by
  // sqrt(stiffness).
  const double density = 7.8e-6, c = std::sqrt(210 / density), a = 2, t = 0.5, v = 1e-4, q = 0.1;
  const double membrane = density * c * t * a * v;
  const double radius = a / std::sqrt(8.0);  // of the nodes' rotary inertia: A / 8 is above t^2 / 12
  const double kappa_g = 5.0 / 6 / 2.6;
  const double expected[5] = {membrane, membrane, membrane * t * radius / std::sqrt(24.0),
                              membrane * t * radius / std::sqrt(24.0),
                              membrane * t / a * std::sqrt(kappa_g * 8 / 12)};
  for (const int type : {1, 2, 3})
    for (int mode = 0; mode < 5; ++mode) {
      auto m = move_in_mode(type, mode, v, 1e-9, q);
      const double f = mode < 2    ? m.nodes.force_at(0)[mode]
                       : mode == 4 ? m.nodes.force_at(0).z
                                   : m.nodes.moment_at(0)[mode - 2];
      EXPECT_NEAR(f, -q * expected[mode], 1e-3 * q * expected[mode]) << type << " mode " << mode;
      EXPECT_NEAR(m.hourglass_energy(), 1e-9 * 4 * q * expected[mode] * v, 1e-12 * q * expected[mode] * v);
    }
}

/// Cantilever strip that LS-DYNA R10.1 ran (single precision) and printed (MAT_024, whose yield of 0.5
/// GPa it does not reach).
TEST(BelytschkoTsay, CantileverOfLsDyna) {
  MiniLoop<double> m;
  m.section = shell_section(2, 1.0, 3);
  m.section.shear_factor = 0.833333;
  use_material(m, 24, 7.8e-6, {{"E", 210}, {"PR", 0.3}, {"SIGY", 0.5}, {"ETAN", 20}});
  add_strip(m, 30, 3, 300, 30);
  const auto kernel = elements::find_kernel<double>(elements::best_isa(), model::ElementKind::shell, 2);
  m.prepare(kernel ? kernel : elements::explicit_kernel<BelytschkoTsayForm, double>);
  for (int j = 0; j < 4; ++j) m.fixed[31 * j] = 7;
  m.loads = [](MiniLoop<double>& s) {
    const double p = -0.005 * (s.time < 5 ? s.time : 10 - s.time) / 5;
    for (int j = 0; j < 4; ++j) s.nodes.add_force(31 * j + 30, {0, 0, p});
    for (std::size_t i = 0; i < s.nodes.size(); ++i)
      s.nodes.add_force(LocalId(i), {0, 0, -0.00981 * s.nodes.mass[i]});
  };
  m.call_kernel();
  EXPECT_NEAR(0.9 * m.smallest_step(), 1.65463e-3, 5e-9);
  struct Row {
    double time, uz, kinetic, internal;
  };
  int cycles = 0;
  double largest = 0;
  for (const Row& row :
       {Row{2, -1.0544, 4.567e-3, 1.536e-3}, Row{4, -5.998, 5.099e-2, 1.804e-2},
        Row{6, -16.140, 0.1878, 0.0651}, Row{8, -27.724, 0.2849, 0.1088}, Row{10, -38.631, 0.2498, 0.1906}}) {
    while (m.time < row.time) {
      m.step(0.9 * m.smallest_step());
      ++cycles;
    }
    EXPECT_NEAR(m.nodes.x.back().z, row.uz, 0.01 * -row.uz) << row.time;
    EXPECT_NEAR(m.kinetic_energy(), row.kinetic, 0.01 * row.kinetic) << row.time;
    EXPECT_NEAR(m.internal_energy(), row.internal, 0.01 * row.internal) << row.time;
    for (std::size_t e = 0; e < m.n_elements(); ++e)
      for (int p = 0; p < 3; ++p) largest = std::max(largest, std::abs(m.stress(e, p, 0)));
  }
  EXPECT_NEAR(cycles, 6044, 2);
  EXPECT_LT(largest, 0.5);
  EXPECT_LT(m.hourglass_energy(), 0.01 * m.internal_energy());
}

TEST(BelytschkoTsay, CantileverFrequency) {
  MiniLoop<double> m;
  m.section = shell_section(2, 1.0, 2);
  use_elastic(m, 7.8e-6, 210, 0.0);
  const double length = 100;
  add_strip(m, 20, 1, length, 5);
  const auto kernel = elements::find_kernel<double>(elements::best_isa(), model::ElementKind::shell, 2);
  m.prepare(kernel ? kernel : elements::explicit_kernel<BelytschkoTsayForm, double>);
  for (int j = 0; j < 2; ++j) m.fixed[21 * j] = 63;
  // Start in the first mode's shape, as velocity.
  const double b = 1.8751041, s = (std::cosh(b) + std::cos(b)) / (std::sinh(b) + std::sin(b));
  for (std::size_t i = 0; i < m.nodes.size(); ++i) {
    const double y = b * m.nodes.x[i].x / length;
    m.nodes.v[i].z = 1e-2 * (std::cosh(y) - std::cos(y) - s * (std::sinh(y) - std::sin(y)));
    m.nodes.w[i].y = -1e-2 * b / length * (std::sinh(y) + std::sin(y) - s * (std::cosh(y) - std::cos(y)));
  }
  const double frequency = b * b / (2 * M_PI * length * length) * std::sqrt(210.0 / 12 / 7.8e-6);
  double crossing = 0, last = 0;
  m.call_kernel();
  while (crossing == 0 && m.time < 1 / frequency) {
    m.step(0.9 * m.smallest_step());
    const double z = m.nodes.x[20].z;
    if (last > 0 && z <= 0) crossing = m.time - m.dt * -z / (last - z);
    last = z;
  }
  EXPECT_NEAR(0.5 / crossing, frequency, 0.005 * frequency);
}

}  // namespace
}  // namespace crumple::test
