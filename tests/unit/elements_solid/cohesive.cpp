// Cohesive elements: force by stiffness and opening, rigid motion, energy, mass, step, failure, what is
// refused.
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "driver.hpp"
#include "elements/solid/cohesive_layout.hpp"

namespace crumple::test {
namespace {

using elements::Isa;
using model::ElementKind;

constexpr double kEn = 100, kEt = 60, kPerArea = 2e-6;

using CohesiveFields = std::map<std::string, double>;

model::Material layer(int law, const CohesiveFields& fields) {
  model::Material m;
  m.id = 1;
  m.law = law;
  m.name = "MAT_COHESIVE";
  m.density = kPerArea;
  m.fields = {{"RO", kPerArea}, {"ROFLG", 1}, {"EN", kEn}, {"ET", kEt}, {"INTFAIL", 1}};
  for (const auto& [name, value] : fields) m.fields[name] = value;
  return m;
}
model::Material elastic_layer(const CohesiveFields& fields = {}) { return layer(184, fields); }
model::Material bilinear_layer(const CohesiveFields& fields = {}) {
  CohesiveFields all = {{"T", 0.03}, {"S", 0.05}, {"GIC", 0.5e-3}, {"GIIC", 2e-3}, {"XMU", 1}};
  for (const auto& [name, value] : fields) all[name] = value;
  return layer(138, all);
}

/// One element of the form between surfaces 2 x 3 (or half of it) that are `thickness` apart.
template <class T = double>
Driver<T> single(int elform, const model::Material& material, double thickness = 0) {
  Driver<T> d(ElementKind::solid, elform, material);
  const std::vector<Vec3> lower = elform == 19 ? std::vector<Vec3>{{0, 0, 0}, {2, 0, 0}, {2, 3, 0}, {0, 3, 0}}
                                               : std::vector<Vec3>{{0, 0, 0}, {2, 0, 0}, {0, 3, 0}};
  for (const double z : {0.0, thickness})
    for (const Vec3& x : lower) d.add_node(x + Vec3{0, 0, z});
  std::vector<int> nodes(2 * lower.size());
  for (std::size_t n = 0; n < nodes.size(); ++n) nodes[n] = static_cast<int>(n);
  d.add_element(nodes);
  d.start();
  return d;
}
double area_of(int elform) { return elform == 19 ? 6 : 3; }

/// Moves the upper nodes by `by` in one step.
template <class T>
void open(Driver<T>& d, const Vec3& by, double dt = 1e-3) {
  for (std::size_t n = 0; n < d.nodes.size(); ++n)
    d.nodes.v[n] = n < d.nodes.size() / 2 ? Vec3{} : (1 / dt) * by;
  d.move(dt);
}

class CohesiveSolid : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Elform, CohesiveSolid, testing::Values(19, 21));

TEST_P(CohesiveSolid, ForceIsStiffnessTimesOpening) {
  for (const double thickness : {0.0, 0.2}) {
    Driver<double> d = single(GetParam(), elastic_layer(), thickness);
    open(d, {1e-3, 0, 2e-3});
    const double area = area_of(GetParam()), share = 2.0 / static_cast<double>(d.nodes.size());
    for (std::size_t n = 0; n < d.nodes.size(); ++n) {
      const double sign = n < d.nodes.size() / 2 ? 1 : -1;
      const Vec3 f = d.nodes.force_at(static_cast<LocalId>(n));
      EXPECT_NEAR(f.z, sign * share * area * kEn * 2e-3, 1e-12);
      EXPECT_NEAR(f.x, sign * share * area * kEt * 1e-3, 1e-12);
      EXPECT_NEAR(f.y, 0, 1e-12);
    }
    EXPECT_NEAR(d.stress(0, 2), kEn * 2e-3, 1e-14);
    EXPECT_NEAR(std::hypot(d.stress(0, 0), d.stress(0, 1)), kEt * 1e-3, 1e-14);
    EXPECT_NEAR(d.total_energy(0), 0.5 * area * (kEn * 4e-6 + kEt * 1e-6), 1e-14);
    open(d, {-1e-3, 0, -3e-3});
    EXPECT_NEAR(d.nodes.force_at(0).z, -share * area * kEn * 1e-3, 1e-12);
    EXPECT_NEAR(d.total_energy(0), 0.5 * area * kEn * 1e-6, 1e-14);
  }
}

TEST_P(CohesiveSolid, RigidTurnsGiveNoForce) {
  for (const double thickness : {0.0, 0.3}) {
    Driver<double> d = single(GetParam(), elastic_layer(), thickness);
    turn_rigidly(d, Vec3{1 / 3.0, 2 / 3.0, -2 / 3.0}, 1.3, 30, 1e-3);
    for (std::size_t n = 0; n < d.nodes.size(); ++n)
      EXPECT_NEAR(norm(d.nodes.force_at(static_cast<LocalId>(n))), 0, 1e-12);
    EXPECT_NEAR(d.total_energy(0), 0, 1e-12);
  }
}

TEST_P(CohesiveSolid, TractionsTurnWithTheSurface) {
  Driver<double> d = single(GetParam(), elastic_layer());
  open(d, {1e-3, 0, 2e-3});
  const Vec3 before = d.nodes.force_at(0), axis{0.6, 0, 0.8};
  turn_rigidly(d, axis, 0.2, 10, 1e-3);
  EXPECT_NEAR(norm(d.nodes.force_at(0) - rotated(before, axis, 0.4 * M_PI)), 0, 1e-4 * norm(before));
}

/// A sheet of distorted elements under one opening has one traction, and its nodes share the force by area.
TEST(CohesiveSolid, PatchHasOneTraction) {
  Driver<double> d(ElementKind::solid, 19, elastic_layer());
  constexpr int n = 4;
  for (int side = 0; side < 2; ++side)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const bool inside = i > 0 && j > 0 && i < n - 1 && j < n - 1;
        d.add_node(
            {i + (inside ? 0.3 * std::sin(5.0 * i + j) : 0), j + (inside ? 0.3 * std::cos(3.0 * j) : 0), 0});
      }
  for (int j = 0; j + 1 < n; ++j)
    for (int i = 0; i + 1 < n; ++i) {
      const int a = i + n * j, up = n * n;
      d.add_element({a, a + 1, a + n + 1, a + n, a + up, a + 1 + up, a + n + 1 + up, a + n + up});
    }
  d.start();
  open(d, {3e-3, -1e-3, 2e-3});
  Vec3 sum;
  for (int k = 0; k < n * n; ++k) sum += d.nodes.force_at(k);
  EXPECT_NEAR(sum.z, 9 * kEn * 2e-3, 1e-11);
  EXPECT_NEAR(sum.x, 9 * kEt * 3e-3, 1e-11);
  EXPECT_NEAR(sum.y, -9 * kEt * 1e-3, 1e-11);
  for (int e = 0; e < d.n_elements(); ++e)
    for (int p = 0; p < 4; ++p) EXPECT_NEAR(d.stress(e, 2, p), kEn * 2e-3, 1e-13);
}

