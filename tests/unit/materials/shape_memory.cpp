// MAT_030: the loop of uniaxial tension and compression, partial loops and shear against closed forms.
#include "materials/metal/shape_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kAss = 500, kAsf = 560, kSas = 300, kSaf = 200, kLength = 0.05, kAustenite = 60e3;

/// A wire of nickel and titanium, MPa.
model::Material nitinol(Fields fields = {}) {
  return with_fields(material(30, {{"E", kAustenite},
                                   {"PR", 0.3},
                                   {"SIG_ASS", kAss},
                                   {"SIG_ASF", kAsf},
                                   {"SIG_SAS", kSas},
                                   {"SIG_SAF", kSaf},
                                   {"EPSL", kLength}}),
                     fields);
}

/// A wire: its lateral stress is 0.
class Wire {
 public:
  explicit Wire(const Prepared& prepared) : prepared_(prepared), point_(prepared) {}
  void pull(double axial) {
    double low = last_, high = low - 0.3 * axial + 1e-9;
    double f_low = lateral_stress(axial, low), f_high = lateral_stress(axial, high);
    for (int k = 0; k < 60 && std::abs(f_high) > 1e-8 && f_high != f_low; ++k) {
      const double next = high - f_high * (high - low) / (f_high - f_low);
      low = high, f_low = f_high, high = next, f_high = lateral_stress(axial, high);
    }
    last_ = high;
    point_.step({axial, high, high, 0, 0, 0});
    strain += axial;
  }
  double stress() const { return point_.point.s[0]; }
  double martensite() const { return point_.point.history.load<double>(ShapeMemoryLaw::kMartensite); }
  double strain = 0;

 private:
  double lateral_stress(double axial, double lateral) const {
    Solid<double> trial(prepared_);
    trial.copy_history(point_);
    trial.step({axial, lateral, lateral, 0, 0, 0});
    return trial.point.s[1];
  }
  const Prepared& prepared_;
  Solid<double> point_;
  double last_ = 0;
};

/// The martensite of a stress: loaded, and unloaded from `most`.
double loaded(double stress) { return std::min(std::max((stress - kAss) / (kAsf - kAss), 0.0), 1.0); }
double unloaded(double stress, double most) {
  return most * std::min(std::max((stress - kSaf) / (kSas - kSaf), 0.0), 1.0);
}

TEST(ShapeMemory, LoopOfTensionIsThatOfTheCards) {
  for (const auto& [martensite_young, alpha] : {std::pair(0.0, 0.0), {25e3, 0.1}, {90e3, 0.0}, {0.0, 0.2}}) {
    const Prepared prepared = prepare({}, nitinol({{"YMRT", martensite_young}, {"ALPHA", alpha}}));
    const double other = martensite_young == 0 ? kAustenite : martensite_young;
    const auto strain_of = [&](double stress, double x) {
      return stress / (kAustenite + x * (other - kAustenite)) + x * kLength;
    };
    Wire wire(prepared);
    while (wire.strain < 0.08) {
      wire.pull(2e-4);
      const double x = loaded(wire.stress());
      ASSERT_NEAR(wire.strain, strain_of(wire.stress(), x), 1e-9) << wire.strain;
      ASSERT_NEAR(wire.martensite(), x, 1e-9) << wire.strain;
    }
    EXPECT_EQ(wire.martensite(), 1);
    while (wire.strain > 2e-4) {
      wire.pull(-2e-4);
      const double x = unloaded(wire.stress(), 1);
      ASSERT_NEAR(wire.strain, strain_of(wire.stress(), x), 1e-9) << wire.strain;
    }
    EXPECT_EQ(wire.martensite(), 0);
  }
}

TEST(ShapeMemory, PartialLoopsReturnToZero) {
  const Prepared prepared = prepare({}, nitinol());
  Wire wire(prepared);
  while (wire.martensite() < 0.5) wire.pull(1e-4);
  const double most = wire.martensite();
  const double before = wire.stress(), at = wire.strain;
  wire.pull(-1e-4);
  EXPECT_NEAR((before - wire.stress()) / (at - wire.strain), kAustenite, 1e-3);  // elastic until SIG_SAS
  while (wire.strain > 1e-3) {
    wire.pull(-1e-4);
    const double x = unloaded(wire.stress(), most);
    ASSERT_NEAR(wire.strain, wire.stress() / kAustenite + x * kLength, 1e-8);
  }
  EXPECT_EQ(wire.martensite(), 0);
}

TEST(ShapeMemory, AlphaIsTheDifferenceOfCompression) {
  const double alpha = 0.1, root = std::sqrt(2.0 / 3);
  const Prepared prepared = prepare({}, nitinol({{"ALPHA", alpha}}));
  Wire pulled(prepared), pressed(prepared);
  while (pulled.martensite() == 0) pulled.pull(1e-5);
  while (pressed.martensite() == 0) pressed.pull(-1e-5);
  EXPECT_NEAR(pulled.stress(), kAss, 1);
  EXPECT_NEAR(pressed.stress(), -kAss * (root + alpha) / (root - alpha), 1);
  // alpha = sqrt(2/3) (c - t) / (c + t)
  EXPECT_NEAR(root * (-pressed.stress() - pulled.stress()) / (pulled.stress() - pressed.stress()), alpha,
              1e-3);
}

TEST(ShapeMemory, ResultsDoNotDependOnTheStep) {
  const Prepared prepared = prepare({}, nitinol({{"YMRT", 30e3}, {"ALPHA", 0.05}}));
  const double way[6] = {0.04, -0.01, -0.02, 0.03, 0, 0.01};
  Solid<double> once(prepared), often(prepared);
  once.step({way[0], way[1], way[2], way[3], way[4], way[5]});
  often.steps(100, {way[0], way[1], way[2], way[3], way[4], way[5]});
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(once.point.s[k], often.point.s[k], 1e-6) << k;
}

TEST(ShapeMemory, CurvesAreRefused) {
  const auto id_of = [](const model::Material& m) {
    try {
      prepare({}, m);
    } catch (const Error& error) {
      return error.id();
    }
    return std::string();
  };
  EXPECT_EQ(id_of(nitinol()), "");
  EXPECT_EQ(id_of(nitinol({{"LCSS", 5.0}})), "CR-M105");
  EXPECT_EQ(id_of(nitinol({{"LCID_AS", 5.0}})), "CR-M105");
  EXPECT_EQ(id_of(nitinol({{"SIG_ASS", -5.0}})), "CR-M105");
  EXPECT_EQ(id_of(nitinol({{"SIG_ASF", 400.0}})), "CR-M108");
  EXPECT_EQ(id_of(nitinol({{"EPSL", 0.0}})), "CR-M103");
  EXPECT_EQ(id_of(nitinol({{"ALPHA", 0.9}})), "CR-M108");
}

}  // namespace
}  // namespace crumple::materials
