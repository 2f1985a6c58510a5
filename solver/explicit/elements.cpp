// Searches over the elements of a rank.
#include "explicit/elements.hpp"

#include <algorithm>
#include <tuple>

namespace crumple::explicit_dynamics {

using state::GroupView;

namespace {

ElementName name_of(const GroupView& g, const model::Model& model, std::int32_t e) {
  return {g.kind(), g.id[e], model.parts[g.part].id};
}

/// The first element, by kind and user id, that is not deleted and for which `is_meant` is true.
template <class Test>
ElementName first_of(std::span<const GroupView> groups, const model::Model& model, const Test& is_meant) {
  ElementName name;
  for (const GroupView& g : groups)
    for (std::int32_t e = 0; e < g.count; ++e)
      if (g.is_alive(e) && is_meant(g, e) &&
          (name.kind == model::ElementKind::none ||
           std::tuple(g.kind(), g.id[e]) < std::tuple(name.kind, name.id)))
        name = name_of(g, model, e);
  return name;
}

}  // namespace

ElementName element_with_step(std::span<const GroupView> groups, const model::Model& model, double step) {
  return first_of(groups, model, [step](const GroupView& g, std::int32_t e) { return g.step[e] == step; });
}

ElementName first_broken(std::span<const GroupView> groups, const model::Model& model) {
  return first_of(groups, model, [](const GroupView& g, std::int32_t e) { return !(g.step[e] > 0.0); });
}

Suspect suspect_at(std::span<const GroupView> groups, const model::Model& model, LocalId node) {
  Suspect found;
  for (const GroupView& g : groups)
    for (std::int32_t e = 0; e < g.count; ++e) {
      bool has_node = false;
      for (int a = 0; a < g.ready.formulation->n_nodes; ++a) has_node |= g.node(e, a) == node;
      if (!has_node || !g.is_alive(e)) continue;
      const Suspect here{g.step[e], name_of(g, model, e)};
      if (std::tuple(here.step, here.name.kind, here.name.id) <
          std::tuple(found.step, found.name.kind, found.name.id))
        found = here;
    }
  return found;
}

std::vector<std::pair<double, ElementName>> shortest_steps(std::span<const GroupView> groups,
                                                           const model::Model& model, std::size_t count) {
  std::vector<std::pair<double, ElementName>> steps;  // a heap, the largest first
  const auto before = [](const auto& a, const auto& b) {
    return std::tuple(a.first, a.second.kind, a.second.id) < std::tuple(b.first, b.second.kind, b.second.id);
  };
  for (const GroupView& g : groups)
    for (std::int32_t e = 0; e < g.count; ++e) {
      if (!g.is_alive(e) || (steps.size() == count && steps.front().first < g.step[e])) continue;
      steps.push_back({g.step[e], name_of(g, model, e)});
      std::ranges::push_heap(steps, before);
      if (steps.size() <= count) continue;
      std::ranges::pop_heap(steps, before);
      steps.pop_back();
    }
  std::ranges::sort_heap(steps, before);
  return steps;
}

}  // namespace crumple::explicit_dynamics
