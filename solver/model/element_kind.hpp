// The kinds of elements: one table says what is fixed of each, and loops over kinds go by it.
//
// Adding a kind: an array in Model, a line in element_kinds.cpp and one in for_each_array
// (model/element_rows.hpp). What each formulation of a kind does is in elements/.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace crumple::model {

struct Model;
struct ElementRows;

/// Numbers stay what they are: results and hashes go by them. Others may be registered behind these.
enum class ElementKind : std::int8_t { none, shell, solid, beam, discrete };

/// Which of the element arrays of plot states a kind is written to.
enum class PlotArray : std::int8_t { none, shells, solids, beams };

struct ElementKindInfo {
  ElementKind kind = ElementKind::none;
  const char* name = "none";  ///< in messages and tables
  int corners = 0;            ///< nodes that it pulls, the first ones of a row
  bool has_mass = false;      ///< of its own: it deforms, has density and can be rigid
  bool rotates = false;       ///< its nodes may turn
  PlotArray plot = PlotArray::none;
  ElementRows (*rows)(const Model&) = nullptr;  ///< its array in a model
};

/// All kinds, ascending by number.
std::span<const ElementKindInfo> element_kinds();
/// Of one; of `none` an empty one.
const ElementKindInfo& info(ElementKind kind);
inline const char* kind_name(ElementKind kind) { return info(kind).name; }
/// The kind of that name, or none.
ElementKind kind_named(std::string_view name);

/// One for each kind; without an entry yet, an empty one.
template <class T>
class PerKind {
 public:
  T& operator[](ElementKind kind) {
    const auto k = static_cast<std::size_t>(kind);
    if (k >= items_.size()) items_.resize(k + 1);
    return items_[k];
  }
  const T& operator[](ElementKind kind) const {
    static const T blank{};
    const auto k = static_cast<std::size_t>(kind);
    return k < items_.size() ? items_[k] : blank;
  }
  bool operator==(const PerKind&) const = default;

  /// For messages: what there is, by number of the kind.
  std::vector<T> items_;
};

namespace detail {
/// Before main. Throws Error CR-E003 for a number or name that another kind has.
struct RegisterElementKind {
  explicit RegisterElementKind(const ElementKindInfo& info);
};
}  // namespace detail

}  // namespace crumple::model
