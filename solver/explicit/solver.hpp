// The explicit solver of one rank: its state, and one cycle of central differences at a time.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "base/no_limit.hpp"
#include "base/timers.hpp"
#include "constraints/massless_nodes.hpp"
#include "constraints/node_ties.hpp"
#include "constraints/rigid_bodies.hpp"
#include "constraints/spot_welds.hpp"
#include "contact/contact_system.hpp"
#include "contact/interior/interior_contacts.hpp"
#include "contact/tiebreak/breaking_ties.hpp"
#include "contact/tied/tie_springs.hpp"
#include "decomposition/distribution.hpp"
#include "explicit/dependent_nodes.hpp"
#include "explicit/dynamic_relaxation.hpp"
#include "explicit/elements.hpp"
#include "explicit/energies.hpp"
#include "explicit/failures.hpp"
#include "explicit/mass_damping.hpp"
#include "explicit/mass_scaling.hpp"
#include "explicit/nodal_update.hpp"
#include "explicit/section_forces.hpp"
#include "explicit/state_changes.hpp"
#include "loads/preload/preloads.hpp"
#include "loads/temperature/temperatures.hpp"
#include "modules/modules.hpp"
#include "parallel/communicator.hpp"
#include "parallel/halo.hpp"
#include "parallel/pending_reduction.hpp"
#include "particles/particles.hpp"
#include "phases/carried_state.hpp"
#include "state/nodal.hpp"
#include "state/nodal_dilatation.hpp"
#include "state/strains.hpp"
#include "state/truss_chains.hpp"

namespace crumple::sensors {
class Sensors;
struct Network;
}  // namespace crumple::sensors

namespace crumple::explicit_dynamics {

struct SolverOptions {
  elements::Isa isa = elements::Isa::baseline;  ///< the same on every rank
  int threads = 1;
  bool single_precision = false;  ///< for elements; all other work is in double
};

struct DeletedElement {
  double time = 0;
  ElementName name;
  DeletionCause cause = DeletionCause::law;
};
CRUMPLE_MEMBERS(DeletedElement, time, name, cause)

/// Energy balance at t_n.
struct Balance {
  GlobalEnergies parts;  ///< kinetic, internal, hourglass, eroded
  double sliding = 0, damping = 0, stonewall = 0, external_work = 0;
  std::vector<double> stonewalls;  ///< of each wall; `stonewall` is their sum
  double joint = 0;                ///< of joints, stored and dissipated
  double added_mass = 0;           ///< by mass scaling
  double eroded_kinetic = 0;       ///< lost when ties ended
  double total = 0, initial = 0;
  double ratio() const { return over_given(total); }
  double ratio_without_eroded() const {
    return over_given(total - parts.eroded_internal - parts.eroded_hourglass - eroded_kinetic);
  }

 private:
  /// 1 for a model without motion so far.
  double over_given(double energy) const {
    const double given = initial + external_work;
    return given != 0.0 ? energy / given : 1.0;
  }
};

/// State at t_n, stored by a cycle with `keep`.
struct Snapshot {
  double time = 0, dt = 0;
  std::int64_t cycle = 0;
  AlignedVector<Vec3> x, v, w;  ///< positions, velocities at t_n (mean of both half steps)
  /// v_{n-1/2} . v_{n+1/2} and w_{n-1/2} . w_{n+1/2} of each node: the kinetic energy that central
  /// differences conserve together with the internal energy at t_n.
  std::vector<double> v2, w2;
  /// Rotations of the nodes of Output::history_nodes: the integral of their angular velocity.
  std::vector<Vec3> rotation;
};

/// A node of this rank whose force has overflowed: the smallest number in the first cycle with an overflow.
struct Runaway {
  GlobalId node = kNoNode;
  Suspect suspect;
  double time = 0;
  std::int64_t cycle = 0;
};

class Solver {
 public:
  /// Collective. Throws Error for any error of the model that is found before cycle 0.
  Solver(const parallel::Communicator& comm, const decomposition::Subdomain& subdomain,
         SolverOptions options);

  /// One cycle: forces at t_n, velocities at t_{n+1/2}, positions at t_{n+1}. With `keep`, snapshot() is the
  /// state at t_n. Collective. Throws RunFailure on every rank.
  void step(bool keep);

  /// From the next step on loads act as in dynamic relaxation and motion is damped; velocities are set to
  /// zero. Local.
  void begin_relaxation();
  /// Time, cycles and external work start from zero, with the present stresses and the model's initial
  /// velocities. Collective.
  void end_relaxation();
  /// Begins from what implicit steps have left; before the first step. Local.
  void take(const phases::CarriedState& from);
  /// What this scheme leaves at the snapshot. Collective.
  phases::CarriedState leave();
  /// A step that would pass this time ends there. Local.
  void stop_at(double time) { stop_at_ = time; }
  /// Changes the state between two steps: elements are deleted in the next step, and at its time velocities
  /// change. Collective.
  void change(const StateChanges& changes);
  /// Kinetic energy minus that of the motion of the centre of mass, at the snapshot. Collective.
  double distortional_energy();

  /// Set snapshot() to the present positions and velocities, after a failure. Local.
  void keep_now();

