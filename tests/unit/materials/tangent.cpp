// Laws run on dual numbers give the consistent tangent: against central differences of the same update.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;
using Dual = simd::Dual<double, 8>;

model::Model curves() {
  model::Model m;
  m.curves = {curve(5, {0, 0.01, 0.03, 0.08, 0.2}, {0.3, 0.36, 0.4, 0.42, 0.52}),
              curve(6, {0, 0.01, 0.2}, {0.45, 0.5, 0.6})};
  m.tables = {{50, {1.0, 1000.0}, {0, 1}}};
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
      material(7, {{"G", 10.0}}),
      material(9, {{"YM", 210.0}}),
      material(24, {{"LCSS", 5.0}}),
      material(24, {{"LCSS", 5.0}, {"C", 40.0}, {"P", 5.0}}),
      low_cost({{"SIGY", 0.3}, {"ETAN", 5.0}}),
      johnson_cook({}),
      johnson_cook({{"VP", 1.0}}),
      material(81, {{"LCSS", 5.0}, {"EPPF", 0.001}, {"EPPFR", 0.5}}),
      material(24, {{"LCSS", 50.0}}),
      material(27, {{"A", 30.0}, {"B", 3.0}, {"PR", 0.48}}),
      material(34, {{"EA", 30.0}, {"EB", 20.0}, {"GAB", 5.0}, {"PRBA", 0.1}}),
      material(100, {{"SIGY", 0.3}, {"EH", 2.0}}),
      material(123, {{"LCSS", 5.0}, {"EPSMAJ", 0.5}}),
      material(24, {{"LCSS", 5.0}, {"EROSION.EXCL", 0.0}, {"EROSION.MXEPS", 0.5}, {"EROSION.SIGP1", 9.0}}),
      material(24, {{"LCSS", 5.0}, {"SIGY", 0.2}, {"C", 40.0}, {"P", 5.0}, {"VP", 1.0}})};
}

class Tangent : public testing::TestWithParam<model::Material> {};
INSTANTIATE_TEST_SUITE_P(Laws, Tangent, testing::ValuesIn(all_laws()), [](const auto& info) {
  return "law" + std::to_string(info.param.law) + "_" + std::to_string(info.index);
});

TEST_P(Tangent, Solid) {
  check_tangent<SolidPoint>(prepare(curves(), GetParam()), supports(GetParam().law, &Supports::solid));
}
TEST_P(Tangent, Shell) {
  check_tangent<ShellPoint>(prepare(curves(), GetParam()), supports(GetParam().law, &Supports::shell));
}
TEST_P(Tangent, Beam) {
  check_tangent<BeamPoint>(prepare(curves(), GetParam()), supports(GetParam().law, &Supports::beam));
}

TEST(Tangents, OfEveryLawAreTested) {
  const std::vector<model::Material> tested = all_laws();
  for (const Row* row : registry().rows())
    EXPECT_TRUE(row->supports.discrete || row->rigid ||
                std::ranges::any_of(tested, [&](const auto& m) { return m.law == row->number; }))
        << row->keyword;
}

}  // namespace
}  // namespace crumple::materials
