// The implicit solver of one rank: its state, and one static or dynamic step at a time.
//
// A step finds the positions at its end in which the forces of elements, loads and inertia are in balance.
// The state changes only when it has. While a step is accepted, its mean velocities v = u / dt and w are
// where the explicit solver keeps velocities, so that its modules and elements can take them. They stay there
// in statics; in dynamics those at the end of the step come in their place.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/timers.hpp"
#include "constraints/rigid_bodies.hpp"
#include "contact/mortar/mortar_contacts.hpp"
#include "decomposition/distribution.hpp"
#include "explicit/energies.hpp"
#include "implicit/arc_length.hpp"
#include "implicit/consistent_mass.hpp"
#include "implicit/dependent_nodes.hpp"
#include "implicit/dof_map.hpp"
#include "implicit/eigen/pencil.hpp"
#include "implicit/elements.hpp"
#include "implicit/external_loads.hpp"
#include "implicit/inertia.hpp"
#include "implicit/links/links.hpp"
#include "implicit/newton.hpp"
#include "implicit/point_masses.hpp"
#include "implicit/rigid_points.hpp"
#include "implicit/section_forces.hpp"
#include "implicit/step_equations.hpp"
#include "implicit/support_shares.hpp"
#include "implicit/supports.hpp"
#include "implicit/welds.hpp"
#include "implicit/work_clock.hpp"
#include "modules/modules.hpp"
#include "parallel/communicator.hpp"
#include "parallel/halo.hpp"
#include "phases/carried_state.hpp"
#include "state/nodal.hpp"
#include "state/strains.hpp"

namespace crumple::implicit {

struct SolverOptions {
  elements::Isa isa = elements::Isa::baseline;
  int threads = 1;
  bool single_factor = false;  ///< of the stiffness; solutions are refined to those of double precision
  double linear_memory = 0;    ///< bytes for the stiffness and its factor; 0: no limit
  std::string folder = ".";    ///< of what of the factor is more than that
  model::Stage stage = model::Stage::transient;      ///< whose loads act
  bool springback = false;                           ///< contacts end, Springback::held is held
  const std::vector<LocalId>* only_parts = nullptr;  ///< all others are left out; null: none
  linear::Workers* workers = nullptr;                ///< other ranks, which share the linear equations
  int predicted_ranks = 1;                           ///< without them: for how many `prepare` tells memory
  bool elsewhere = false;                            ///< on other machines, whose room is not known
  bool for_modes = false;                            ///< masses without stiffness count, too
  std::size_t modes = 0;  ///< that are found with the factor, beside which they are kept
};

/// How a step ended.
struct StepResult {
  Outcome outcome;
  std::string trouble;         ///< what stood in the way, with node or element; empty if it has converged
  std::optional<double> load;  ///< time of the load curves where that is found, too (arc lengths)
  bool converged() const { return outcome.trouble == Trouble::none; }
};

/// Force and moment of a support or a drive on a point, and the work of a drive so far.
struct Reaction {
  LocalId node = model::kNone;  ///< or a rigid body's point, behind the nodes
  Vec3 force, moment;
  double work = 0;
};

/// Stiffness and masses along the unknowns, and what solves with such matrices. It refers to the solver that
/// made it.
struct FreeVibration {
  const linear::BlockMatrix* stiffness = nullptr;
  std::vector<double> mass;                         ///< the diagonal of the mass matrix
  std::optional<linear::BlockMatrix> coupled_mass;  ///< all of it, where it couples unknowns
  linear::Solver* solver = nullptr;
  const DofMap* dofs = nullptr;

