// Beams with integrated sections along them (ELFORM 4, 5) and rules for cross-sections.
#include <gtest/gtest.h>

#include <cmath>

#include "../elements_solid/driver.hpp"
#include "base/error.hpp"
#include "elements/beam/cross_section.hpp"
#include "elements/beam/layout.hpp"
#include "elements/beam/section_rule.hpp"

namespace crumple::test {
namespace {

using model::ElementKind;

constexpr double kModulus = 210.0, kYield = 0.3;

model::Material ideally_plastic() {
  model::Material m = elastic_material(kModulus, 0.3, 7.8e-6);
  m.law = 3;
  m.name = "MAT_PLASTIC_KINEMATIC";
  m.fields["SIGY"] = kYield;
  m.fields["BETA"] = 1;
  return m;
}

/// One beam of length 10 along x with s = y, of a square of 2 or a tube of 2 and 1.6.
Driver<double> one_beam(int elform, const model::Material& material, int rule = 2) {
  Driver<double> d(ElementKind::beam, elform, material, 1e12);
  d.section.nip = rule;
  d.section.cross_section = elform == 5 ? 1 : 0;
  d.section.ts = {2, 2};
  d.section.tt = elform == 5 ? std::array{1.6, 1.6} : std::array{2.0, 2.0};
  d.add_node({0, 0, 0});
  d.add_node({10, 0, 0});
  elements::ElementInput input;
  input.has_orientation = true;
  input.orientation = {0, 1e3, 0};
  d.add_element({0, 1}, input);
  return d;
}

double second_moment(int elform) { return elform == 5 ? M_PI / 64 * (16 - std::pow(1.6, 4)) : 16.0 / 12; }

TEST(IntegratedBeams, EndMomentsFollowSlopeDeflection) {
  for (const int elform : {4, 5}) {
    Driver<double> d = one_beam(elform, elastic_material(kModulus, 0.3, 7.8e-6));
    d.start();
    d.nodes.w[1] = {0, 0, 1e-6};
    d.move(1.0);
    const double k = kModulus * second_moment(elform) / 10 * 1e-6;
    EXPECT_NEAR(d.nodes.moment_at(1).z / (-4 * k), 1, 1e-6) << elform;
    EXPECT_NEAR(d.nodes.moment_at(0).z / (-2 * k), 1, 1e-6);
    EXPECT_NEAR(d.nodes.force_at(1).y / (6 * k / 10), 1, 1e-6);
    EXPECT_NEAR(d.total_energy(0) / (0.5 * 4 * k * 1e-6), 1, 1e-6);
  }
}

/// The plastic moment of the points: all have the yield stress.
double plastic_moment(const model::Section& section) {
  const elements::beam::CrossSection c = elements::beam::cross_section(section);
  double sum = 0;
  for (int p = 0; p < c.n; ++p) sum += kYield * c.area[p] * std::abs(c.t[p]);
  return sum;
}

TEST(IntegratedBeams, UniformBendingReachesThePlasticMomentAndUnloadsElastically) {
  for (const int elform : {4, 5}) {
    Driver<double> d = one_beam(elform, ideally_plastic(), 5);
    d.start();
    const double most = plastic_moment(d.section);
    const auto bend = [&](double rate, int steps) {
      d.nodes.w[0] = {0, -rate, 0};
      d.nodes.w[1] = {0, rate, 0};
      for (int s = 0; s < steps; ++s) d.move(1.0);
      return -d.nodes.moment_at(1).y;
    };
    EXPECT_NEAR(bend(1e-3, 400) / most, 1, 1e-4) << elform;
    const double before = bend(1e-3, 1), after = bend(-1e-4, 1);
    EXPECT_NEAR((after - before) / (kModulus * second_moment(elform) * -2e-4 / 10), 1, 1e-3);
    EXPECT_NEAR(bend(-1e-3, 800) / -most, 1, 1e-4);
  }
}

/// Both ends clamped, one moved across: hinges at both ends, F = 2 Mp / L.
TEST(IntegratedBeams, HingesAreAtTheEnds) {
  Driver<double> d = one_beam(4, ideally_plastic(), 5);
  d.start();
  d.nodes.v[1] = {0, 0, 1e-4};
  for (int s = 0; s < 1000; ++s) d.move(1.0);
  const double most = plastic_moment(d.section);
  EXPECT_NEAR(std::abs(d.nodes.moment_at(1).y) / most, 1, 2e-3);
  EXPECT_NEAR(std::abs(d.nodes.moment_at(0).y) / most, 1, 2e-3);
  EXPECT_NEAR(std::abs(d.nodes.force_at(1).z) / (2 * most / 10), 1, 2e-2);  // and a small pull along
  const int stride = d.layout.point_stride, points = d.layout.n_points / elements::beam::kStations;
  for (int p = points; p < 2 * points; ++p)
    EXPECT_LT(d.variable(0, d.layout.plastic_strain + p * stride), 1e-9) << "in the middle";
}

TEST(IntegratedBeams, RefusePointsOffTheirAxis) {
  Driver<double> d = one_beam(4, elastic_material(kModulus, 0.3, 7.8e-6));
  d.section.rule.id = 1;
  d.section.rule.relative_area = 1;
  d.section.rule.points = {{0.5, 0, 0.5}, {1, 0, 0.5}};
  EXPECT_THROW(d.start(), Error);
}

model::Section standard(int shape, std::array<double, 6> size, int refinement = 0) {
  model::Section s;
  s.kind = ElementKind::beam;
  s.elform = 1;
  s.rule.id = 1;
  s.rule.shape = shape;
  s.rule.size = size;
  s.rule.refinement = refinement;
  return s;
}

TEST(SectionRules, StandardSectionsHaveExactMoments) {
  for (const int refinement : {0, 1}) {
    const double w = 173.2, tf = 15.7, h = 363.4, tw = 9.1;  // 356 x 171 x 67
    const auto i = elements::beam::cross_section(standard(1, {w, tf, h, tw}, refinement));
    EXPECT_NEAR(i.total_area / (2 * w * tf + (h - 2 * tf) * tw), 1, 1e-12);
    EXPECT_NEAR(i.i_ss / ((w * h * h * h - (w - tw) * std::pow(h - 2 * tf, 3)) / 12), 1, 1e-12);
    EXPECT_NEAR(i.i_tt / ((2 * tf * w * w * w + (h - 2 * tf) * tw * tw * tw) / 12), 1, 1e-12);
    EXPECT_EQ(i.n, 18 + 6 * refinement);
    const auto box = elements::beam::cross_section(standard(5, {4, 0.2, 6, 0.3}, refinement));
    EXPECT_NEAR(box.total_area / (24 - 3.4 * 5.6), 1, 1e-12);
    EXPECT_NEAR(box.i_ss / ((4 * 216 - 3.4 * std::pow(5.6, 3)) / 12), 1, 1e-12);
    EXPECT_NEAR(box.i_tt / ((6 * 64 - 5.6 * std::pow(3.4, 3)) / 12), 1, 1e-12);
    const auto circle = elements::beam::cross_section(standard(8, {3}, refinement));
    EXPECT_NEAR(circle.total_area / (M_PI * 9), 1, 1e-12);
    EXPECT_NEAR(circle.i_ss / (M_PI * 81 / 4), 1, 1e-12);
    const auto tube = elements::beam::cross_section(standard(9, {3, 2}, refinement));
    EXPECT_NEAR(tube.total_area / (M_PI * 5), 1, 1e-12);
    EXPECT_NEAR(tube.i_tt / (M_PI * (81 - 16) / 4), 1, 1e-12);
    const auto solid = elements::beam::cross_section(standard(11, {2, 3}, refinement));
    EXPECT_NEAR(solid.i_ss, 4.5, 1e-12);
    EXPECT_NEAR(solid.i_tt, 2, 1e-12);
    for (const auto& c : {i, box, circle, tube, solid}) {
      EXPECT_FALSE(c.has_offset);
      EXPECT_EQ(c.skew, 0);
    }
  }
}

TEST(SectionRules, ReferencesMoveTheSection) {
  model::Section s = standard(11, {2, 3});
  s.rule.sref = 1;
  s.rule.tref = -1;
  const auto c = elements::beam::cross_section(s);
  EXPECT_NEAR(c.i_tt, 2 + 6, 1e-12);
  EXPECT_NEAR(c.i_ss, 4.5 + 6 * 2.25, 1e-12);
  EXPECT_TRUE(c.has_offset);
  EXPECT_NEAR(c.skew, 6 * 1.5, 1e-12);
}

TEST(SectionRules, GivenPointsAreSharesOfTheArea) {
  model::Section s = standard(0, {});
  s.ts = {4, 4};
  s.tt = {6, 6};
  s.rule.relative_area = 0.6;
  s.rule.points = {{-0.5, -1, 0.25}, {0.5, -1, 0.25}, {0.5, 1, 0.25}, {-0.5, 1, 0.25}};
  const auto c = elements::beam::cross_section(s);
  EXPECT_NEAR(c.total_area, 0.6 * 24, 1e-12);
  EXPECT_NEAR(c.i_ss, 0.6 * 24 * 9, 1e-12);
  EXPECT_NEAR(c.i_tt, 0.6 * 24, 1e-12);
}

TEST(SectionRules, WhatMakesNoSectionIsRefused) {
  EXPECT_THROW(elements::beam::cross_section(standard(1, {4, 3, 5, 0.1})), Error);  // flanges overlap
  EXPECT_THROW(elements::beam::cross_section(standard(9, {2, 2})), Error);
  EXPECT_THROW(elements::beam::cross_section(standard(3, {4, 0.1, 5, 0.1})), Error);  // L: not supported
  EXPECT_THROW(elements::beam::cross_section(standard(8, {2}, 7)), Error);            // too many points
}

}  // namespace
}  // namespace crumple::test
