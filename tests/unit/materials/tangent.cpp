// Laws run on dual numbers give the consistent tangent: against central differences of the same update.
#include "unit/every_law.hpp"
//
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "materials/discrete_beam/law.hpp"
#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;
using Dual = simd::Dual<double, 8>;

model::Model curves() {
  model::Model m;
  m.curves = {curve(5, {0, 0.01, 0.03, 0.08, 0.2}, {0.3, 0.36, 0.4, 0.42, 0.52}),
              curve(6, {0, 0.01, 0.2}, {0.45, 0.5, 0.6}), curve(9, {0, 0.1, 0.6, 0.8}, {0, 10, 20, 80}),
              curve(89, {0, 0.001, 0.05}, {0, 0.21, 0.5})};
  m.curves.push_back(curve(10, {0, 0.1, 0.6, 0.8}, {0, 20, 40, 160}));
  m.curves.push_back(curve(12, {-0.5, -0.1, 0, 0.5}, {-80, -10, 0, 40}));
  m.curves.push_back(curve(13, {-0.5, 0.1, 0.6}, {-50, 10, 20}));
  m.curves.push_back(curve(14, {-0.5, 0.1, 0.6}, {-100, 20, 40}));
  m.curves.push_back(curve(11, {0, 0.5, 0.6}, {0.2, 0.4, 10.4}));
  m.curves.push_back(curve(19, {0, 1, 100}, {0.25, 0.3, 0.5}));
  m.curves.push_back(curve(40, {-2, 2}, {0.2, 0.1}));
  m.curves.push_back(curve(41, {0, 0.1}, {0, 0.5}));
  m.curves.push_back(curve(15, {0, 0.2}, {0.25, 0.3}));
  m.curves.push_back(curve(16, {-4, 4}, {1e-4, 2e-4}));
  m.curves.push_back(curve(61, {0, 0.004, 0.02, 0.1}, {0, 0.02, 0.05, 0.13}));
  m.tables = {{50, {1.0, 1000.0}, {0, 1}}, {51, {0.5, 10.0}, {5, 6}}, {52, {0.1, 100.0}, {8, 12}}};
  return m;
}

/// Stresses after a plastic history and a last increment `d`.
template <template <class> class Point, class V>
OnePoint<Point, V> stressed(const Prepared& law, const V (&d)[OnePoint<Point, V>::n]) {
  using P = OnePoint<Point, V>;
  P p(law);
  V first[P::n];
  for (int i = 0; i < P::n; ++i) first[i] = V((i % 2 == 0 ? 4e-3 : -3e-3) / (1 + i));
  p.step(first, 1e-3);
  p.step(d, 1e-3);
  return p;
}

/// Stresses less those at -h, over 2 h: of component `j` of the increment `d`.
template <template <class> class Point, int n>
std::array<double, n> difference(const Prepared& law, double (&d)[n], int j, double h) {
  const double at = d[j];
  d[j] = at + h;
  const auto above = stressed<Point, double>(law, d);
  d[j] = at - h;
  const auto below = stressed<Point, double>(law, d);
  d[j] = at;
  std::array<double, n> slope;
  for (int i = 0; i < n; ++i) slope[i] = (above.point.s[i] - below.point.s[i]) / (2 * h);
  return slope;
}

/// Within 1e-7 of the largest modulus, by differences whose error is of fourth order (Richardson 1911).
template <template <class> class Point>
void check_tangent(const Prepared& law, bool has_updates) {
  if (!has_updates) GTEST_SKIP() << "the law is not for these elements";
  constexpr int n = OnePoint<Point, double>::n;
  const double tolerance = 1e-7 * std::max(law.elastic.young, law.elastic.bulk + 4 * law.elastic.shear / 3);
  std::mt19937 engine(4);
  std::normal_distribution<double> draw(0, 2e-3);
  for (int sample = 0; sample < 20; ++sample) {
    double d[n];
    Dual dual[n];
    for (int i = 0; i < n; ++i) {
      d[i] = draw(engine);
      simd::set_variable(dual[i], d[i], i);
    }
    const auto tangent = stressed<Point, Dual>(law, dual);
    for (int j = 0; j < n; ++j) {
      constexpr double h = 1e-6;
      const auto wide = difference<Point>(law, d, j, 2 * h), narrow = difference<Point>(law, d, j, h);
      for (int i = 0; i < n; ++i) {
        double slope[Dual::n_directions];
        simd::get_derivatives(tangent.point.s[i], slope);
        EXPECT_NEAR(slope[j], (4 * narrow[i] - wide[i]) / 3, tolerance) << "d s" << i << " / d d" << j;
      }
    }
  }
}