  eigen::Pencil pencil() const { return {stiffness, mass, solver, coupled_mass ? &*coupled_mass : nullptr}; }
};

/// Stiffness without stress, what stresses and loads add to it, and what solves with such matrices.
struct Prestressed {
  linear::BlockMatrix stiffness, stress;
  linear::Solver* solver = nullptr;
};

/// Where a rigid body is.
struct RigidMotion {
  Vec3 centre, displacement;  ///< of its centre of mass
  Vec3 rotation;              ///< sum of the increments
  constraints::Quaternion orientation;
  Vec3 velocity, acceleration;  ///< of its centre of mass
  Vec3 angular_velocity, angular_acceleration;
};

/// Energies at t_n.
struct Balance {
  explicit_dynamics::GlobalEnergies parts;
  double sliding = 0;  ///< of contacts: elastic and by friction
  double joint = 0;    ///< of joints: stored and dissipated
  double walls = 0;    ///< taken by rigid walls
  double damping = 0;  ///< dissipated by damping by mass
  double external_work = 0, total = 0, initial = 0;
  double ratio() const {
    const double given = initial + external_work;
    return given != 0.0 ? total / given : 1.0;
  }
};

struct DeletedElement {
  double time = 0;
  ElementName name;
};
CRUMPLE_MEMBERS(DeletedElement, time, name)
CRUMPLE_MEMBERS(Reaction, node, force, moment, work)
CRUMPLE_MEMBERS(RigidMotion, centre, displacement, rotation, orientation, velocity, acceleration,
                angular_velocity, angular_acceleration)

class Solver {
 public:
  /// Keeps references. Throws Error for any error of the model that is found before the first step.
  /// @param comm of one rank, which has all of the model
  Solver(const parallel::Communicator& comm, const decomposition::Subdomain& subdomain,
         const SolverOptions& options);

  /// Numbers the unknowns of a step of length dt and analyses their equations, as that step would do first.
  /// Throws Error if their factor needs more memory than the limit (CR-I203) or more space than the disk has
  /// (CR-I204).
  const linear::Analysis& prepare(double dt);

  /// Tries a step of length dt; the state is that at its end if it has converged, else as before.
  /// @param report called after each iteration
  StepResult step(double dt, const std::function<void(const Iteration&)>& report);

  /// Matrices of free vibration about the present state: the stiffness of a step of length dt without loads,
  /// with that of what touches at its start; the explicit solver's masses and rotary inertias. What is moved
  /// in the step is held. Throws Error CR-I303 if an element is broken.
  FreeVibration free_vibration(double dt);
  /// Rigid modes that balance loads; null before the first step, or without inertia relief.
  const InertiaRelief* relief() const { return relief_ ? &*relief_ : nullptr; }
  /// Matrices of buckling under the present loads: of a step of length dt from the present state. The
  /// stiffness of contacts is in the one without stress. Throws Error CR-I303, or CR-I306 for laws whose
  /// stress is not kept from step to step.
  Prestressed prestressed(double dt);
  /// A motion by unknowns at all points, to first order.
  Increment motion_of(std::span<const double> along) const;
  /// Positions of all points: of nodes, then of rigid bodies.
  std::span<const Vec3> points() const { return points_; }

  /// Begins from what the other scheme, or a relaxation, has left; before the first step.
  void take(const phases::CarriedState& from);
  /// What this scheme leaves, after a step. What was left out counts again: no step may follow.
  phases::CarriedState leave();
  /// The state from which a run goes on, between two steps: with the same bits, since the pattern of the
  /// stiffness and what its ordering comes from are in it.
  void archive(state::Archive& archive);

