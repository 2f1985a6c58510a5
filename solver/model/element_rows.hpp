// The elements of one kind as rows, independent of the other columns of their array.
#pragma once

#include <span>

#include "model/element_kind.hpp"
#include "model/model.hpp"

namespace crumple::model {

/// Data common to all kinds: number, position in the whole model, part and nodes of each element.
struct ElementRows {
  std::span<const GlobalId> id, order;
  std::span<const LocalId> part;
  const LocalId* first_node = nullptr;
  int width = 0;  ///< nodes in a row: corners, then orientation nodes; kNone: no node
  const MiddleNodes* first_middle = nullptr;  ///< null: no element has nodes in the middle of its edges

  std::size_t size() const { return id.size(); }
  std::span<const LocalId> nodes(std::size_t e) const {
    return {first_node + e * static_cast<std::size_t>(width), static_cast<std::size_t>(width)};
  }
  /// Nodes in the middle of the edges, if it has any.
  std::span<const LocalId> middle(std::size_t e) const {
    if (first_middle == nullptr || first_middle[e][0] == kNone) return {};
    return first_middle[e];
  }
  /// Calls visit(node) for all nodes of an element.
  template <class Visit>
  void each_node(std::size_t e, Visit&& visit) const {
    for (const LocalId n : nodes(e))
      if (n != kNone) visit(n);
    for (const LocalId n : middle(e)) visit(n);
  }
};

template <class Elements>
ElementRows rows_of(const Elements& elements) {
  constexpr int width = static_cast<int>(std::tuple_size_v<typename decltype(elements.nodes)::value_type>);
  ElementRows rows{elements.id, elements.order, elements.part,
                   elements.nodes.empty() ? nullptr : elements.nodes.front().data(), width};
  if constexpr (requires { elements.middle; })
    if (!elements.middle.empty()) rows.first_middle = elements.middle.data();
  return rows;
}

/// Rows of one kind of a model; none for `none`.
inline ElementRows rows_of(const Model& model, ElementKind kind) {
  const ElementKindInfo& of = info(kind);
  return of.rows ? of.rows(model) : ElementRows{};
}

/// Calls visit(info, rows) for each kind, ascending.
template <class Visit>
void for_each_kind(const Model& model, Visit visit) {
  for (const ElementKindInfo& of : element_kinds()) visit(of, of.rows(model));
}

/// Calls visit(kind, array) for each array of elements of a model, for code that depends on the kind.
template <class AnyModel, class Visit>
void for_each_array(AnyModel& model, Visit visit) {
  visit(ElementKind::shell, model.shells);
  visit(ElementKind::solid, model.solids);
  visit(ElementKind::beam, model.beams);
  visit(ElementKind::discrete, model.discretes);
  visit(ElementKind::sph, model.particles);
}

/// Number of elements of all kinds.
inline std::size_t element_count(const Model& model) {
  std::size_t n = 0;
  for_each_kind(model, [&](const ElementKindInfo&, const ElementRows& rows) { n += rows.size(); });
  return n;
}

}  // namespace crumple::model
