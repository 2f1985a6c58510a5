// Collects the laws' rows and finds them.
#include "materials/row.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "materials/law.hpp"
#include "model/model.hpp"

namespace crumple::materials {

namespace {

// Filled before main by the laws' files, read-only afterwards.
std::vector<const Row*>& registered_rows() {
  static std::vector<const Row*> rows;
  return rows;
}

}  // namespace

void Registry::add(const Row& row) {
  for (const Row* other : rows_)
    if (other->number == row.number || other->keyword == row.keyword)
      throw Error("CR-K005", fmt::format("two material laws are registered as one: {} {} and {} {}",
                                         other->number, other->keyword, row.number, row.keyword));
  rows_.insert(std::ranges::upper_bound(rows_, row.number, {}, &Row::number), &row);
}

const Row* Registry::find(int number) const {
  const auto at = std::ranges::lower_bound(rows_, number, {}, &Row::number);
  return at != rows_.end() && (*at)->number == number ? *at : nullptr;
}

const Row* Registry::find(std::string_view keyword) const {
  const auto at = std::ranges::find(rows_, keyword, &Row::keyword);
  return at != rows_.end() ? *at : nullptr;
}

const Registry& registry() {
  static const Registry all = [] {
    Registry made;
    for (const Row* row : registered_rows()) made.add(*row);
    return made;
  }();
  return all;
}

double young(const model::Material& material) {
  const Row* row = find_law(material.law);
  return material.field(std::string(row ? row->young_field : "E"));
}

int linear_law() {
  const auto rows = registry().rows();
  const auto at = std::ranges::find_if(rows, &Row::linear);
  return at != rows.end() ? (*at)->number : 0;
}

std::string missing(const Needs& needs, const Needs& gives) {
  const std::pair<bool Needs::*, const char*> names[] = {
      {&Needs::deformation_gradient, "the deformation gradient"},
      {&Needs::material_axes, "material axes"},
      {&Needs::energy, "the energy"},
      {&Needs::temperature, "the temperature"},
      {&Needs::filtered_rate, "a filtered strain rate"},
      {&Needs::element_size, "the element's size"},
      {&Needs::rotation, "the rotation of a step"},
      {&Needs::layer_thickness, "the thickness of a layer"}};
  std::string text;
  for (const auto& [flag, name] : names)
    if (needs.*flag && !(gives.*flag)) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

namespace detail {
RegisterUpdates::RegisterUpdates(UpdatesByIsa& updates, int isa, const void* table) {
  updates.of[static_cast<std::size_t>(isa)] = table;
}
RegisterRow::RegisterRow(const Row& row) { registered_rows().push_back(&row); }
}  // namespace detail

}  // namespace crumple::materials
