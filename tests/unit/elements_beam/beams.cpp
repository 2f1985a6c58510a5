// Beams: frequencies and deflections against beam theory, rigid rotation, equilibrium, steps, lanes.
#include <gtest/gtest.h>

#include "../elements_solid/driver.hpp"
#include "base/error.hpp"
#include "elements/beam/belytschko_schwer.hpp"
#include "elements/beam/cross_section.hpp"
#include "elements/beam/hughes_liu.hpp"
#include "elements/beam/spot_weld.hpp"
#include "elements/beam/truss.hpp"
#include "elements/explicit_driver.hpp"

namespace crumple::test {
namespace {

using elements::Isa;
using model::ElementKind;

constexpr double kYoung = 210.0, kPoisson = 0.3, kDensity = 7.8e-6;

/// A section b x h (s x t) as both formulations want it, shear area 5/6 A where `shear`.
void set_rectangle(model::Section& section, double b, double h, bool shear) {
  section.cross_section = 0;
  section.ts = {b, b};
  section.tt = {h, h};
  section.nip = 2;
  section.shear_factor = 5.0 / 6.0;
  section.area = b * h;
  section.iss = b * h * h * h / 12;
  section.itt = h * b * b * b / 12;
  section.j = section.iss + section.itt;
  section.shear_area = shear ? 5.0 / 6.0 * b * h : 0;
}

/// Elastic; a spot weld takes a law of its own, here one that never yields.
model::Material material_of(int elform) {
  model::Material m = elastic_material(kYoung, kPoisson, kDensity);
  if (elform != 9) return m;
  m.law = 100;
  m.name = "MAT_SPOTWELD";
  m.fields["SIGY"] = 1e9;
  return m;
}

template <class T = double>
Driver<T> make(int elform, double b = 2, double h = 3, bool shear = true) {
  Driver<T> d(ElementKind::beam, elform, material_of(elform), 1e12);
  set_rectangle(d.section, b, h, shear);
  return d;
}

/// A straight beam from the origin along `direction`, third node towards `s`.
template <class T>
void add_beam(Driver<T>& d, int n, double length, const Vec3& direction, const Vec3& s) {
  for (int i = 0; i <= n; ++i) d.add_node((length * i / n) * direction);
  elements::ElementInput input;
  input.has_orientation = true;
  input.orientation = 1e3 * s;
  for (int i = 0; i < n; ++i) d.add_element({i, i + 1}, input);
}

class Beam : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Elform, Beam, testing::Values(1, 2, 3, 4, 9, 13));
class BendingBeam : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Elform, BendingBeam, testing::Values(1, 2, 4, 9));

TEST_P(Beam, FullTurnLeavesNoForce) {
  const Vec3 axis{1 / 3.0, 2 / 3.0, -2 / 3.0};
  Driver<double> d = make(GetParam());
  add_beam(d, 3, 30, {0.6, 0, 0.8}, {0.8, 0.1, -0.6});
  d.start();
  turn_rigidly(d, axis, 1.0, 200, 1e-2);
  for (int e = 0; e < 3; ++e) {
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(d.variable(e, d.layout.resultants + k), 0, 2e-9) << k;
    // Back where it began, the frame must be, too.
    if (GetParam() != 3) {
      EXPECT_NEAR(d.variable(e, elements::beam::kAxis), d.variable(0, elements::beam::kAxis), 1e-10);
      EXPECT_NEAR(d.variable(e, elements::beam::kAxis) * 0.6 + d.variable(e, elements::beam::kAxis + 2) * 0.8,
                  0, 1e-10);
      EXPECT_NEAR(d.variable(e, elements::beam::kAxis + 1), 0.1 / std::sqrt(1.01), 1e-8);
    }
  }
}

TEST_P(Beam, AxialForceIsExactAndTurns) {
  Driver<double> d = make(GetParam());
  add_beam(d, 1, 10, {1, 0, 0}, {0, 1, 0});
  d.start();
  d.nodes.v[1] = {1e-3, 0, 0};
  d.move(1.0);
  const double force = kYoung * 6 * 1e-3 / 10;
  EXPECT_NEAR(d.variable(0, d.layout.resultants), force, 1e-3 * force);
  EXPECT_NEAR(d.nodes.force_at(1).x, -force, 1e-3 * force);  // external minus internal
  EXPECT_NEAR(d.nodes.force_at(0).x, force, 1e-3 * force);
  EXPECT_NEAR(d.stress(0, 0), force / 6, 1e-3 * force);
  EXPECT_NEAR(d.total_energy(0), 0.5 * force * 1e-3, 1e-3 * force * 1e-3);
  turn_rigidly(d, Vec3{0, 0, 1}, 0.25, 50, 1.0);
  EXPECT_NEAR(d.nodes.force_at(1).y, -force, 1e-3 * force);
  EXPECT_NEAR(d.nodes.force_at(1).x, 0, 1e-9);
}