TEST_P(CohesiveSolid, MassIsByAreaOrVolume) {
  const double area = area_of(GetParam());
  EXPECT_NEAR(single(GetParam(), elastic_layer()).total_mass(), kPerArea * area, 1e-18);
  EXPECT_NEAR(single(GetParam(), elastic_layer(), 0.2).total_mass(), kPerArea * area, 1e-18);
  EXPECT_NEAR(single(GetParam(), elastic_layer({{"ROFLG", 0}}), 0.2).total_mass(), 0.2 * kPerArea * area,
              1e-18);
}

/// Without THICK the moduli of MAT_240 are divided by the thickness of the element.
TEST_P(CohesiveSolid, ModuliAreDividedByTheThicknessOfTheElement) {
  const double thick = 0.2;
  const model::Material law = layer(240, {{"EMOD", thick * kEn},
                                          {"GMOD", thick * kEt},
                                          {"T0", 0.03},
                                          {"S0", 0.05},
                                          {"G1C_0", 0.5e-3},
                                          {"G2C_0", 2e-3}});
  Driver<double> d = single(GetParam(), law, thick);
  EXPECT_NEAR(d.smallest_step() / std::sqrt(kPerArea / kEn), 1, 1e-12);
  open(d, {1e-4, 0, 2e-4});
  EXPECT_NEAR(d.stress(0, 2), kEn * 2e-4, 1e-13);
  EXPECT_NEAR(std::hypot(d.stress(0, 0), d.stress(0, 1)), kEt * 1e-4, 1e-13);
  try {
    single(GetParam(), law, 0);
    ADD_FAILURE() << "no thickness";
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), "CR-E205");
  }
}

