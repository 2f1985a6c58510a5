// Reads the cards of MAT_036: the parameters of the yield function from ratios of plastic strains.
#include "materials/metal/barlat_fields.hpp"

#include <fmt/format.h>

#include <cmath>

#include "materials/metal/sheet_fields.hpp"
#include "materials/metal/three_parameter_barlat.hpp"

namespace crumple::materials {

namespace {

/// The ratio R of tension at 45 degrees.
double ratio_at_45(const BarlatLian& law) {
  const double s[3] = {0.5, 0.5, 0.5};
  const SurfacePoint<double> at = BarlatLianSurface<double>{law}.at(s);
  return at.f / (at.n[0] + at.n[1]) - 1;
}

/// p for the ratio `wanted`, which grows with it.
double shear_parameter(const model::Material& material, BarlatLian law, double wanted) {
  double low = 1e-3, high = 1e3;
  const auto ratio = [&](double p) {
    law.p = p;
    return ratio_at_45(law);
  };
  if (!(ratio(low) < wanted && ratio(high) > wanted))
    refuse(material, "CR-M108", "R45",
           fmt::format("no yield surface has R45 = {} beside the others", wanted));
  for (int k = 0; k < 200 && high - low > 1e-15 * high; ++k) {
    const double middle = std::sqrt(low * high);
    (ratio(middle) < wanted ? low : high) = middle;
  }
  return std::sqrt(low * high);
}

void read_surface(const model::Material& material, BarlatLian& surface) {
  surface.exponent = material.field("M");
  if (surface.exponent < 0)
    refuse(material, "CR-M105", "M",
           "kinematic hardening by Chaboche and Roussilier (M < 0) is not supported");
  if (!(surface.exponent >= 2 && surface.exponent <= 100))
    refuse(material, "CR-M108", "M", fmt::format("M is {}, it must lie between 2 and 100", surface.exponent));
  for (const char* field : {"R00", "R45", "R90"})
    if (material.field(field) < 0)
      refuse(material, "CR-M105", field, "a curve over plastic strain is not supported");
  const double first = positive_field(material, "R00"), second = positive_field(material, "R45"),
               third = positive_field(material, "R90");
  if (const double p = not_negative_field(material, "PB"); p > 0) {
    surface.a = first;
    if (std::abs(first + second - 2) > 1e-3)
      refuse(material, "CR-M108", "R45",
             fmt::format("AB + CB is {}, it must be 2: PB > 0 makes a, c and h of R00, R45 and R90",
                         first + second));
    surface.h = third;
    surface.p = p;
    return;
  }
  const double x = first / (1 + first), y = third / (1 + third);
  surface.a = 2 - 2 * std::sqrt(x * y);
  surface.h = std::sqrt(x / y);
  surface.p = shear_parameter(material, surface, second);
}

}  // namespace

Prepared prepare_barlat(const model::Model& model, const model::Material& material) {
  for (const char* field : {"VLCID", "HTA", "HTB", "HTC", "HTD", "HTFLAG", "USRFAIL"})
    if (material.field(field) != 0)
      refuse(material, "CR-M105", field,
             "correction of the volume, heat treatment and failure by a routine are not supported");
  Prepared prepared = prepare_isotropic(material);
  const auto owned = std::make_shared<OwnedSheet<BarlatSheet>>();
  owned->law.elastic = elastic_law(prepared.elastic.young, prepared.elastic.poisson);
  read_surface(material, owned->law.surface);
  read_sheet_flow(model, material, owned->law, owned->flow);
  prepared.n_history = kShellAxes;
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  return prepared;
}

}  // namespace crumple::materials
