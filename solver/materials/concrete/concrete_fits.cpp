// Evaluates the fits of concrete.
#include "materials/concrete/concrete_fits.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "materials/prepare.hpp"

namespace crumple::materials {

namespace {

/// a x^2 + b x + c.
struct ConcreteFit {
  double a, b, c;
  double at(double x) const { return (a * x + b) * x + c; }
};

/// Units of stress, length and time of a deck, in those of MPa, mm and s.
struct DeckUnits {
  double stress, length, time;
};

DeckUnits units_of_deck(const model::Material& material) {
  constexpr std::array<DeckUnits, 5> all = {
      {{1e-3, 1, 1e3}, {1, 1, 1e3}, {1, 1, 1}, {145.037738, 1 / 25.4, 1}, {1e6, 1e-3, 1}}};
  const double units = material.field("UNITS");
  for (std::size_t k = 0; k < all.size(); ++k)
    if (units == static_cast<double>(k)) return all[k];
  refuse(material, "CR-M108", "UNITS", fmt::format("UNITS is {}, it must be 0 to 4", units));
}

/// A field in MPa or mm, within the range of its fit; `otherwise` where it is blank.
double fitted_field(const model::Material& material, const char* field, double unit, double otherwise,
                    double least, double most) {
  const double given = material.field(field);
  const double value = given == 0 ? otherwise : given / unit;
  if (!(value >= 0.999 * least && value <= 1.001 * most))
    refuse(material, "CR-M108", field,
           fmt::format("{} is {:.6g} by UNITS, the fits are for {} to {}: give the parameters by *MAT_CSCM",
                       field, value, least, most));
  return value;
}

using ConcreteFields = std::map<std::string, double>;

void fit_strengths(double f, const DeckUnits& units, ConcreteFields& to) {
  const auto at = [&](double a, double b, double c) { return ConcreteFit{a, b, c}.at(f); };
  const double stress = units.stress;
  to["ALPHA"] = stress * at(-0.003, 0.3169747, 7.7047);
  to["LAMDA"] = stress * 10.5;
  to["BETA"] = 1.929e-2 / stress;
  to["THETA"] = at(1.3216e-5, 2.3548e-3, 0.2140058);
  to["ALPHA1"] = 0.74735;
  to["LAMDA1"] = 0.17;
  to["BETA1"] = at(-1.9972e-5, 2.2655e-4, 8.1748e-2) / stress;
  to["THETA1"] = at(-4.0856e-7, -1.2132e-6, 1.5593e-3) / stress;
  to["ALPHA2"] = 0.66;
  to["LAMDA2"] = 0.16;
  to["BETA2"] = at(-1.9972e-5, 2.2655e-4, 8.2748e-2) / stress;
  to["THETA2"] = at(-4.8697e-7, -1.8883e-6, 1.8822e-3) / stress;
  to["R"] = 5;
  to["X0"] = stress * at(8.769178e-3, -7.3302306e-2, 84.85);
  to["W"] = 0.05;
  to["D1"] = 2.5e-4 / stress;
  to["D2"] = 3.49e-7 / (stress * stress);
}

void fit_energies(double f, double aggregate, const DeckUnits& units, ConcreteFields& to) {
  const double young = 18275 * std::cbrt(f / 10) * units.stress, poisson = 0.15;
  to["G"] = young / (2 * (1 + poisson));
  to["K"] = young / (3 * (1 - 2 * poisson));
  const double tension = ConcreteFit{4.6875e-5, -5e-4, 0.026}.at(aggregate) * std::pow(f / 10, 0.7);
  to["GFT"] = tension * units.stress * units.length;
  to["GFS"] = to["GFT"];
  to["GFC"] = 100 * to["GFT"];
  to["B"] = 100;
  to["D"] = 0.1;
  to["PWRC"] = 5;
  to["PWRT"] = 1;
  to["PMOD"] = 0;
}

void fit_rates(double f, const DeckUnits& units, ConcreteFields& to) {
  const double psi = 145.037738 * f;
  to["NC"] = 0.78;
  to["NT"] = 0.48;
  to["ETA0C"] =
      ConcreteFit{1.2772337e-11, -1.0613722e-7, 3.203497e-4}.at(psi) * std::pow(units.time, 1 - to["NC"]);
  to["ETA0T"] =
      ConcreteFit{8.0614774e-13, -9.77736719e-10, 5.0752351e-5}.at(psi) * std::pow(units.time, 1 - to["NT"]);
  to["OVERC"] = units.stress * ConcreteFit{1.309663e-2, -0.3927659, 21.45}.at(f);
  to["OVERT"] = to["OVERC"];
  to["SRATE"] = 1;
  to["REPOW"] = 1;
}

}  // namespace

std::map<std::string, double> fitted_concrete(const model::Material& material) {
  const DeckUnits units = units_of_deck(material);
  const double f = fitted_field(material, "FPC", units.stress, 30, 20, 58);
  const double aggregate = fitted_field(material, "DAGG", units.length, 19, 8, 32);
  ConcreteFields to;
  fit_strengths(f, units, to);
  fit_energies(f, aggregate, units, to);
  fit_rates(f, units, to);
  return to;
}

}  // namespace crumple::materials
