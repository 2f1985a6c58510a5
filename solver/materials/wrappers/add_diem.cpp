// *MAT_ADD_DAMAGE_DIEM from the model.
#include "materials/wrappers/add_diem.hpp"

#include <fmt/format.h>

#include <cmath>

#include "materials/prepare.hpp"
#include "materials/wrappers/add_erosion.hpp"

namespace crumple::materials {

namespace {

/// The parameters together with those of the law, and curves.
struct OwnedDiem {
  DiemLaw diem;
  TabulatedStorage curves;
  std::shared_ptr<const void> law;  ///< parameters
};

/// Reads the fields of one criterion.
class DiemFields {
 public:
  DiemFields(const model::Model& model, const model::Material& material, int number, OwnedDiem& owned)
      : model_(model), material_(material), prefix_(fmt::format("DIEM.{}.", number)), owned_(owned) {}

  DiemCriterion read() {
    DiemCriterion to;
    read_onset(to);
    read_evolution(to);
    return to;
  }

 private:
  double value(const std::string& name) const { return material_.field(prefix_ + name); }
  [[noreturn]] void no(const std::string& name, const std::string& why) const {
    refuse(material_, "CR-M105", name,
           fmt::format("{} of *MAT_ADD_DAMAGE_DIEM is {}: {}", name, value(name), why));
  }
  /// A factor over the size, none if the field is 0.
  void read_factor(const char* name, bool& given, Tabulated& to) {
    given = value(name) != 0;
    if (!given) return;
    if (value(name) < 0 || is_table(model_, value(name)))
      no(name, "a curve over the size of elements is supported, no table");
    to = owned_.curves.read(model_, material_, name, value(name), false);
  }
  void read_onset(DiemCriterion& to) {
    const double type = value("DITYP");
    if (type == 2 || type == 3)
      no("DITYP", "forming limits are not supported: one layer of a shell stands for the others there");
    if (type != 0 && type != 1 && type != 4) no("DITYP", "0, 1 and 4 are supported");
    to.type = static_cast<int>(type);
    if (!(value("P1") > 0)) no("P1", "a curve, or a table of these over rates, is needed");
    to.onset = owned_.curves.read(model_, material_, "P1", value("P1"), true);
    if (to.onset.first_row < 0) no("P1", "rates of a table must not be negative");
    if (type != 0) to.share = value("P2");
    to.all_directions = value("P3") == 1;
    to.transverse = value("P4") != 1;
    read_factor("P5", to.sized, to.size_factor);
  }
  void read_evolution(DiemCriterion& to) {
    const double type = value("DETYP"), composition = value("DCTYP"), amount = value("Q1");
    if (type != 0 && type != 1) no("DETYP", "0 and 1 are supported");
    to.by_energy = type == 1;
    if (composition != -1 && composition != 0 && composition != 1) no("DCTYP", "-1, 0 and 1 are supported");
    to.composition = static_cast<int>(composition);
    if (amount < 0) no("Q1", "a table over triaxiality and damage is not supported");
    if (!(amount > 0)) no("Q1", "it must be positive: the plastic displacement or the energy at failure");
    to.amount = amount;
    if (type == 0 && value("Q3") != 0) no("Q3", "evolution by an exponent is not supported, only linear");
    read_factor("Q4", to.evolution_sized, to.evolution_factor);
  }

  const model::Model& model_;
  const model::Material& material_;
  std::string prefix_;
  OwnedDiem& owned_;
};

}  // namespace

Prepared add_diem(const model::Model& model, const model::Material& material, Prepared prepared) {
  if (!material.fields.contains("DIEM.NDIEMC")) return prepared;
  const Row& row = *prepared.law.row;
  if (!takes_criteria(row) || row.needs.energy || row.spot_weld)
    refuse(material, "CR-M105", "", "*MAT_ADD_DAMAGE_DIEM is not supported with this law");
  if (prepared.law.damage >= 0)
    refuse(material, "CR-M105", "",
           "*MAT_ADD_DAMAGE_DIEM beside another damage of the material: one is needed");
  const double count = material.field("DIEM.NDIEMC");
  if (!(count >= 1 && count <= kMostDiemCriteria))
    refuse(material, "CR-M108", "NDIEMC",
           fmt::format("NDIEMC is {}, it must lie between 1 and {}", count, kMostDiemCriteria));
  if (material.field("DIEM.DINIT") != 0)
    refuse(material, "CR-M105", "DINIT", "damage from initial strains is not supported");
  const auto owned = std::make_shared<OwnedDiem>();
  DiemLaw& diem = owned->diem;
  diem.count = static_cast<int>(count);
  for (int k = 0; k < diem.count; ++k) diem.criterion[k] = DiemFields(model, material, k + 1, *owned).read();
  owned->law = prepared.parameters;
  diem.law = prepared.law;
  diem.law_history = prepared.n_history;
  prepared.law.damage = prepared.n_history + damage_variable::failed;
  prepared.n_history += kDiemVariables + diem.count * kVariablesOfCriterion;
  prepared.parameters = std::shared_ptr<const void>(owned, &diem);
  prepared.law.updates = &updates_by_isa<DiemLaw>;
  prepared.law.parameters = prepared.parameters.get();
  prepared.points_to_damage = points_to_delete(material.field("DIEM.NUMFIP", 1));
  return prepared;
}

}  // namespace crumple::materials