  double time() const { return time_; }
  double dt() const { return dt_; }  ///< of the last step
  std::int64_t cycle() const { return cycle_; }
  const state::Nodal& nodal() const { return nodal_; }
  bool dynamic() const { return inertia_.has_value(); }  ///< whether inertia counts at some time
  const model::Model& model() const { return subdomain_->model; }
  std::span<const state::GroupView> groups() const { return elements_.groups(); }
  const state::Strains* strains() const { return strains_ ? &*strains_ : nullptr; }
  const modules::Modules& modules() const { return modules_; }
  /// Integral of the angular velocity of nodes of Output::history_nodes.
  const std::vector<Vec3>& rotation() const { return rotation_; }
  const std::vector<Reaction>& reactions() const { return reactions_; }  ///< of single-point constraints
  const std::vector<Reaction>& drives() const { return drives_; }        ///< of prescribed motions
  /// Where rigid bodies are, in the order of Model::rigid_bodies; then welded nodes.
  const std::vector<RigidMotion>& rigid_motions() const { return rigid_motions_; }
  /// Reactions of Model::supports on rigid bodies.
  std::vector<SupportShare> support_shares() const;
  /// The body of a point of a reaction; kNone for a node.
  LocalId body_of(LocalId point) const {
    return at(point) < nodal_.size() ? model::kNone : point - static_cast<LocalId>(nodal_.size());
  }
  /// By contact: force of its segments on their tied nodes.
  const std::vector<Vec3>& tie_forces() const { return tie_forces_; }
  /// One for each of Model::cross_sections.
  std::span<const explicit_dynamics::SectionForce> section_forces() const { return sections_.results(); }
  const std::vector<DeletedElement>& deleted() const { return deleted_; }
  /// Welds that have broken so far, in the order of time.
  const std::vector<Welds::Break>& broken_welds() const { return welds_.breaks(); }
  /// One for each of Model::contacts.
  std::vector<contact::ContactResult> contact_results() const;
  /// Joints, ties by springs, rigid walls.
  const AllLinks& links() const { return links_; }
  const contact::mortar::MortarContacts& contacts() const { return contacts_; }
  Balance balance() const;
  std::vector<explicit_dynamics::PartEnergies> parts() const;
  std::uint64_t hash() const;
  double mass() const { return mass_; }
  double model_size() const { return newton_.size; }  ///< diagonal of its box
  std::size_t n_elements() const { return elements_.size(); }
  std::int32_t equations() const { return dofs_.equations(); }
  /// What linear equations took since the last call.
  LinearWork take_linear_work();
  const linear::Analysis& analysis() const { return analysis_; }
  WorkClock& clock() { return clock_; }
  linear::DiskTraffic traffic() const { return linear_->traffic(); }
  /// Directions of nodes without stiffness, which are held (AUTOSPC); known after the first step.
  std::int64_t unattached() const { return inertia_in_step_ ? 0 : n_unattached_; }
  Timers& timers() { return timers_; }
  /// Tells a profiler that the next step begins.
  void tell_step() {
    timers_.begin_cycle(cycle_);
    clock_.up_to_now();
  }
  /// What each of several ranks would do for the linear equations, as JSON; empty: rank 0 solves alone.
  std::string division(int ranks) const { return linear_->division(ranks); }

 private:
  void list_points();
  void list_unknowns();
  void take_bodies(const phases::CarriedState& from);
  void begin_links(const phases::CarriedLinks& from);
  bool is_spare(std::size_t body) const;
  void regroup_welds();
  void free_welded_nodes();
  void hold_welded_nodes();
  void archive_welds(state::Archive& archive);
  void take_velocities(const phases::CarriedState& from);
  bool counts(std::size_t body) const;
  void leave_out_parts();
  void end_with_elements(std::span<const Elements::Deleted> gone);
  void renumber(const std::vector<NodeGiven>& given);
  phases::Totals totals() const;
  void archive_clock(state::Archive& archive);
  void archive_points(state::Archive& archive);
  void archive_lists(state::Archive& archive);
  void archive_unknowns(state::Archive& archive);
  void archive_factor(state::Archive& archive);
  void analyse_again(std::span<const Vec3> positions);
  void number_unknowns(const std::vector<NodeGiven>& given);
  void check_given(const std::vector<NodeGiven>& given) const;
  void hold_unattached();
  NodeFreedoms unattached_in_step(std::size_t node) const;
  void start_motion(const std::vector<constraints::RigidBodies::Velocity>& bodies);
  void start_accelerations(const NodalForces& forces, const std::vector<NodeGiven>& given);
  void keep_motion();
  void give_unknowns_to_masses(bool without_elements);
  linear::BlockMatrix mass_matrix() const;
  bool masses_are_coupled() const { return dependents_.any() || consistent_mass_.any(); }
  void check_unstressed(const NodalForces& internal, double stressed) const;
  void analyse();
  void start_contacts(double end);
  void analyse(bool contacts_again);
  Outcome follow_path(StepEquations& equations, double dt, References& references,
                      const std::function<void(const Iteration&)>& report);
  Increment given_increment(const std::vector<NodeGiven>& given);
  StepResult turned_too_far(const std::vector<NodeGiven>& given) const;
  StepInput input(const Increment& given, double end);
  std::string name_of_point(LocalId point) const;
  std::string describe(const Outcome& outcome) const;
  std::string worst_node(const Outcome& outcome) const;
  LocalId loaded_unattached(const StepEquations& equations) const;
  void accept(const StepEquations& equations, const std::vector<NodeGiven>& given, double end);
  bool by_arc_length() const { return control_->arc.active && time_ >= control_->arc.begin; }
  void take_reactions(const StepEquations& equations, const std::vector<NodeGiven>& given);
  void move_bodies(const StepEquations& equations);
  modules::Cycle cycle_now(double end, double dt);
  std::vector<NodeGiven> given_in_step(double start, double end) const;

