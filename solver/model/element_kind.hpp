// The kinds of elements: one table has the fixed properties of each, and loops over kinds use it.
//
// Adding a kind: an array in Model, a line in element_kinds.cpp and one in for_each_array
// (model/element_rows.hpp). The formulations of a kind are in elements/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/assert.hpp"
#include "base/types.hpp"

namespace crumple::model {

struct Model;
struct ElementRows;

/// Numbers must not change, because results and hashes depend on them. Others may be registered after these.
enum class ElementKind : std::int8_t { none, shell, solid, beam, discrete, sph };

/// Which of the element arrays of plot states a kind is written to.
enum class PlotArray : std::int8_t { none, shells, solids, beams, particles };

struct ElementKindInfo {
  ElementKind kind = ElementKind::none;
  const char* name = "none";  ///< in messages and tables
  int corners = 0;            ///< nodes with forces, the first ones of a row
  bool has_mass = false;      ///< it deforms, has density and can be rigid
  bool rotates = false;       ///< its nodes may have rotations
  PlotArray plot = PlotArray::none;
  ElementRows (*rows)(const Model&) = nullptr;  ///< its array in a model
};

/// All kinds, ascending by number.
std::span<const ElementKindInfo> element_kinds();
/// The row of one kind; for `none` an empty one.
const ElementKindInfo& info(ElementKind kind);
inline const char* kind_name(ElementKind kind) { return info(kind).name; }
/// The kind of that name, or none.
ElementKind kind_named(std::string_view name);

/// One more than the largest number of a kind.
std::size_t kind_numbers();

/// One item for each kind; default-constructed if not set. Access never changes the size, so that threads may
/// look at once.
template <class T>
class PerKind {
 public:
  T& operator[](ElementKind kind) { return items_[at(kind)]; }
  const T& operator[](ElementKind kind) const { return items_[at(kind)]; }
  bool operator==(const PerKind&) const = default;

  /// Items by number of the kind, for messages.
  std::vector<T> items_ = std::vector<T>(kind_numbers());

 private:
  std::size_t at(ElementKind kind) const {
    CRUMPLE_ASSERT(static_cast<std::size_t>(kind) < items_.size(), static_cast<int>(kind));
    return static_cast<std::size_t>(kind);
  }
};

namespace detail {
/// Registers before main. Throws Error CR-E003 for a number or name that another kind has.
struct RegisterElementKind {
  explicit RegisterElementKind(const ElementKindInfo& info);
};
}  // namespace detail

}  // namespace crumple::model
