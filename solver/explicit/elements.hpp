// The deformable elements of a rank as all but their kernels see them: of either precision, all at once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/no_limit.hpp"
#include "elements/kernel.hpp"
#include "model/model.hpp"
#include "state/archive.hpp"
#include "state/group_view.hpp"
#include "state/nodal.hpp"

namespace crumple::explicit_dynamics {

/// An element named for messages, results and ties.
struct ElementName {
  model::ElementKind kind = model::ElementKind::none;
  GlobalId id = 0, part = 0;
};
CRUMPLE_MEMBERS(ElementName, kind, id, part)

/// The element at a node that is nearest to breaking.
struct Suspect {
  double step = kNoLimit;  ///< its stable step, the shortest at the node
  ElementName name;
};

/// What deleted an element, as far as the element phase knows it.
enum class DeletionCause : std::int8_t {
  law,    ///< a criterion of its material: failure strain, *MAT_ADD_EROSION, ...
  tdel,   ///< step below TDEL of its material
  dtmin,  ///< step below DTMIN of *CONTROL_TERMINATION with ERODE of *CONTROL_TIMESTEP
  failtm  ///< time beyond FAILTM of *MAT_ADD_EROSION
};

/// An element that was deleted in this cycle.
struct Deletion {
  model::ElementKind kind = model::ElementKind::none;
  LocalId element = model::kNone;  ///< index in the rank's model
  ElementName name;
  DeletionCause cause = DeletionCause::law;
};

/// Says how much heavier elements are than they are by themselves, a block at a time.
class MassFactors {
 public:
  virtual ~MassFactors() = default;
  /// Mass over their own of a block's elements; empty where all have just their own.
  /// @param least the shortest of the block's steps, 0 where not all of a full block live and have one
  /// Called at once on several threads, for different blocks.
  virtual std::span<const double> of_block(std::size_t group, std::int32_t block, double least) = 0;
};

/// Copies of some elements, for forces that go where nothing else does.
class ElementCopies {
 public:
  virtual ~ElementCopies() = default;
  /// Takes over the elements' states, and adds what their kernels would add with them to `loads`, one a node.
  virtual void add_forces(const state::Nodal& nodal, std::span<parallel::LoadSum> loads, double time,
                          double dt) = 0;
  /// The copies as the last add_forces left them; `id` and `element` of copies are empty.
  virtual std::span<const state::GroupView> groups() const = 0;
};

/// Internal forces of all deformable elements of the rank, their steps and deletions. One call does a phase
/// of a cycle for all elements.
class Elements {
 public:
  virtual ~Elements() = default;

  /// Subtract internal forces at t from the nodal sums; dt is the step that led here. First those of the
  /// elements at nodes that other ranks share, then of all others, which touch no such node.
  virtual void add_border(state::Nodal& nodal, double time, double dt, model::Stage stage) = 0;
  virtual void add_interior(state::Nodal& nodal, double time, double dt, model::Stage stage) = 0;
  /// After each of the two: the same elements' steps become those with scaled masses.
  virtual void scale_steps(bool border, MassFactors& factors) = 0;

  /// Smallest stable step of the rank's living elements (kNoLimit without), after add_interior().
  virtual double smallest_step() const = 0;
  /// Elements whose step is not a positive number: inverted or not-a-number, after add_interior().
  virtual bool broken() const = 0;
  /// Elements that were deleted since the last add_border().
  virtual std::span<const Deletion> deletions() const = 0;
  /// From now on elements of a kind are deleted when their step, with the mass that they had been given,
  /// falls below `step`.
  virtual void erode_below(model::ElementKind kind, double step) = 0;

  /// Of the elements that `wanted` lists by kind: indices in the rank's model.
  using Wanted = std::function<const std::vector<LocalId>&(model::ElementKind)>;
  virtual std::unique_ptr<ElementCopies> copies(const Wanted& wanted) const = 0;

  virtual std::span<const state::GroupView> groups() const = 0;
  virtual std::span<const state::WritableGroup> writable_groups() = 0;

  virtual void archive(state::Archive& archive) = 0;
};

/// The one place where the precision of element work is chosen.
/// @param shared by node: whether other ranks have it, too
/// @param loads the nodes', for their scales
std::unique_ptr<Elements> make_elements(bool single_precision, const model::Model& model, elements::Isa isa,
                                        std::span<const char> shared,
                                        std::span<const parallel::LoadSum> loads, int threads);

// Searches for messages and results. They visit all elements: not for every cycle.

/// The living element whose step is `step`, smallest kind and user id first; no name without.
ElementName element_with_step(std::span<const state::GroupView> groups, const model::Model& model,
                              double step);
/// The first living element whose step is not a positive number.
ElementName first_broken(std::span<const state::GroupView> groups, const model::Model& model);
/// Of the living elements at a node of the rank; no name without.
Suspect suspect_at(std::span<const state::GroupView> groups, const model::Model& model, LocalId node);
/// The `count` smallest steps of living elements, and whose they are, smallest first.
std::vector<std::pair<double, ElementName>> shortest_steps(std::span<const state::GroupView> groups,
                                                           const model::Model& model, std::size_t count);

}  // namespace crumple::explicit_dynamics