  double time() const { return time_; }  ///< t_n
  double dt() const { return dt_; }      ///< of the last step
  /// An upper bound of the next cycle's step, unless the element that limited the last step is deleted: then
  /// results come one cycle late. A snapshot that is not needed costs a tenth of a cycle. Local.
  double next_step_at_most() const {
    constexpr double growth = 1.05;  // of the step from one cycle to the next
    if (first()) return std::numeric_limits<double>::infinity();
    const double of_elements =
        limits(smallest_step_) ? subdomain_->model.control.step_scale * smallest_step_ : 0.0;
    return growth * std::max(dt_, of_elements);
  }
  std::int64_t cycle() const { return cycle_; }
  const Snapshot& snapshot() const { return snapshot_; }
  const state::Nodal& nodal() const { return nodal_; }
  const model::Model& model() const { return subdomain_->model; }
  const Elements& elements() const { return *elements_; }
  /// Strains at t_n, null if plot states have no strains.
  const state::Strains* strains() const { return strains_ ? &*strains_ : nullptr; }
  const constraints::RigidBodies& rigid_bodies() const { return rigid_bodies_; }
  /// Cross sections at the snapshot, on rank 0. Collective.
  std::vector<SectionForce> section_forces() const { return sections_.results(*comm_); }
  /// Airbags, joints, walls, loads, ...: to find one by its type.
  const modules::Modules& modules() const { return modules_; }
  contact::ContactSystem& contact() { return contact_; }
  /// One for each contact of the model, ties included. Collective.
  std::vector<contact::ContactResult> contact_results() const;
  Timers& timers() { return timers_; }
  /// The state from which a run continues, between two steps. Local.
  void archive(state::Archive& archive);

  /// Energies at the snapshot. Collective.
  Balance balance();
  /// Energies of parts at the snapshot. Collective.
  std::vector<PartEnergies> parts();
  /// Added mass of each part. Collective.
  std::vector<double> added_masses() const { return mass_scaling_.by_part(*comm_); }
  const MassScaling& mass_scaling() const { return mass_scaling_; }
  /// Element that limits the step, over all ranks. Collective.
  ElementName controlling() const;
  /// The smallest steps of elements, with mass scaling, smallest first; on rank 0. Collective.
  std::vector<std::pair<double, ElementName>> smallest_steps(std::size_t count) const;
  std::uint64_t hash() const;  ///< Collective.
  std::int64_t elements_everywhere() const { return elements_everywhere_; }
  double mass() const { return mass_; }
  /// Welds that broke so far on all ranks, in the order of time; on rank 0 only. Collective.
  std::vector<constraints::SpotWelds::Break> broken_welds() const;
  /// Elements that were deleted so far on all ranks, in the order of time; on rank 0 only. Collective.
  /// @param from index into each rank's list: earlier ones are left out
  std::vector<DeletedElement> deleted_elements(std::size_t from = 0) const;
  /// Number of elements of this rank that were deleted so far. Local.
  std::size_t deleted_here() const { return deleted_.size(); }
  /// Kind and id of elements of this rank that were deleted, from an index into its list. Local.
  std::vector<GlobalId> names_of_deleted(std::size_t from) const;
  /// Moves elements, by kind and id, to the end of this rank's list of deleted ones. Local.
  void put_last(std::span<const GlobalId> names);
  /// Whether nothing in the model limited the last step.
  bool step_is_free() const { return step_is_free_; }
  /// Step at which the stiffest contact spring of the deck alone would be stable.
  double contact_step() const { return contact_step_; }

 private:
  /// Values of a cycle of which the maximum over ranks is taken.
  using Reduction = std::array<double, 4 + std::tuple_size_v<contact::ContactSystem::Motion>>;
  void clear_forces();
  void end_dying_elements();
  void add_border_forces(bool keep);
  void add_particle_forces();
  void add_interior_forces();
  void find_missing_mass(bool border);
  void expect_first_step();
  modules::Cycle cycle_now(double dt_v = 0.0, double dt_x = 0.0);
  void add_loads();
  void begin_contact();
  void add_contact_forces();
  void begin_exchange();
  void finish_exchange();
  void transfer_tied_loads();
  void pull_bodies();
  void move_ties(bool keep, double dt_x);
  void begin_reduction();
  void finish_reduction();
  double choose_step();
  void accelerate(bool keep);
  void relax(double dt_v);
  /// Step for the stiffness of penalties: the last step; at the start of the run the last step of dynamic
  /// relaxation.
  double penalty_step() const { return first() ? step_before_run_ : dt_; }
  /// Whether the next cycle is the first of the run, or of its part by this scheme.
  bool first() const { return cycle_ == first_cycle_; }
  void add_base_accelerations(double dt_v, double dt_x);
  void constrain(double dt_v, double dt_x);
  void advance_velocities(double dt_v, double dt_x);
  void advance_bodies(double dt_v, double dt_x);
  void link_nodes(double dt_v, double dt_x);
  void advance_positions(double dt_x);
  void stop_at_walls(double dt_v, double dt_x);
  void remove_deleted_elements();
  void measure_for_sensors();
  void switch_parts();
  void measure_for_parts();
  void share_sensed(sensors::Sensors& sensors);
  void find_sensed_elements(const sensors::Network& network);
  void switch_contacts();
  void delete_switched_elements();
  void delete_drawn_in_shells();
  bool senses_sections() const;
  void keep_start();
  void keep_snapshot(double dt_x);
  void leave_out_relaxation(Balance& balance);
  phases::Totals totals(const modules::Work& work) const;
  void end_with_elements(std::span<const contact::DeletedElement> gone);
  void archive_phase(state::Archive& archive);
  void take_links(const phases::CarriedLinks& from);
  void archive_clock(state::Archive& archive);
  void bound_motion();
  bool change_velocities();
  void count_kick();
  double energy_of_given_bodies() const;
  [[noreturn]] void fail_broken() const;
  [[noreturn]] void stop_short_step(double dt) const;
  bool stores_accelerations(bool keep) const;
  void note_runaway(GlobalId node);
  void stop_runaway(GlobalId node) const;
  std::int64_t failed_body() const;
  void stop_failed_body(std::int64_t b) const;
  double rigid_step() const;
  double limit_beside_elements(bool elements_limit) const;
  void stop_loose_node(GlobalId node) const;
  ElementName controlling_here() const;
  /// Arrays to be summed over copies of nodes.
  std::vector<parallel::NodeSums> sums();

