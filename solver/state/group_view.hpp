// Element groups as all other code sees them: read only, in double, whatever their precision.
#pragma once

#include <span>
#include <type_traits>
#include <vector>

#include "state/groups.hpp"

namespace crumple::state {

/// An array of a group, read in double. A double holds every float, so nothing is rounded.
class Values {
 public:
  template <class T>
  explicit Values(const AlignedVector<T>& array) : first_(array.data()), single_(std::is_same_v<T, float>) {}
  double operator[](std::size_t i) const {
    return single_ ? static_cast<double>(static_cast<const float*>(first_)[i])
                   : static_cast<const double*>(first_)[i];
  }
  bool single() const { return single_; }

 private:
  const void* first_;
  bool single_;
};

/// Valid as long as the group; a group never changes its size or its place. Arrays are laid out as the
/// members of ElementGroup with the same names, which are documented there.
struct GroupView {
  LocalId part;
  const PartFormulation& ready;
  const elements::StateLayout& layout;
  std::int32_t count;
  std::span<const GlobalId> id;
  std::span<const LocalId> element;
  std::span<const std::int32_t> nodes;
  Values state, alive, step;
  std::span<const double> energy;

  template <class T>
  GroupView(const ElementGroup<T>& g)
      : part(g.part),
        ready(g.ready),
        layout(g.layout),
        count(g.count),
        id(g.id),
        element(g.element),
        nodes(g.nodes),
        state(g.state),
        alive(g.alive),
        step(g.step),
        energy(g.energy) {}

  model::ElementKind kind() const { return ready.formulation->kind; }
  std::int32_t blocks() const { return (count + elements::kLanes - 1) / elements::kLanes; }
  LocalId node(std::int32_t e, int corner) const {
    return nodes[item_at(e, corner, ready.formulation->n_nodes)];
  }
  double variable(std::int32_t e, int k) const { return state[item_at(e, k, layout.n_vars)]; }
  double element_energy(std::int32_t e, int k) const { return energy[item_at(e, k, elements::kEnergies)]; }
  bool is_alive(std::int32_t e) const { return alive[e] != 0.0; }
};

/// A group whose variables are set by code outside its kernels.
class WritableGroup : public GroupView {
 public:
  template <class T>
  explicit WritableGroup(ElementGroup<T>& g) : GroupView(g), first_(g.state.data()) {}
  /// Variable k of element e becomes `value`, rounded to the group's precision.
  void set_variable(std::int32_t e, int k, double value) const {
    const std::size_t at = item_at(e, k, layout.n_vars);
    if (state.single())
      static_cast<float*>(first_)[at] = static_cast<float>(value);
    else
      static_cast<double*>(first_)[at] = value;
  }

 private:
  void* first_;
};

template <class T>
std::vector<GroupView> views_of(const std::vector<ElementGroup<T>>& groups) {
  return {groups.begin(), groups.end()};
}

}  // namespace crumple::state