std::vector<model::Material> all_laws() {
  return {
      material(1, {}),
      material(3, {{"SIGY", 0.3}, {"ETAN", 10.0}, {"BETA", 0.3}}),
      heated({}),
      material(7, {{"G", 10.0}}),
      material(9, {{"YM", 210.0}}),
      material(24, {{"LCSS", 5.0}}),
      material(280, {{"FT", 0.3}, {"FC", 9.0}, {"SFSTI", 0.1}, {"SFSTR", 0.2}, {"NCYCR", 3.0}}),
      material(280, {{"FMOD", 1.0}, {"FT", 0.3}, {"FC", 9.0}, {"CRIN", 1.0}}),
      material(280, {{"FMOD", 2.0}, {"FT", 9.0}, {"FC", 90.0}}),
      material(32, {{"EG", 210.0}, {"PRG", 0.3}, {"SYG", 0.3}, {"ETG", 2.0}, {"EFG", 0.9}}),
      lamina(2),
      lamina(22, {{"YT", 9.0}, {"SC", 9.0}, {"ALPH", 3.0}}),
      lamina(54, {{"DFAILT", 1.0}, {"BETA", 0.5}, {"ALPH", 3.0}}),
      lamina(54, {{"CRIT", 55.0}}),
      lamina(58, {{"FS", -1.0},
                  {"TAU1", 0.06},
                  {"GAMMA1", 0.016},
                  {"SLIMT1", 0.3},
                  {"EPSF", 0.004},
                  {"EPSR", 0.02}}),
      lamina(58),
      lamina(58, {{"FS", 1.0}, {"SLIMS", 0.5}}),
      lamina(262),
      lamina(262, {{"SIGY", 0.02}, {"ETAN", 1.0}, {"BETA", 0.4}}),
      lamina(261),
      lamina(261, {{"LCSS", 61.0}, {"SIGY", 0.02}, {"BETA", 0.4}}),
      glue(),
      glue({{"PWRT", 1.5}, {"PWRS", 3.0}, {"SHT_SL", 0.2}}),
      comb(26),
      comb(26, {{"LCSR", 19.0}}),
      comb(126, {{"LCSR", -1.0}, {"LCSRA", 40.0}}),
      material(24, {{"LCSS", 5.0}, {"C", 40.0}, {"P", 5.0}}),
      low_cost({{"SIGY", 0.3}, {"ETAN", 5.0}}),
      elastic_failure({{"REM", 1.0}}),
      fluid({{"EOS.C1", 2.2}, {"EOS.C2", 9.0}, {"MU", 1e-3}, {"PC", -9.0}}),
      gruneisen(10, {{"EH", 2.0}}),
      polynomial(10, {{"PC", -9.0}}),
      tabulated(10, {}),
      thermal({{"D1", 0.2}, {"PC", -9.0}}),
      without_state(thermal({{"VP", 1.0}})),
      power_law({{"SRC", 40.0}, {"SRP", 5.0}}),
      power_law({{"SRC", 40.0}, {"SRP", 5.0}, {"VP", 1.0}}),
      material(19, {{"LC1", 19.0}, {"ETAN", 2.0}}),
      material(19, {{"LC1", 19.0}, {"ETAN", 2.0}, {"VP", 1.0}}),
      material(124, {{"LCIDC", 6.0}, {"LCIDT", 5.0}, {"PC", 9.0}, {"PT", 9.0}, {"C", 40.0}, {"P", 5.0}}),
      johnson_cook({}),
      johnson_cook({{"VP", 1.0}}),
      material(81, {{"LCSS", 5.0}, {"EPPF", 0.001}, {"EPPFR", 0.5}}),
      material(24, {{"LCSS", 50.0}}),
      material(27, {{"A", 30.0}, {"B", 3.0}, {"PR", 0.48}}),
      material(6, {{"BULK", 80.0}, {"G0", 40.0}, {"GI", 10.0}, {"BETA", 100.0}}),
      material(57, {{"E", 100.0},
                    {"LCID", 9.0},
                    {"HU", 0.2},
                    {"SHAPE", 2.0},
                    {"BETA", 50.0},
                    {"ED", 10.0},
                    {"BETA1", 100.0}}),
      material(57, {{"E", 100.0}, {"LCID", 9.0}}),
      material(62, {{"E1", 10.0}, {"N1", 4.0}, {"E2", 100.0}, {"V2", 0.5}, {"N2", 0.2}, {"PR", 0.1}}),
      material(73, {{"E", 100.0}, {"LCID", 9.0}, {"GI1", 10.0}, {"BETAI1", 100.0}}),
      material(89, {{"LCSS", 89.0}}),
      material(61, {{"BULK", 80.0}, {"G0", 40.0}, {"GI", 10.0}, {"DC", 0.01}, {"FO", 1.0}}),
      material(76, {{"BULK", 80.0}, {"GI1", 10.0}, {"GI2", 30.0}, {"BETAI2", 100.0}}),
      material(77, {{"C10", 20.0},
                    {"C01", 5.0},
                    {"C11", 1.0},
                    {"C20", 2.0},
                    {"C30", 1.0},
                    {"PR", 0.48},
                    {"GI1", 5.0},
                    {"BETAI1", 100.0}}),
      material(771, {{"MU1", 50.0},
                     {"ALPHA1", 1.3},
                     {"MU2", -2.0},
                     {"ALPHA2", -2.5},
                     {"PR", 0.48},
                     {"GI1", 5.0},
                     {"BETAI1", 100.0}}),
      material(63, {{"E", 100.0}, {"LCID", 11.0}, {"TSC", 0.3}}),
      material(163, {{"E", 100.0}, {"TID", 52.0}, {"TSC", 0.3}, {"NCYCLE", 3.0}}),
      material(
          154,
          {{"ALPHA", 2.0}, {"GAMMA", 5.0}, {"EPSD", 1.4}, {"ALPHA2", 0.3}, {"BETA", 4.0}, {"SIGP", 0.3}}),
      material(
          154,
          {{"ALPHA", 0.0}, {"GAMMA", 5.0}, {"EPSD", 1.4}, {"ALPHA2", 0.3}, {"BETA", 1.0}, {"SIGP", 0.3}}),
      material(14, {{"G", 40.0}, {"KUN", 200.0}, {"LCID", 11.0}, {"A0", 0.02}, {"A1", 0.2}, {"PC", -0.5}}),
      material(
          5,
          {{"G", 40.0}, {"KUN", 200.0}, {"LCID", 9.0}, {"A0", 0.1}, {"A1", 0.2}, {"A2", 0.1}, {"PC", -0.5}}),
      material(37, {{"SIGY", 0.3}, {"ETAN", 5.0}, {"R", 2.0}}),
      material(37, {{"HLCID", 5.0}, {"R", 0.2}}),
      material(36, {{"HR", 3.0}, {"LCID", 5.0}, {"M", 8.0}, {"R00", 1.5}, {"R45", 1.2}, {"R90", 2.0}}),
      material(36, {{"HR", 2.0},
                    {"P1", 0.6},
                    {"P2", 0.2},
                    {"M", 6.0},
                    {"R00", 0.8},
                    {"R45", 1.2},
                    {"R90", 0.6},
                    {"C", 40.0},
                    {"P", 5.0}}),
      material(133, {{"HARD", -5.0},
                     {"A", 8.0},
                     {"ALPHA1", 0.94},
                     {"ALPHA2", 0.99},
                     {"ALPHA3", 1.02},
                     {"ALPHA4", 1.02},
                     {"ALPHA5", 1.0},
                     {"ALPHA6", 0.98},
                     {"ALPHA7", 0.98},
                     {"ALPHA8", 1.13}}),
      material(133, {{"HARD", 5.0},
                     {"K", 0.5},
                     {"E0", 0.2},
                     {"N", 9.0},
                     {"P4", 0.7},
                     {"A", 6.0},
                     {"ALPHA1", 0.94},
                     {"ALPHA2", 0.99},
                     {"ALPHA3", 1.02},
                     {"ALPHA4", 1.02},
                     {"ALPHA5", 1.0},
                     {"ALPHA6", 0.98},
                     {"ALPHA7", 0.98},
                     {"ALPHA8", 1.13}}),
      material(122, {{"HR", 2.0}, {"P1", 0.6}, {"P2", 0.2}, {"R00", 0.8}, {"R45", 1.2}, {"R90", 0.6}}),
      material(120, {{"SIGY", 0.3},
                     {"ATYP", 2.0},
                     {"ETAN", 2.0},
                     {"Q1", 1.5},
                     {"Q2", 1.0},
                     {"F0", 0.01},
                     {"FC", 0.02},
                     {"FF0", 0.25},
                     {"FN", 0.04},
                     {"EN", 0.01},
                     {"SN", 0.01}}),
      material(159,
               {{"G", 11.5},    {"K", 12.6},      {"ALPHA", 0.29},     {"THETA", 0.2965}, {"LAMDA", 0.21},
                {"BETA", 0.96}, {"NH", 1.0},      {"ALPHA1", 0.74735}, {"THETA1", 0.058}, {"LAMDA1", 0.17},
                {"BETA1", 3.5}, {"ALPHA2", 0.66}, {"THETA2", 0.069},   {"LAMDA2", 0.16},  {"BETA2", 3.6},
                {"R", 5.0},     {"X0", 1.8},      {"W", 0.05},         {"D1", 0.0125},    {"D2", 0.00087},
                {"B", 100.0},   {"GFC", 0.01},    {"D", 0.1},          {"GFT", 0.01},     {"GFS", 0.01},
                {"PWRC", 5.0},  {"PWRT", 1.0}}),
      material(31, {{"C100", 30.0},
                    {"C200", 5.0},
                    {"C300", 1.0},
                    {"C110", 2.0},
                    {"C010", -10.0},
                    {"C020", 3.0},
                    {"PR", 0.48}}),
      material(30, {{"SIG_ASS", 0.3},
                    {"SIG_ASF", 0.5},
                    {"SIG_SAS", 0.2},
                    {"SIG_SAF", 0.1},
                    {"EPSL", 0.02},
                    {"ALPHA", 0.1},
                    {"YMRT", 100.0}}),
      material(103, {{"SIGY", 0.3},
                     {"QR1", 0.1},
                     {"CR1", 20.0},
                     {"QR2", 0.05},
                     {"CR2", 200.0},
                     {"R00/F", 0.4},
                     {"R45/G", 0.6},
                     {"R90/H", 0.5},
                     {"L", 1.3},
                     {"M", 1.6},
                     {"N", 1.8}}),
      material(103, {{"SIGY", 0.3},
                     {"QR1", 0.1},
                     {"CR1", 20.0},
                     {"QX1", 0.1},
                     {"CX1", 30.0},
                     {"QX2", 0.2},
                     {"CX2", 3.0},
                     {"VK", 0.05},
                     {"VM", 0.3},
                     {"R45/G", 0.6},
                     {"N", 1.8}}),
      material(105, {{"LCSS", 5.0}, {"S", 1e-3}, {"DC", 0.9}, {"EPSD", 1e-4}}),
      material(24, {{"SIGY", 0.3},
                    {"ETAN", 2.0},
                    {"DIEM.NDIEMC", 2.0},
                    {"DIEM.1.P1", 16.0},
                    {"DIEM.1.Q1", 1.0},
                    {"DIEM.2.DITYP", 1.0},
                    {"DIEM.2.P1", 16.0},
                    {"DIEM.2.P2", 0.1},
                    {"DIEM.2.DETYP", 1.0},
                    {"DIEM.2.Q1", 0.1}}),
      polymer_of({{"LCID-C", 6.0}}),
      polymer_of({{"LCID-T", 50.0}, {"LCID-S", 15.0}, {"LCID-D", 41.0}}),
      polymer_of({{"LCID-C", 6.0}, {"LCID-S", 15.0}, {"LCID-D", -41.0}}),
      material(224, {{"LCK1", 5.0}}),
      material(224, {{"LCK1", 50.0}, {"LCF", 40.0}}),
      material(83, {{"E", 100.0}, {"TBID", 51.0}, {"TFLAG", 1.0}}),
      material(177, {{"C1", 20.0}, {"B1", 4.0}, {"C2", -2.0}, {"B2", -1.5}, {"N", 0.25}}),
      material(181, {{"KM", 80.0},
                     {"SGL", 1.0},
                     {"SW", 1.0},
                     {"ST", 1.0},
                     {"LC/TBID", 12.0},
                     {"PR/BETA", 0.0},
                     {"HU", 0.3}}),
      material(181, {{"KM", 80.0},
                     {"SGL", 1.0},
                     {"SW", 1.0},
                     {"ST", 1.0},
                     {"LC/TBID", 12.0},
                     {"PR/BETA", 0.2},
                     {"HU", 0.3}}),
      material(34, {{"EA", 30.0}, {"EB", 20.0}, {"GAB", 5.0}, {"PRBA", 0.1}}),
      material(100, {{"SIGY", 0.3}, {"EH", 2.0}}),
      material(123, {{"LCSS", 5.0}, {"EPSMAJ", 0.5}}),
      material(123, {{"LCSS", 5.0}, {"EPS0", 0.5}}),
      material(24, {{"LCSS", 5.0}, {"EROSION.EXCL", 0.0}, {"EROSION.MXEPS", 0.5}, {"EROSION.SIGP1", 9.0}}),
      material(24, {{"LCSS", 5.0},
                    {"DAMAGE.DTYP", 1.0},
                    {"DAMAGE.LCSDG", 40.0},
                    {"DAMAGE.ECRIT", 1e-4},
                    {"DAMAGE.DMGEXP", 2.0},
                    {"DAMAGE.FADEXP", 1.5}}),
      material(24, {{"LCSS", 5.0}, {"SIGY", 0.2}, {"C", 40.0}, {"P", 5.0}, {"VP", 1.0}})};
}

