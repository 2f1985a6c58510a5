// Reads the cards of MAT_031 and fits its constants.
#include "materials/rubber/frazer_nash_rubber_fields.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <vector>

#include "materials/rubber/frazer_nash_rubber.hpp"

namespace crumple::materials {

namespace {

constexpr int kFrazerNashTerms = 8;
constexpr std::array<const char*, kFrazerNashTerms> kFrazerNashFields = {"C100", "C200", "C300", "C400",
                                                                         "C110", "C210", "C010", "C020"};
using FrazerNashTerms = std::array<double, kFrazerNashTerms>;

/// Nominal stresses of the terms in a strip that is stretched to l times its length.
FrazerNashTerms stresses_of_terms(double l) {
  const double along = 0.5 * (l * l - 1), across = 0.5 * (1 / l - 1), d_across = -0.5 / (l * l);
  const double i1 = along + 2 * across, i2 = across * (2 * along + across);
  const double d1 = l + 2 * d_across, d2 = d_across * (2 * along + across) + across * (2 * l + d_across);
  return {d1,
          2 * i1 * d1,
          3 * i1 * i1 * d1,
          4 * i1 * i1 * i1 * d1,
          d1 * i2 + i1 * d2,
          2 * i1 * d1 * i2 + i1 * i1 * d2,
          d2,
          2 * i2 * d2};
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

/// The x of least |A x - b|, A by columns; empty where the columns are not independent.
std::vector<double> least_squares(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = a.size();
  std::vector<std::vector<double>> r(n, std::vector<double>(n, 0.0));
  std::vector<double> x(n);
  for (std::size_t j = 0; j < n; ++j) {
    const double before = std::sqrt(dot(a[j], a[j]));
    for (std::size_t i = 0; i < j; ++i) {
      r[i][j] = dot(a[i], a[j]);
      for (std::size_t k = 0; k < b.size(); ++k) a[j][k] -= r[i][j] * a[i][k];
    }
    r[j][j] = std::sqrt(dot(a[j], a[j]));
    if (!(r[j][j] > 1e-9 * before)) return {};
    for (double& of : a[j]) of /= r[j][j];
    x[j] = dot(a[j], b);
    for (std::size_t k = 0; k < b.size(); ++k) b[k] -= x[j] * a[j][k];
  }
  for (std::size_t j = n; j-- > 0;) {
    for (std::size_t i = j + 1; i < n; ++i) x[j] -= r[j][i] * x[i];
    x[j] /= r[j][j];
  }
  return x;
}

/// Places of the terms that are fitted.
std::vector<std::size_t> terms_of_fit(const model::Material& material) {
  std::vector<std::size_t> terms = {0};
  bool any = material.field("C100") != 0;
  for (std::size_t k = 1; k < kFrazerNashTerms; ++k)
    if (material.field(kFrazerNashFields[k]) != 0) terms.push_back(k), any = true;
  if (!any) terms.push_back(6);
  return terms;
}

FrazerNashTerms fitted_terms(const model::Material& material, const model::Curve& curve) {
  const double length = positive_field(material, "SGL");
  const double area = positive_field(material, "SW") * positive_field(material, "ST");
  const std::vector<std::size_t> terms = terms_of_fit(material);
  std::vector<std::vector<double>> columns(terms.size());
  std::vector<double> stress;
  for (std::size_t k = 0; k < curve.x.size(); ++k) {
    const double stretch = 1 + curve.x[k] / length;
    if (!(stretch > 0))
      refuse(
          material, "CR-M107", "LCID",
          fmt::format("curve {} of LCID shortens the strip by {}, SGL is {}", curve.id, -curve.x[k], length));
    const FrazerNashTerms of = stresses_of_terms(stretch);
    for (std::size_t j = 0; j < terms.size(); ++j) columns[j].push_back(of[terms[j]]);
    stress.push_back(curve.y[k] / area);
  }
  const std::vector<double> x = least_squares(columns, stress);
  if (x.empty())
    refuse(material, "CR-M107", "LCID",
           fmt::format("curve {} of LCID does not determine the {} constants of the fit", curve.id,
                       terms.size()));
  FrazerNashTerms constants{};
  for (std::size_t j = 0; j < terms.size(); ++j) constants[terms[j]] = x[j];
  return constants;
}

FrazerNashTerms terms_of(const model::Model& model, const model::Material& material) {
  FrazerNashTerms terms;
  const auto id = static_cast<GlobalId>(std::llround(material.field("LCID")));
  if (id == 0) {
    for (std::size_t k = 0; k < kFrazerNashTerms; ++k) terms[k] = material.field(kFrazerNashFields[k]);
    return terms;
  }
  const LocalId curve = model.curve_index(id);
  if (curve == model::kNone) refuse(material, "CR-M106", "LCID", fmt::format("there is no curve {}", id));
  return fitted_terms(material, model.curves[static_cast<std::size_t>(curve)]);
}

/// Only EXIT = 0 stops a run.
void refuse_strain_limits(const model::Material& material) {
  if (material.field("EXIT") != 0) return;
  for (const char* field : {"EMAX", "EMIN"})
    if (material.field(field) != 0)
      refuse(
          material, "CR-M105", field,
          fmt::format("a run that stops at limits of strain ({} = {}) is not supported; EXIT = 1 continues",
                      field, material.field(field)));
}

/// Lateral stress of a strip of constant volume, which only the stiffness of the volume can hold.
double lateral_stress(const FrazerNashLaw& p, double l) {
  const double along = 0.5 * (l * l - 1), across = 0.5 * (1 / l - 1);
  const double i1 = along + 2 * across, i2 = across * (2 * along + across);
  const double u1 =
      p.c100 + i1 * (2 * p.c200 + i1 * (3 * p.c300 + i1 * 4 * p.c400) + 2 * p.c210 * i2) + p.c110 * i2;
  const double u2 = p.c010 + i1 * (p.c110 + p.c210 * i1) + 2 * p.c020 * i2;
  return ((u1 + i1 * u2) - u2 * across) / l - p.c100;
}

/// Terms that are large beside the bulk modulus would press or swell the rubber: the law is then that of the
/// work of the volume, which is not known.
void check_volume(const model::Material& material, const FrazerNashLaw& law, double bulk) {
  for (const double l : {0.8, 0.9, 1.1, 1.25})
    if (const double change = std::abs(lateral_stress(law, l)) / bulk; change > 0.05)
      refuse(material, "CR-M108", "PR",
             fmt::format(
                 "PR is {}: a strip stretched to {} would change its volume by {:.2g} %, as the constants "
                 "are large beside the bulk modulus {:.4g}; a PR closer to 0.5 keeps it",
                 material.field("PR"), l, 100 * change, bulk));
}

}  // namespace

Prepared prepare_frazer_nash(const model::Model& model, const model::Material& material) {
  refuse_strain_limits(material);
  const auto [c100, c200, c300, c400, c110, c210, c010, c020] = terms_of(model, material);
  FrazerNashLaw law{c100, c200, c300, c400, c110, c210, c010, c020};
  const double shear = c100 - 0.5 * c010, nu = material.field("PR");
  if (!(shear > 0))
    refuse(material, "CR-M103", "C100",
           fmt::format("C100 - C010 / 2, the shear modulus at rest, is {:.4g}, it must be positive", shear));
  if (!(nu > 0 && nu < 0.5))
    refuse(material, "CR-M104", "PR",
           fmt::format("Poisson's ratio is {}, it must lie between 0 and 0.5", nu));
  law.volume = 2 * shear * nu / (1 - 2 * nu) + c100 - 2 * c200 - c010;
  Prepared prepared = prepared_with(law);
  prepared.density = checked_density(material);
  prepared.elastic = elastic_constants(2 * shear * (1 + nu), nu);
  check_volume(material, law, prepared.elastic.bulk);
  prepared.n_history = 6;
  return prepared;
}

}  // namespace crumple::materials