TEST_P(CohesiveSolid, StepIsThatOfStiffnessAndMass) {
  Driver<double> d = single(GetParam(), elastic_layer());
  EXPECT_NEAR(d.smallest_step() / std::sqrt(kPerArea / kEn), 1, 1e-12);
  for (const double fraction : {0.98, 1.02}) {  // the opening oscillates at the highest frequency
    Driver<double> free = single(GetParam(), elastic_layer());
    const double dt = fraction * free.smallest_step();
    for (std::size_t n = free.nodes.size() / 2; n < free.nodes.size(); ++n) free.nodes.v[n] = {0, 0, 1e-3};
    const double start = free.kinetic_energy();
    for (int s = 0; s < 200; ++s) free.step(dt);
    EXPECT_EQ(free.kinetic_energy() < 100 * start, fraction < 1);
  }
}

TEST(CohesiveSolid, DistortedElementsAreStableAtTheirStep) {
  for (const double intfail : {1.0, -1.0}) {
    Driver<double> d(ElementKind::solid, 19, elastic_layer({{"INTFAIL", intfail}}));
    for (int side = 0; side < 2; ++side)
      for (const Vec3& x : {Vec3{0, 0, 0}, Vec3{2, 0.3, 0}, Vec3{1.4, 1.1, 0}, Vec3{0, 1.7, 0}})
        d.add_node(x);
    d.add_element({0, 1, 2, 3, 4, 5, 6, 7});
    d.start();
    for (std::size_t n = 0; n < 8; ++n)
      for (int i = 0; i < 3; ++i) d.nodes.v[n][i] = 1e-3 * std::sin(7.0 * double(n) + 3 * i + 1);
    const double start = d.kinetic_energy();
    double highest = 0;
    for (int s = 0; s < 1000; ++s) {
      d.step(0.9 * d.smallest_step());
      highest = std::max(highest, d.kinetic_energy());
    }
    EXPECT_LT(highest, 5 * start);  // at 0.9 of the step speeds swing more than the energy
  }
}

/// Opens about the edge x = 0, so that two of the four points are ahead.
void hinge(Driver<double>& d, double at_far_edge, int steps = 100) {
  for (int s = 0; s < steps; ++s) {
    for (std::size_t n = 4; n < 8; ++n)
      d.nodes.v[n] = {0, 0, d.nodes.x0[n].x > 0 ? at_far_edge / (steps * 1e-3) : 0};
    d.move(1e-3);
  }
}

TEST(CohesiveSolid, IntfailPointsDeleteTheElement) {
  constexpr double ultimate = 2 * 0.5e-3 / 0.03;  // separation at failure
  // Gauss's points are at 0.211 and 0.789 of the width, Newton-Cotes' at the edges.
  struct Case {
    double intfail, opening;
    bool alive;
  };
  for (const Case& c : {Case{1, 1.2, true},
                        {1, 1.35, false},
                        {2, 1.35, false},
                        {3, 4.5, true},
                        {4, 5.1, false},
                        {-1, 0.97, true},
                        {-2, 1.05, false},
                        {-3, 10, true},
                        {0, 10, true}}) {
    Driver<double> d = single(19, bilinear_layer({{"INTFAIL", c.intfail}}));
    hinge(d, c.opening * ultimate);
    EXPECT_EQ(d.alive[0] > 0, c.alive) << c.intfail << ' ' << c.opening;
    if (!c.alive) {
      EXPECT_EQ(norm(d.nodes.force_at(4)), 0);
    }
  }
}