TEST_P(Beam, ForcesAndMomentsBalance) {
  Driver<double> d = make(GetParam());
  add_beam(d, 1, 10, {1, 0, 0}, {0, 1, 0});
  d.start();
  d.nodes.v[1] = {0.1, 0.2, -0.3};
  d.nodes.w[0] = {0.01, -0.02, 0.05};
  d.nodes.w[1] = {-0.03, 0.04, 0.01};
  d.move(0.5);
  EXPECT_NEAR(norm(d.nodes.force_at(0) + d.nodes.force_at(1)), 0, 1e-10);
  const Vec3 moment =
      d.nodes.moment_at(0) + d.nodes.moment_at(1) + cross(d.nodes.x[1] - d.nodes.x[0], d.nodes.force_at(1));
  EXPECT_NEAR(norm(moment), 0, 1e-9 * (1 + norm(d.nodes.moment_at(0))));
}

TEST_P(Beam, StableStepOfALongBeamIsItsLengthOverWaveSpeed) {
  Driver<double> d = make(GetParam(), 0.01, 0.01);
  add_beam(d, 1, 10, {1, 0, 0}, {0, 1, 0});
  d.start();
  const double l_over_c = 10 / std::sqrt(kYoung / kDensity);
  // One-point shear of a thick beam may ask for less; see StableAtItsOwnStep.
  EXPECT_LE(d.smallest_step(), l_over_c * (1 + 1e-12));
  if (GetParam() != 1 && GetParam() != 9) {
    EXPECT_NEAR(d.smallest_step(), l_over_c, 1e-9 * l_over_c);
  }
}

TEST_P(Beam, MassIsExact) {
  Driver<double> d = make(GetParam());
  d.section.nsm = 1e-3;
  add_beam(d, 4, 20, {0, 1, 0}, {1, 0, 0});
  d.start();
  EXPECT_NEAR(d.total_mass(), kDensity * 6 * 20 + 1e-3 * 20, 1e-15);
}

TEST_P(Beam, InstructionSetsAgree) {
  for (int isa = 0; isa <= static_cast<int>(elements::best_isa()); ++isa) {
    Driver<double> vector = make(GetParam()), baseline = make(GetParam());
    Driver<float> single = make<float>(GetParam());
    vector.use_isa(static_cast<Isa>(isa));
    single.use_isa(static_cast<Isa>(isa));
    baseline.use_isa(elements::Isa::baseline);
    const auto run = [](auto& d) {
      add_beam(d, 21, 210, {0.6, 0.8, 0}, {0, 0.1, 1});
      for (std::size_t n = 0; n < d.nodes.size(); ++n) {
        d.nodes.v[n] = {std::sin(3.0 * static_cast<double>(n)), std::cos(static_cast<double>(n)), 0.5};
        d.nodes.w[n] = {0.01 * std::sin(static_cast<double>(n)), 0, 0.02};
      }
      d.start();
      for (int s = 0; s < 20; ++s) d.step(2e-4);
    };
    run(vector);
    run(single);
    run(baseline);
    for (LocalId n = 0; n < 22; ++n) {
      EXPECT_NEAR(norm(vector.nodes.force_at(n) - baseline.nodes.force_at(n)), 0, 1e-9);
      EXPECT_NEAR(norm(single.nodes.force_at(n) - baseline.nodes.force_at(n)), 0, 1e-3);
      EXPECT_NEAR(norm(vector.nodes.moment_at(n) - baseline.nodes.moment_at(n)), 0, 1e-8);
    }
    EXPECT_NEAR(vector.total_energy(0) / baseline.total_energy(0), 1, 1e-9);
  }
}

TEST_P(BendingBeam, FreeBeamIsStableAtItsOwnStep) {
  for (const double length : {1.0, 3.0, 30.0}) {
    Driver<double> d = make(GetParam(), 2, 3, false);
    add_beam(d, 1, length, {1, 0, 0}, {0, 1, 0});
    d.start();
    for (std::size_t n = 0; n < 2; ++n) {
      d.nodes.v[n] =
          1e-4 * Vec3{std::sin(1.0 + static_cast<double>(n)), std::sin(2.0 + 3 * static_cast<double>(n)),
                      std::cos(static_cast<double>(n))};
      d.nodes.w[n] =
          (1e-4 / length) * Vec3{std::cos(5.0 * static_cast<double>(n)), std::sin(1 + static_cast<double>(n)),
                                 -std::cos(2.0 * static_cast<double>(n))};
    }
    const double start = d.kinetic_energy(), dt = 0.98 * d.smallest_step();
    double highest = 0;
    for (int s = 0; s < 3000; ++s) {
      d.step(dt);
      highest = std::max(highest, d.kinetic_energy());
    }
    EXPECT_LT(highest, 60 * start) << length;  // near its limit leapfrog amplifies, but not without bound
    double later = 0;
    for (int s = 0; s < 3000; ++s) {
      d.step(dt);
      later = std::max(later, d.kinetic_energy());
    }
    EXPECT_LT(later, 1.2 * highest);
  }
}

