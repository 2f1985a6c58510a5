// Membranes of fabric: one element of each form against closed forms, with material axes, in loading and
// unloading.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "elements/explicit_driver.hpp"
#include "elements/shell/belytschko_tsay_membrane.hpp"
#include "elements/shell/fully_integrated_membrane.hpp"
#include "mini_loop.hpp"

namespace crumple::test {
namespace {

using elements::shell::BelytschkoTsayMembraneForm;
using elements::shell::FullyIntegratedMembraneForm;
using Fields = std::map<std::string, double>;
using Matrix = std::array<std::array<double, 2>, 2>;

constexpr double kEA = 0.3, kEB = 0.2, kGAB = 0.05, kPRBA = 0.1;

model::Model curves() {
  model::Model model;
  const auto add = [&](GlobalId id, std::vector<double> x, std::vector<double> y) {
    model::Curve c;
    c.id = id, c.x = std::move(x), c.y = std::move(y);
    model.curves.push_back(std::move(c));
  };
  add(1, {0, 0.1, 0.4}, {0, 0.01, 0.07});    // a: stiffens
  add(2, {0, 0.2, 0.4}, {0, 0.02, 0.03});    // b: softens
  add(3, {0, 0.3}, {0, 0.006});              // ab
  add(4, {0, 0.05, 0.2}, {0, 0.001, 0.07});  // unloading of a
  add(5, {0, 0.4}, {0, 0.02});
  return model;
}

void use_fabric(MiniLoop<double>& m, Fields fields) {
  static std::vector<std::shared_ptr<const void>> kept;
  model::Material material;
  material.law = 34;
  material.name = "MAT_FABRIC";
  material.density = 8e-7;
  material.fields = {{"EA", kEA}, {"EB", kEB}, {"GAB", kGAB}, {"PRBA", kPRBA}};
  for (const auto& [name, value] : fields) material.fields[name] = value;
  const materials::Prepared p = materials::prepare(curves(), material);
  kept.push_back(p.parameters);
  m.group.law = p.law;
  m.group.n_history = p.n_history;
  m.group.density = p.density;
  m.group.young = p.elastic.young, m.group.poisson = p.elastic.poisson;
  m.group.shear = p.elastic.shear, m.group.bulk = p.elastic.bulk;
}

const std::vector<Vec3> kQuad{{0, 0, 0}, {10, 1, 0}, {9, 12, 0}, {-1, 8, 0}};

class Fabric : public testing::TestWithParam<int> {
 protected:
  MiniLoop<double> element(Fields fields, const std::vector<Vec3>& x = kQuad) const {
    MiniLoop<double> m;
    m.section = shell_section(GetParam(), 0.3, 1);
    use_fabric(m, std::move(fields));
    for (const Vec3& p : x) m.add_node(p);
    m.elements.push_back({0, 1, 2, 3});
    m.prepare(GetParam() == 5 ? elements::explicit_kernel<BelytschkoTsayMembraneForm, double>
                              : elements::explicit_kernel<FullyIntegratedMembraneForm, double>);
    m.call_kernel();
    m.dt = 1e-3;
    return m;
  }
  /// Moves the corners to F X in `count` steps.
  static void move(MiniLoop<double>& m, const Matrix& f, int count = 1) {
    std::vector<Vec3> from(m.nodes.x.begin(), m.nodes.x.end());
    for (int k = 1; k <= count; ++k) {
      for (std::size_t i = 0; i < from.size(); ++i) {
        const Vec3& x = m.nodes.x0[i];
        const Vec3 to{f[0][0] * x.x + f[0][1] * x.y, f[1][0] * x.x + f[1][1] * x.y, x.z};
        const Vec3 next = from[i] + (double(k) / count) * (to - from[i]);
        m.nodes.v[i] = (1 / m.dt) * (next - m.nodes.x[i]);
        m.nodes.x[i] = next;
      }
      m.time += m.dt;
      for (parallel::LoadSum& sum : m.nodes.loads) sum.clear();
      m.call_kernel();
    }
  }
  /// xx, yy, xy in global axes at every point; the element is in the plane xy.
  static std::vector<std::array<double, 3>> stresses(const MiniLoop<double>& m) {
    std::vector<std::array<double, 3>> all;
    Vec3 x[4];
    for (int i = 0; i < 4; ++i) x[i] = m.nodes.x[i];
    for (int p = 0; p < m.layout.n_points; ++p) {
      double local[6], global[6];
      for (int k = 0; k < 6; ++k) local[k] = m.stress(0, p, k);
      m.formulation->to_global(x, local, global);
      all.push_back({global[0], global[1], global[3]});
    }
    return all;
  }
  static void expect_stress(const MiniLoop<double>& m, const std::array<double, 3>& expected,
                            double tolerance = 1e-13) {
    for (const auto& s : stresses(m))
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(s[k], expected[k], tolerance) << k;
  }
};

INSTANTIATE_TEST_SUITE_P(Membranes, Fabric, testing::Values(5, 9));

double load_a(double e) { return e < 0 ? kEA * e : e < 0.1 ? 0.1 * e : 0.01 + 0.2 * (e - 0.1); }
double load_b(double e) { return e < 0 ? kEB * e : e < 0.2 ? 0.1 * e : 0.02 + 0.05 * (e - 0.2); }

/// Cauchy stress of the form with curves for a gradient F and fabric axes at the angle `angle`.
std::array<double, 3> closed_form(const Matrix& f, double angle, double poisson) {
  const double c = std::cos(angle), s = std::sin(angle), axes[2][2] = {{c, s}, {-s, c}};  // a, b in rows
  double g[2][2], e[2][2], t[2][2];
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 2; ++k) g[i][k] = f[i][0] * axes[k][0] + f[i][1] * axes[k][1];
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 2; ++k) e[i][k] = 0.5 * (g[0][i] * g[0][k] + g[1][i] * g[1][k] - (i == k));
  const double ab = poisson * kEA / kEB, scale = 1 / (1 - ab * poisson);
  t[0][0] = load_a(scale * (e[0][0] + poisson * e[1][1]));
  t[1][1] = load_b(scale * (e[1][1] + ab * e[0][0]));
  t[0][1] = t[1][0] = 0.02 * 2 * e[0][1];
  double cauchy[2][2] = {};
  const double j = g[0][0] * g[1][1] - g[0][1] * g[1][0];
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 2; ++k)
      for (int m = 0; m < 2; ++m)
        for (int n = 0; n < 2; ++n) cauchy[i][k] += g[i][m] * t[m][n] * g[k][n] / j;
  return {cauchy[0][0], cauchy[1][1], cauchy[0][1]};
}