TEST_P(CohesiveSolid, OpeningTakesTheFractureEnergy) {
  for (const double intfail : {1.0, -1.0}) {
    Driver<double> d = single(GetParam(), bilinear_layer({{"INTFAIL", intfail}}));
    const double ultimate = 2 * 0.5e-3 / 0.03;
    for (int s = 0; s < 3000; ++s) open(d, {0, 0, 1.01 * ultimate / 3000});
    EXPECT_EQ(d.alive[0], 0);
    EXPECT_NEAR(d.total_energy(0) / (0.5e-3 * area_of(GetParam())), 1, 1e-3);
    Driver<double> slid = single(GetParam(), bilinear_layer({{"INTFAIL", intfail}}));
    const double sliding = 2 * 2e-3 / 0.05;
    for (int s = 0; s < 3000; ++s) open(slid, {1.01 * sliding / 3000, 0, 0});
    EXPECT_EQ(slid.alive[0], 0);
    EXPECT_NEAR(slid.total_energy(0) / (2e-3 * area_of(GetParam())), 1, 1e-3);
  }
}

/// What a deleted element keeps does not depend on its neighbours in a vector.
TEST(CohesiveSolid, DeletedElementKeepsItsState) {
  Driver<double> d(ElementKind::solid, 19, bilinear_layer());
  for (const double x : {0.0, 5.0})
    for (int side = 0; side < 2; ++side)
      for (const Vec3& corner : {Vec3{0, 0, 0}, Vec3{2, 0, 0}, Vec3{2, 3, 0}, Vec3{0, 3, 0}})
        d.add_node(corner + Vec3{x, 0, 0});
  d.add_element({0, 1, 2, 3, 4, 5, 6, 7});
  d.add_element({8, 9, 10, 11, 12, 13, 14, 15});
  d.start();
  for (std::size_t n = 4; n < 8; ++n) d.nodes.v[n] = {1, 0, 20};
  d.move(1e-3);
  ASSERT_EQ(d.alive[0], 1);
  d.move(1e-3);
  ASSERT_EQ(d.alive[0], 0);
  ASSERT_EQ(d.alive[1], 1);
  std::vector<double> kept;
  for (int k = 0; k < d.layout.n_vars; ++k) kept.push_back(d.variable(0, k));
  for (std::size_t n = 12; n < 16; ++n) d.nodes.v[n] = {0, 0, 1};
  d.move(1e-3);
  for (int k = 0; k < d.layout.n_vars; ++k) EXPECT_EQ(d.variable(0, k), kept[std::size_t(k)]) << k;
  EXPECT_GT(d.stress(1, 2), 0);
}

TEST_P(CohesiveSolid, InstructionSetsAndSinglesAgree) {
  Driver<double> reference = single(GetParam(), bilinear_layer());
  Driver<float> singles = single<float>(GetParam(), bilinear_layer());
  reference.use_isa(Isa::baseline);
  open(reference, {2e-3, 1e-3, 4e-3});
  open(singles, {2e-3, 1e-3, 4e-3});
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(singles.stress(0, k), reference.stress(0, k), 1e-5);
  for (int isa = 1; isa <= static_cast<int>(elements::best_isa()); ++isa) {
    Driver<double> other = single(GetParam(), bilinear_layer());
    other.use_isa(static_cast<Isa>(isa));
    open(other, {2e-3, 1e-3, 4e-3});
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(other.stress(0, k), reference.stress(0, k), 1e-14);
  }
}

/// Layers between shells whose middles are 2 apart.
class CohesiveOffset : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Elform, CohesiveOffset, testing::Values(20, 22));

