// Chooses elements, and copies their states lane by lane.
#include "explicit/element_copies.hpp"

#include <algorithm>

namespace crumple::explicit_dynamics {

using state::ElementGroup;

namespace {

/// Room for `count` elements like those of `from`, with padding that adds no forces.
template <class T>
ElementGroup<T> empty_copy(const ElementGroup<T>& from, std::size_t count) {
  ElementGroup<T> copy;
  copy.part = from.part;
  copy.ready = from.ready;
  copy.layout = from.layout;
  copy.kernel = from.kernel;
  copy.count = static_cast<std::int32_t>(count);
  const std::size_t lanes = std::size_t(copy.blocks()) * elements::kLanes;
  copy.nodes.assign(lanes * std::size_t(from.ready.formulation->n_nodes), 0);
  copy.state.assign(lanes * std::size_t(from.layout.n_vars), T(0));
  copy.alive.assign(lanes, T(0));
  copy.step.assign(lanes, T(0));
  copy.energy.assign(lanes * elements::kEnergies, 0.0);
  return copy;
}

/// Copies element `e` of `from` to lane `lane` of `to`, item by item.
template <class Array>
void copy_lane(const Array& from, std::int32_t e, Array& to, std::int32_t lane, int width) {
  for (int k = 0; k < width; ++k) to[state::item_at(lane, k, width)] = from[state::item_at(e, k, width)];
}

}  // namespace

template <class T>
CopiesOf<T>::CopiesOf(const std::vector<ElementGroup<T>>& groups, const Elements::Wanted& wanted)
    : groups_(groups) {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::vector<LocalId> sorted = wanted(groups[g].kind());
    if (sorted.empty()) continue;
    std::sort(sorted.begin(), sorted.end());
    Chosen chosen;
    chosen.group = g;
    for (std::int32_t e = 0; e < groups[g].count; ++e)
      if (std::binary_search(sorted.begin(), sorted.end(), groups[g].element[e]))
        chosen.elements.push_back(e);
    if (chosen.elements.empty()) continue;
    chosen.copy = empty_copy(groups[g], chosen.elements.size());
    chosen_.push_back(std::move(chosen));
  }
  for (const Chosen& chosen : chosen_) views_.emplace_back(chosen.copy);
}

/// Padding lanes repeat the last element, but count as deleted.
template <class T>
void CopiesOf<T>::take_states(Chosen& chosen) const {
  const ElementGroup<T>& from = groups_[chosen.group];
  ElementGroup<T>& copy = chosen.copy;
  for (std::int32_t lane = 0; lane < copy.blocks() * elements::kLanes; ++lane) {
    const std::int32_t e = chosen.elements[std::size_t(std::min(lane, copy.count - 1))];
    copy_lane(from.nodes, e, copy.nodes, lane, from.ready.formulation->n_nodes);
    copy_lane(from.state, e, copy.state, lane, from.layout.n_vars);
    copy_lane(from.energy, e, copy.energy, lane, elements::kEnergies);
    copy.alive[lane] = lane < copy.count ? from.alive[e] : T(0);
    copy.step[lane] = from.step[e];
  }
}

template <class T>
void CopiesOf<T>::add_forces(const state::Nodal& nodal, std::span<parallel::LoadSum> loads, double time,
                             double dt) {
  for (Chosen& chosen : chosen_) {
    take_states(chosen);
    chosen.copy.run(nodal, loads.data(), time, dt, 0, chosen.copy.blocks());
  }
}

template class CopiesOf<float>;
template class CopiesOf<double>;

}  // namespace crumple::explicit_dynamics
