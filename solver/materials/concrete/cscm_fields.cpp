// Reads the cards of MAT_159.
#include "materials/concrete/cscm_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "materials/concrete/concrete_fits.hpp"
#include "materials/concrete/cscm.hpp"

namespace crumple::materials {

namespace {

CapMeridian read_cap_meridian(const model::Material& material, const char* number) {
  const auto field = [&](const char* name) { return material.field(fmt::format("{}{}", name, number)); };
  return {field("ALPHA"), field("LAMDA"), field("BETA"), field("THETA")};
}

/// Throws CR-M108 unless alpha - lambda is a strength, and the strength never falls with the pressure.
void check_cap_meridian(const model::Material& material, const CapMeridian& m, const char* number) {
  if (!(m.alpha - m.lambda > 0))
    refuse(material, "CR-M108", "ALPHA",
           fmt::format("ALPHA{0} is {1} and LAMDA{0} {2}: their difference must be positive", number, m.alpha,
                       m.lambda));
  if (!(m.beta >= 0 && m.lambda >= 0))
    refuse(
        material, "CR-M108", "BETA",
        fmt::format("LAMDA{0} is {1} and BETA{0} {2}, they must not be negative", number, m.lambda, m.beta));
}

/// I at which the compression meridian is 0: the cone's tip.
double tip_of(const CapMeridian& m) {
  double low = -1, high = 0;
  for (int k = 0; k < 200 && meridian(m, low).at > 0; ++k) low *= 2;
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (low + high);
    (meridian(m, middle).at > 0 ? high : low) = middle;
  }
  return high;
}

/// L at X0. Throws CR-M108 for a cap that begins beyond the tip.
double first_edge(const model::Material& material, const CapSurface& s) {
  double low = s.tip, high = std::max(s.first_cap, 0.0);
  const auto end = [&](double edge) { return edge + s.ratio * meridian(s.compression, edge).at; };
  if (!(s.first_cap > end(0)))
    refuse(
        material, "CR-M108", "X0",
        fmt::format("X0 is {}, it must be above {:.4g}: the cap begins in compression", s.first_cap, end(0)));
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (low + high);
    (end(middle) > s.first_cap ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

CapSurface read_cap_surface(const model::Material& material) {
  CapSurface s;
  s.compression = read_cap_meridian(material, "");
  s.torsion = read_cap_meridian(material, "1");
  s.extension = read_cap_meridian(material, "2");
  check_cap_meridian(material, s.compression, "");
  check_cap_meridian(material, s.torsion, "1");
  check_cap_meridian(material, s.extension, "2");
  positive_field(material, "THETA");
  s.scale = s.compression.alpha - s.compression.lambda;
  s.tip = tip_of(s.compression);
  s.ratio = positive_field(material, "R");
  s.first_cap = positive_field(material, "X0");
  s.most_compaction = positive_field(material, "W");
  s.d1 = positive_field(material, "D1");
  s.d2 = not_negative_field(material, "D2");
  s.first_edge = first_edge(material, s);
  const double retracts = material.field("ITRETRC");
  if (retracts != 0 && retracts != 1)
    refuse(material, "CR-M108", "ITRETRC", fmt::format("ITRETRC is {}, it must be 0 or 1", retracts));
  s.retracts = retracts == 1;
  return s;
}

/// -Li2(-B), the integral of ln(1 + exp(x)) up to x = ln(B), by Simpson's rule.
double dilogarithm(double shape) {
  constexpr int n = 4000;
  const double first = -40, step = (std::log(shape) - first) / n;
  double sum = 0;
  for (int k = 0; k <= n; ++k)
    sum += (k == 0 || k == n ? 1 : k % 2 == 1 ? 4 : 2) * std::log1p(std::exp(first + k * step));
  return sum * step / 3;
}

void read_concrete_damage(const model::Material& material, CscmLaw& law) {
  law.brittle.shape = positive_field(material, "D");
  law.ductile.shape = positive_field(material, "B");
  law.dilogarithm = dilogarithm(law.ductile.shape);
  law.brittle.energy = positive_field(material, "GFT");
  law.ductile.energy = positive_field(material, "GFC");
  law.shear_energy = positive_field(material, "GFS");
  law.brittle.power = not_negative_field(material, "PWRT");
  law.ductile.power = not_negative_field(material, "PWRC");
  law.pressure_power = not_negative_field(material, "PMOD");
  if (material.field("PRED") != 0)
    refuse(material, "CR-M105", "PRED",
           "damage at the start (PRED) is not supported: no public equation gives its thresholds");
}

void read_concrete_rates(const model::Material& material, CscmLaw& law) {
  const double rate = material.field("IRATE");
  if (rate != 0 && rate != 1)
    refuse(material, "CR-M108", "IRATE", fmt::format("IRATE is {}, it must be 0 or 1", rate));
  const auto read = [&](ConcreteSoftening& to, const char* eta, const char* exponent, const char* over) {
    to.eta = not_negative_field(material, eta);
    to.exponent = not_negative_field(material, exponent);
    to.most_over = not_negative_field(material, over);
    if (to.most_over == 0) to.most_over = 1e30;
    if (to.exponent >= 1)
      refuse(material, "CR-M108", exponent,
             fmt::format("{} is {}, it must be below 1", exponent, to.exponent));
  };
  read(law.ductile, "ETA0C", "NC", "OVERC");
  read(law.brittle, "ETA0T", "NT", "OVERT");
  law.shear_rate = not_negative_field(material, "SRATE");
  law.energy_power = not_negative_field(material, "REPOW");
  law.with_rates = rate == 1;
}

/// ERODE and RECOV.
void read_concrete_recovery(const model::Material& material, CscmLaw& law) {
  const double erode = material.field("ERODE");
  if (erode >= 1) law.erosion = erode - 1;
  const double recov = material.field("RECOV");
  law.by_volume = recov >= 10;
  law.recovery = law.by_volume ? recov - 10 : recov;
  if (!(law.recovery >= 0 && law.recovery <= 1))
    refuse(material, "CR-M108", "RECOV", fmt::format("RECOV is {}, it must be 0 to 1 or 10 to 11", recov));
}

/// The initial surface must be the ultimate one.
void check_pre_peak(const model::Material& material) {
  const double initial = material.field("NH"), speed = material.field("CH");
  if (initial == 1 || (initial == 0 && speed == 0)) return;
  refuse(material, "CR-M105", "NH",
         fmt::format("NH is {} and CH {}: hardening before the peak is not supported, as no public equation "
                     "gives the speed of its surface; NH = 1 has none",
                     initial, speed));
}

}  // namespace

Prepared prepare_cscm(const model::Model&, const model::Material& given) {
  model::Material material = given;
  if (given.field("CONCRETE") != 0)
    for (const auto& [name, value] : fitted_concrete(given)) material.fields[name] = value;
  CscmLaw law;
  const double shear = positive_field(material, "G");
  law.bulk = positive_field(material, "K");
  const double poisson = (3 * law.bulk - 2 * shear) / (2 * (3 * law.bulk + shear));
  law.elastic = elastic_law(2 * shear * (1 + poisson), checked_poisson(material, poisson));
  check_pre_peak(material);
  law.surface = read_cap_surface(material);
  read_concrete_damage(material, law);
  read_concrete_rates(material, law);
  read_concrete_recovery(material, law);
  Prepared prepared = prepared_with(law);
  prepared.density = checked_density(material);
  prepared.elastic = elastic_constants(law.elastic.young, poisson);
  prepared.n_history = CscmLaw::kHistory;
  return prepared;
}

}  // namespace crumple::materials