  // Each is made of some that come before it, which are arguments of its constructor: another order does not
  // compile.
  const parallel::Communicator* comm_;
  const decomposition::Subdomain* subdomain_;
  parallel::Halo halo_;
  state::Nodal nodal_;
  std::unique_ptr<Elements> elements_;
  SectionForces sections_;
  state::NodalDilatation nodal_dilatation_;
  state::TrussChains truss_chains_;
  particles::Particles particles_;
  DependentNodes dependent_nodes_;  ///< moves masses: what asks for masses takes nodes from here
  MassDamping mass_damping_;
  std::optional<state::Strains> strains_;
  constraints::RigidBodies rigid_bodies_;
  constraints::MasslessNodes massless_nodes_;
  constraints::NodeTies node_ties_;
  constraints::SpotWelds spot_welds_;
  modules::Modules modules_;  ///< features, in the order of their list
  contact::ContactSystem contact_;
  contact::TieSprings tie_springs_;
  contact::BreakingTies breaking_ties_;
  loads::Preloads preloads_;
  loads::Temperatures temperatures_;
  contact::InteriorContacts interiors_;
  std::vector<DeletedElement> deleted_;  ///< of the rank
  /// An element of the rank with a sensor: its group and its place there.
  struct SensedElement {
    std::size_t sensor = 0, group = 0;
    std::int32_t element = 0;
  };
  std::optional<std::vector<SensedElement>> sensed_;
  std::vector<char> switched_off_;  ///< by control of sensors: its elements are deleted
  std::vector<GlobalId> drawn_in_;  ///< shells of belts that have been deleted in retractors
  MassShares masses_;
  MassScaling mass_scaling_;
  /// Velocities of nodes before and after a change, which is pending or is being counted.
  struct NodeKick {
    AlignedVector<Vec3> v_before, w_before, v_after, w_after;
  };
  std::optional<NodeKick> kick_;
  std::vector<char> counted_;  ///< nodes whose lumped mass counts in energies
  Timers timers_;
  Snapshot snapshot_;
  parallel::PendingReduction reduction_;
  std::span<const std::int64_t> resultants_;  ///< loads on rigid bodies, of all ranks
  double smallest_step_ = 0;                  ///< over all ranks; not positive if an element is invalid
  Runaway runaway_;                           ///< on this rank
  std::vector<Vec3> rotation_;                ///< as Snapshot::rotation, at t_n
  double fastest_ = 0;                        ///< speed of a deformable node
  double travelled_ = 0;                      ///< upper bound of displacements of deformable nodes
  double last_way_ = 0;                       ///< upper bound for all nodes in the last step
  double last_speed_ = 0;                     ///< bound of speed in the last step; at first, of the present
  double time_ = 0, dt_ = 0, rigid_step_ = kNoLimit, contact_step_ = kNoLimit, first_step_ = 0;
  std::int64_t cycle_ = 0, first_cycle_ = 0, elements_everywhere_ = 0;
  double stop_at_ = std::numeric_limits<double>::infinity();
  std::optional<double> initial_energy_;
  model::Stage stage_ = model::Stage::transient;
  DynamicRelaxation relaxation_;
  double work_before_ = 0, damping_before_ = 0;  ///< of dynamic relaxation: external work, damping
  bool weigh_relaxation_ = false;                ///< both are still to be computed
  double step_before_run_ = 0;                   ///< the last one of dynamic relaxation, 0 without
  phases::Totals before_;  ///< of earlier parts of the run by implicit steps, beyond what is counted here
  double mass_ = 0;
  bool deformable_ = false;    ///< some rank has elements with mass that are not rigid
  bool step_is_free_ = false;  ///< nothing limited the last step
  NodalUpdate nodal_update_;
};

}  // namespace crumple::explicit_dynamics