constexpr double kSide = 0.0996686524911620;  // of side 1-2 of kQuad: atan(1 / 10)

/// The fabric of belts: whatever its length, along it there is no stress.
TEST_P(Fabric, OfABeltSlidesAlongIt) {
  const std::vector<Vec3> square{{0, 0, 0}, {10, 0, 0}, {10, 12, 0}, {0, 12, 0}};
  const auto stressed = [&](const Matrix& f, const std::array<double, 3>& expected) {
    auto m = element({{"BELT.FABRIC", 1}, {"CSE", 1}}, square);
    move(m, f, 5);
    expect_stress(m, expected);
  };
  for (const double length : {0.2, 1.0, 2.5}) {
    stressed({{{length, 0}, {0, 1}}}, {0, 0, 0});
    stressed({{{length, 0}, {0, 1.1}}}, {0, 1.1 * kEB * 0.5 * (1.21 - 1), 0});
    stressed({{{length, 0}, {0, 0.9}}}, {0, 0, 0});
    const double g = 0.2, across = kEB * 0.5 * g * g, shear = kGAB * g;
    stressed({{{length, g}, {0, 1}}}, {2 * g * shear + g * g * across, across, shear + g * across});
  }
}

TEST_P(Fabric, CurvesAreOfGreensStrainAlongTurningFibres) {
  for (const double form : {4.0, 14.0}) {
    auto m = element({{"FORM", form}, {"LCA", 1}, {"LCB", 2}, {"LCAB", 3}, {"BETA", 25}});
    const Matrix f{{{1.1, -0.55}, {0.4, 1.05}}};
    move(m, f, 7);
    expect_stress(m, closed_form(f, kSide + 25 * M_PI / 180, kPRBA));
  }
}

TEST_P(Fabric, CompressionHasTheModulusBeyondACurve) {
  auto m = element({{"FORM", 14}, {"LCA", 1}, {"LCB", 2}, {"LCAB", 3}, {"PRBA", 0}});
  const Matrix f{{{0.9, 0.02}, {0.0, 0.95}}};
  move(m, f, 3);
  expect_stress(m, closed_form(f, kSide, 0));
}

TEST_P(Fabric, WithoutCurvesFormFourIsLinear) {
  auto m = element({{"FORM", 4}, {"AOPT", 2}, {"A1", 1}, {"A3", 0.3}});
  const double e = 0.5 * (1.2 * 1.2 - 1);  // along a; b keeps its length
  move(m, {{{1.2, 0}, {0, 1}}}, 3);
  const double ab = kPRBA * kEA / kEB, scale = 1 / (1 - ab * kPRBA);
  expect_stress(m, {1.2 * kEA * scale * e, kEB * scale * ab * e / 1.2, 0});
}

