// The phases of a cycle, and the balance of energies.
#include "explicit/solver.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/assert.hpp"
#include "constraints/switched_parts/switched_parts.hpp"
#include "constraints/weld_strains/weld_strains.hpp"
#include "explicit/spring_masses.hpp"
#include "loads/belts/belt.hpp"
#include "loads/death/element_deaths.hpp"
#include "loads/entity/contact_entities.hpp"
#include "model/element_rows.hpp"
#include "sensors/sensors.hpp"
#include "state/assembly.hpp"
#include "state/initial_states.hpp"

namespace crumple::explicit_dynamics {

using model::ElementKind;
using model::kNone;

namespace {

/// The largest step, as a fraction of the end time, if only springs limit it or nothing does. Springs may be
/// stable with three and a half steps per period, which is too coarse to resolve their motion.
constexpr double kLongestFreeStep = 1e-3;

/// Fraction of a step in which nothing is strained. With dt = 0 kernels would take the model for one without
/// stress. A step of this fraction gives no strain, and vanishes in the sum with the next one.
constexpr double kNoStep = 1e-18;

/// Nodes whose elements are computed before loads: those that ranks share, and those of belts of shells,
/// which slip rings and retractors put elsewhere when loads are added.
std::vector<char> nodes_of_first_elements(const decomposition::Subdomain& subdomain) {
  std::vector<char> mask = subdomain.nodes.shared_mask();
  for (const loads::Belts& belts : subdomain.model.features.of<loads::Belts>())
    for (std::size_t k = 0; k < belts.nodes.size() && !belts.shells.empty(); ++k)
      if (belts.nodes[k] != model::kNone) mask[static_cast<std::size_t>(belts.nodes[k])] = 1;
  return mask;
}

}  // namespace

Solver::Solver(const parallel::Communicator& comm, const decomposition::Subdomain& subdomain,
               SolverOptions options)
    : comm_(&comm),
      subdomain_(&subdomain),
      halo_(comm, subdomain.nodes),
      nodal_(state::make_nodal(subdomain, comm, halo_)),
      elements_(make_elements(options.single_precision, subdomain.model, options.isa,
                              nodes_of_first_elements(subdomain), nodal_.loads, options.threads)),
      sections_(subdomain.model, *elements_, nodal_.loads),
      nodal_dilatation_(subdomain.model, nodal_.size(), halo_),
      truss_chains_(subdomain.model, nodal_, comm),
      particles_(subdomain.model, comm, elements_->writable_groups(), options.threads),
      dependent_nodes_(subdomain.model, nodal_, comm, halo_, options.isa),
      mass_damping_(subdomain.model, dependent_nodes_, halo_, comm),
      rigid_bodies_(subdomain.model, dependent_nodes_.nodal(), comm),
      massless_nodes_(subdomain.model, dependent_nodes_.nodal(), rigid_bodies_.mask()),
      node_ties_(subdomain.model),
      spot_welds_(subdomain.model, dependent_nodes_.nodal(), comm.rank(), options.isa),
      contact_(subdomain.model, dependent_nodes_.nodal(), comm, contact::part_constants(subdomain.model),
               options.isa),
      tie_springs_(subdomain.model, dependent_nodes_.nodal(), comm, halo_),
      breaking_ties_(subdomain.model, dependent_nodes_.nodal(), comm, halo_),
      preloads_(subdomain.model),
      temperatures_(subdomain.model),
      interiors_(subdomain.model, dependent_nodes_.nodal(), halo_, contact::part_constants(subdomain.model)),
      masses_(subdomain.model),
      mass_scaling_(subdomain.model, elements_->groups(), dependent_nodes_.nodal(), rigid_bodies_.mask()),
      rotation_(subdomain.model.output.history_nodes.size()),
      nodal_update_(rigid_bodies_.mask(), options.isa) {
  for (const auto& tie : subdomain.model.node_ties)
    for (const LocalId n : tie.nodes) nodal_update_.hold(n);
  const state::Transfer transfer = [this](std::vector<double> mass) {
    return dependent_nodes_.transferred(std::move(mass));
  };
  modules_.start(
      {comm, halo_, subdomain.model, nodal_, rigid_bodies_, transfer, dependent_nodes_.own().mass, modules_});
  for (const LocalId n : modules_.held_nodes()) nodal_update_.hold(n);
  rigid_bodies_.initialize(nodal_);
  modules_.each(&modules::Module::initialize, nodal_, rigid_bodies_);
  node_ties_.initialize(nodal_);
  spot_welds_.initialize(nodal_);
  dependent_nodes_.start();
  const model::Model& m = subdomain.model;
  if (state::strains_asked(m.output)) strains_.emplace(m, options.threads);
  elements_everywhere_ = comm.sum(static_cast<std::int64_t>(model::element_count(m)));
  share_masses_with_springs(m, nodal_, rigid_bodies_, comm, halo_, elements_->writable_groups());
  deformable_ = comm.any(std::ranges::any_of(
      elements_->groups(), [](const auto& g) { return g.kind() != ElementKind::discrete; }));
  rigid_step_ = rigid_step();
  for (const double part : state::part_masses(m, comm)) mass_ += part;
  contact_step_ = contact_.stable_step(nodal_);
  if (comm.any(state::any_initial_stress(m))) dt_ = kNoStep * std::min(rigid_step_, m.control.end_time);
  const bool tied = comm.any(!nodal_.tied_mass.empty());
  if (tied)  // dumps take them of all nodes or of none: a rank may have none of the ties
    for (auto* taken : {&nodal_.tied_mass, &nodal_.tied_inertia}) taken->resize(nodal_.size(), 0.0);
  // Mass scaling, and ties that let go of their nodes.
  if (mass_scaling_.active() || tied) contact_.expect_new_masses();
  // The masses of nodes have no meaning in bodies whose mass properties were given, and are not all of those
  // with lumped inertias.
  counted_.assign(nodal_.size(), 1);
  for (const model::RigidBody& body : m.rigid_bodies)
    if (body.inertia_given || !body.lumps.empty())
      for (const LocalId n : body.nodes) counted_[n] = 0;
}

/// A bound for models with rigid bodies only, whose contacts still need a stable step: the time of a sound
/// wave along the shortest edge.
double Solver::rigid_step() const {
  const model::Model& m = subdomain_->model;
  double smallest = kNoLimit;
  const auto visit = [&](const auto& elements, int corners) {
    for (std::size_t e = 0; e < elements.size(); ++e) {
      const model::Material& material = m.materials[m.parts[elements.part[e]].material];
      const double young = material.field("E"), density = material.density;
      if (!(young > 0) || !(density > 0)) continue;
      for (int a = 0; a < corners; ++a)
        for (int b = a + 1; b < corners; ++b) {
          const double d = norm(nodal_.x[elements.nodes[e][a]] - nodal_.x[elements.nodes[e][b]]);
          if (d > 0) smallest = std::min(smallest, d * std::sqrt(density / young));
        }
    }
  };
  visit(m.shells, 4);
  visit(m.solids, 8);
  visit(m.beams, 2);
  return comm_->min(smallest);
}

void Solver::clear_forces() { nodal_update_.clear_forces(nodal_); }

/// Collective.
void Solver::end_dying_elements() {
  auto* const deaths = modules_.find<loads::ElementDeaths>();
  if (deaths == nullptr) return;
  const auto due = deaths->due(time_, nodal_.x, stage_);
  if (due.empty()) return;
  elements_->mark_deleted(
      [&](const ElementName& e) {
        return std::ranges::binary_search(due, loads::ElementDeaths::Dying{e.kind, e.id});
      },
      DeletionCause::death);
}

void Solver::add_border_forces(bool keep) {
  {
    const auto timer = timers_.time(Phase::elements);
    end_dying_elements();
    preloads_.set(elements_->writable_groups(), time_, dt_, stage_);
    temperatures_.set(elements_->writable_groups(), time_, stage_);
    nodal_dilatation_.update(nodal_, halo_, elements_->writable_groups(), dt_);
    truss_chains_.update(nodal_, elements_->writable_groups(), dt_);
    if (!sections_.empty() && (keep || senses_sections())) sections_.measure(nodal_, time_, dt_);
    if (strains_) strains_->add(nodal_, elements_->groups(), dt_);
    particles_.find_rates(nodal_, elements_->writable_groups(), time_, dt_);
    elements_->add_border(nodal_, time_, dt_, stage_);
  }
  find_missing_mass(true);
}

void Solver::add_particle_forces() {
  const auto timer = timers_.time(Phase::elements);
  particles_.add_forces(nodal_, elements_->writable_groups());
}

void Solver::add_interior_forces() {
  {
    const auto timer = timers_.time(Phase::elements);
    elements_->add_interior(nodal_, time_, dt_, stage_);
    remove_deleted_elements();
  }
  find_missing_mass(false);
}

/// Computes the missing mass of the elements that were just computed.
void Solver::find_missing_mass(bool border) {
  const auto timer = timers_.time(Phase::constraints);
  mass_scaling_.find_missing(border, cycle_ - first_cycle_, *elements_);
}

/// The step limits the springs of contact. Springs that are loaded at the start need the first step before it
/// is made, so all elements must have been computed.
void Solver::expect_first_step() {
  add_interior_forces();
  const auto added = mass_scaling_.sums();
  if (mass_scaling_.active()) halo_.begin_sum(added), halo_.finish_sum(added);
  mass_scaling_.give_to_nodes(cycle_ - first_cycle_, comm_->rank(), halo_, nodal_);
  for (const Vec3& v : nodal_.v) last_speed_ = std::max(last_speed_, norm(v));
  smallest_step_ = comm_->min(elements_->broken() ? -1.0 : elements_->smallest_step());
  contact_.expect_step(choose_step());
}

/// Starts the one reduction of a cycle, which overlaps with the accelerations of the first nodes. It has the
/// smallest step (after mass scaling), a node whose force overflowed and a rigid body that failed in the last
/// cycle, the motion of contacts' nodes, and the loads on rigid bodies that ranks share.
void Solver::begin_reduction() {
  Reduction mine{-(elements_->broken() ? -1.0 : elements_->smallest_step()),
                 -static_cast<double>(runaway_.node), -static_cast<double>(failed_body()),
                 -static_cast<double>(massless_nodes_.loose().node)};
  {
    const auto timer = timers_.time(Phase::contact);
    std::ranges::copy(contact_.motion(nodal_, last_way_, last_speed_), mine.begin() + 4);
  }
  {
    const auto timer = timers_.time(Phase::constraints);
    rigid_bodies_.find_resultants(nodal_, reduction_.sums(rigid_bodies_.n_resultants()));
  }
  const auto timer = timers_.time(Phase::exchange);
  reduction_.start(*comm_, mine);
}

void Solver::finish_reduction() {
  const auto timer = timers_.time(Phase::exchange);
  const parallel::PendingReduction::Result all = reduction_.finish();
  smallest_step_ = -all.maxima[0];
  if (-all.maxima[1] < static_cast<double>(kNoNode)) stop_runaway(static_cast<GlobalId>(-all.maxima[1]));
  stop_failed_body(static_cast<std::int64_t>(-all.maxima[2]));
  if (-all.maxima[3] < static_cast<double>(kNoNode)) stop_loose_node(static_cast<GlobalId>(-all.maxima[3]));
  contact::ContactSystem::Motion motion;
  CRUMPLE_ASSERT(all.maxima.size() == 4 + motion.size(), all.maxima.size(), motion.size(), cycle_);
  std::ranges::copy(all.maxima.subspan(4), motion.begin());
  contact_.take_motion(motion);
  resultants_ = all.sums;
}

modules::Cycle Solver::cycle_now(double dt_v, double dt_x) {
  return {nodal_,
          rigid_bodies_,
          stage_,
          first(),
          time_,
          dt_,
          penalty_step(),
          dt_v,
          dt_x,
          travelled_,
          fastest_,
          spot_welds_.mask(),
          elements_->groups()};
}

void Solver::add_loads() {
  const auto timer = timers_.time(Phase::loads);
  modules::Cycle cycle = cycle_now();
  fail_together([&] { modules_.each(&modules::Module::add_forces, cycle); });
  if (cycle.jumped) contact_.sort_next();
}

/// Looks for pairs where nodes have moved far, and sends positions and velocities of segments' nodes. In the
/// first cycle contacts need masses that elements add.
void Solver::begin_contact() {
  const auto timer = timers_.time(Phase::contact);
  contact_.prepare_cycle(nodal_, penalty_step());
}

void Solver::add_contact_forces() {
  const auto timer = timers_.time(Phase::contact);
  switch_contacts();
  breaking_ties_.hold(contact_, halo_, nodal_.size());
  contact_.add_forces(nodal_, time_, dt_);
  tie_springs_.add_forces(nodal_, time_, dt_, stage_);
  breaking_ties_.add_forces(nodal_, time_, dt_, stage_);
  interiors_.add_forces(nodal_, dt_, penalty_step());
  if (auto* const sensors = modules_.find<sensors::Sensors>();
      sensors != nullptr && sensors->measures_contacts() && !first() && stage_ == model::Stage::transient)
    sensors->look(contact_.results(), time_);
}

void Solver::remove_deleted_elements() {
  std::vector<contact::DeletedElement> gone;
  for (const Deletion& deletion : elements_->deletions()) {
    gone.push_back({deletion.kind, deletion.element});
    deleted_.push_back({time_, deletion.name, deletion.cause});
    modules_.each(&modules::Module::delete_element, deletion.kind, deletion.element);
  }
  if (!gone.empty()) end_with_elements(gone);
}

/// What elements carry or touch with ends, beside what modules do.
void Solver::end_with_elements(std::span<const contact::DeletedElement> gone) {
  contact_.delete_elements(nodal_, gone);
  dependent_nodes_.delete_elements(gone);
  tie_springs_.delete_elements(gone);
  breaking_ties_.delete_elements(gone);
  interiors_.delete_elements(gone);
}

/// Nodal sums of forces and, with mass scaling, of added masses. In the first cycle masses were already
/// summed for contacts.
std::vector<parallel::NodeSums> Solver::sums() {
  const auto loads = parallel::sums_of(nodal_.loads);
  std::vector<parallel::NodeSums> sums(loads.begin(), loads.end());
  if (!first() && mass_scaling_.adds_in(cycle_ - first_cycle_))
    for (const parallel::NodeSums& added : mass_scaling_.sums()) sums.push_back(added);
  return sums;
}

void Solver::begin_exchange() {
  const auto timer = timers_.time(Phase::exchange);
  halo_.begin_sum(sums());
}

void Solver::finish_exchange() {
  const auto timer = timers_.time(Phase::exchange);
  halo_.finish_sum(sums());
  if (!first()) mass_scaling_.give_to_nodes(cycle_ - first_cycle_, comm_->rank(), halo_, nodal_);
}

void Solver::transfer_tied_loads() {
  const auto timer = timers_.time(Phase::constraints);
  dependent_nodes_.transfer(stage_ == model::Stage::relaxation ? 0.0 : time_);  // ends are final
}

/// Loads on nodes of rigid bodies, beside the forces on all nodes.
void Solver::pull_bodies() {
  const auto timer = timers_.time(Phase::loads);
  modules::Cycle cycle = cycle_now();
  modules_.each(&modules::Module::pull, cycle);
  mass_damping_.pull(nodal_, rigid_bodies_, time_);
}

void Solver::move_ties(bool keep, double dt_x) {
  const auto timer = timers_.time(Phase::constraints);
  if (keep) dependent_nodes_.accelerate();
  dependent_nodes_.move(dt_x);
}

/// Limits of the step beside elements: moments between rigid bodies; and without elements with mass, contact
/// and rigid bodies.
double Solver::limit_beside_elements(bool elements_limit) const {
  double between_bodies = modules_.stable_step(rigid_bodies_);
  const auto* const parts = modules_.find<constraints::SwitchedParts>();
  if (parts != nullptr && parts->any_rigid()) between_bodies = std::min(between_bodies, contact_step_);
  return deformable_ && elements_limit ? between_bodies
                                       : std::min({between_bodies, rigid_step_, contact_step_});
}

/// The stable step, the same on every rank; a minimum does not depend on the order.
double Solver::choose_step() {
  const model::Control& control = subdomain_->model.control;
  const double smallest = smallest_step_;
  if (!(smallest > 0.0)) fail_broken();
  const model::Relaxation& relaxation = control.relaxation;
  const bool own = stage_ == model::Stage::relaxation && relaxation.step_scale > 0.0;
  double dt = (own ? relaxation.step_scale : control.step_scale) *
              std::min(smallest, limit_beside_elements(limits(smallest)));
  step_is_free_ = !limits(dt);
  const bool by_springs = !deformable_ && limits(smallest);
  if ((by_springs || step_is_free_) && control.end_time > 0)
    dt = std::min(dt, kLongestFreeStep * control.end_time);
  if (control.dt_curve != kNone) dt = std::min(dt, subdomain_->model.curves[control.dt_curve](time_));
  if (const auto* const parts = modules_.find<constraints::SwitchedParts>())
    dt = std::min(dt, parts->longest_step());
  if (first()) {
    if (control.dt_init > 0) dt = std::min(dt, control.dt_init);
    first_step_ = dt;
    // The run uses TSSFAC times the elements' steps.
    const double least = control.min_step_factor * first_step_ / control.step_scale;
    if (control.erode % 10 == 1) elements_->erode_below(ElementKind::solid, least);
    if (control.erode / 10 == 1) elements_->erode_below(ElementKind::shell, least);
  }
  if (control.min_step_factor > 0 && dt < control.min_step_factor * first_step_) stop_short_step(dt);
  if (time_ < stop_at_ && time_ + dt > stop_at_) dt = stop_at_ - time_;
  CRUMPLE_ASSERT(dt > 0.0, dt, smallest, time_, cycle_);
  return dt;
}

/// Whether something reads or changes the accelerations of all nodes in this cycle.
bool Solver::stores_accelerations(bool keep) const {
  return keep || stage_ == model::Stage::relaxation || modules_.change_all_accelerations() ||
         mass_damping_.asked();
}

/// With several ranks, the first nodes are done during the reduction of the step.
void Solver::accelerate(bool keep) {
  const auto timer = timers_.time(Phase::constraints);
  constexpr std::size_t during_reduction = 8192;
  note_runaway(
      std::min(spot_welds_.runaway(), nodal_update_.accelerate(nodal_, stores_accelerations(keep),
                                                               comm_->size() > 1 ? during_reduction : 0)));
}

void Solver::relax(double dt_v) {
  if (stage_ != model::Stage::relaxation) return;
  relaxation_.slow_down(subdomain_->model.control.relaxation.factor, nodal_, rigid_bodies_, dt_v);
}

void Solver::begin_relaxation() {
  stage_ = model::Stage::relaxation;
  relaxation_.begin(nodal_, rigid_bodies_);
  spot_welds_.initialize(nodal_);
}

void Solver::end_relaxation() {
  stage_ = model::Stage::transient;
  initial_energy_.reset();
  weigh_relaxation_ = true;
  relaxation_.end(nodal_, rigid_bodies_);
  modules_.each(&modules::Module::begin_stage);
  rigid_bodies_.start_motions_again();
  spot_welds_.initialize(nodal_);
  time_ = 0.0;
  cycle_ = 0;
  step_before_run_ = std::exchange(dt_, kNoStep * dt_);
}

double Solver::distortional_energy() {
  const GlobalEnergies& all = balance().parts;
  return all.kinetic_balance - (all.mass > 0.0 ? 0.5 * dot(all.momentum, all.momentum) / all.mass : 0.0);
}

void Solver::add_base_accelerations(double dt_v, double dt_x) {
  modules::Cycle cycle = cycle_now(dt_v, dt_x);
  modules_.each(&modules::Module::accelerate, cycle);
}

void Solver::constrain(double dt_v, double dt_x) {
  const auto timer = timers_.time(Phase::constraints);
  modules::Cycle cycle = cycle_now(dt_v, dt_x);
  modules_.each(&modules::Module::constrain, cycle);
  massless_nodes_.take_loads(nodal_);
  massless_nodes_.find_loose(modules_, cycle);
}

void Solver::advance_velocities(double dt_v, double dt_x) {
  const auto timer = timers_.time(Phase::constraints);
  const Advanced advanced =
      nodal_update_.advance(nodal_, dt_v, modules_.speed_to_reach(cycle_now(dt_v, dt_x)));
  note_runaway(advanced.overflow);
  fastest_ = std::sqrt(advanced.fastest2);
}

void Solver::stop_at_walls(double dt_v, double dt_x) {
  modules::Cycle cycle = cycle_now(dt_v, dt_x);
  if (modules_.stop_nodes(cycle)) nodal_update_.watch(modules_.watched_nodes());
}

/// Every rank has all linked bodies, so forces between them need no messages.
void Solver::advance_bodies(double dt_v, double dt_x) {
  const auto timer = timers_.time(Phase::constraints);
  modules::Cycle cycle = cycle_now(dt_v, dt_x);
  modules_.each(&modules::Module::add_body_forces, cycle);
  rigid_bodies_.advance(nodal_, resultants_, time_, dt_v, dt_x, stage_);
  modules_.each(&modules::Module::count_body_work, cycle);
}

void Solver::link_nodes(double dt_v, double dt_x) {
  const auto timer = timers_.time(Phase::constraints);
  node_ties_.apply(nodal_, massless_nodes_, time_, dt_v);
  modules::Cycle cycle = cycle_now(dt_v, dt_x);
  modules_.each(&modules::Module::link, cycle);
  const auto* const strains = modules_.find<constraints::WeldStrains>();
  spot_welds_.advance(nodal_, massless_nodes_, time_, dt_v, dt_x, stage_,
                      strains ? strains->torn() : std::span<const char>{});
  modules_.each(&modules::Module::count_work, cycle);
}

void Solver::advance_positions(double dt_x) {
  const auto timer = timers_.time(Phase::constraints);
  const Fastest fastest = nodal_update_.advance_positions(nodal_, spot_welds_.mask(), dt_x);
  constexpr double rounding = 1e-6;  // an upper bound of the rounding of sums
  travelled_ += dt_x * std::sqrt(fastest.moved2);
  last_speed_ = (1.0 + rounding) * std::sqrt(fastest.of_all2);
  last_way_ = dt_x * last_speed_;
  const std::vector<LocalId>& shown = subdomain_->model.output.history_nodes;
  for (std::size_t k = 0; k < shown.size(); ++k) rotation_[k] += dt_x * nodal_.w[shown[k]];
}

/// Subtracts the work of loads and damping before the run. It is known in the first cycle of the run, when
/// the last step of relaxation is complete, as are its strains in the internal energy.
void Solver::leave_out_relaxation(Balance& b) {
  if (std::exchange(weigh_relaxation_, false)) {
    work_before_ = b.external_work;
    damping_before_ = b.damping;
  }
  b.external_work -= work_before_;
  b.damping -= damping_before_;
}

Balance Solver::balance() {
  Balance b;
  b.parts = global_energies(*comm_, nodal_, {snapshot_.v, snapshot_.w, snapshot_.v2, snapshot_.w2}, counted_,
                            elements_->groups());
  for (int k = 0; k < rigid_bodies_.size(); ++k) {
    const model::RigidBody& input = subdomain_->model.rigid_bodies[k];
    if (!input.inertia_given && input.lumps.empty()) continue;
    b.parts.kinetic += rigid_bodies_.kept_kinetic_energy(k);
    b.parts.kinetic_balance += rigid_bodies_.kinetic_energy(k);
    b.parts.mass += rigid_bodies_.mass(k);
    b.parts.momentum += rigid_bodies_.mass(k) * rigid_bodies_.kept_state(k).velocity;
  }
  const modules::Work work = modules_.work();
  const phases::Totals sums = totals(work);
  b.external_work = sums.external_work;
  b.damping = sums.damping + b.parts.damping;
  leave_out_relaxation(b);
  b.external_work += before_.external_work;
  b.damping += before_.damping;
  b.joint = sums.joint + before_.joint;
  b.eroded_kinetic = sums.eroded_kinetic + before_.eroded_kinetic;
  b.sliding = sums.sliding + before_.sliding;
  b.stonewalls = work.stonewalls;
  b.stonewall = sums.stonewall + before_.stonewall;
  if (mass_scaling_.active())
    for (const double added : added_masses()) b.added_mass += added;
  const GlobalEnergies& p = b.parts;
  b.total = p.kinetic_balance + p.internal + p.hourglass + p.spring + p.eroded_internal + p.eroded_hourglass +
            b.eroded_kinetic + b.sliding + b.damping + b.stonewall + b.joint;
  if (!initial_energy_) initial_energy_ = b.total;
  b.initial = *initial_energy_;
  return b;
}

/// Of this part of the run, without what elements dissipate by damping. Collective.
phases::Totals Solver::totals(const modules::Work& work) const {
  std::array<parallel::ExactSum, 4> sums;
  for (const auto* of : {&mass_scaling_.work(), &rigid_bodies_.work()}) sums[0].add(*of);
  sums[0].add(work.external);
  sums[1] = mass_damping_.energy();
  sums[2] = dependent_nodes_.lost_energy();
  sums[3] = interiors_.work();
  sums[1].add(work.damped);
  parallel::ExactSum::reduce(*comm_, sums);
  phases::Totals all;
  all.external_work = sums[0].value() + work.external_on_bodies;
  all.damping = sums[1].value();
  all.joint = work.joint;
  all.eroded_kinetic = sums[2].value();
  all.stonewall = std::accumulate(work.stonewalls.begin(), work.stonewalls.end(), 0.0);
  all.sliding = sums[3].value();
  for (const contact::ContactResult& r : contact_results()) all.sliding += r.sliding_energy();
  return all;
}

std::vector<contact::ContactResult> Solver::contact_results() const {
  std::vector<contact::ContactResult> results = contact_.results();
  dependent_nodes_.add_results(results);
  tie_springs_.add_results(results);
  breaking_ties_.add_results(results);
  if (const auto* const entities = modules_.find<loads::ContactEntities>()) entities->add_results(results);
  return results;
}

std::vector<PartEnergies> Solver::parts() {
  return part_energies(*comm_, subdomain_->model, masses_,
                       {snapshot_.v, snapshot_.w, snapshot_.v2, snapshot_.w2}, elements_->groups());
}

}  // namespace crumple::explicit_dynamics
