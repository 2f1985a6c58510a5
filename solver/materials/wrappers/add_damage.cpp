// *MAT_ADD_DAMAGE_GISSMO, and IDAM = 1 of *MAT_ADD_EROSION, from the model.
#include "materials/wrappers/add_damage.hpp"

#include <fmt/format.h>

#include "materials/prepare.hpp"
#include "materials/wrappers/add_erosion.hpp"

namespace crumple::materials {

namespace {

/// The parameters together with those of the law, and curves.
struct OwnedDamage {
  AddedDamageLaw damage;
  TabulatedStorage curves;
  std::shared_ptr<const void> law;  ///< parameters
};

/// Reads the fields of the damage model.
class DamageFields {
 public:
  DamageFields(const model::Model& model, const model::Material& material, std::string prefix)
      : model_(model), material_(material), prefix_(std::move(prefix)) {}

  double value(const std::string& name, double otherwise = 0) const {
    return material_.field(prefix_ + name, otherwise);
  }
  /// 0 is `otherwise`; must be positive.
  double positive(const std::string& name, double otherwise) const {
    const double given = value(name) == 0 ? otherwise : value(name);
    if (!(given > 0)) out_of_range(name, "it must be positive");
    return given;
  }
  double between(const std::string& name, double least, double most) const {
    if (!(value(name) >= least && value(name) <= most))
      out_of_range(name, fmt::format("it must lie between {} and {}", least, most));
    return value(name);
  }
  [[noreturn]] void out_of_range(const std::string& name, const std::string& why) const {
    refuse(material_, "CR-M108", name, fmt::format("{} is {}: {}", name, value(name), why));
  }
  [[noreturn]] void unsupported(const std::string& name, const std::string& why) const {
    refuse(material_, "CR-M105", name, fmt::format("{} is {}: {}", name, value(name), why));
  }
  /// A curve, or a table if `tables`.
  Tabulated curve(const std::string& name, TabulatedStorage& storage, bool tables,
                  Ordinates ordinates = Ordinates::positive) const {
    return storage.read(model_, material_, name, value(name), tables, ordinates);
  }
  /// The same, or a table of tables if `tables`.
  TabulatedSpace space(const std::string& name, TabulatedStorage& storage, bool tables) const {
    return storage.read_space(model_, material_, name, value(name), tables);
  }
  bool is_table(const std::string& name) const { return materials::is_table(model_, value(name)); }