TEST_P(Fabric, UniaxialTensionIsThatOfTheCurve) {
  // E_b = -n_ab E_a makes S_b zero.
  auto m = element({{"FORM", 4}, {"LCA", 1}, {"AOPT", 3}, {"V2", -1}});  // a = -y x z = -x
  const double stretch = 1.15, e = 0.5 * (stretch * stretch - 1), ab = kPRBA * kEA / kEB;
  const double across = std::sqrt(1 - 2 * ab * e);
  move(m, {{{stretch, 0}, {0, across}}}, 4);
  expect_stress(m, {stretch / across * load_a(e), 0, 0});
}

TEST_P(Fabric, EnergyIsTheIntegralOfTheCurve) {
  auto m = element({{"FORM", 14}, {"LCA", 1}, {"PRBA", 0}, {"AOPT", 2}, {"A1", 1}});
  const double e = 0.5 * (1.3 * 1.3 - 1);
  move(m, {{{1.3, 0}, {0, 1}}}, 400);
  const double area = 0.5 * std::abs(9 * 7 + 11 * 12);  // half the cross product of the diagonals
  const double energy = 0.5 * 0.1 * 0.1 * 0.1 + 0.01 * (e - 0.1) + 0.1 * (e - 0.1) * (e - 0.1);
  EXPECT_NEAR(m.internal_energy(), 0.3 * area * energy, 1e-4 * area * energy);
}

TEST_P(Fabric, UnloadingCurveIsShifted) {
  auto m = element({{"FORM", 14}, {"LCA", 1}, {"LCUA", 4}, {"PRBA", 0}, {"AOPT", 2}, {"A1", 1}});
  const auto strain_to = [&](double e) { move(m, {{{std::sqrt(1 + 2 * e), 0}, {0, 1}}}, 5); };
  const auto expect = [&](double e, double s) { expect_stress(m, {std::sqrt(1 + 2 * e) * s, 0, 0}); };
  strain_to(0.2), expect(0.2, 0.03);
  const double slope = 0.069 / 0.15, at = 0.05 + 0.029 / slope;  // where unloading has 0.03
  strain_to(0.19), expect(0.19, 0.03 - slope * 0.01);
  strain_to(0.2 - at + 0.02), expect(0.2 - at + 0.02, 0.02 * 0.02);
  strain_to(0.2 - at - 0.01), expect(0.2 - at - 0.01, 0);
  strain_to(0.18), expect(0.18, 0.03 - slope * 0.02);
  strain_to(0.3), expect(0.3, 0.05);
}

// A curve of unloading that is less steep than that of loading would be above it.
TEST_P(Fabric, UnloadingIsNotAboveLoading) {
  auto m = element({{"FORM", 14}, {"LCA", 1}, {"LCUA", 5}, {"PRBA", 0}, {"AOPT", 2}, {"A1", 1}});
  const auto strain_to = [&](double e) { move(m, {{{std::sqrt(1 + 2 * e), 0}, {0, 1}}}, 5); };
  strain_to(0.2);
  strain_to(0.08);
  expect_stress(m, {std::sqrt(1 + 2 * 0.08) * load_a(0.08), 0, 0});
}

TEST_P(Fabric, UnloadingCurveIsStretched) {
  auto m = element({{"FORM", 14}, {"LCA", 1}, {"LCUA", -4}, {"PRBA", 0}, {"AOPT", 2}, {"A1", 1}});
  const auto strain_to = [&](double e) { move(m, {{{std::sqrt(1 + 2 * e), 0}, {0, 1}}}, 5); };
  const auto expect = [&](double e, double s) { expect_stress(m, {std::sqrt(1 + 2 * e) * s, 0, 0}); };
  strain_to(0.3), expect(0.3, 0.05);
  strain_to(0.15), expect(0.15, (0.001 + 0.05 * 0.069 / 0.15) * 0.05 / 0.07);
  strain_to(0.03), expect(0.03, 0.02 * 0.02 * 0.05 / 0.07);
  strain_to(0.4), expect(0.4, 0.07);
}

/// Hooke's law of the orthotropic sheet in axes at `angle`, of small strains xx, yy, xy (engineering).
std::array<double, 3> orthotropic(const std::array<double, 3>& d, double angle) {
  const double c = std::cos(angle), n = std::sin(angle);
  const double a = c * c * d[0] + n * n * d[1] + c * n * d[2], b = n * n * d[0] + c * c * d[1] - c * n * d[2];
  const double g = 2 * c * n * (d[1] - d[0]) + (c * c - n * n) * d[2];
  const double ab = kPRBA * kEA / kEB, scale = 1 / (1 - ab * kPRBA);
  const double s = kEA * scale * (a + kPRBA * b), t = kEB * scale * (b + ab * a), h = kGAB * g;
  return {c * c * s + n * n * t - 2 * c * n * h, n * n * s + c * c * t + 2 * c * n * h,
          c * n * (s - t) + (c * c - n * n) * h};
}

