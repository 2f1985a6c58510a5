// What observers of a run see of it: the recorder, and whoever else reads results while they are computed.
//
// Read only, and of any solver: the explicit one makes such a view (explicit/solver_results.hpp), tests make
// their own. Each rank shows its nodes and elements as they are; what has to be gathered or summed is asked
// for by a member that is collective, and costs nothing where nobody asks. All is at the kept moment t_n.
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
  double dt = 0;    ///< of the step that led there
  double next = 0;  ///< where the next cycle begins, t_{n+1}
};

/// Nodes of a rank, by index in its model.
struct NodeView {
  std::span<const GlobalId> id;
  std::span<const Vec3> x0, x;     ///< at t = 0 and at t_n
  std::span<const Vec3> v, w;      ///< velocity and angular velocity
  std::span<const Vec3> a, alpha;  ///< accelerations
  std::span<const Vec3> rotation;  ///< of OutputControl::history_nodes: the integral of w
};

/// What acts on a node of a rank, and its work so far.
struct NodeAction {
  LocalId node = model::kNone;
  Vec3 force, moment;
  double work = 0;
};

/// What the contacts do to a node of one of their sides.
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

  // Of this rank. Local.
  virtual CycleTimes cycle() const = 0;
  virtual NodeView nodes() const = 0;
  virtual std::span<const state::GroupView> elements() const = 0;
  /// Null without.
  virtual const state::Strains* strains() const { return nullptr; }
  /// By node: added by mass scaling, or that in percent of the node's own mass.
  virtual std::vector<double> added_nodal_mass([[maybe_unused]] bool percent) const { return {}; }
  /// What acts on nodes that this rank owns: single-point constraints, loads at nodes, pressure on segments,
  /// prescribed motions.
  virtual std::vector<NodeAction> reactions() const { return {}; }
  virtual std::vector<NodeAction> loads() const { return {}; }
  virtual std::vector<NodeAction> pressures() const { return {}; }
  virtual std::vector<NodeAction> drives() const { return {}; }

  // Of the whole model, complete on rank 0 in the order of the model's arrays. Collective.
  /// All but the speed of the program and the controlling element.
  virtual GlobalRow energies() const = 0;
  /// The element that holds the step, which is searched for. No kind where there is none.
  virtual ControllingElement controlling() const { return {}; }
  virtual std::vector<MatsumRow> parts() const = 0;
  virtual std::vector<RwforcRow> walls() const { return {}; }
  virtual std::vector<RcforcRow> contact_forces() const { return {}; }
  virtual std::vector<SleoutRow> contact_energies() const { return {}; }
  virtual std::vector<ContactNode> contact_nodes() const { return {}; }
  virtual std::vector<SecforcRow> sections() const { return {}; }
  virtual std::vector<RigidBodyRow> rigid_bodies() const { return {}; }
  /// What prescribed motions do to rigid bodies.
  virtual std::vector<BndoutBlock::Row> body_drives() const { return {}; }
  /// What Model::supports do to rigid bodies, in global axes.
  virtual std::vector<SpcforcBlock::Row> support_reactions() const { return {}; }
  virtual std::vector<JointRow> joints() const { return {}; }
  virtual std::vector<JointStiffnessRow> joint_stiffnesses() const { return {}; }

  /// What features write of themselves.
  virtual std::vector<History*> histories() const { return {}; }
};

}  // namespace crumple::output
