// The failure strain of MAT_224 as damage.
#include "materials/wrappers/failure_strain.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "materials/prepare.hpp"
#include "materials/wrappers/add_damage.hpp"
#include "materials/wrappers/add_erosion.hpp"
#include "model/functions_tables.hpp"

namespace crumple::materials {

namespace {

struct OwnedFailureStrain {
  AddedDamageLaw damage;
  TabulatedStorage curves;
  std::shared_ptr<const void> law;  ///< parameters
};

void mirror(std::vector<double>& x) {
  std::ranges::reverse(x);
  for (double& of : x) of = -of;
}

/// Adds a table with its curves to another model; its values with the other sign if `in_table`.
LocalId add_table(const model::Model& model, LocalId table, bool in_table, model::Model& other) {
  model::Table& added = other.tables.emplace_back(model.tables[static_cast<std::size_t>(table)]);
  for (LocalId& row : added.curve) {
    other.curves.push_back(model.curves.at(static_cast<std::size_t>(row)));
    row = static_cast<LocalId>(other.curves.size() - 1);
  }
  if (in_table) {
    mirror(added.value);
    std::ranges::reverse(added.curve);
  }
  return static_cast<LocalId>(other.tables.size() - 1);
}

/// The curve or table of a field with triaxialities of the other sign: abscissae of the curves, or the values
/// of the table if `in_table`.
model::Model mirrored(const model::Model& model, const model::Material& material, const std::string& field,
                      bool in_table) {
  const auto id = static_cast<GlobalId>(std::llround(material.field(field)));
  model::Model other;
  const LocalId curve = model.curve_index(id), table = model.table_index(id);
  if (const model::TableOfTables* const tables = model::find_table_of_tables(model, id)) {
    model::TableOfTables& added = other.features.of<model::TableOfTables>().emplace_back(*tables);
    for (LocalId& plane : added.table) plane = add_table(model, plane, in_table, other);
  } else if (table != model::kNone) {
    add_table(model, table, in_table, other);
  } else if (curve != model::kNone) {
    other.curves = {model.curves[static_cast<std::size_t>(curve)]};
  }
  if (!in_table)
    for (model::Curve& c : other.curves) {
      mirror(c.x);
      std::ranges::reverse(c.y);
    }
  return other;
}

void read_factors(const model::Model& model, const model::Material& material, OwnedFailureStrain& owned) {
  AddedDamageLaw& d = owned.damage;
  if (const double rate = material.field("LCG"); rate != 0) {
    d.has_rate = true;
    d.rate_factor = owned.curves.read(model, material, "LCG", rate, false);
    if (d.rate_factor.curves.first < 0) refuse(material, "CR-M107", "LCG", "its rates must not be negative");
  }
  if (const double size = material.field("LCI"); size != 0) {
    d.regularised = true;
    d.size_factor =
        owned.curves.read_space(mirrored(model, material, "LCI", true), material, "LCI", size, true);
  }
}

}  // namespace

Prepared add_failure_strain(const model::Model& model, const model::Material& material, Prepared prepared) {
  if (!material.fields.contains("LCK1")) return prepared;  // of MAT_224 only
  const double strain = material.field("LCF");
  if (strain == 0) {
    for (const char* field : {"LCG", "LCI"})
      if (material.field(field) != 0)
        refuse(material, "CR-M105", field, "it is a factor of LCF, which is not given");
    return prepared;
  }
  const auto owned = std::make_shared<OwnedFailureStrain>();
  AddedDamageLaw& damage = owned->damage;
  damage.failure_strain =
      owned->curves.read(mirrored(model, material, "LCF", false), material, "LCF", strain, true);
  damage.fading.constant = 1;
  damage.critical_damage = 1;
  read_factors(model, material, *owned);
  owned->law = prepared.parameters;
  damage.law = prepared.law;
  damage.law_history = prepared.n_history;
  prepared.law.damage = prepared.n_history + damage_variable::failed;
  prepared.n_history += damage_variable::count;
  prepared.parameters = std::shared_ptr<const void>(owned, &damage);
  prepared.law.updates = &updates_by_isa<AddedDamageLaw>;
  prepared.law.parameters = prepared.parameters.get();
  prepared.points_to_damage = points_to_delete(material.field("NUMINT", 1));
  return prepared;
}

}  // namespace crumple::materials
