// Reads the cards of MAT_103: Hill's function of solids and of shells, and the hardening.
#include "materials/metal/anisotropic_fields.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "materials/metal/anisotropic_viscoplastic.hpp"
#include "materials/plasticity/j2_fields.hpp"

namespace crumple::materials {

namespace {

struct OwnedAnisotropic {
  AnisotropicVoce law;
  std::optional<FlowCurveStorage> flow;
};

/// A field that must not be negative; 0 is `otherwise`.
double constant_of_hill(const model::Material& material, const char* field, double otherwise) {
  const double given = not_negative_field(material, field);
  return given == 0 ? otherwise : given;
}

/// Eigenvalues and vectors of the quadratic form of normal stresses, in the plane without mean stress.
HillModes modes_of_hill(double f, double g, double h) {
  const double p[3][3] = {{g + h, -h, -g}, {-h, f + h, -f}, {-g, -f, f + g}};
  const double two = 1 / std::sqrt(2.0), six = 1 / std::sqrt(6.0);
  const double e[2][3] = {{two, -two, 0}, {six, six, -2 * six}};
  const auto form = [&](const double(&u)[3], const double(&v)[3]) {
    double sum = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) sum += u[i] * p[i][j] * v[j];
    return sum;
  };
  const double angle = 0.5 * std::atan2(2 * form(e[0], e[1]), form(e[0], e[0]) - form(e[1], e[1]));
  HillModes modes;
  for (int i = 0; i < 3; ++i) {
    modes.vector[0][i] = std::cos(angle) * e[0][i] + std::sin(angle) * e[1][i];
    modes.vector[1][i] = std::cos(angle) * e[1][i] - std::sin(angle) * e[0][i];
  }
  for (int k = 0; k < 2; ++k) modes.value[k] = form(modes.vector[k], modes.vector[k]);
  return modes;
}

void read_hill(const model::Material& material, AnisotropicVoce& law) {
  const auto of = [&](const char* field, double otherwise) {
    return constant_of_hill(material, field, otherwise);
  };
  const double r00 = of("R00/F", 1), r45 = of("R45/G", 1), r90 = of("R90/H", 1);
  const double g = 1 / (1 + r00), h = r00 * g, f = h / r90;
  law.plane = {g + h, f + h, (2 * r45 + 1) * (f + g), -h};
  law.modes = modes_of_hill(of("R00/F", 0.5), of("R45/G", 0.5), of("R90/H", 0.5));
  law.modes.shear[0] = 2 * of("N", 1.5);
  law.modes.shear[1] = 2 * of("L", 1.5);
  law.modes.shear[2] = 2 * of("M", 1.5);
}

void read_voce(const model::Model& model, const model::Material& material, OwnedAnisotropic& owned) {
  AnisotropicVoce& law = owned.law;
  const double flag = material.field("FLAG");
  law.back.range[0] = not_negative_field(material, "QX1");
  law.back.range[1] = not_negative_field(material, "QX2");
  law.back.rate[0] = not_negative_field(material, "CX1");
  law.back.rate[1] = not_negative_field(material, "CX2");
  if (flag == 2 && law.back.any())
    refuse(material, "CR-M105", law.back.range[0] > 0 ? "QX1" : "QX2",
           "back stresses together with LCSS are not supported: whether the curve has their part is not "
           "documented");
  law.viscosity = not_negative_field(material, "VK");
  if (law.viscosity > 0) law.viscous_power = positive_field(material, "VM");
  if (flag == 2) {
    if (const auto id = static_cast<GlobalId>(material.field("LCSS")); model.table_index(id) != model::kNone)
      refuse(material, "CR-M105", "LCSS", "a table is not supported, only a curve");
    const double no_rate[] = {0.0};
    owned.flow.emplace(std::span(&flow_curve(model, material, "LCSS"), 1), no_rate);
    law.curves = owned.flow->view();
  } else if (flag == 0) {
    if (material.field("LCSS") != 0)
      refuse(material, "CR-M105", "LCSS", "it is read with FLAG = 2; fits to a curve are not supported");
    law.yield = positive_field(material, "SIGY");
    for (int i = 0; i < 2; ++i) {
      law.range[i] = not_negative_field(material, fmt::format("QR{}", i + 1));
      law.rate_of[i] = not_negative_field(material, fmt::format("CR{}", i + 1));
    }
  } else {
    refuse(material, "CR-M105", "FLAG",
           fmt::format("FLAG = {} is not supported: fits to curves (1) and tables (4); 0 and 2 are", flag));
  }
  set_failure_strain(material, "FAIL", law);
  set_least_yield(law);
}

}  // namespace

Prepared prepare_anisotropic_viscoplastic(const model::Model& model, const model::Material& material) {
  Prepared prepared = prepare_isotropic(material);
  const auto owned = std::make_shared<OwnedAnisotropic>();
  owned->law.elastic = elastic_law(prepared.elastic.young, prepared.elastic.poisson);
  read_hill(material, owned->law);
  read_voce(model, material, *owned);
  prepared.n_history =
      kSolidAxes + (owned->law.has_back_or_viscosity() ? AnisotropicVoce::kHistoryOfBack : 0);
  prepared.points_to_fail = material.field("NUMINT");
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  return prepared;
}

}  // namespace crumple::materials
