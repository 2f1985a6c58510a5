// Functions of the place and tables of tables, as inputs of the model that are whole on every rank.
#pragma once

#include <string>
#include <vector>

#include "model/fields.hpp"

namespace crumple::model {

/// *DEFINE_FUNCTION whose value depends on more than the time; its curve has no points of meaning.
struct PlaceFunction {
  LocalId curve = kNone;
  std::string text;  ///< in C (deck/function_text.hpp)
};

/// *DEFINE_TABLE_3D: tables at increasing values.
struct TableOfTables {
  GlobalId id = 0;
  std::vector<double> value;
  std::vector<LocalId> table;
};

template <class V>
void fields(V& v, PlaceFunction& s) {
  members(v, s, curves_of(s.curve), s.text);
}
template <class V>
void fields(V& v, TableOfTables& s) {
  members(v, s, s.id, s.value, s.table);
}

/// The function of a curve, and the table of tables with a number; null: there is none.
const PlaceFunction* find_place_function(const Model& model, LocalId curve);
const TableOfTables* find_table_of_tables(const Model& model, GlobalId id);

/// They are read with the curves.
const Feature& place_function_feature();
const Feature& table_of_tables_feature();

}  // namespace crumple::model