constexpr double kApart = 2;

template <class Change>
Driver<double> between_shells(int elform, Change change) {
  Driver<double> d(ElementKind::solid, elform, elastic_layer());
  change(d);
  const std::vector<Vec3> lower = elform == 20 ? std::vector<Vec3>{{0, 0, 0}, {2, 0, 0}, {2, 3, 0}, {0, 3, 0}}
                                               : std::vector<Vec3>{{0, 0, 0}, {2, 0, 0}, {0, 3, 0}};
  std::vector<int> nodes;
  for (const double z : {0.0, kApart})
    for (const Vec3& x : lower) nodes.push_back(d.add_node(x + Vec3{0, 0, z}));
  d.add_element(nodes);
  d.start();
  return d;
}
Driver<double> between_shells(int elform) {
  return between_shells(elform, [](Driver<double>&) {});
}

TEST_P(CohesiveOffset, RigidMotionGivesNoForce) {
  Driver<double> d = between_shells(GetParam());
  turn_rigidly(d, Vec3{1 / 3.0, 2 / 3.0, -2 / 3.0}, 1.3, 60, 1e-3);
  for (std::size_t n = 0; n < d.nodes.size(); ++n) {
    EXPECT_NEAR(norm(d.nodes.force_at(static_cast<LocalId>(n))), 0, 1e-6);
    EXPECT_NEAR(norm(d.nodes.moment_at(static_cast<LocalId>(n))), 0, 1e-6);
  }
}

TEST_P(CohesiveOffset, RotationsOfShellsShearTheLayer) {
  Driver<double> d = between_shells(GetParam());
  const double angle = 1e-4, area = GetParam() == 20 ? 6 : 3;
  for (std::size_t n = 0; n < d.nodes.size(); ++n) d.nodes.w[n] = {0, angle / 1e-3, 0};
  d.move(1e-3);
  // Both arms turn about y: the upper surface moves by -angle in x, the lower one by +angle (arms of 1).
  Vec3 force, moment;
  for (std::size_t n = 0; n < d.nodes.size() / 2; ++n) {
    force += d.nodes.force_at(static_cast<LocalId>(n));
    moment += d.nodes.moment_at(static_cast<LocalId>(n));
  }
  EXPECT_NEAR(force.x, -area * kEt * 2 * angle, 1e-6);
  EXPECT_NEAR(moment.y, -area * kEt * 2 * angle, 1e-6);
  EXPECT_NEAR(d.total_energy(0), 0.5 * area * kEt * 4 * angle * angle, 1e-9);
}

/// Forces and moments of both sides balance about any point, also away from the start.
TEST_P(CohesiveOffset, ForcesAndMomentsBalance) {
  Driver<double> d = between_shells(GetParam());
  for (int s = 0; s < 20; ++s) {
    for (std::size_t n = 0; n < d.nodes.size(); ++n) {
      const bool upper = n >= d.nodes.size() / 2;
      d.nodes.v[n] = {upper ? 0.05 : 0, 0, upper ? 0.02 : 0};
      d.nodes.w[n] = {0, upper ? 1.0 : 2.0, 0.5};
    }
    d.move(1e-3);
  }
  Vec3 force, moment;
  double largest = 0;
  for (std::size_t n = 0; n < d.nodes.size(); ++n) {
    const Vec3 f = d.nodes.force_at(static_cast<LocalId>(n));
    force += f;
    moment += d.nodes.moment_at(static_cast<LocalId>(n)) + cross(d.nodes.x[n], f);
    largest = std::max(largest, norm(f));
  }
  EXPECT_NEAR(norm(force), 0, 1e-9 * largest);
  // What is left is the moment of the separation itself, which small strains do not have.
  EXPECT_NEAR(norm(moment), 0, 0.15 * largest);
}