TEST_P(Fabric, SmallStrainsFollowHookesLawInTheAxes) {
  const double e = 1e-6;
  const Matrix f{{{1 + 2 * e, 0.5 * e}, {1.5 * e, 1 - e}}};
  const std::array<double, 3> strain{2 * e, -e, 2 * e};
  auto local = element({{"BETA", 35}});
  move(local, f);
  expect_stress(local, orthotropic(strain, kSide + 35 * M_PI / 180), 1e-5 * e);
  auto global = element({{"AOPT", 2}, {"A1", 1}, {"A2", 1}});
  move(global, f);
  expect_stress(global, orthotropic(strain, M_PI / 4), 1e-5 * e);
  auto across = element({{"AOPT", 3}, {"V1", 1}, {"BETA", 10}});  // a = x x z = -y
  move(across, f);
  expect_stress(across, orthotropic(strain, -M_PI / 2 + 10 * M_PI / 180), 1e-5 * e);
}

TEST_P(Fabric, LinerHasItsShareOfTheThickness) {
  const double e = 1e-6;
  auto m = element({{"AOPT", 2}, {"A1", 1}, {"LRATIO", 0.2}, {"EL", 0.1}, {"PRL", 0.3}});
  move(m, {{{1 + e, 0}, {0, 1}}});
  const double plane = 0.1 / 0.91;
  std::array<double, 3> s = orthotropic({e, 0, 0}, 0);
  expect_stress(m, {0.8 * s[0] + 0.2 * plane * e, 0.8 * s[1] + 0.2 * plane * 0.3 * e, 0}, 1e-5 * e);
}

TEST_P(Fabric, IsotropicFabricHasATensionField) {
  auto m = element({{"EB", 0}, {"GAB", 0}, {"PRBA", 0.3}, {"CSE", 1}});
  const double e = 1e-6, c = std::cos(0.4), n = std::sin(0.4);
  const auto strain_to = [&](double first, double second) {  // principal axes at 0.4 rad
    const double xx = c * c * first + n * n * second, yy = n * n * first + c * c * second;
    move(m, {{{1 + xx, c * n * (first - second)}, {c * n * (first - second), 1 + yy}}}, 2);
  };
  strain_to(e, -e);  // wrinkled
  expect_stress(m, {kEA * e * c * c, kEA * e * n * n, kEA * e * c * n}, 1e-5 * e);
  strain_to(-0.1 * e, -e);  // slack
  expect_stress(m, {0, 0, 0}, 1e-5 * e);
  strain_to(e, e);  // taut
  expect_stress(m, {kEA * e / 0.7, kEA * e / 0.7, 0}, 1e-5 * e);
}

TEST_P(Fabric, FibresWithoutCompressionLeaveTheOtherUniaxial) {
  const double e = 1e-6;
  auto m = element({{"AOPT", 2}, {"A1", 1}, {"CSE", 1}});
  move(m, {{{1 + e, 2 * e}, {0, 1 - 5 * e}}});
  expect_stress(m, {kEA * e, 0, kGAB * 2 * e}, 1e-5 * e);
  move(m, {{{1 - e, 0}, {0, 1 - 5 * e}}});
  expect_stress(m, {0, 0, 0}, 1e-5 * e);
}

TEST_P(Fabric, WarpedElementBeginsAndTurnsWithoutStress) {
  auto m = element({{"FORM", 4}, {"BETA", 20}}, {{0, 0, 0.5}, {10, 1, -0.5}, {9, 12, 0.5}, {-1, 8, -0.4}});
  for (int p = 0; p < m.layout.n_points; ++p)
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(m.stress(0, p, k), 0, 1e-15);
  for (Vec3& x : m.nodes.x) x = {x.y, x.z, x.x};  // a rotation
  for (Vec3& v : m.nodes.v) v = {};
  m.call_kernel();
  for (int p = 0; p < m.layout.n_points; ++p)
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(m.stress(0, p, k), 0, 1e-15);
}

TEST_P(Fabric, DampingTakesEnergyAndShortensTheStep) {
  auto damped = element({{"FORM", 14}, {"DAMP", 0.05}}), free = element({{"FORM", 14}});
  EXPECT_LT(damped.smallest_step(), free.smallest_step());
  const double at_rest = free.smallest_step();
  const Matrix f{{{1.2, 0}, {0, 1}}};
  move(damped, f), move(free, f);
  EXPECT_GT(damped.energy[2 * kLanes], 0);
  EXPECT_EQ(free.energy[2 * kLanes], 0);
  EXPECT_LT(free.smallest_step(), at_rest);  // the stretched sheet is stiffer
}

TEST_P(Fabric, AxesNormalToTheElementAreRefused) {
  try {
    element({{"AOPT", 2}, {"A3", 1}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), "CR-E105");
  }
}

}  // namespace
}  // namespace crumple::test
