// The table of kinds of elements.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/error.hpp"
#include "model/element_rows.hpp"

namespace crumple::model {

namespace {

template <auto Array>
ElementRows rows(const Model& model) {
  return rows_of(model.*Array);
}

// Filled before main, read-only afterwards.
std::vector<ElementKindInfo>& table() {
  static std::vector<ElementKindInfo> kinds{
      // kind, name, corners, mass, rotates, plot, array
      {ElementKind::shell, "shell", 4, true, true, PlotArray::shells, rows<&Model::shells>},
      {ElementKind::solid, "solid", 8, true, false, PlotArray::solids, rows<&Model::solids>},
      {ElementKind::beam, "beam", 2, true, true, PlotArray::beams, rows<&Model::beams>},
      {ElementKind::discrete, "discrete", 2, false, true, PlotArray::none, rows<&Model::discretes>},
      {ElementKind::sph, "SPH", 1, true, false, PlotArray::particles, rows<&Model::particles>},
  };
  return kinds;
}

}  // namespace

std::span<const ElementKindInfo> element_kinds() { return table(); }

std::size_t kind_numbers() { return static_cast<std::size_t>(table().back().kind) + 1; }

const ElementKindInfo& info(ElementKind kind) {
  static const ElementKindInfo none;
  for (const ElementKindInfo& of : table())
    if (of.kind == kind) return of;
  return none;
}

ElementKind kind_named(std::string_view name) {
  for (const ElementKindInfo& of : table())
    if (of.name == name) return of.kind;
  return ElementKind::none;
}

namespace detail {
RegisterElementKind::RegisterElementKind(const ElementKindInfo& more) {
  std::vector<ElementKindInfo>& kinds = table();
  for (const ElementKindInfo& of : kinds)
    if (of.kind == more.kind || std::string_view(of.name) == more.name)
      throw Error("CR-E003", fmt::format("there is a kind of elements {} with the number {} already", of.name,
                                         static_cast<int>(of.kind)));
  const auto at = std::ranges::upper_bound(kinds, more.kind, {}, &ElementKindInfo::kind);
  kinds.insert(at, more);
}
}  // namespace detail

}  // namespace crumple::model
