// Laws run on dual numbers give the consistent tangent: against central differences of the same update.
#include <gtest/gtest.h>

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

template <template <class> class Point>
void check_tangent(const Prepared& law) {
  constexpr int n = OnePoint<Point, double>::n;
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
      const double h = 1e-8, at = d[j];
      d[j] = at + h;
      const auto above = stressed<Point, double>(law, d);
      d[j] = at - h;
      const auto below = stressed<Point, double>(law, d);
      d[j] = at;
      for (int i = 0; i < n; ++i) {
        double slope[Dual::n_directions];
        simd::get_derivatives(tangent.point.s[i], slope);
        EXPECT_NEAR(slope[j], (above.point.s[i] - below.point.s[i]) / (2 * h), 2e-4)
            << "d s" << i << " / d d" << j;
      }
    }
  }
}

class Tangent : public testing::TestWithParam<model::Material> {};
INSTANTIATE_TEST_SUITE_P(
    Laws, Tangent,
    testing::Values(material(1, {}), material(3, {{"SIGY", 0.3}, {"ETAN", 10.0}, {"BETA", 0.3}}),
                    material(24, {{"LCSS", 5.0}}), material(24, {{"LCSS", 5.0}, {"C", 40.0}, {"P", 5.0}}),
                    low_cost({{"SIGY", 0.3}, {"ETAN", 5.0}}), johnson_cook({}), johnson_cook({{"VP", 1.0}}),
                    material(81, {{"LCSS", 5.0}, {"EPPF", 0.001}, {"EPPFR", 0.5}}),
                    material(24, {{"LCSS", 50.0}}), material(27, {{"A", 30.0}, {"B", 3.0}, {"PR", 0.48}}),
                    material(123, {{"LCSS", 5.0}, {"EPSMAJ", 0.5}}),
                    material(24, {{"LCSS", 5.0}, {"SIGY", 0.2}, {"C", 40.0}, {"P", 5.0}, {"VP", 1.0}})),
    [](const auto& info) {
      return "law" + std::to_string(info.param.law) + "_" + std::to_string(info.index);
    });

TEST_P(Tangent, Solid) { check_tangent<SolidPoint>(prepare(curves(), GetParam())); }
TEST_P(Tangent, Shell) { check_tangent<ShellPoint>(prepare(curves(), GetParam())); }
TEST_P(Tangent, Beam) { check_tangent<BeamPoint>(prepare(curves(), GetParam())); }

}  // namespace
}  // namespace crumple::materials
