// MAT_037: yield in one and in two directions, the ratio of plastic strains, and R = 1 as von Mises.
#include <gtest/gtest.h>

#include <cmath>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kYield = 0.3, kPlastic = 5;

Prepared sheet(double ratio, std::initializer_list<std::pair<const std::string, double>> fields = {}) {
  model::Material m = material(37, {{"SIGY", kYield}, {"ETAN", kPlastic}, {"R", ratio}});
  for (const auto& [name, value] : fields) m.fields[name] = value;
  model::Model model;
  model.curves = {curve(5, {0, 0.5}, {kYield, kYield + 0.5 * kPlastic})};
  return prepare(model, m);
}

/// Pulls along x without stress along y; the strain along y that this takes is found by secants.
struct Bar {
  Shell<double> shell;
  double width = 0, thickness = 0, length = 0;

  explicit Bar(const Prepared& law) : shell(law) {}
  void pull(double dx) {
    const auto trial = [&](double dy) {
      Shell<double> copy = shell;
      copy.step({dx, dy, 0, 0, 0, 0});
      return copy.point.s[1];
    };
    double a = -0.3 * dx, b = -0.6 * dx, fa = trial(a), fb = trial(b);
    for (int k = 0; k < 60 && std::abs(fb) > 1e-14 && fb != fa; ++k) {
      const double c = b - fb * (b - a) / (fb - fa);
      a = b, fa = fb, b = c, fb = trial(c);
    }
    shell.step({dx, b, 0, 0, 0, 0});
    length += dx, width += b, thickness += shell.point.d[2];
  }
};

TEST(HillSheet, WidthAndThicknessOfABarHaveTheRatioR) {
  for (const double ratio : {0.2, 1.0, 2.5}) {
    const Prepared law = sheet(ratio);
    Bar bar(law);
    for (int k = 0; k < 200; ++k) bar.pull(0.001);
    const double stress = bar.shell.point.s[0], elastic = -0.3 * stress / 210;
    EXPECT_NEAR(stress, kYield + kPlastic * bar.shell.point.plastic_strain, 1e-8) << ratio;
    EXPECT_NEAR((bar.width - elastic) / (bar.thickness - elastic), ratio, 1e-6 * (1 + ratio));
    // The plastic strain along the bar is the equivalent one.
    EXPECT_NEAR(bar.length - stress / 210, bar.shell.point.plastic_strain, 1e-9);
  }
}

TEST(HillSheet, PulledInBothDirectionsItYieldsLater) {
  for (const double ratio : {0.2, 1.0, 2.5}) {
    const Prepared law = sheet(ratio, {{"ETAN", 0.0}});
    Shell<double> shell(law);
    for (int k = 0; k < 100; ++k) shell.step({1e-4, 1e-4, 0, 0, 0, 0});
    EXPECT_NEAR(shell.point.s[0], kYield * std::sqrt((1 + ratio) / 2), 1e-9) << ratio;
    EXPECT_NEAR(shell.point.s[1], shell.point.s[0], 1e-12);
  }
}

TEST(HillSheet, ShearYieldsByTheSameFunction) {
  const double ratio = 2.5;
  const Prepared law = sheet(ratio, {{"ETAN", 0.0}});
  Shell<double> shell(law);
  for (int k = 0; k < 100; ++k) shell.step({0, 0, 0, 1e-3, 0, 0});
  EXPECT_NEAR(shell.point.s[3], kYield / std::sqrt(2 + 2 * ratio / (1 + ratio)), 1e-9);
}

TEST(HillSheet, AnyDirectionOfThePlaneIsTheSame) {
  // Strains of a bar, turned by 30 degrees: the stress is turned, the plastic strain is the same.
  const Prepared law = sheet(2.5);
  Shell<double> along(law), turned(law);
  const double c = std::cos(M_PI / 6), s = std::sin(M_PI / 6);
  for (int k = 0; k < 50; ++k) {
    const double x = 0.001, y = -0.0004;
    along.step({x, y, 0, 0, 0, 0});
    turned.step({x * c * c + y * s * s, x * s * s + y * c * c, 0, 2 * (x - y) * s * c, 0, 0});
  }
  EXPECT_NEAR(along.point.plastic_strain, turned.point.plastic_strain, 1e-12);
  EXPECT_NEAR(turned.point.s[0], along.point.s[0] * c * c + along.point.s[1] * s * s, 1e-11);
}

TEST(HillSheet, ACurveIsTheSameLine) {
  const Prepared by_line = sheet(2.0), of_curve = sheet(2.0, {{"HLCID", 5.0}});
  Shell<double> line(by_line), by_curve(of_curve);
  for (int k = 0; k < 50; ++k)
    line.step({0.001, 0, 0, 0.001, 0, 0}), by_curve.step({0.001, 0, 0, 0.001, 0, 0});
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(line.point.s[k], by_curve.point.s[k], 1e-10);
}

TEST(HillSheet, Refuses) {
  EXPECT_THROW(sheet(-1.0), Error);
  EXPECT_THROW(sheet(0.0), Error);
  EXPECT_THROW(sheet(1.0, {{"ETAN", -1.0}}), Error);
  EXPECT_THROW(sheet(1.0, {{"HLCID", 9.0}}), Error);
}

}  // namespace
}  // namespace crumple::materials