/// Mean tip deflection of a cantilever vibrating about its static state is the static one: a suddenly
/// applied force P on an undamped beam. The mean over whole periods of the first mode, which carries 97 %.
double mean_deflection(Driver<double>& d, int n, double period) {
  double sum = 0;
  int count = 0;
  const double dt = 0.9 * d.smallest_step();
  while (d.time < period) {
    d.step(dt);
    sum += norm(d.nodes.x[static_cast<std::size_t>(n)] - d.nodes.x0[static_cast<std::size_t>(n)]);
    ++count;
  }
  return sum / count;
}

TEST_P(BendingBeam, CantileverDeflectsAsTheory) {
  // Both planes: P along s bends with ITT, along t with ISS.
  const double b = 1, h = 2, length = 40, area = b * h;
  const double shear_modulus = kYoung / (2 * (1 + kPoisson)), load = 1e-4;
  for (int plane = 0; plane < 2; ++plane) {
    Driver<double> d = make(GetParam(), b, h);
    const int n = 16;
    add_beam(d, n, length, {1, 0, 0}, {0, 1, 0});
    d.constrain = [](Driver<double>& me) { me.nodes.v[0] = me.nodes.w[0] = {}; };
    d.external_force = [&](int node, double) {
      return node == n ? (plane == 0 ? Vec3{0, load, 0} : Vec3{0, 0, load}) : Vec3{};
    };
    d.start();
    const double inertia = plane == 0 ? d.section.itt : d.section.iss;
    const double statics = load * length * length * length / (3 * kYoung * inertia) +
                           load * length / (5.0 / 6.0 * shear_modulus * area);
    const double period =
        2 * M_PI * length * length / (1.8751 * 1.8751) * std::sqrt(kDensity * area / (kYoung * inertia));
    EXPECT_NEAR(mean_deflection(d, n, 4 * period) / statics, 1, 0.02) << plane;
  }
}

TEST_P(BendingBeam, TorsionByHand) {
  Driver<double> d = make(GetParam());
  add_beam(d, 1, 10, {1, 0, 0}, {0, 1, 0});
  d.start();
  d.nodes.w[1] = {1e-5, 0, 0};
  d.move(1.0);
  const double torque = d.group.shear * d.section.j * 1e-5 / 10;
  EXPECT_NEAR(d.nodes.moment_at(1).x / -torque, 1, 1e-6);
  EXPECT_NEAR(d.variable(0, d.layout.resultants + 5) / torque, 1, 1e-6);
}

TEST_P(BendingBeam, UniformBendingByHand) {
  Driver<double> d = make(GetParam());
  add_beam(d, 1, 10, {1, 0, 0}, {0, 1, 0});
  d.start();
  d.nodes.w[0] = {0, -1e-5, 0};
  d.nodes.w[1] = {0, 1e-5, 0};
  d.move(1.0);
  const double moment = kYoung * d.section.iss * 2e-5 / 10;
  EXPECT_NEAR(d.nodes.moment_at(1).y / -moment, 1, 1e-6);
  EXPECT_NEAR(d.variable(0, d.layout.resultants + 3) / moment, 1, 1e-6);
  EXPECT_NEAR(d.total_energy(0) / (0.5 * moment * 2e-5), 1, 1e-6);
}

TEST(BelytschkoSchwer, EndMomentsFollowSlopeDeflection) {
  Driver<double> d = make(2, 2, 3, false);
  add_beam(d, 1, 10, {1, 0, 0}, {0, 1, 0});
  d.start();
  d.nodes.w[1] = {0, 0, 1e-6};
  d.move(1.0);
  const double k = kYoung * d.section.itt / 10 * 1e-6;
  EXPECT_NEAR(d.nodes.moment_at(1).z / (-4 * k), 1, 1e-6);
  EXPECT_NEAR(d.nodes.moment_at(0).z / (-2 * k), 1, 1e-6);
  EXPECT_NEAR(d.nodes.force_at(1).y / (6 * k / 10), 1, 1e-6);
}

TEST(BelytschkoSchwer, RefusesPlasticity) {
  Driver<double> d = make(2);
  d.group.law.row = materials::find_law(3);
  add_beam(d, 1, 10, {1, 0, 0}, {0, 1, 0});
  EXPECT_THROW(d.start(), Error);
}

