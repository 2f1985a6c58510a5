// The phases of a cycle and what the solver tells about itself.
#include "explicit/solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "explicit/spring_masses.hpp"
#include "explicit/state_hash.hpp"
#include "state/assembly.hpp"

namespace crumple::explicit_dynamics {

using model::ElementKind;
using model::kNone;

namespace {

/// The longest step, of the end time, where springs alone limit it or nothing does: springs may be stable
/// with three and a half steps a period, with which nobody would see what they do.
constexpr double kLongestFreeStep = 1e-3;

/// The smallest of the ranks' names (by kind and id), on every rank. Collective.
ElementName smallest_name(const parallel::Communicator& comm, const ElementName& mine) {
  const std::array<GlobalId, 3> words{static_cast<GlobalId>(mine.kind), mine.id, mine.part};
  const std::vector<GlobalId> all = comm.all_gather<GlobalId>(words);
  ElementName best;
  for (std::size_t r = 0; r + 2 < all.size(); r += 3) {
    const ElementName name{static_cast<ElementKind>(all[r]), all[r + 1], all[r + 2]};
    if (name.kind == ElementKind::none) continue;
    if (best.kind == ElementKind::none || std::pair(name.kind, name.id) < std::pair(best.kind, best.id))
      best = name;
  }
  return best;
}

/// By node: whether other ranks have it, too.
std::vector<char> shared_mask(const decomposition::Subdomain& subdomain) {
  std::vector<char> shared(subdomain.model.nodes.size(), 0);
  for (const auto& nodes : subdomain.shared_nodes)
    for (const LocalId n : nodes) shared[n] = 1;
  return shared;
}

/// What all ranks find wrong at once ends the run as its own failures do, with a last state.
template <class Act>
void fail_together(const Act& act) {
  try {
    act();
  } catch (const Error& error) {
    throw RunFailure(error.id(), error.message(), error.place(), error.status());
  }
}

/// Elastic constants of every part with elements that can touch.
std::vector<contact::PartConstants> part_constants(const model::Model& m) {
  std::vector<contact::PartConstants> constants;
  for (const model::Part& part : m.parts) {
    contact::PartConstants& c = constants.emplace_back();
    if (part.material == kNone || part.kind == ElementKind::none || part.kind == ElementKind::discrete)
      continue;
    const materials::Prepared p = materials::prepare(m, m.materials[part.material]);
    c = {p.elastic.bulk, p.elastic.young, p.density};
  }
  return constants;
}

}  // namespace

template <class T>
Solver<T>::Solver(const parallel::Communicator& comm, const decomposition::Subdomain& subdomain,
                  SolverOptions options)
    : comm_(&comm),
      subdomain_(&subdomain),
      halo_(comm, subdomain.neighbours, subdomain.shared_nodes),
      nodal_(state::make_nodal(subdomain, comm, halo_)),
      elements_(subdomain.model, options.isa, shared_mask(subdomain), nodal_.loads, options.threads),
      sections_(subdomain.model, elements_.groups(), nodal_.loads),
      nodal_dilatation_(subdomain.model, nodal_.size(), halo_),
      mass_damping_(subdomain.model, nodal_, halo_, comm),
      own_mass_(nodal_.mass),
      ties_(subdomain.model, nodal_, comm, halo_),
      interpolations_(subdomain.model, nodal_),
      rigid_bodies_(subdomain.model, nodal_, comm),
      massless_nodes_(subdomain.model, nodal_, rigid_bodies_.mask()),
      node_ties_(subdomain.model),
      spot_welds_(subdomain.model, nodal_, comm.rank()),
      contact_(subdomain.model, nodal_, comm, part_constants(subdomain.model), options.isa),
      tie_springs_(subdomain.model, nodal_, comm, halo_),
      interiors_(subdomain.model, nodal_, halo_, part_constants(subdomain.model)),
      masses_(subdomain.model),
      mass_scaling_(subdomain.model, elements_, nodal_, rigid_bodies_.mask()),
      rotation_(subdomain.model.output.history_nodes.size()),
      nodal_update_(rigid_bodies_.mask(), options.isa) {
  for (const auto& tie : subdomain.model.node_ties)
    for (const LocalId n : tie.nodes) nodal_update_.hold(n);
  const state::Transfer transfer = [this](std::vector<double> mass) {
    return interpolations_.transferred(ties_.transferred(std::move(mass)));
  };
  modules_.start({comm, halo_, subdomain.model, nodal_, rigid_bodies_, transfer, own_mass_, modules_});
  for (const LocalId n : modules_.held_nodes()) nodal_update_.hold(n);
  mass_damping_.follow(transfer, own_mass_, nodal_);
  std::vector<double>().swap(own_mass_);
  rigid_bodies_.initialize(nodal_);
  modules_.each(&modules::Module::initialize, nodal_, rigid_bodies_);
  node_ties_.initialize(nodal_);
  spot_welds_.initialize(nodal_);
  ties_.start(nodal_);
  interpolations_.start(nodal_);
  const model::Model& m = subdomain.model;
  if (state::strains_asked(m.output)) strains_.emplace(m, options.threads);
  elements_everywhere_ = comm.sum(
      static_cast<std::int64_t>(m.shells.size() + m.solids.size() + m.beams.size() + m.discretes.size()));
  share_masses_with_springs<T>(m, nodal_, rigid_bodies_, comm, halo_, elements_.groups());
  deformable_ = comm.any(std::ranges::any_of(
      elements_.groups(), [](const auto& g) { return g.kind() != ElementKind::discrete; }));
  rigid_step_ = rigid_step();
  for (const double part : state::part_masses(m, comm)) mass_ += part;
  contact_step_ = contact_.stable_step(nodal_);
  // Nodes of bodies whose mass properties were given carry a mass of their own that means nothing.
  counted_.assign(nodal_.size(), 1);
  for (const model::RigidBody& body : m.rigid_bodies)
    if (body.inertia_given)
      for (const LocalId n : body.nodes) counted_[n] = 0;
}

/// A bound for models of rigid bodies alone, whose contacts still need a stable step: the time sound
/// takes along the shortest edge.
template <class T>
double Solver<T>::rigid_step() const {
  const model::Model& m = subdomain_->model;
  double smallest = 1e30;
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

template <class T>
void Solver<T>::clear_forces() {
  nodal_update_.clear_forces(nodal_);
}

template <class T>
void Solver<T>::add_border_forces(bool keep) {
  {
    const auto timer = timers_.time(Phase::elements);
    nodal_dilatation_.update<T>(nodal_, halo_, elements_.groups(), dt_);
    if (keep && !sections_.empty()) sections_.measure(nodal_, elements_.groups(), time_, dt_);
    if (strains_) strains_->add<T>(nodal_, elements_.groups(), dt_);
    elements_.add_border(nodal_, time_, dt_, stage_);
  }
  find_missing_mass(true);
}

template <class T>
void Solver<T>::add_interior_forces() {
  {
    const auto timer = timers_.time(Phase::elements);
    elements_.add_interior(nodal_, time_, dt_, stage_);
    remove_deleted_elements();
  }
  find_missing_mass(false);
}

/// Of the elements that were just computed, those below DT2MS.
template <class T>
void Solver<T>::find_missing_mass(bool border) {
  const auto timer = timers_.time(Phase::constraints);
  mass_scaling_.find_missing(border, cycle_, elements_);
}

/// Springs of contact are bounded by the step: those that are loaded at the start need the first one before
/// any was taken, for which all elements must have been looked at.
template <class T>
void Solver<T>::expect_first_step() {
  add_interior_forces();
  const auto added = mass_scaling_.sums();
  if (mass_scaling_.active()) halo_.begin_sum(added), halo_.finish_sum(added);
  mass_scaling_.give_to_nodes(cycle_, comm_->rank(), halo_, nodal_);
  for (const Vec3& v : nodal_.v) last_speed_ = std::max(last_speed_, norm(v));
  smallest_step_ = comm_->min(elements_.broken() ? -1.0 : elements_.smallest_step());
  contact_.expect_step(choose_step());
}

/// The one reduction of a cycle, under way while the first nodes are accelerated: the smallest step, after
/// elements below DT2MS got mass; a node whose force had run away, and a rigid body that had failed, in the
/// last cycle; how contacts' nodes move; what acts on rigid bodies that ranks subdomain.
template <class T>
void Solver<T>::begin_reduction() {
  Reduction mine{-(elements_.broken() ? -1.0 : elements_.smallest_step()),
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

template <class T>
void Solver<T>::finish_reduction() {
  const auto timer = timers_.time(Phase::exchange);
  const parallel::PendingReduction::OfAll all = reduction_.finish();
  smallest_step_ = -all.maxima[0];
  if (-all.maxima[1] < static_cast<double>(kNoNode)) stop_runaway(static_cast<GlobalId>(-all.maxima[1]));
  stop_failed_body(static_cast<std::int64_t>(-all.maxima[2]));
  if (-all.maxima[3] < static_cast<double>(kNoNode)) stop_loose_node(static_cast<GlobalId>(-all.maxima[3]));
  contact::ContactSystem::Motion motion;
  std::ranges::copy(all.maxima.subspan(4), motion.begin());
  contact_.take_motion(motion);
  resultants_ = all.sums;
}

template <class T>
modules::Cycle Solver<T>::cycle_now(double dt_v, double dt_x) {
  return {nodal_,         rigid_bodies_, stage_, cycle_ == 0, time_,    dt_,
          penalty_step(), dt_v,          dt_x,   travelled_,  fastest_, spot_welds_.mask()};
}

template <class T>
void Solver<T>::add_loads() {
  const auto timer = timers_.time(Phase::loads);
  modules::Cycle cycle = cycle_now();
  fail_together([&] { modules_.each(&modules::Module::add_forces, cycle); });
}

template <class T>
void Solver<T>::add_contact_forces() {
  const auto timer = timers_.time(Phase::contact);
  contact_.prepare_cycle(nodal_, penalty_step());
  contact_.add_forces(nodal_, time_, dt_);
  tie_springs_.add_forces(nodal_, time_, dt_, stage_);
  interiors_.add_forces(nodal_, dt_, penalty_step());
}

template <class T>
void Solver<T>::remove_deleted_elements() {
  std::vector<contact::DeletedElement> gone;
  for (const Deletion& deletion : elements_.deletions()) {
    gone.push_back({deletion.kind, deletion.element});
    deleted_.push_back({time_, deletion.name, deletion.cause});
    modules_.each(&modules::Module::delete_element, deletion.kind, deletion.element);
  }
  if (gone.empty()) return;
  contact_.delete_elements(nodal_, gone);
  ties_.delete_elements(gone);
  tie_springs_.delete_elements(gone);
  interiors_.delete_elements(gone);
}

/// Of forces and, where masses are scaled, of what is added to them. In the first cycle contacts have asked
/// for the masses before.
template <class T>
std::vector<parallel::NodeSums> Solver<T>::sums() {
  const auto loads = parallel::sums_of(nodal_.loads);
  std::vector<parallel::NodeSums> sums(loads.begin(), loads.end());
  if (cycle_ > 0 && mass_scaling_.adds_in(cycle_))
    for (const parallel::NodeSums& added : mass_scaling_.sums()) sums.push_back(added);
  return sums;
}

template <class T>
void Solver<T>::begin_exchange() {
  const auto timer = timers_.time(Phase::exchange);
  halo_.begin_sum(sums());
}

template <class T>
void Solver<T>::finish_exchange() {
  const auto timer = timers_.time(Phase::exchange);
  halo_.finish_sum(sums());
  if (cycle_ > 0) mass_scaling_.give_to_nodes(cycle_, comm_->rank(), halo_, nodal_);
}

template <class T>
void Solver<T>::transfer_tied_loads() {
  const auto timer = timers_.time(Phase::constraints);
  interpolations_.transfer(nodal_);
  ties_.transfer(nodal_, stage_ == model::Stage::relaxation ? 0.0 : time_);  // ends are final
}

/// What acts on nodes of rigid bodies beside forces on all nodes.
template <class T>
void Solver<T>::pull_bodies() {
  const auto timer = timers_.time(Phase::loads);
  modules::Cycle cycle = cycle_now();
  modules_.each(&modules::Module::pull, cycle);
  mass_damping_.pull(nodal_, rigid_bodies_, time_);
}

template <class T>
void Solver<T>::move_ties(bool keep, double dt_x) {
  const auto timer = timers_.time(Phase::constraints);
  if (keep) ties_.accelerate(nodal_);
  ties_.move(nodal_, dt_x);
  interpolations_.move(nodal_, dt_x);
}

/// What limits the step beside elements: moments between rigid bodies; and where no element with mass does,
/// contact and what rigid bodies need.
template <class T>
double Solver<T>::limit_beside_elements(bool elements_limit) const {
  const double between_bodies = modules_.stable_step(rigid_bodies_);
  return deformable_ && elements_limit ? between_bodies
                                       : std::min({between_bodies, rigid_step_, contact_step_});
}

/// The stable step, the same on every rank; a minimum does not depend on the order.
template <class T>
double Solver<T>::choose_step() {
  const model::Control& control = subdomain_->model.control;
  const double smallest = smallest_step_;
  if (!(smallest > 0.0)) fail_broken();
  const model::Relaxation& relaxation = control.relaxation;
  const bool own = stage_ == model::Stage::relaxation && relaxation.step_scale > 0.0;
  double dt = (own ? relaxation.step_scale : control.step_scale) *
              std::min(smallest, limit_beside_elements(smallest < 1e29));
  step_is_free_ = !(dt < 1e29);
  const bool by_springs = !deformable_ && smallest < 1e29;
  if ((by_springs || step_is_free_) && control.end_time > 0)
    dt = std::min(dt, kLongestFreeStep * control.end_time);
  if (control.dt_curve != kNone) dt = std::min(dt, subdomain_->model.curves[control.dt_curve](time_));
  if (cycle_ == 0) {
    if (control.dt_init > 0) dt = std::min(dt, control.dt_init);
    first_step_ = dt;
    // Elements know their own step, of which the run takes TSSFAC.
    const double least = control.min_step_factor * first_step_ / control.step_scale;
    if (control.erode % 10 == 1) elements_.erode_below(ElementKind::solid, least);
    if (control.erode / 10 == 1) elements_.erode_below(ElementKind::shell, least);
  }
  if (control.min_step_factor > 0 && dt < control.min_step_factor * first_step_) {
    const ElementName name = smallest_name(
        *comm_, smallest == elements_.smallest_step() ? elements_.controlling() : ElementName{});
    throw RunFailure(
        "CR-R102",
        fmt::format("the time step fell to {:.4e}, below DTMIN times the first step ({:.4e}), at "
                    "time {:.6e}, cycle {}: {} element {} of part {}",
                    dt, control.min_step_factor * first_step_, time_, cycle_, kind_name(name.kind), name.id,
                    name.part),
        {}, Exit::run);
  }
  return dt;
}

template <class T>
void Solver<T>::fail_broken() const {
  const ElementName name =
      smallest_name(*comm_, elements_.broken() ? elements_.first_broken() : ElementName{});
  throw RunFailure(
      "CR-R101",
      fmt::format("{} element {} of part {} has a negative volume or is not a number at time {:.6e}, "
                  "cycle {}",
                  kind_name(name.kind), name.id, name.part, time_, cycle_),
      {}, Exit::run);
}

/// Whether something reads or changes the accelerations of all nodes in this cycle.
template <class T>
bool Solver<T>::stores_accelerations(bool keep) const {
  return keep || stage_ == model::Stage::relaxation || modules_.change_all_accelerations() ||
         mass_damping_.asked();
}

/// Where there are other ranks, the first of them while the step is reduced.
template <class T>
void Solver<T>::accelerate(bool keep) {
  const auto timer = timers_.time(Phase::constraints);
  constexpr std::size_t during_reduction = 8192;
  note_runaway(
      std::min(spot_welds_.runaway(), nodal_update_.accelerate(nodal_, stores_accelerations(keep),
                                                               comm_->size() > 1 ? during_reduction : 0)));
}

/// Keep what is known now of the element at the node that has the shortest step: one squeezed flat has a
/// short one, and forces that grow beyond all bounds before its volume turns negative.
template <class T>
void Solver<T>::note_runaway(GlobalId node) {
  if (node == kNoNode || runaway_.node <= node) return;
  if (runaway_.node != kNoNode && runaway_.cycle != cycle_) return;
  runaway_ = {node, {}, time_, cycle_};
  const auto place = std::ranges::find(nodal_.id, node);
  if (place != nodal_.id.end())
    runaway_.suspect = elements_.suspect_at(static_cast<LocalId>(place - nodal_.id.begin()));
}

/// Ends the run if a force has run away on any rank, the least such node of all being `node`. Collective.
template <class T>
void Solver<T>::stop_runaway(GlobalId node) const {
  if (node == kNoNode) return;
  const bool mine = runaway_.node == node;
  const double step = comm_->min(mine ? runaway_.suspect.step : HUGE_VAL);
  const ElementName name =
      smallest_name(*comm_, mine && runaway_.suspect.step == step ? runaway_.suspect.name : ElementName{});
  const double time = comm_->min(mine ? runaway_.time : HUGE_VAL);
  const std::int64_t cycle = comm_->min(mine ? runaway_.cycle : std::numeric_limits<std::int64_t>::max());
  std::string where;
  if (name.kind != ElementKind::none)
    where = fmt::format(" at {} element {} of part {}, whose stable step is {:.2g} % of the first step",
                        kind_name(name.kind), name.id, name.part,
                        100 * subdomain_->model.control.step_scale * step / first_step_);
  throw RunFailure("CR-R103",
                   fmt::format("the force on node {} is out of all proportion to the stiffness there at time "
                               "{:.6e}, cycle {}: the run is unstable{}",
                               node, time, cycle, where),
                   {}, Exit::run);
}

/// Of this rank, beyond all indices without.
template <class T>
std::int64_t Solver<T>::failed_body() const {
  const LocalId b = rigid_bodies_.failed();
  return b == kNone ? std::numeric_limits<std::int32_t>::max() : b;
}

/// Ends the run if a rigid body has failed on any rank, the first of all being `b`. Collective.
template <class T>
void Solver<T>::stop_failed_body(std::int64_t b) const {
  if (b < rigid_bodies_.size()) fail_together([&] { rigid_bodies_.stop(static_cast<LocalId>(b)); });
}

template <class T>
void Solver<T>::relax(double dt_v) {
  if (stage_ != model::Stage::relaxation) return;
  relaxation_.slow_down(subdomain_->model.control.relaxation.factor, nodal_, rigid_bodies_, dt_v);
}

template <class T>
void Solver<T>::begin_relaxation() {
  stage_ = model::Stage::relaxation;
  relaxation_.begin(nodal_, rigid_bodies_);
  spot_welds_.initialize(nodal_);
}

template <class T>
void Solver<T>::end_relaxation() {
  stage_ = model::Stage::transient;
  initial_energy_.reset();
  weigh_relaxation_ = true;
  relaxation_.end(nodal_, rigid_bodies_);
  modules_.each(&modules::Module::begin_stage);
  rigid_bodies_.start_motions_again();
  spot_welds_.initialize(nodal_);
  time_ = 0.0;
  cycle_ = 0;
  // With no step at all kernels would take the model for one without stress; this one strains nothing, and is
  // lost in the sum with the next.
  step_before_run_ = std::exchange(dt_, 1e-18 * dt_);
}

template <class T>
double Solver<T>::distortional_energy() {
  const GlobalEnergies& all = balance().parts;
  return all.kinetic_balance - (all.mass > 0.0 ? 0.5 * dot(all.momentum, all.momentum) / all.mass : 0.0);
}

template <class T>
void Solver<T>::add_base_accelerations() {
  modules::Cycle cycle = cycle_now();
  modules_.each(&modules::Module::accelerate, cycle);
}

template <class T>
void Solver<T>::constrain(double dt_v, double dt_x) {
  const auto timer = timers_.time(Phase::constraints);
  modules::Cycle cycle = cycle_now(dt_v, dt_x);
  modules_.each(&modules::Module::constrain, cycle);
  massless_nodes_.take_loads(nodal_);
  massless_nodes_.find_loose(modules_, cycle);
}

/// Ends the run where something acts on a node without mass that nothing answers; the least such node of all
/// ranks is `node`. Collective.
template <class T>
void Solver<T>::stop_loose_node(GlobalId node) const {
  if (node == kNoNode) return;
  const constraints::MasslessNodes::Loose& loose = massless_nodes_.loose();
  const bool mine = loose.node == node;
  const double size = comm_->max(mine ? loose.size : 0.0), time = comm_->max(mine ? loose.time : -HUGE_VAL);
  const bool moment = comm_->any(mine && loose.moment);
  throw RunFailure(
      "CR-R107",
      fmt::format(
          "node {} has no {}, and a {} of {:.4e} acts on it at time {:.6e} along which nothing holds or "
          "moves it: {}",
          node, moment ? "rotational inertia" : "mass", moment ? "moment" : "force", size, time,
          moment ? "hold its rotation, or attach what has inertia"
                 : "give it mass (*ELEMENT_MASS), hold it or move it"),
      {}, Exit::run);
}

template <class T>
void Solver<T>::advance_velocities(double dt_v, double dt_x) {
  const auto timer = timers_.time(Phase::constraints);
  const Advanced advanced =
      nodal_update_.advance(nodal_, dt_v, modules_.speed_to_reach(cycle_now(dt_v, dt_x)));
  note_runaway(advanced.overflow);
  fastest_ = std::sqrt(advanced.fastest2);
}

template <class T>
void Solver<T>::stop_at_walls(double dt_v, double dt_x) {
  modules::Cycle cycle = cycle_now(dt_v, dt_x);
  if (modules_.stop_nodes(cycle)) nodal_update_.watch(modules_.watched_nodes());
}

/// Every rank has all bodies that are linked, so what acts between them takes no messages.
template <class T>
void Solver<T>::advance_bodies(double dt_v, double dt_x) {
  const auto timer = timers_.time(Phase::constraints);
  modules::Cycle cycle = cycle_now(dt_v, dt_x);
  modules_.each(&modules::Module::add_body_forces, cycle);
  rigid_bodies_.advance(nodal_, resultants_, time_, dt_v, dt_x, stage_);
  modules_.each(&modules::Module::count_body_work, cycle);
}

template <class T>
void Solver<T>::link_nodes(double dt_v, double dt_x) {
  const auto timer = timers_.time(Phase::constraints);
  node_ties_.apply(nodal_, massless_nodes_, time_, dt_v);
  spot_welds_.advance(nodal_, massless_nodes_, time_, dt_v, dt_x, stage_);
  modules::Cycle cycle = cycle_now(dt_v, dt_x);
  modules_.each(&modules::Module::count_work, cycle);
}

template <class T>
std::vector<constraints::SpotWelds::Break> Solver<T>::broken_welds() const {
  using Break = constraints::SpotWelds::Break;
  std::vector<Break> all = comm_->gather<Break>(spot_welds_.breaks());
  std::sort(all.begin(), all.end(), [](const Break& a, const Break& b) {
    return std::tuple(a.time, a.first, a.second) < std::tuple(b.time, b.first, b.second);
  });
  return all;
}

template <class T>
std::vector<DeletedElement> Solver<T>::deleted_elements(std::size_t from) const {
  std::vector<DeletedElement> all =
      comm_->gather<DeletedElement>(std::span(deleted_).subspan(std::min(from, deleted_.size())));
  std::sort(all.begin(), all.end(), [](const DeletedElement& a, const DeletedElement& b) {
    return std::tuple(a.time, a.name.kind, a.name.id) < std::tuple(b.time, b.name.kind, b.name.id);
  });
  return all;
}

template <class T>
void Solver<T>::advance_positions(double dt_x) {
  const auto timer = timers_.time(Phase::constraints);
  const Fastest fastest = nodal_update_.advance_positions(nodal_, spot_welds_.mask(), dt_x);
  constexpr double rounding = 1e-6;  // of sums, which is far less
  travelled_ += dt_x * std::sqrt(fastest.moved2);
  last_speed_ = (1.0 + rounding) * std::sqrt(fastest.of_all2);
  last_way_ = dt_x * last_speed_;
  const std::vector<LocalId>& shown = subdomain_->model.output.history_nodes;
  for (std::size_t k = 0; k < shown.size(); ++k) rotation_[k] += dt_x * nodal_.w[shown[k]];
}

template <class T>
void Solver<T>::keep_now() {
  keep_start();
  if (nodal_update_.whole() || nodal_update_.cleared() || cycle_ == 0) return;
  nodal_update_.accelerate(nodal_, true, 0);
  ties_.accelerate(nodal_);
}

template <class T>
void Solver<T>::keep_start() {
  snapshot_.time = time_;
  snapshot_.dt = dt_;
  snapshot_.cycle = cycle_;
  snapshot_.rotation = rotation_;
  for (auto* rows : {&snapshot_.x, &snapshot_.v, &snapshot_.w}) rows->resize(nodal_.size());
  for (auto* rows : {&snapshot_.v2, &snapshot_.w2}) rows->resize(nodal_.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < nodal_.size(); ++i) {
    snapshot_.x[i] = nodal_.x[i];
    snapshot_.v[i] = nodal_.v[i];
    snapshot_.w[i] = nodal_.w[i];
    snapshot_.v2[i] = dot(nodal_.v[i], nodal_.v[i]);
    snapshot_.w2[i] = dot(nodal_.w[i], nodal_.w[i]);
  }
}

/// v_n is the mean of v_{n-1/2} and v_{n+1/2}; at t = 0 the initial velocity, also where the first step
/// stops a node at a wall.
template <class T>
void Solver<T>::keep_snapshot(double dt_x) {
  if (cycle_ == 0) {
    snapshot_.dt = dt_x;
    return;
  }
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < nodal_.size(); ++i) {
    snapshot_.v2[i] = dot(snapshot_.v[i], nodal_.v[i]);
    snapshot_.w2[i] = dot(snapshot_.w[i], nodal_.w[i]);
    snapshot_.v[i] = 0.5 * (snapshot_.v[i] + nodal_.v[i]);
    snapshot_.w[i] = 0.5 * (snapshot_.w[i] + nodal_.w[i]);
  }
}

/// What loads and damping did before the run began. It is known in the first cycle of the run: the last step
/// of relaxation is done by then, like the strains that it left in the internal energy.
template <class T>
void Solver<T>::leave_out_relaxation(Balance& b) {
  if (std::exchange(weigh_relaxation_, false)) {
    work_before_ = b.external_work;
    damping_before_ = b.damping;
  }
  b.external_work -= work_before_;
  b.damping -= damping_before_;
}

template <class T>
Balance Solver<T>::balance() {
  Balance b;
  b.parts = global_energies<T>(*comm_, nodal_, {snapshot_.v, snapshot_.w, snapshot_.v2, snapshot_.w2},
                               counted_, elements_.groups());
  for (int k = 0; k < rigid_bodies_.size(); ++k) {
    if (!subdomain_->model.rigid_bodies[k].inertia_given) continue;
    b.parts.kinetic += rigid_bodies_.kept_kinetic_energy(k);
    b.parts.kinetic_balance += rigid_bodies_.kinetic_energy(k);
    b.parts.mass += rigid_bodies_.mass(k);
    b.parts.momentum += rigid_bodies_.mass(k) * rigid_bodies_.kept_state(k).velocity;
  }
  std::array<parallel::ExactSum, 4> sums;
  for (const auto* of : {&mass_scaling_.work(), &rigid_bodies_.work()}) sums[0].add(*of);
  const modules::Work work = modules_.work();
  sums[0].add(work.external);
  sums[1] = mass_damping_.energy();
  sums[2] = ties_.lost_energy();
  sums[3] = interiors_.work();
  sums[1].add(work.damped);
  parallel::ExactSum::reduce(*comm_, sums);
  b.external_work = sums[0].value() + work.external_on_bodies;
  b.joint = work.joint;
  b.damping = sums[1].value() + b.parts.damping;
  leave_out_relaxation(b);
  b.eroded_kinetic = sums[2].value();
  b.sliding = sums[3].value();
  b.stonewalls = work.stonewalls;
  b.stonewall = std::accumulate(b.stonewalls.begin(), b.stonewalls.end(), 0.0);
  for (const contact::ContactResult& r : contact_results()) b.sliding += r.sliding_energy();
  if (mass_scaling_.active())
    for (const double added : added_masses()) b.added_mass += added;
  const GlobalEnergies& p = b.parts;
  b.total = p.kinetic_balance + p.internal + p.hourglass + p.spring + p.eroded_internal + p.eroded_hourglass +
            b.eroded_kinetic + b.sliding + b.damping + b.stonewall + b.joint;
  if (!initial_energy_) initial_energy_ = b.total;
  b.initial = *initial_energy_;
  return b;
}

template <class T>
std::vector<contact::ContactResult> Solver<T>::contact_results() const {
  std::vector<contact::ContactResult> results = contact_.results();
  ties_.add_results(results);
  tie_springs_.add_results(results);
  return results;
}

template <class T>
std::vector<PartEnergies> Solver<T>::parts() {
  return part_energies<T>(*comm_, subdomain_->model, masses_,
                          {snapshot_.v, snapshot_.w, snapshot_.v2, snapshot_.w2}, elements_.groups());
}

template <class T>
ElementName Solver<T>::controlling() const {
  const double smallest = comm_->min(elements_.smallest_step());
  return smallest_name(*comm_,
                       elements_.smallest_step() == smallest ? elements_.controlling() : ElementName{});
}

template <class T>
std::vector<std::pair<double, ElementName>> Solver<T>::smallest_steps(std::size_t count) const {
  using Row = std::pair<double, ElementName>;
  static_assert(std::is_trivially_copyable_v<ElementName>);
  struct Packed {
    double step;
    ElementName name;
  };
  std::vector<Packed> mine;
  for (const Row& row : elements_.smallest_steps(count)) mine.push_back({row.first, row.second});
  std::vector<Packed> all = comm_->gather<Packed>(mine);
  std::sort(all.begin(), all.end(), [](const Packed& a, const Packed& b) {
    return std::tuple(a.step, a.name.kind, a.name.id) < std::tuple(b.step, b.name.kind, b.name.id);
  });
  if (all.size() > count) all.resize(count);
  std::vector<Row> rows;
  for (const Packed& p : all) rows.emplace_back(p.step, p.name);
  return rows;
}

template <class T>
std::uint64_t Solver<T>::hash() const {
  return state_hash<T>(*comm_, nodal_, elements_.groups());
}

template class Solver<float>;
template class Solver<double>;

}  // namespace crumple::explicit_dynamics