 private:
  const model::Model& model_;
  const model::Material& material_;
  std::string prefix_;
};

/// LCSDG, ECRIT, DCRIT.
void read_strains(const DamageFields& fields, OwnedDamage& owned) {
  AddedDamageLaw& d = owned.damage;
  if (!(fields.value("LCSDG") > 0))
    fields.unsupported("LCSDG",
                       "a failure strain is needed: a curve over triaxiality, or a table of these over "
                       "the Lode parameter; functions are not supported");
  d.failure_strain = fields.curve("LCSDG", owned.curves, true);
  const double critical = fields.value("ECRIT");
  d.has_critical_strain = critical != 0;
  d.critical_strain.constant = critical;
  if (critical < 0) d.critical_strain = fields.curve("ECRIT", owned.curves, true);
  if (!d.has_critical_strain) d.critical_damage = fields.between("DCRIT", 0, 1);
}

/// LCREGD, SHRF, BIAXF, RGTR1, RGTR2, REFSZ.
void read_regularisation(const DamageFields& fields, OwnedDamage& owned) {
  AddedDamageLaw& d = owned.damage;
  const double factor = fields.value("LCREGD");
  d.reference_size = fields.value("REFSZ");
  if (d.reference_size < 0) fields.unsupported("REFSZ", "only a positive size is supported");
  d.regularised = factor != 0;
  if (!d.regularised) return;
  if (factor > 0 && fields.is_table("LCREGD"))
    fields.unsupported("LCREGD", "a table over rates is not supported; one over triaxiality is, if negative");
  d.size_factor = fields.space("LCREGD", owned.curves, factor < 0);
  const bool over_triaxiality = fields.is_table("LCREGD");
  d.shear_reduction = fields.between("SHRF", 0, 1);
  d.biaxial_reduction = fields.between("BIAXF", 0, 1);
  if (over_triaxiality && (d.shear_reduction != 0 || d.biaxial_reduction != 0))
    fields.unsupported(d.shear_reduction != 0 ? "SHRF" : "BIAXF",
                       "LCREGD is a table over triaxiality, which takes its place");
  d.shear_end = fields.positive("RGTR1", 1.0 / 3);
  d.biaxial_begin = fields.positive("RGTR2", 1.0 / 3);
  if (d.shear_end > 1.0 / 3 + 1e-6) fields.out_of_range("RGTR1", "it must not be above 1/3");
  if (d.biaxial_begin < 1.0 / 3 - 1e-6 || d.biaxial_begin > 0.666)
    fields.out_of_range("RGTR2", "it must lie between 1/3 and 2/3");
}

/// LCSRS.
void read_rate(const DamageFields& fields, OwnedDamage& owned) {
  AddedDamageLaw& d = owned.damage;
  d.has_rate = fields.value("LCSRS") != 0;
  if (!d.has_rate) return;
  d.rate_factor = fields.curve("LCSRS", owned.curves, false);
  d.log_rate = d.rate_factor.curves.first < 0;
  d.rate_scales_critical = fields.value("LCSRS") > 0;
}

/// FADEXP, LCDLIM.
void read_softening(const DamageFields& fields, OwnedDamage& owned) {
  AddedDamageLaw& d = owned.damage;
  if (fields.value("FADEXP") < 0)
    d.fading = fields.curve("FADEXP", owned.curves, true);
  else
    d.fading.constant = fields.positive("FADEXP", 1);
  d.limited = fields.value("LCDLIM") != 0;
  if (d.limited) d.limit = fields.curve("LCDLIM", owned.curves, false, Ordinates::fraction);
}

/// What the model has beyond what is supported.
void check_options(const DamageFields& fields) {
  if (fields.value("MIDFAIL") != 0)
    fields.unsupported("MIDFAIL", "failure by the middle layer alone is not supported");
}

AddedDamageLaw& read(const DamageFields& fields, const std::string& type, OwnedDamage& owned) {
  check_options(fields);
  const double coupling = fields.value(type);
  if (coupling != 0 && coupling != 1)
    fields.unsupported(type, "0 and 1 are supported: the plastic strain drives the damage");
  owned.damage.couples = coupling == 1;
  owned.damage.exponent = fields.positive("DMGEXP", 1);
  read_strains(fields, owned);
  read_regularisation(fields, owned);
  read_rate(fields, owned);
  read_softening(fields, owned);
  return owned.damage;
}

}  // namespace

Prepared add_damage(const model::Model& model, const model::Material& material, Prepared prepared) {
  const bool of_erosion = material.field("EROSION.IDAM") == 1, own = material.fields.contains("DAMAGE.LCSDG");
  if (!of_erosion && !own) return prepared;
  if (of_erosion && own)
    refuse(material, "CR-M105", "IDAM",
           "*MAT_ADD_DAMAGE_GISSMO and IDAM = 1 of *MAT_ADD_EROSION: one is needed");
  const Row& row = *prepared.law.row;
  if (!takes_criteria(row) || row.needs.energy || row.spot_weld || prepared.law.damage >= 0)
    refuse(material, "CR-M105", "", "a damage model is not supported with this law");
  const DamageFields fields(model, material, own ? "DAMAGE." : "EROSION.");
  const auto owned = std::make_shared<OwnedDamage>();
  AddedDamageLaw& damage = read(fields, own ? "DTYP" : "DMGTYP", *owned);
  owned->law = prepared.parameters;
  damage.law = prepared.law;
  damage.law_history = prepared.n_history;
  prepared.law.damage = prepared.n_history + damage_variable::failed;
  prepared.n_history +=
      damage.reference_size > 0 ? damage_variable::count_with_reference : damage_variable::count;
  prepared.parameters = std::shared_ptr<const void>(owned, &damage);
  prepared.law.updates = &updates_by_isa<AddedDamageLaw>;
  prepared.law.parameters = prepared.parameters.get();
  prepared.points_to_damage = points_to_delete(fields.value("NUMFIP", 1));
  return prepared;
}

}  // namespace crumple::materials