/// Pulled beyond yield: sigma = SIGY + E_t (ln lambda - SIGY / E), the tangent of MAT_003; then let go.
TEST(PlasticBeams, StretchFollowsTheBilinearCurve) {
  model::Material m = elastic_material(kYoung, kPoisson, kDensity);
  m.law = 3;
  m.name = "MAT_PLASTIC_KINEMATIC";
  m.fields["SIGY"] = 0.3;
  m.fields["ETAN"] = 2.1;
  m.fields["BETA"] = 1;
  for (const int elform : {1, 3, 4}) {
    Driver<double> d(ElementKind::beam, elform, m, 1e12);
    set_rectangle(d.section, 2, 3, true);
    add_beam(d, 1, 10, {0, 0.6, 0.8}, {1, 0, 0});
    d.start();
    d.nodes.v[1] = 0.01 * Vec3{0, 0.6, 0.8};
    for (int s = 0; s < 50; ++s) d.move(1.0);
    const double strain = std::log(1.05), stress = 0.3 + 2.1 * (strain - 0.3 / kYoung);
    EXPECT_NEAR(d.stress(0, 0) / stress, 1, 1e-6) << elform;
    EXPECT_NEAR(d.variable(0, d.layout.resultants) / (6 * stress), 1, 1e-6);
    EXPECT_NEAR(norm(d.nodes.force_at(1)) / (6 * stress), 1, 1e-6);
    d.nodes.v[1] = -0.01 * Vec3{0, 0.6, 0.8};
    d.move(0.1);
    EXPECT_NEAR(d.stress(0, 0) - stress, kYoung * std::log(10.499 / 10.5), 1e-7);
  }
}

/// A fibre fails at its plastic strain; the beam goes when all its points have.
TEST(PlasticBeams, FailureDeletes) {
  model::Material m = elastic_material(kYoung, kPoisson, kDensity);
  m.law = 3;
  m.name = "MAT_PLASTIC_KINEMATIC";
  m.fields["SIGY"] = 0.3;
  m.fields["BETA"] = 1;
  m.fields["FS"] = 0.02;
  for (const int elform : {1, 3, 4}) {
    Driver<double> d(ElementKind::beam, elform, m, 1e12);
    set_rectangle(d.section, 2, 3, true);
    add_beam(d, 1, 10, {1, 0, 0}, {0, 1, 0});
    d.start();
    d.nodes.v[1] = {0.01, 0, 0};
    double length = 10;
    for (; d.alive[0] > 0 && length < 11; length += 0.01) d.move(1.0);
    EXPECT_EQ(d.alive[0], 0) << elform;
    EXPECT_NEAR(std::log(length / 10), 0.02 + 0.3 / kYoung, 2e-3);
    for (const parallel::LoadSum& sum : d.nodes.loads) EXPECT_TRUE(sum.force.is_zero());
  }
}

TEST(Truss, InitialStressPulls) {
  Driver<double> d = make(3);
  d.section.initial_stress = 0.1;
  add_beam(d, 1, 10, {1, 0, 0}, {0, 1, 0});
  d.start();
  d.move(1e-6);
  EXPECT_NEAR(d.nodes.force_at(1).x, -0.6, 1e-9);
  Driver<double> ramped = make(3);
  ramped.section.ramp_time = 1;
  add_beam(ramped, 1, 10, {1, 0, 0}, {0, 1, 0});
  EXPECT_THROW(ramped.start(), Error);
}

TEST(CrossSection, SecondMomentsAreExact) {
  model::Section s;
  set_rectangle(s, 2, 3, true);
  for (const int qr : {2, 3, 5, 4}) {
    s.nip = qr;
    const auto c = elements::beam::cross_section(s);
    EXPECT_NEAR(c.total_area, 6, 1e-13);
    EXPECT_NEAR(c.i_ss, s.iss, 1e-12);
    EXPECT_NEAR(c.i_tt, s.itt, 1e-12);
    EXPECT_EQ(c.n, qr == 2 ? 4 : qr == 5 ? 16 : 9);
  }
  s.cross_section = 1;
  s.ts = {4, 4};
  s.tt = {3, 3};
  s.nip = 2;
  const auto tube = elements::beam::cross_section(s);
  EXPECT_NEAR(tube.total_area, M_PI / 4 * 7, 1e-13);
  EXPECT_NEAR(tube.i_ss, M_PI / 64 * (256 - 81), 1e-12);
  s.nip = 9;
  EXPECT_THROW(elements::beam::cross_section(s), Error);
}

TEST(Beams, BadInputIsRefused) {
  Driver<double> line = make(1);
  add_beam(line, 1, 10, {1, 0, 0}, {1, 0, 0});
  EXPECT_THROW(line.start(), Error);
  Driver<double> point = make(1);
  add_beam(point, 1, 0, {1, 0, 0}, {0, 1, 0});
  EXPECT_THROW(point.start(), Error);
}

}  // namespace
}  // namespace crumple::test
