// The deformable elements of a rank as code outside kernels sees them, independent of precision.
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

/// Name of an element for messages, results and to break ties.
struct ElementName {
  model::ElementKind kind = model::ElementKind::none;
  GlobalId id = 0, part = 0;
};
CRUMPLE_MEMBERS(ElementName, kind, id, part)

/// The element at a node that is most likely to fail next.
struct Suspect {
  double step = kNoLimit;  ///< its stable step, the shortest at the node
  ElementName name;
};

/// Why an element was deleted, as known in the element phase.
enum class DeletionCause : std::int8_t {
  law,       ///< a criterion of its material: failure strain, *MAT_ADD_EROSION, ...
  tdel,      ///< step below TDEL of its material
  dtmin,     ///< step below DTMIN of *CONTROL_TERMINATION with ERODE of *CONTROL_TIMESTEP
  failtm,    ///< time beyond FAILTM of *MAT_ADD_EROSION
  restart,   ///< the deck of a restart
  death,     ///< *DEFINE_ELEMENT_DEATH
  sensor,    ///< a switch of *SENSOR_CONTROL
  retractor  ///< a belt of shells is drawn in
};

/// An element that was deleted in this cycle.
struct Deletion {
  model::ElementKind kind = model::ElementKind::none;
  LocalId element = model::kNone;  ///< index in the rank's model
  ElementName name;
  DeletionCause cause = DeletionCause::law;
};

/// Gives the mass factors of elements (scaled mass over own mass), a block at a time.
class MassFactors {
 public:
  virtual ~MassFactors() = default;
  /// Mass factors of a block's elements; empty if all are 1.
  /// @param least the smallest of the block's steps; 0 unless the block is full, without deletions, and all
  /// steps are valid Called concurrently by several threads, for different blocks.
  virtual std::span<const double> of_block(std::size_t group, std::int32_t block, double least) = 0;
};

/// Copies of some elements, whose forces are added to separate sums.
class ElementCopies {
 public:
  virtual ~ElementCopies() = default;
  /// Copies the elements' states, and adds the forces of their kernels to `loads`, one per node.
  virtual void add_forces(const state::Nodal& nodal, std::span<parallel::LoadSum> loads, double time,
                          double dt) = 0;
  /// The copies after the last add_forces; their `id` and `element` are empty.
  virtual std::span<const state::GroupView> groups() const = 0;
};

/// Internal forces of all deformable elements of the rank, their steps and deletions. One call does a phase
/// of a cycle for all elements.
class Elements {
 public:
  virtual ~Elements() = default;

  /// Subtract internal forces at t from the nodal sums; dt is the step that led to t. First the elements at
  /// nodes that other ranks share, then all others.
  virtual void add_border(state::Nodal& nodal, double time, double dt, model::Stage stage) = 0;
  virtual void add_interior(state::Nodal& nodal, double time, double dt, model::Stage stage) = 0;
  /// After each of the two: set the same elements' steps to those with scaled masses.
  virtual void scale_steps(bool border, MassFactors& factors) = 0;

  /// Smallest stable step of the rank's elements (kNoLimit without elements), after add_interior().
  virtual double smallest_step() const = 0;
  /// Whether the step of an element is not a positive number (inverted element or NaN), after add_interior().
  virtual bool broken() const = 0;
  /// Elements that were deleted since the last add_border().
  virtual std::span<const Deletion> deletions() const = 0;
  /// From now on elements of a kind are deleted when their step, with scaled mass, falls below `step`.
  virtual void erode_below(model::ElementKind kind, double step) = 0;

  /// From now on the elements of some parts are not computed: they keep their states and exert no forces.
  /// @param parts by part of the model: 1 for these
  virtual void sleep(std::span<const char> parts) = 0;

  /// Deletes the elements for which `gone` holds; the next step reports it.
  /// @param cause `restart`, `death` or `sensor`
  virtual void mark_deleted(const std::function<bool(const ElementName&)>& gone, DeletionCause cause) = 0;

  /// Copies of the elements that `wanted` lists by kind, as indices in the rank's model.
  using Wanted = std::function<const std::vector<LocalId>&(model::ElementKind)>;
  virtual std::unique_ptr<ElementCopies> copies(const Wanted& wanted) const = 0;

  virtual std::span<const state::GroupView> groups() const = 0;
  virtual std::span<const state::WritableGroup> writable_groups() = 0;

  virtual void archive(state::Archive& archive) = 0;
  /// Only what implicit analysis has, too: state, deletion, steps and energies.
  virtual void archive_state(state::Archive& archive) = 0;
};

/// The one place where the precision of element work is chosen.
/// @param shared by node: whether other ranks have it, too
/// @param loads the nodes', for their scales
std::unique_ptr<Elements> make_elements(bool single_precision, const model::Model& model, elements::Isa isa,
                                        std::span<const char> shared,
                                        std::span<const parallel::LoadSum> loads, int threads);

// Searches for messages and results. They visit all elements: not for every cycle.

/// The element with the step `step`, the first by kind and user id; an empty name if there is none.
ElementName element_with_step(std::span<const state::GroupView> groups, const model::Model& model,
                              double step);
/// The first element (not deleted) whose step is not a positive number.
ElementName first_broken(std::span<const state::GroupView> groups, const model::Model& model);
/// The suspect among the elements at a node of the rank; an empty name if there is none.
Suspect suspect_at(std::span<const state::GroupView> groups, const model::Model& model, LocalId node);
/// The `count` smallest steps with their elements, smallest first.
std::vector<std::pair<double, ElementName>> shortest_steps(std::span<const state::GroupView> groups,
                                                           const model::Model& model, std::size_t count);

}  // namespace crumple::explicit_dynamics
