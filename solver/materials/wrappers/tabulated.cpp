// Reads curves and tables of failure models.
#include "materials/wrappers/tabulated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "materials/prepare.hpp"
#include "model/functions_tables.hpp"

namespace crumple::materials {

namespace {

GlobalId number(double id) { return static_cast<GlobalId>(std::llround(std::abs(id))); }

const model::Curve& checked(const model::Material& material, const std::string& field,
                            const model::Curve& curve, Ordinates ordinates) {
  const auto unusable = [&](const std::string& why) {
    refuse(material, "CR-M107", field, fmt::format("curve {} of {} {}", curve.id, field, why));
  };
  if (curve.x.size() < 2) unusable(fmt::format("has {} points, it needs two", curve.x.size()));
  for (std::size_t k = 1; k < curve.x.size(); ++k)
    if (!(curve.x[k] > curve.x[k - 1]))
      unusable(fmt::format("has abscissa {} after {}, they must increase", curve.x[k], curve.x[k - 1]));
  for (const double y : curve.y)
    if (ordinates == Ordinates::positive ? !(y > 0) : !(y >= 0 && y <= 1))
      unusable(fmt::format("has the ordinate {}, it must {}", y,
                           ordinates == Ordinates::positive ? "be positive" : "lie between 0 and 1"));
  return curve;
}

/// The same curves on the abscissae of all of them, so that each is constant beyond its own ends.
std::vector<model::Curve> on_common_abscissae(const std::vector<model::Curve>& curves) {
  std::vector<double> all;
  for (const model::Curve& c : curves) all.insert(all.end(), c.x.begin(), c.x.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::vector<model::Curve> extended(curves.size());
  for (std::size_t k = 0; k < curves.size(); ++k) {
    extended[k].id = curves[k].id;
    extended[k].x = all;
    for (const double x : all) extended[k].y.push_back(curves[k](x));
  }
  return extended;
}

}  // namespace

bool is_table(const model::Model& model, double id) {
  return model.table_index(number(id)) != model::kNone ||
         model::find_table_of_tables(model, number(id)) != nullptr;
}

Tabulated TabulatedStorage::read(const model::Model& model, const model::Material& material,
                                 const std::string& field, double id, bool tables, Ordinates ordinates) {
  const GlobalId named = number(id);
  const LocalId table_index = model.table_index(named), curve_index = model.curve_index(named);
  const auto curve_at = [&](LocalId index) {
    return checked(material, field, model.curves.at(static_cast<std::size_t>(index)), ordinates);
  };
  std::vector<model::Curve> curves;
  std::vector<double> rows = {0.0};
  Tabulated result;
  if (table_index != model::kNone) {
    if (!tables)
      refuse(material, "CR-M105", field, fmt::format("{} is a table; only a curve is supported", field));
    const model::Table& table = model.tables[static_cast<std::size_t>(table_index)];
    for (const LocalId index : table.curve) curves.push_back(curve_at(index));
    if (curves.empty()) refuse(material, "CR-M107", field, fmt::format("table {} has no curves", named));
    for (std::size_t k = 1; k < table.value.size(); ++k)
      if (!(table.value[k] > table.value[k - 1]))
        refuse(material, "CR-M107", field, fmt::format("the values of table {} do not increase", named));
    rows = table.value;
    result.first_row = rows.front();
    for (double& row : rows) row -= result.first_row;  // not negative, which would mean logarithms
    curves = on_common_abscissae(curves);
  } else if (curve_index != model::kNone) {
    curves = {curve_at(curve_index)};
  } else if (model::find_table_of_tables(model, named) != nullptr) {
    refuse(material, "CR-M105", field, fmt::format("a table of tables ({}) is not supported here", named));
  } else {
    refuse(material, "CR-M106", field,
           fmt::format("there is no curve{} {}", tables ? " or table" : "", named));
  }
  result.curves = storage_.emplace_back(std::make_unique<FlowCurveStorage>(curves, rows))->view();
  return result;
}

TabulatedSpace TabulatedStorage::read_space(const model::Model& model, const model::Material& material,
                                            const std::string& field, double id, bool tables) {
  Planes& found = *planes_.emplace_back(std::make_unique<Planes>());
  const model::TableOfTables* const table = model::find_table_of_tables(model, number(id));
  if (!table || !tables) {
    found.plane = {read(model, material, field, id, tables)};
    found.z = {0.0};
  } else {
    for (const LocalId plane : table->table) {
      const GlobalId of = model.tables.at(static_cast<std::size_t>(plane)).id;
      found.plane.push_back(read(model, material, field, static_cast<double>(of), true));
    }
    found.z = table->value;
  }
  return {found.plane.data(), found.z.data(), static_cast<int>(found.plane.size())};
}

}  // namespace crumple::materials
