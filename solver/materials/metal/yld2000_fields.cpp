// Reads the cards of MAT_133: the constants of the yield function, given or from eight data of a sheet.
#include "materials/metal/yld2000_fields.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "materials/metal/barlat_yld2000.hpp"
#include "materials/metal/sheet_fields.hpp"
#include "materials/plasticity/j2_fields.hpp"
#include "materials/plasticity/rate_table.hpp"

namespace crumple::materials {

namespace {

using Eight = std::array<double, 8>;

/// The data of FIT = 1.
struct SheetData {
  double exponent;
  double stress[3], ratio[3];   ///< at 0, 45 and 90 degrees
  double point[3], tangent[3];  ///< a stress on the surface, and a tangent there
};

SurfacePoint<double> surface_at(double exponent, const Eight& alpha, const double (&s)[3]) {
  double a[8];
  std::copy(alpha.begin(), alpha.end(), a);
  const Yld2000 law = yld2000_of(exponent, a);
  return Yld2000Surface<double>{law}.at(s);
}

/// What is left of the eight equations, all of size 1.
Eight left_over(const SheetData& of, const Eight& alpha) {
  constexpr double tension[3][3] = {{1, 0, 0}, {0.5, 0.5, 0.5}, {0, 1, 0}};
  const double scale = of.stress[0];
  Eight r{};
  for (std::size_t w = 0; w < 3; ++w) {
    const auto at = surface_at(of.exponent, alpha, tension[w]);
    r[w] = at.f * of.stress[w] / scale - 1;
    r[3 + w] = (at.n[0] + at.n[1]) * (1 + of.ratio[w]) / at.f - 1;
  }
  const double s[3] = {of.point[0] / scale, of.point[1] / scale, of.point[2] / scale};
  const auto at = surface_at(of.exponent, alpha, s);
  const double(&d)[3] = of.tangent;
  const double length = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  r[6] = at.f - 1;
  r[7] = (at.n[0] * d[0] + at.n[1] * d[1] + at.n[2] * d[2]) / length;
  return r;
}

double square_of_eight(const Eight& r) {
  double sum = 0;
  for (const double x : r) sum += x * x;
  return sum;
}

/// x of m x = b by elimination with pivots; false if m has no inverse.
bool solve_eight(std::array<Eight, 8> m, Eight b, Eight& x) {
  for (std::size_t k = 0; k < 8; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < 8; ++i)
      if (std::abs(m[i][k]) > std::abs(m[pivot][k])) pivot = i;
    if (!(std::abs(m[pivot][k]) > 1e-14)) return false;
    std::swap(m[k], m[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < 8; ++i) {
      const double part = m[i][k] / m[k][k];
      for (std::size_t j = k; j < 8; ++j) m[i][j] -= part * m[k][j];
      b[i] -= part * b[k];
    }
  }
  for (std::size_t k = 8; k-- > 0;) {
    x[k] = b[k];
    for (std::size_t j = k + 1; j < 8; ++j) x[k] -= m[k][j] * x[j];
    x[k] /= m[k][k];
  }
  return true;
}

/// Newton's step by differences.
bool newton_step(const SheetData& of, const Eight& alpha, const Eight& r, Eight& step) {
  std::array<Eight, 8> slope;
  constexpr double h = 1e-6;
  for (std::size_t j = 0; j < 8; ++j) {
    Eight above = alpha, below = alpha;
    above[j] += h;
    below[j] -= h;
    const Eight up = left_over(of, above), down = left_over(of, below);
    for (std::size_t i = 0; i < 8; ++i) slope[i][j] = (up[i] - down[i]) / (2 * h);
  }
  return solve_eight(slope, r, step);
}

/// The constants that fit; steps are halved until the residual falls.
Eight fitted_constants(const model::Material& material, const SheetData& of) {
  Eight alpha;
  alpha.fill(1);
  Eight r = left_over(of, alpha), step{};
  for (int n = 0; n < 100 && square_of_eight(r) > 1e-22; ++n) {
    if (!newton_step(of, alpha, r, step)) break;
    double part = 1;
    Eight next = alpha, left = r;
    for (int k = 0; k < 30; ++k, part /= 2) {
      for (std::size_t i = 0; i < 8; ++i) next[i] = alpha[i] - part * step[i];
      left = left_over(of, next);
      if (square_of_eight(left) < square_of_eight(r)) break;
    }
    if (!(square_of_eight(left) < square_of_eight(r))) break;
    alpha = next;
    r = left;
  }
  if (!(square_of_eight(r) < 1e-16))
    refuse(material, "CR-M108", "FIT", "no constants of the yield function give these stresses and ratios");
  return alpha;
}

Eight fit_to_data(const model::Material& material, double exponent) {
  SheetData of{exponent, {}, {}, {}, {}};
  const char* const angle[3] = {"00", "45", "90"};
  const char* const point[3] = {"SIGXX", "SIGYY", "SIGXY"};
  const char* const tangent[3] = {"DXX", "DYY", "DXY"};
  for (int k = 0; k < 3; ++k) {
    const std::string stress = fmt::format("SIG{}", angle[k]), ratio = fmt::format("R{}", angle[k]);
    for (const std::string& field : {stress, ratio})
      if (material.field(field) < 0)
        refuse(material, "CR-M105", field, "a curve over the temperature is not supported");
    of.stress[k] = positive_field(material, stress);
    of.ratio[k] = positive_field(material, ratio);
    of.point[k] = material.field(point[k]);
    of.tangent[k] = material.field(tangent[k]);
  }
  const auto none = [](const double(&x)[3]) { return x[0] == 0 && x[1] == 0 && x[2] == 0; };
  if (none(of.point)) refuse(material, "CR-M103", "SIGXX", "FIT = 1 needs a stress on the yield surface");
  if (none(of.tangent)) refuse(material, "CR-M103", "DXX", "FIT = 1 needs a tangent to the yield surface");
  return fitted_constants(material, of);
}

void read_yld2000(const model::Material& material, Yld2000& surface) {
  const double exponent = material.field("A"), fit = material.field("FIT"), scale = material.field("ISCALE");
  if (exponent < 0)
    refuse(material, "CR-M105", "A",
           "kinematic hardening by Chaboche and Roussilier (A < 0) is not supported");
  if (!(exponent >= 2 && exponent <= 100))
    refuse(material, "CR-M108", "A", fmt::format("A is {}, it must lie between 2 and 100", exponent));
  if ((fit != 0 && fit != 1) || (scale != 0 && scale != 1))
    refuse(material, "CR-M105", fit != 0 && fit != 1 ? "FIT" : "ISCALE", "0 and 1 are supported");
  if (fit == 1 && scale == 1)
    refuse(material, "CR-M105", "ISCALE",
           "ISCALE = 1 with FIT = 1: to which stress the data are relative is not documented");
  double alpha[8];
  if (fit == 1) {
    const Eight from = fit_to_data(material, exponent);
    std::copy(from.begin(), from.end(), alpha);
  } else {
    for (int k = 0; k < 8; ++k) alpha[k] = positive_field(material, fmt::format("ALPHA{}", k + 1));
  }
  surface = yld2000_of(exponent, alpha);
  const double along[3] = {1, 0, 0};
  if (scale == 0) surface = scaled(surface, 1 / Yld2000Surface<double>{surface}.at(along).f);
}

/// The formulas of HARD = 1, 2, 4 and 5.
void read_sheet_formula(const model::Material& material, int rule, FormulaLaw& law) {
  const double k = positive_field(material, "K"), e0 = positive_field(material, "E0"),
               n = positive_field(material, "N"), p4 = not_negative_field(material, "P4");
  if (rule == 1 || rule == 4) {
    law.formula = Hardening::power;
    law.strength = k, law.first_strain = e0, law.power_n = n;
    if (rule == 4) law.less = p4;
    law.yield = k * std::pow(e0, n) - law.less;
    if (!(n <= 1)) refuse(material, "CR-M108", "N", fmt::format("N is {}, it must not be above 1", n));
  } else {
    law.formula = Hardening::voce;
    law.most = k, law.range = e0, law.voce_c = n;
    if (rule == 5) law.voce_q = positive_field(material, "P4");
    law.yield = k - e0;
  }
  if (!(law.yield > 0))
    refuse(material, "CR-M108", "K",
           fmt::format("the first yield stress is {}, it must be positive", law.yield));
}

void read_sheet_hardening(const model::Model& model, const model::Material& material,
                          OwnedSheet<Yld2000Sheet>& to) {
  const double rule = material.field("HARD", 1);
  if (rule < 0) {
    model::Material positive = material;
    positive.fields["HARD"] = -rule;
    read_rate_table(model, positive, "HARD", to.flow, to.law);
  } else if (rule == 0 || rule == 1 || rule == 2 || rule == 4 || rule == 5) {
    read_sheet_formula(material, rule == 0 ? 1 : static_cast<int>(rule), to.law);
  } else {
    refuse(material, "CR-M105", "HARD",
           fmt::format("HARD = {} is not supported; 1, 2, 4, 5 and negative numbers of curves are{}", rule,
                       rule == 3 ? ": martensite and its temperature are missing" : ""));
  }
  set_least_yield(to.law);
}

}  // namespace

Prepared prepare_yld2000(const model::Model& model, const model::Material& material) {
  const auto none = [&](const char* field, const char* why) {
    if (material.field(field) != 0) refuse(material, "CR-M105", field, why);
  };
  none("BETA", "kinematic hardening is not supported");
  for (const char* field : {"C", "P"})
    none(field, "the factor of the strain rate is not documented; a table by HARD < 0 is supported");
  for (const char* field : {"HTFLAG", "HTA", "HTB", "HTC", "HTD"})
    none(field, "heat treatment is not supported");
  none("USRFAIL", "failure by a user's routine is not supported");
  Prepared prepared = prepare_isotropic(material);
  const auto owned = std::make_shared<OwnedSheet<Yld2000Sheet>>();
  owned->law.elastic = elastic_law(prepared.elastic.young, prepared.elastic.poisson);
  read_yld2000(material, owned->law.surface);
  read_sheet_hardening(model, material, *owned);
  prepared.n_history = kShellAxes;
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  return prepared;
}

}  // namespace crumple::materials
