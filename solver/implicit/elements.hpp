// The elements of an implicit run: their forces and stiffness in a trial state, and the state they keep.
//
// Groups are those of the explicit solver, in double. Trial states change nothing; `accept` runs the explicit
// kernels once on the converged motion, which updates stresses, energies and deletions. Both come from the
// same element functions (elements/element.hpp).
#pragma once

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "base/members.hpp"
#include "elements/tangent.hpp"
#include "implicit/increment.hpp"
#include "implicit/nodal_pressure.hpp"
#include "loads/preload/preloads.hpp"
#include "loads/temperature/temperatures.hpp"
#include "model/model.hpp"
#include "state/group_view.hpp"
#include "state/groups.hpp"
#include "state/nodal.hpp"

namespace crumple::state {
class Archive;
}

namespace crumple::implicit {

/// A trial: the nodes before the step, its increment, its length and its end.
struct Trial {
  std::span<const Vec3> x0;
  const Increment& increment;
  double dt = 0, end = 0;
  bool unstressed = false;  ///< as if elements had no stress before the step (elements/unstressed.hpp)
};

/// Forces and stiffness of one element. `dofs` of each node, 3 or 6: n = dofs * nodes.size().
struct ElementTangent {
  std::span<const LocalId> nodes;
  int dofs = 3;
  std::span<const double> force;      ///< (n)
  std::span<const double> stiffness;  ///< (n, n); empty if only forces were asked for
};

/// An element as messages name it.
struct ElementName {
  model::ElementKind kind = model::ElementKind::none;
  GlobalId id = 0, part = 0;
};
CRUMPLE_MEMBERS(ElementName, kind, id, part)

class Elements {
 public:
  /// Throws Error CR-I102 for elements without stiffness.
  Elements(const model::Model& model, elements::Isa isa);

  /// Tells elements their preload and temperature in the step: before its first `evaluate`.
  void begin_step(double end, double dt, model::Stage stage);

  using Visit = std::function<void(const ElementTangent&)>;
  /// Visits all living elements in the order of groups; elements are computed by threads.
  /// @returns whether every element has a valid shape and finite forces; `broken` is the first that has not
  bool evaluate(const Trial& trial, bool stiffness, const Visit& visit);
  const ElementName& broken() const { return broken_; }

  /// Forces of some elements, which `wanted` lists by kind as indices in the model: of those that live.
  using Wanted = std::function<const std::vector<LocalId>&(model::ElementKind)>;
  using VisitOne = std::function<void(const state::GroupView&, std::int32_t e, const ElementTangent&)>;
  void forces_of(const Wanted& wanted, const Trial& trial, const VisitOne& visit) const;

  /// The state at the end of a step: positions of `nodal` are those at its end, velocities its means. Loads
  /// of `nodal` get the forces. @returns elements that were deleted
  struct Deleted {
    ElementName name;
    LocalId element = model::kNone;
  };
  std::vector<Deleted> accept(state::Nodal& nodal, double end, double dt);

  /// State, deletion, steps and energies of all elements.
  void archive(state::Archive& archive);
  /// From now on only elements of these parts count; and all again that were left out.
  void leave_out_but(std::span<const LocalId> parts);
  void take_all();
  /// Elements that are deleted or left out.
  std::vector<Deleted> gone() const;

  /// Nodes of all elements and of patches, one after the other, for the pattern of the stiffness.
  void append_nodes(std::vector<std::int64_t>& begin, std::vector<std::int32_t>& rows) const;
  /// By node: 0 no element that counts, 3 elements without rotations, 6 with.
  std::vector<std::uint8_t> dofs_of_nodes(std::size_t nodes) const;

  std::span<const state::GroupView> groups() const { return views_; }
  std::size_t size() const { return size_; }

 private:
  struct Result {
    std::vector<double> force, stiffness, by_given;
    bool valid = true;
  };
  ElementName name_of(const state::ElementGroup<double>& group, std::int32_t e) const;
  /// @param dilatations of the elements of the group; empty: they have their own
  void compute(std::size_t group, std::int32_t e, const Trial& trial, std::span<const double> dilatations,
               bool stiffness, Result& to) const;

  const model::Model* model_;
  std::vector<state::ElementGroup<double>> groups_;
  std::vector<state::GroupView> views_;
  std::vector<state::WritableGroup> writable_;
  NodalPressure nodal_pressure_;                    ///< of `views_`
  std::vector<std::vector<double>> by_dilatation_;  ///< by group: derivatives of forces, (12 * elements)
  loads::Preloads preloads_;
  loads::Temperatures temperatures_;
  std::vector<elements::Tangent> tangents_;                     ///< by group
  std::vector<std::vector<std::vector<LocalId>>> corners_;      ///< by group and element
  std::vector<std::uint8_t> dofs_;                              ///< by group
  std::vector<std::pair<std::size_t, std::int32_t>> left_out_;  ///< group, element
  std::vector<Result> results_;  ///< of the elements that are computed together
  std::size_t size_ = 0;
  ElementName broken_;
};

}  // namespace crumple::implicit
