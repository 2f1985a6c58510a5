// Blast waves: published values, an independent fit, impulses of the decay, and the angle of incidence.
#include "loads/blast/kingery_bulmash.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace crumple::loads {
namespace {

/// Swisdak (1994), "Simplified Kingery airblast calculations", table 1, of surface bursts:
/// exp(sum of c_i (ln Z)^i) up to a scaled distance.
struct Simplified {
  double up_to;
  std::vector<double> c;
};
double value(const std::vector<Simplified>& fits, double z) {
  std::size_t k = 0;
  while (z > fits[k].up_to) ++k;
  double sum = 0;
  for (std::size_t i = fits[k].c.size(); i-- > 0;) sum = sum * std::log(z) + fits[k].c[i];
  return std::exp(sum);
}
const std::vector<Simplified> kIncident{{2.9, {7.2106, -2.1069, -0.3229, 0.1117, 0.0685}},
                                        {23.8, {7.5938, -3.0523, 0.40977, 0.0261, -0.01267}},
                                        {198.5, {6.0536, -1.4066}}};
const std::vector<Simplified> kReflected{{2.0, {9.006, -2.6893, -0.6295, 0.1011, 0.29255, 0.13505, 0.019736}},
                                         {40, {8.8396, -1.733, -2.64, 2.293, -0.8232, 0.14247, -0.0099}}};
const std::vector<Simplified> kArrival{{1.5, {-0.7604, 1.8058, 0.1257, -0.0437, -0.031, -0.00669}},
                                       {40, {-0.7137, 1.5732, 0.5561, -0.4213, 0.1054, -0.00929}}};
const std::vector<Simplified> kDuration{{1.02, {0.5426, 3.2299, -1.5931, -5.9667, -4.0815, -0.9149}},
                                        {2.8, {0.544, 2.7082, -9.7354, 14.3425, -9.7791, 2.8535}},
                                        {40, {-2.4608, 7.1639, -5.6215, 2.2711, -0.44994, 0.03486}}};
const std::vector<Simplified> kIncidentImpulse{{0.96, {5.522, 1.117, 0.6, -0.292, -0.087}},
                                               {2.38, {5.465, -0.308, -1.464, 1.362, -0.432}},
                                               {33.7, {5.2749, -0.4677, -0.2499, 0.0588, -0.00554}},
                                               {158.7, {5.9825, -1.062}}};
const std::vector<Simplified> kReflectedImpulse{{40, {6.7853, -1.3466, 0.101, -0.01123}}};

/// The integral of a pressure over the positive phase, by the midpoint rule.
template <class Pressure>
double impulse(const BlastWave& wave, Pressure&& pressure) {
  const int n = 20000;
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += pressure((k + 0.5) / n * wave.duration);
  return sum * wave.duration / n;
}

TEST(KingeryBulmash, SurfaceBurstsAgreeWithTheSimplifiedFit) {
  for (double z = 0.2; z <= 39; z *= 1.07) {
    const BlastWave w = blast_wave(true, z, 1.0);
    EXPECT_NEAR(w.incident / value(kIncident, z), 1, 0.015) << z;
    EXPECT_NEAR(w.reflected / value(kReflected, z), 1, 0.011) << z;
    EXPECT_NEAR(w.arrival / value(kArrival, z), 1, 0.004) << z;
    EXPECT_NEAR(w.duration / value(kDuration, z), 1, 0.018) << z;
    EXPECT_NEAR(impulse(w, [&](double t) { return w.incident_at(t); }) / value(kIncidentImpulse, z), 1, 0.025)
        << z;
    EXPECT_NEAR(impulse(w, [&](double t) { return w.reflected_at(t); }) / value(kReflectedImpulse, z), 1,
                0.002)
        << z;
  }
}

/// A surface burst is a burst in the air of 1.8 times the charge, nearly (UFC 3-340-02, 2-13).
TEST(KingeryBulmash, AirBurstsAreSurfaceBurstsOfASmallerCharge) {
  const double root = std::cbrt(1.8);
  for (const double z : {0.5, 1.0, 2.0, 5.0, 10.0, 20.0}) {
    const BlastWave air = blast_wave(false, z, 1.0), surface = blast_wave(true, root * z, 1.0 / root);
    EXPECT_NEAR(air.incident / surface.incident, 1, 0.12) << z;
    EXPECT_NEAR(air.reflected / surface.reflected, 1, 0.15) << z;
    EXPECT_NEAR(air.arrival / surface.arrival, 1, 0.08) << z;
  }
  // 1 kg at 1 m: values of the report's table, in kPa and ms.
  const BlastWave one = blast_wave(false, 1.0, 1.0);
  EXPECT_NEAR(one.incident, 935, 5);
  EXPECT_NEAR(one.reflected, 5006, 30);
  EXPECT_NEAR(one.arrival, 0.532, 0.003);
}

TEST(KingeryBulmash, ScalesWithTheCubeRootOfTheCharge) {
  const BlastWave one = blast_wave(false, 3.0, 1.0), thousand = blast_wave(false, 3.0, 10.0);
  EXPECT_DOUBLE_EQ(thousand.arrival, 10 * one.arrival);
  EXPECT_DOUBLE_EQ(thousand.duration, 10 * one.duration);
  EXPECT_DOUBLE_EQ(thousand.incident, one.incident);
  EXPECT_DOUBLE_EQ(thousand.reflected_decay, one.reflected_decay);
}

TEST(KingeryBulmash, DecayGivesTheImpulse) {
  EXPECT_NEAR(decay_of(0.5), 0, 1e-6) << "a triangle";
  for (const double b : {-2.0, 1e-4, 0.5, 3.0, 15.0})
    EXPECT_NEAR(decay_of(1 / b - (1 - std::exp(-b)) / (b * b)), b, 1e-4 * std::max(1.0, std::abs(b))) << b;
}

TEST(KingeryBulmash, PressureOverTimeAndAngle) {
  const BlastWave w = blast_wave(false, 2.0, 3.0);
  EXPECT_EQ(w.pressure(0.999 * w.arrival, 1, true), 0);
  EXPECT_DOUBLE_EQ(w.pressure(w.arrival, 1, true), w.reflected) << "head on";
  EXPECT_DOUBLE_EQ(w.pressure(w.arrival, 0, true), w.incident) << "along the surface";
  EXPECT_DOUBLE_EQ(w.pressure(w.arrival, -0.7, true), w.incident) << "from behind";
  EXPECT_DOUBLE_EQ(w.pressure(w.arrival, 0.5, true), 0.25 * w.reflected + 0.25 * w.incident);
  EXPECT_NEAR(w.pressure(w.arrival + w.duration, 1, true), 0, 1e-9 * w.reflected);
  EXPECT_LT(w.pressure(w.arrival + 1.5 * w.duration, 1, true), 0);
  EXPECT_EQ(w.pressure(w.arrival + 1.5 * w.duration, 1, false), 0);
}

}  // namespace
}  // namespace crumple::loads