TEST_P(CohesiveOffset, LayerLiesWhereCohoffSays) {
  for (const double place : {-1.0, 0.0, 0.5}) {
    Driver<double> d = between_shells(GetParam(), [&](Driver<double>& e) { e.group.nloc = place; });
    const std::size_t half = d.nodes.size() / 2;
    for (std::size_t n = 0; n < half; ++n) d.nodes.w[n] = {0, 0.1, 0};
    d.move(1e-3);
    const double arm = 0.5 * (1 + place) * kApart, area = GetParam() == 20 ? 6 : 3;
    Vec3 force;
    for (std::size_t n = 0; n < half; ++n) force += d.nodes.force_at(static_cast<LocalId>(n));
    EXPECT_NEAR(force.x, -area * kEt * arm * 1e-4, 1e-7);
    EXPECT_NEAR(d.nodes.inertia[0], arm * arm * d.nodes.mass[0], 1e-18);
  }
}

TEST_P(CohesiveOffset, IsStableAtItsStep) {
  Driver<double> d = between_shells(GetParam());
  EXPECT_NEAR(d.smallest_step() / std::sqrt(0.5 * kPerArea / kEn), 1, 1e-12);
  for (std::size_t n = 0; n < d.nodes.size(); ++n)
    for (int i = 0; i < 3; ++i) {
      d.nodes.v[n][i] = 1e-4 * std::sin(7.0 * double(n) + 3 * i + 1);
      d.nodes.w[n][i] = 1e-4 * std::cos(5.0 * double(n) + 2 * i);
    }
  const double start = d.kinetic_energy();
  double highest = 0;
  for (int s = 0; s < 1000; ++s) {
    d.step(0.95 * d.smallest_step());
    highest = std::max(highest, d.kinetic_energy());
  }
  EXPECT_LT(highest, 1.5 * start);
}

std::string refusal(const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    return error.id();
  }
  return {};
}

TEST_P(CohesiveSolid, RefusesWhatItCannotCompute) {
  const int form = GetParam();
  const auto of_volume = elastic_layer({{"ROFLG", 0}});
  EXPECT_EQ(refusal([&] { single(form, of_volume); }), "CR-E205");
  EXPECT_EQ(refusal([&] { single(form, of_volume, 0.1); }), "");
  EXPECT_EQ(refusal([&] { single(form, elastic_layer(), -0.1); }), "CR-E201");
  EXPECT_EQ(refusal([&] { single(form, elastic_material(210, 0.3, 7.8e-6)); }), "CR-E205");
  EXPECT_EQ(refusal([&] {
              Driver<double> d(ElementKind::solid, form, elastic_layer());
              d.group.stiffness_damping = 0.1;
              for (int n = 0; n < 8; ++n) d.add_node({});
              d.start();
            }),
            "CR-E205");
  EXPECT_EQ(refusal([&] {
              Driver<double> d(ElementKind::solid, form, elastic_layer());
              std::vector<int> nodes;
              for (int n = 0; n < (form == 19 ? 8 : 6); ++n)
                nodes.push_back(d.add_node({double(n % 2), 0, 0}));
              d.add_element(nodes);
              d.start();
            }),
            "CR-E201");
}

TEST(CohesiveSolid, WedgesAreGivenByTwoTriangles) {
  const std::array<LocalId, 8> brick{0, 1, 2, 3, 4, 5, 6, 7}, wedge{0, 1, 2, 2, 4, 5, 6, 6};
  for (const int form : {19, 21}) {
    EXPECT_EQ(elements::form_of(ElementKind::solid, form, brick).elform, 19);
    EXPECT_EQ(elements::form_of(ElementKind::solid, form, wedge).elform, 21);
    EXPECT_EQ(elements::form_of(ElementKind::solid, form, wedge).nodes,
              (std::vector<LocalId>{0, 1, 2, 4, 5, 6}));
    EXPECT_EQ(elements::form_of(ElementKind::solid, form + 1, brick).elform, 20);
    EXPECT_EQ(elements::form_of(ElementKind::solid, form + 1, wedge).elform, 22);
  }
}

}  // namespace
}  // namespace crumple::test
