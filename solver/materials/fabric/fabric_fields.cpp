// Parameters of MAT_034 from its fields and curves.
#include "materials/fabric/fabric_fields.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "materials/fabric/belt_fabric.hpp"
#include "materials/fabric/fabric.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

namespace {

/// Points of a curve, and the slope before the first one.
struct FabricPoints {
  std::vector<double> x, y;
  double before = 0;
};

/// The law and the arrays of its curves.
struct OwnedFabric {
  FabricLaw law;
  std::deque<std::vector<double>> arrays;  // a deque: they do not move

  FabricCurve curve(const FabricPoints& points, bool extends) {
    std::vector<double> slopes, breaks(points.x);
    for (std::size_t k = 1; k < points.x.size(); ++k)
      slopes.push_back((points.y[k] - points.y[k - 1]) / (points.x[k] - points.x[k - 1]));
    breaks.pop_back();
    if (extends)
      slopes.insert(slopes.begin(), points.before);
    else
      breaks.erase(breaks.begin());
    FabricCurve c;
    c.n = static_cast<int>(breaks.size());
    c.first = points.x[0];
    c.value = points.y[0];
    c.at = arrays.emplace_back(std::move(breaks)).data();
    c.slope = arrays.emplace_back(std::move(slopes)).data();
    return c;
  }
};

double steepest(const FabricCurve& c) {
  double most = 0;
  for (int k = 0; k <= c.n; ++k) most = std::max(most, c.slope[k]);
  return most;
}

[[noreturn]] void unusable(const model::Material& material, const std::string& field,
                           const std::string& why) {
  refuse(material, "CR-M107", field,
         fmt::format("curve {} of {} {}", std::llround(std::abs(material.field(field))), field, why));
}

FabricPoints points_of(const model::Model& model, const model::Material& material, const std::string& field) {
  const GlobalId id = std::llround(std::abs(material.field(field)));
  if (model.table_index(id) != model::kNone && model.curve_index(id) == model::kNone)
    refuse(material, "CR-M105", field, "tables over strain rates are not supported");
  const LocalId index = model.curve_index(id);
  if (index == model::kNone) refuse(material, "CR-M106", field, fmt::format("there is no curve {}", id));
  const model::Curve& curve = model.curves[static_cast<std::size_t>(index)];
  if (curve.x.size() < 2) unusable(material, field, "needs two points");
  for (std::size_t k = 1; k < curve.x.size(); ++k)
    if (!(curve.x[k] > curve.x[k - 1])) unusable(material, field, "must have increasing strains");
  return {curve.x, curve.y, 0};
}

/// f, which passes through the origin. Below its first point it has the slope of the modulus.
FabricCurve load_curve(OwnedFabric& owned, const model::Model& model, const model::Material& material,
                       const std::string& field, double modulus, bool may_be_negative) {
  FabricPoints points = points_of(model, material, field);
  const double size = std::abs(points.y.back());
  if (!may_be_negative && points.x[0] < 0)
    unusable(material, field, "has negative strains, which is not supported here");
  points.before = modulus;
  const FabricCurve f = owned.curve(points, true);
  if (points.x[0] > 0 || std::abs(value_of(f, 0.0)) > 1e-9 * size)
    unusable(material, field, "must have no stress without strain");
  for (std::size_t k = 1; k < points.y.size(); ++k)
    if (points.y[k] < points.y[k - 1]) unusable(material, field, "must not have falling stresses");
  return f;
}

/// u of a direction with f. It begins at the origin and rises.
void set_unloading(OwnedFabric& owned, const model::Model& model, const model::Material& material,
                   const std::string& field, FabricDirection& d) {
  if (material.field(field) == 0) return;
  if (d.load.empty()) refuse(material, "CR-M105", field, "unloading needs the curve of loading");
  FabricPoints points = points_of(model, material, field);
  if (points.x[0] != 0 || points.y[0] != 0) unusable(material, field, "must begin at the origin");
  for (std::size_t k = 1; k < points.y.size(); ++k)
    if (!(points.y[k] > points.y[k - 1])) unusable(material, field, "must have rising stresses");
  d.stretched = material.field(field) < 0;
  d.end_strain = points.x.back();
  d.end_stress = points.y.back();
  d.unload = owned.curve(points, false);
  d.inverse = owned.curve({points.y, points.x, 0}, false);
}

void read_weave(const model::Material& material, Weave& weave) {
  const double option = material.field("AOPT");
  if (option != 0 && option != 2 && option != 3)
    refuse(material, "CR-M105", "AOPT", fmt::format("AOPT = {} is not supported; 0, 2 and 3 are", option));
  weave.option = static_cast<int>(option);
  const char* const names[2][3] = {{"A1", "A2", "A3"}, {"V1", "V2", "V3"}};
  if (option != 0)
    for (int k = 0; k < 3; ++k) weave.vector[k] = material.field(names[option == 2 ? 0 : 1][k]);
  if (option != 0 && norm(weave.vector) == 0)
    refuse(material, "CR-M108", option == 2 ? "A1" : "V1", "the vector of AOPT is zero");
  weave.angle = material.field("BETA") * M_PI / 180;
  if (option == 2 && weave.angle != 0)
    refuse(material, "CR-M105", "BETA", "an angle BETA with AOPT = 2 is not supported");
  weave.damping = not_negative_field(material, "DAMP");
}

void read_liner(const model::Material& material, FabricLaw& law) {
  law.liner = not_negative_field(material, "LRATIO");
  if (law.liner == 0) return;
  if (law.liner >= 1) refuse(material, "CR-M108", "LRATIO", "the liner is as thick as the whole");
  law.liner_modulus = positive_field(material, "EL");
  law.liner_poisson = checked_poisson(material, material.field("PRL"));
}

void read_moduli(const model::Material& material, FabricLaw& law) {
  const double a = positive_field(material, "EA");
  const double eb = not_negative_field(material, "EB"), gab = not_negative_field(material, "GAB");
  const bool one_modulus = eb == 0 && gab == 0;
  law.isotropic = one_modulus &&
                  (!law.nonlinear ||
                   (material.field("LCA") == 0 && material.field("LCB") == 0 && material.field("LCAB") == 0));
  const double b = eb == 0 ? a : eb;
  law.poisson_ba = checked_poisson(material, material.field("PRBA"));
  law.poisson_ab = law.poisson_ba * a / b;
  if (!(law.poisson_ab * law.poisson_ba < 1))
    refuse(material, "CR-M104", "PRBA",
           fmt::format("PRBA^2 EA / EB is {}, it must be below 1", law.poisson_ab * law.poisson_ba));
  law.direction[0].modulus = a;
  law.direction[1].modulus = b;
  law.direction[2].modulus = law.isotropic ? 0.5 * a / (1 + law.poisson_ba) : gab;
}

void read_curves(const model::Model& model, const model::Material& material, OwnedFabric& owned) {
  FabricLaw& law = owned.law;
  const char* const load[3] = {"LCA", "LCB", "LCAB"};
  const char* const unload[3] = {"LCUA", "LCUB", "LCUAB"};
  const bool negative = material.field("FORM") == 14;
  for (std::size_t k = 0; k < 3; ++k) {
    FabricDirection& d = law.direction[k];
    if (material.field(load[k]) < 0) refuse(material, "CR-M106", load[k], "a curve has a positive number");
    if (material.field(load[k]) != 0)
      d.load = load_curve(owned, model, material, load[k], d.modulus, negative && k < 2);
    set_unloading(owned, model, material, unload[k], d);
  }
  if (law.direction[2].load.empty() && !law.isotropic) positive_field(material, "GAB");
}

}  // namespace

