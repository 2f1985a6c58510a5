// Copies of elements in their own precision; kernels run on the copies in addition to the elements.
#pragma once

#include <vector>

#include "explicit/elements.hpp"
#include "state/groups.hpp"

namespace crumple::explicit_dynamics {

template <class T>
class CopiesOf : public ElementCopies {
 public:
  /// Keeps a reference to `groups`.
  CopiesOf(const std::vector<state::ElementGroup<T>>& groups, const Elements::Wanted& wanted);

  void add_forces(const state::Nodal& nodal, std::span<parallel::LoadSum> loads, double time,
                  double dt) override;
  std::span<const state::GroupView> groups() const override { return views_; }

 private:
  /// Elements of one group.
  struct Chosen {
    std::size_t group = 0;
    std::vector<std::int32_t> elements;  ///< indices in the group
    state::ElementGroup<T> copy;         ///< of these elements; lanes beyond are padding
  };
  void take_states(Chosen& chosen) const;

  const std::vector<state::ElementGroup<T>>& groups_;
  std::vector<Chosen> chosen_;
  std::vector<state::GroupView> views_;
};

}  // namespace crumple::explicit_dynamics