class Tangent : public testing::TestWithParam<model::Material> {};
INSTANTIATE_TEST_SUITE_P(Laws, Tangent, testing::ValuesIn(all_laws()), [](const auto& info) {
  return "law" + std::to_string(info.param.law) + "_" + std::to_string(info.index);
});

TEST_P(Tangent, Solid) {
  const Prepared law = prepare(curves(), GetParam());
  check_tangent<SolidPoint>(law, law.law.row->supports.solid);
}
TEST_P(Tangent, Shell) {
  const Prepared law = prepare(curves(), GetParam());
  check_tangent<ShellPoint>(law, law.law.row->supports.shell);
}
TEST_P(Tangent, Beam) {
  const Prepared law = prepare(curves(), GetParam());
  check_tangent<BeamPoint>(law, law.law.row->supports.beam);
}

TEST(Tangents, OfEveryLawAreTested) {
  const std::vector<model::Material> tested = all_laws();
  constexpr int users_own = 41;  // user_law.cpp
  constexpr int muscle = 156;    // elements_beam/muscles.cpp, elements_tangent
  for (const Row* row : registry().rows())
    EXPECT_TRUE(row->supports.discrete || row->supports.cohesive || row->number == users_own ||
                row->number == muscle || row->rigid || is_discrete_beam(*row) ||
                std::ranges::any_of(tested, [&](const auto& m) { return m.law == row->number; }))
        << row->keyword;
}

}  // namespace
}  // namespace crumple::materials