Prepared prepare_fabric(const model::Model& model, const model::Material& material) {
  if (material.field(kBeltFabric) == 1) return prepare_belt_fabric(material);
  const auto owned = std::make_shared<OwnedFabric>();
  FabricLaw& law = owned->law;
  const double form = material.field("FORM");
  if (form != 0 && form != 4 && form != 14)
    refuse(material, "CR-M105", "FORM", fmt::format("FORM = {} is not supported; 0, 4 and 14 are", form));
  law.nonlinear = form != 0;
  law.tension_only = material.field("CSE") == 1;
  read_weave(material, law.weave);
  read_moduli(material, law);
  read_liner(material, law);
  if (law.nonlinear)
    read_curves(model, material, *owned);
  else if (!law.isotropic)
    positive_field(material, "GAB");
  // For the stable step, hourglass control and damping: the stiffest direction.
  double young = law.liner_modulus;
  const double nu = std::sqrt(law.poisson_ab * law.poisson_ba);
  for (int k = 0; k < 3; ++k) {
    const FabricDirection& d = law.direction[k];
    const double slope = std::max({d.modulus, d.load.empty() ? 0.0 : steepest(d.load),
                                   d.unload.empty() || d.stretched ? 0.0 : steepest(d.unload)});
    young = std::max(young, k < 2 ? slope : 2 * (1 + nu) * slope);
    if (d.stretched)  // the steepest is where loading is, as both end at the same point
      young = std::max(young, (k < 2 ? 1.0 : 2 * (1 + nu)) * steepest(d.unload) * d.end_strain /
                                  d.end_stress * steepest(d.load));
  }
  Prepared prepared;
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  prepared.density = checked_density(material);
  prepared.elastic = elastic_constants(young, std::max(nu, law.liner_poisson));
  prepared.elastic.bulk = young / 3;  // of no use in a sheet, whose Poisson's ratio may be above 0.5
  prepared.n_history = kGiven + 3;
  return prepared;
}

}  // namespace crumple::materials
