// A view of a run's results for observers: the recorder, and other code that reads results during the run.
//
// It is read only and independent of the solver: the explicit solver has such a view
// (explicit/solver_results.hpp), tests make their own. Each rank shows its own nodes and elements. Results
// that must be gathered or summed have a collective member, which costs nothing if it is not called.
// Everything is at the snapshot t_n.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "output/history.hpp"
#include "output/results.hpp"
#include "state/group_view.hpp"
#include "state/strains.hpp"

namespace crumple::output {

/// The cycle whose results are shown.
struct CycleTimes {
  std::int64_t cycle = 0;
  double time = 0;  ///< t_n
  double dt = 0;    ///< step that led to t_n
  double next = 0;  ///< begin of the next cycle, t_{n+1}
};

/// Nodes of a rank, by index in its model.
struct NodeView {
  std::span<const GlobalId> id;
  std::span<const Vec3> x0, x;     ///< at t = 0 and at t_n
  std::span<const Vec3> v, w;      ///< velocity and angular velocity
  std::span<const Vec3> a, alpha;  ///< accelerations
  std::span<const Vec3> rotation;  ///< of OutputControl::history_nodes: the integral of w
};

/// A load or reaction on a node of a rank, and its work so far.
struct NodeAction {
  LocalId node = model::kNone;
  Vec3 force, moment;
  double work = 0;
};

/// Contact force on a node of a contact's side.
struct ContactNode {
  std::int32_t contact = 0;  ///< into Catalogue::contacts
  bool b = false;
  GlobalId id = 0;
  Vec3 force;
};

/// An element by its kind and user numbers.
struct ControllingElement {
  model::ElementKind kind = model::ElementKind::none;
  GlobalId id = 0, part = 0;
};

class ResultsView {
 public:
  virtual ~ResultsView() = default;

  // Results of this rank. Local.
  virtual CycleTimes cycle() const = 0;
  virtual NodeView nodes() const = 0;
  virtual std::span<const state::GroupView> elements() const = 0;
  /// Null without strains.
  virtual const state::Strains* strains() const { return nullptr; }
  /// By node: mass added by mass scaling, absolute or in percent of the node's own mass.
  virtual std::vector<double> added_nodal_mass([[maybe_unused]] bool percent) const { return {}; }
  /// Forces on nodes that this rank owns: of single-point constraints, loads on nodes, pressure on segments,
  /// prescribed motions.
  virtual std::vector<NodeAction> reactions() const { return {}; }
  virtual std::vector<NodeAction> loads() const { return {}; }
  virtual std::vector<NodeAction> pressures() const { return {}; }
  virtual std::vector<NodeAction> drives() const { return {}; }

  // Results of the whole model, complete on rank 0 in the order of the model's arrays. Collective.
  /// All members except the speed of the program and the controlling element.
  virtual GlobalRow energies() const = 0;
  /// The element that limits the step; this searches all elements. Kind `none` if there is none.
  virtual ControllingElement controlling() const { return {}; }
  virtual std::vector<MatsumRow> parts() const = 0;
  virtual std::vector<RwforcRow> walls() const { return {}; }
  virtual std::vector<RcforcRow> contact_forces() const { return {}; }
  virtual std::vector<SleoutRow> contact_energies() const { return {}; }
  virtual std::vector<ContactNode> contact_nodes() const { return {}; }
  virtual std::vector<SecforcRow> sections() const { return {}; }
  virtual std::vector<RigidBodyRow> rigid_bodies() const { return {}; }
  /// Reactions of prescribed motions on rigid bodies.
  virtual std::vector<BndoutBlock::Row> body_drives() const { return {}; }
  /// Reactions of Model::supports on rigid bodies, in global axes.
  virtual std::vector<SpcforcBlock::Row> support_reactions() const { return {}; }
  virtual std::vector<JointRow> joints() const { return {}; }
  virtual std::vector<JointStiffnessRow> joint_stiffnesses() const { return {}; }

  /// Histories of features.
  virtual std::vector<History*> histories() const { return {}; }
};

}  // namespace crumple::output
