// Functions of the place and tables of tables in the list of features.
#include "model/functions_tables.hpp"

#include <algorithm>

#include "model/feature.hpp"
#include "modules/module.hpp"

namespace crumple::model {

namespace {

/// Inputs that every rank has, and that other features and laws ask for.
template <class T>
class WholeInputs final : public FeatureOf<T> {
 public:
  std::string_view not_implicit() const override { return {}; }
  void read(Builder&) const override {}
  bool keep(T&, const decomposition::RankPart&) const override { return true; }
  std::unique_ptr<modules::Module> start(const modules::Start&) const override { return nullptr; }
};

}  // namespace

const PlaceFunction* find_place_function(const Model& model, LocalId curve) {
  const std::vector<PlaceFunction>& all = model.features.of<PlaceFunction>();
  const auto found = std::ranges::find(all, curve, &PlaceFunction::curve);
  return found == all.end() ? nullptr : &*found;
}

const TableOfTables* find_table_of_tables(const Model& model, GlobalId id) {
  const std::vector<TableOfTables>& all = model.features.of<TableOfTables>();
  const auto found = std::ranges::find(all, id, &TableOfTables::id);
  return found == all.end() ? nullptr : &*found;
}

const Feature& place_function_feature() {
  static const WholeInputs<PlaceFunction> feature;
  return feature;
}
const Feature& table_of_tables_feature() {
  static const WholeInputs<TableOfTables> feature;
  return feature;
}

}  // namespace crumple::model