  const parallel::Communicator* comm_;
  const decomposition::Subdomain* subdomain_;
  const model::Implicit* control_;
  model::Stage stage_;
  bool for_modes_;
  const std::vector<LocalId>* only_parts_;
  parallel::Halo halo_;
  state::Nodal nodal_;
  Elements elements_;
  constraints::RigidBodies rigid_bodies_;  ///< as they are at the start; modules ask
  Welds welds_;
  std::vector<RigidPoint> rigid_points_;  ///< of rigid bodies, then of groups of welded nodes
  modules::Modules modules_;
  std::optional<state::Strains> strains_;
  explicit_dynamics::MassShares masses_;
  SectionForces sections_;
  ExternalLoads loads_;
  Supports supports_;
  contact::mortar::MortarContacts contacts_;
  DependentNodes dependents_;
  PointMasses point_masses_;
  ConsistentMass consistent_mass_;  ///< none without *CONTROL_IMPLICIT_CONSISTENT_MASS
  std::vector<char> counted_;       ///< nodes whose kinetic energy is theirs, not a rigid body's
  AllLinks links_;
  std::vector<Vec3> points0_, points_;       ///< positions of nodes, bodies' points and centres: start, t_n
  std::vector<std::uint8_t> dofs_of_point_;  ///< 0, 3 or 6, by its elements
  std::optional<Inertia> inertia_;           ///< none in statics
  bool inertia_in_step_ = false;
  std::optional<InertiaRelief> relief_;  ///< with the present unknowns
  std::vector<NodeFreedoms> unattached_;
  std::int64_t n_unattached_ = 0;
  bool looked_for_unattached_ = false;
  bool welds_have_parted_ = false;  ///< since the last step began
  DofMap dofs_;
  std::vector<NodeGiven> numbered_for_;  ///< with which unknowns were numbered
  bool numbered_with_inertia_ = false;
  Stiffness stiffness_;
  std::unique_ptr<linear::Solver> linear_;
  linear::Analysis analysis_;
  std::vector<Vec3> analysed_at_;  ///< positions of points that the ordering comes from
  References references_;
  NewtonOptions newton_;
  bool factored_ = false;  ///< with the present unknowns
  std::int64_t steps_since_factor_ = 0;
  double factored_inertia_ = 0;  ///< Inertia::stiffness in that factor
  Timers timers_;
  WorkClock clock_;
  std::vector<Vec3> rotation_;
  AlignedVector<Vec3> zero_;  ///< velocities in statics
  std::vector<Reaction> reactions_, drives_;
  std::vector<RigidMotion> rigid_motions_;
  std::vector<Vec3> tie_forces_;
  NodalForces on_bodies_;  ///< loads at centres at t_n
  double body_work_ = 0;   ///< of these
  double work_of_ended_drives_ = 0;
  std::vector<DeletedElement> deleted_;
  PathPoint path_;
  AlignedVector<Vec3> last_moved_;  ///< in the last step, with arc lengths
  double time_ = 0, dt_ = 0, mass_ = 0, initial_energy_ = 0;
  std::int64_t cycle_ = 0, first_cycle_ = 0;
  AlignedVector<Vec3> initial_v_, initial_w_;  ///< of the deck, where a run may begin with inertia
  phases::Totals before_;                      ///< of earlier parts of the run, beyond what is counted here
};

}  // namespace crumple::implicit
