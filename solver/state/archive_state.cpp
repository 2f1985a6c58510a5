// Fields of nodes, and of elements in the lanes of their blocks.
#include "state/archive_state.hpp"

#include <fmt/format.h>

#include <vector>

#include "model/element_rows.hpp"

namespace crumple::state {

void archive_nodes(Archive& archive, const parallel::IndexMap& nodes, Nodal& nodal) {
  const auto here = archive.module("nodes");
  const Rows rows = Rows::nodes(nodes.global(), nodes.owners(), nodes.rank());
  archive.field("x", rows, std::span<Vec3>(nodal.x));
  archive.field("v", rows, std::span<Vec3>(nodal.v));
  archive.field("w", rows, std::span<Vec3>(nodal.w));
  archive.field("a", rows, std::span<Vec3>(nodal.a));
  archive.field("alpha", rows, std::span<Vec3>(nodal.alpha));
  archive.field("mass", rows, std::span(nodal.mass));
  archive.field("inertia", rows, std::span(nodal.inertia));
  if (nodal.tied_mass.empty()) return;
  archive.field("tied_mass", rows, std::span(nodal.tied_mass));
  archive.field("tied_inertia", rows, std::span(nodal.tied_inertia));
}

template <class T>
void archive_groups(Archive& archive, const model::Model& model, std::span<ElementGroup<T>> groups) {
  const auto here = archive.module("elements");
  for (ElementGroup<T>& g : groups) {
    const GlobalId own_section =
        g.ready.parameters.section ? g.ready.parameters.section - model.sections.data() : -1;
    const auto of_group =
        archive.module(fmt::format("{} part {} form {} section {}", model::kind_name(g.kind()),
                                   model.parts[g.part].id, g.ready.formulation->elform, own_section));
    const model::ElementRows all = model::rows_of(model, g.kind());
    std::vector<GlobalId> orders;
    orders.reserve(g.element.size());
    for (const LocalId e : g.element) orders.push_back(all.order[static_cast<std::size_t>(e)]);
    const Rows rows = Rows::own(Of::element, orders);
    archive.lanes("state", rows, std::span<T>(g.state), g.layout.n_vars, elements::kLanes);
    archive.lanes("alive", rows, std::span<T>(g.alive), 1, elements::kLanes);
    archive.lanes("step", rows, std::span<T>(g.step), 1, elements::kLanes);
    archive.lanes("energy", rows, std::span<double>(g.energy), elements::kEnergies, elements::kLanes);
  }
}

template void archive_groups(Archive&, const model::Model&, std::span<ElementGroup<float>>);
template void archive_groups(Archive&, const model::Model&, std::span<ElementGroup<double>>);

}  // namespace crumple::state
