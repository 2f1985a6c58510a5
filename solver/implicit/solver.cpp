// A step from its unknowns to its accepted state.
#include "implicit/solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "base/error.hpp"
#include "explicit/state_hash.hpp"
#include "implicit/linear/mass_solution.hpp"
#include "implicit/links/joint_links.hpp"
#include "implicit/links/joint_moments.hpp"
#include "implicit/links/tie_links.hpp"
#include "implicit/links/wall_links.hpp"
#include "implicit/unattached.hpp"
#include "state/assembly.hpp"

namespace crumple::implicit {

using constraints::Directions;
using constraints::identity3;
using constraints::Matrix3;

namespace {

/// What solves unless LSOLVR asks for another by name: every build has it, and its bits do not depend on
/// threads.
constexpr linear::Method kDirect = linear::Method::multifrontal;

/// Diagonal of the box around all nodes.
double size_of(std::span<const Vec3> x) {
  if (x.empty()) return 0.0;
  Vec3 low = x[0], high = x[0];
  for (const Vec3& p : x)
    for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], p[i]), high[i] = std::max(high[i], p[i]);
  return norm(high - low);
}

bool same(const Directions& a, const Directions& b) {
  return a.count == b.count && std::equal(a.axis.begin(), a.axis.begin() + a.count, b.axis.begin());
}

/// Whether the same directions are given, whatever the values.
bool same(const std::vector<NodeGiven>& a, const std::vector<NodeGiven>& b) {
  return std::ranges::equal(a, b, [](const NodeGiven& p, const NodeGiven& q) {
    return p.node == q.node && same(p.translation.along, q.translation.along) &&
           same(p.rotation.along, q.rotation.along);
  });
}

/// Squares of velocities, as energies take them.
std::vector<double> squares_of(std::span<const Vec3> v) {
  std::vector<double> squares;
  squares.reserve(v.size());
  for (const Vec3& of : v) squares.push_back(dot(of, of));
  return squares;
}

double largest_force(const NodalForces& forces) {
  double largest = 0.0;
  for (const Vec3& f : forces.force) largest = std::max(largest, norm(f));
  return largest;
}

void add_all(const Directions& from, Directions& to) {
  for (int k = 0; k < from.count; ++k) to.add(from.axis[at(k)]);
}

}  // namespace

Solver::Solver(const parallel::Communicator& comm, const decomposition::Subdomain& subdomain,
               const SolverOptions& options)
    : comm_(&comm),
      subdomain_(&subdomain),
      control_(&subdomain.model.control.implicit),
      stage_(options.stage),
      only_parts_(options.only_parts),
      halo_(comm, subdomain.nodes),
      nodal_(state::make_nodal(subdomain, comm, halo_)),
      elements_(subdomain.model, options.isa),
      rigid_bodies_(subdomain.model, nodal_, comm),
      welds_(subdomain.model),
      rigid_points_(rigid_points(subdomain.model, rigid_bodies_)),
      masses_(subdomain.model),
      sections_(subdomain.model),
      loads_(subdomain.model, nodal_.mass, rigid_points_, options.stage, &halo_),
      supports_(subdomain.model, rigid_points_, options.stage, options.springback),
      contacts_(subdomain.model, nodal_, options.isa, options.springback),
      rotation_(subdomain.model.output.history_nodes.size()),
      zero_(nodal_.size()) {
  const model::Model& m = subdomain.model;
  const state::Transfer keep = [](std::vector<double> mass) { return mass; };
  modules_.start({comm, halo_, m, nodal_, rigid_bodies_, keep, nodal_.mass, modules_});
  if (state::strains_asked(m.output)) strains_.emplace(m, options.threads);
  linear::SolverOptions how;
  const model::IterativeSolver& iterative = control_->iterative;
  how.method = control_->mumps    ? linear::Method::mumps
               : iterative.active ? linear::Method::conjugate_gradients
                                  : kDirect;
  how.relative_tolerance = iterative.relative;
  how.absolute_tolerance = iterative.absolute;
  how.most_iterations = iterative.most_iterations;
  how.threads = options.threads;
  how.isa = options.isa;
  how.single_precision = options.single_factor;
  how.out_of_core_if_needed = true;
  how.memory_limit = control_->mumps ? 0.0 : options.linear_memory;  // MUMPS would take all of it
  how.folder = options.folder;
  how.workers = options.workers;
  how.predicted_ranks = options.predicted_ranks;
  how.elsewhere = options.elsewhere;
  linear_ = linear::make_solver(how);
  stiffness_.solver = linear_.get();
  newton_ = {control_->iterations, control_->stop_if_negative, size_of(nodal_.x0)};
  for (const double part : state::part_masses(m, comm)) mass_ += part;
  rigid_bodies_.initialize(nodal_);  // moves centre nodes
  list_points();
  leave_out_parts();
  const Increment none(points_.size());
  sections_.measure(elements_, {points_, none, control_->steps.first, 0.0}, nodal_.x);
  if (control_->dynamics.active) {
    initial_v_ = nodal_.v;
    initial_w_ = nodal_.w;
    start_motion(rigid_bodies_.velocities());
  }
  if (control_->relief.active || control_->eigenvalues.count > 0) give_unknowns_to_masses(false);
  for (auto* rows : {&nodal_.v, &nodal_.w, &nodal_.a, &nodal_.alpha})
    std::fill(rows->begin(), rows->end(), Vec3{});
  modules::Cycle cycle = cycle_now(0.0, 0.0);
  modules_.each(&modules::Module::add_forces, cycle);  // loads begin to count their work
  modules_.each(&modules::Module::pull, cycle);
  NodalForces at_start(points_.size());
  loads_.add(points_, 0.0, at_start);
  for (std::size_t b = 0; b < rigid_points_.size(); ++b) {
    const std::size_t c = at(dependents_.centre(b));
    on_bodies_.force[c] = at_start.force[c];
    on_bodies_.moment[c] = at_start.moment[c];
  }
  if (!inertia_) return;
  keep_motion();
  initial_energy_ = balance().total;
}

/// Nodes that depend on others give them unknowns where they have mass.
/// @param without_elements other nodes without elements have unknowns, too, if they have mass
void Solver::give_unknowns_to_masses(bool without_elements) {
  for (std::size_t n = 0; n < nodal_.size(); ++n) {
    const bool needed = without_elements || dependents_.depends(static_cast<LocalId>(n));
    if (needed && dofs_of_point_[n] == 0 && nodal_.mass[n] > 0.0) dofs_of_point_[n] = 3;
  }
  dependents_.raise_unknowns(dofs_of_point_);
}

/// Initial velocities, and the accelerations by the forces at the start. Nodes without elements move, too, if
/// they have mass.
/// @param bodies of rigid bodies
void Solver::start_motion(const std::vector<constraints::RigidBodies::Velocity>& bodies) {
  give_unknowns_to_masses(true);
  std::vector<BodyStart> start;
  for (std::size_t b = 0; b < bodies.size(); ++b) start.push_back({bodies[b], rigid_motions_[b].orientation});
  inertia_.emplace(InertiaOf{subdomain_->model, nodal_, point_masses_, dependents_, dofs_of_point_}, halo_,
                   *comm_, start);
  const double dt = control_->steps.first, end = time_ + dt;
  if (!inertia_->begin(time_, end, {})) return inertia_->rest();
  inertia_->hold(given_in_step(time_, end));
  const std::vector<NodeGiven> given = given_in_step(time_, end);
  inertia_->begin(time_, end, given);  // from the velocities that are left
  // A step so short that only the rates of elements count.
  constexpr double instant = 1e-9;
  Increment motion(nodal_.size());
  for (std::size_t n = 0; n < nodal_.size(); ++n) {
    motion.u[n] = instant * dt * inertia_->motion().v[n];
    motion.turn[n] = instant * dt * inertia_->motion().w[n];
  }
  NodalForces forces(points_.size());
  loads_.add(points_, time_, forces);
  const bool sound = elements_.evaluate({nodal_.x, motion, instant * dt, time_}, false, [&](const auto& e) {
    for (std::size_t a = 0; a < e.nodes.size(); ++a)
      for (std::size_t i = 0; i < at(e.dofs); ++i)
        (i < 3 ? forces.force : forces.moment)[at(e.nodes[a])][int(i % 3)] -= e.force[a * at(e.dofs) + i];
  });
  if (sound) start_accelerations(forces, given);  // else the first step says so
}

/// With dependent nodes the mass matrix couples unknowns.
void Solver::start_accelerations(const NodalForces& forces, const std::vector<NodeGiven>& given) {
  if (!dependents_.any()) return inertia_->accelerate(forces);
  inertia_in_step_ = true;
  check_given(given);
  hold_unattached();
  number_unknowns(given);
  NodalForces left = inertia_->out_of_balance(forces);
  dependents_.gather(left);
  std::vector<double> r(at(dofs_.equations())), a(r.size());
  dofs_.reduce(left, r);
  linear::BlockMatrix mass = mass_matrix();
  for (double& value : mass.values) value *= inertia_->share();
  linear::solve_with_mass(mass, r, a);
  Increment accelerations(points_.size());
  dofs_.add(1.0, a, accelerations);
  inertia_->accelerate_by(accelerations);
}

/// Along the unknowns, at present positions.
linear::BlockMatrix Solver::mass_matrix() const {
  linear::BlockMatrix mass{&stiffness_.pattern, std::vector<double>(stiffness_.matrix.values.size(), 0.0)};
  std::vector<constraints::Quaternion> orientation;
  for (const RigidMotion& body : rigid_motions_) orientation.push_back(body.orientation);
  point_masses_.add_blocks(orientation, dofs_of_point_, [&](LocalId a, LocalId b, int dofs, const double* m) {
    dofs_.add_block(a, b, dofs, m, mass);
  });
  return mass;
}

/// Velocities and accelerations at the end of a step take the place of its means.
void Solver::keep_motion() {
  const NodalMotion& motion = inertia_->motion();
  std::copy_n(motion.v.begin(), nodal_.size(), nodal_.v.begin());
  std::copy_n(motion.w.begin(), nodal_.size(), nodal_.w.begin());
  std::copy_n(motion.a.begin(), nodal_.size(), nodal_.a.begin());
  std::copy_n(motion.alpha.begin(), nodal_.size(), nodal_.alpha.begin());
  for (std::size_t b = 0; b < rigid_motions_.size(); ++b) {
    const std::size_t c = at(dependents_.centre(b));
    RigidMotion& body = rigid_motions_[b];
    body.velocity = motion.v[c];
    body.acceleration = motion.a[c];
    body.angular_velocity = motion.w[c];
    body.angular_acceleration = motion.alpha[c];
  }
}

void Solver::list_points() {
  dependents_ = DependentNodes(subdomain_->model, rigid_points_, nodal_.x);
  links_ = AllLinks({subdomain_->model, nodal_, rigid_points_, dependents_, newton_.size});
  points_.assign(nodal_.x.begin(), nodal_.x.end());
  for (const RigidPoint& body : rigid_points_) points_.push_back(body.point0);
  for (const RigidPoint& body : rigid_points_) {
    points_.push_back(body.centre0);
    RigidMotion& motion = rigid_motions_.emplace_back();
    motion.centre = body.centre0;
  }
  points0_ = points_;
  list_unknowns();
  unattached_.resize(points_.size());
  on_bodies_ = NodalForces(points_.size());
  tie_forces_.resize(subdomain_->model.contacts.size());
  Increment none(points_.size());
  dependents_.move(points_, none);
  point_masses_ = PointMasses(subdomain_->model, nodal_, rigid_bodies_, rigid_points_, dependents_);
  for (std::size_t n = 0; n < nodal_.size(); ++n) counted_.push_back(!point_masses_.in_body[n]);
}

/// Of the elements that count.
void Solver::list_unknowns() {
  dofs_of_point_ = elements_.dofs_of_nodes(nodal_.size());
  dofs_of_point_.resize(points_.size(), 0);
  for (std::size_t b = 0; b < rigid_points_.size(); ++b)
    if (counts(b) && !is_spare(b)) dofs_of_point_[at(dependents_.body_point(b))] = 6;
  links_.raise_unknowns(dofs_of_point_);
  dependents_.raise_unknowns(dofs_of_point_);
}

/// Whether a rigid body is not left out: one of its parts counts, or it has none.
bool Solver::counts(std::size_t body) const {
  if (only_parts_ == nullptr || body >= subdomain_->model.rigid_bodies.size()) return true;
  const std::vector<LocalId>& parts = subdomain_->model.rigid_bodies[body].parts;
  return parts.empty() || std::ranges::any_of(parts, [&](LocalId p) {
           return std::ranges::find(*only_parts_, p) != only_parts_->end();
         });
}

/// Unknowns are only where something counts. Later dumps say which elements are left out.
void Solver::leave_out_parts() {
  if (only_parts_ == nullptr) return;
  elements_.leave_out_but(*only_parts_);
  end_with_elements(elements_.gone());
  list_unknowns();
}

/// What acts by way of these elements ends.
void Solver::end_with_elements(std::span<const Elements::Deleted> gone) {
  for (const Elements::Deleted& element : gone) {
    const model::ElementKind kind = element.name.kind;
    if (kind == model::ElementKind::shell) loads_.delete_shell(element.element);
    contacts_.delete_element(kind, element.element);
    modules_.each(&modules::Module::delete_element, kind, element.element);
    links_.delete_element(kind, element.element);
    if (dependents_.delete_element(kind, element.element)) stiffness_.pattern = {};
  }
}

modules::Cycle Solver::cycle_now(double end, double dt) {
  modules::Cycle cycle{nodal_, rigid_bodies_};
  cycle.stage = stage_;
  cycle.first = dt == 0.0;
  cycle.time = end;
  cycle.dt_last = cycle.penalty_step = cycle.dt_v = cycle.dt_x = dt;
  return cycle;
}

/// Readers refuse constraints and motions of most nodes that depend on others; none may be dropped here.
void Solver::check_given(const std::vector<NodeGiven>& given) const {
  const auto overlap = [](const Directions& along, const Directions& tied) {
    for (int k = 0; k < along.count; ++k)
      if (norm(tied.part_of(along.axis[at(k)])) > 1e-8) return true;
    return false;
  };
  for (const NodeGiven& g : given) {
    const NodeFreedoms tied = dependents_.tied(g.node);
    if (overlap(g.translation.along, tied.translation) || overlap(g.rotation.along, tied.rotation))
      throw Error("CR-I101",
                  fmt::format("{} is held or moved in a direction in which it follows other nodes (a "
                              "rigid body, a weld, a tie, an interpolation, a node set)",
                              name_of_point(g.node)));
  }
}

std::vector<NodeGiven> Solver::given_in_step(double start, double end) const {
  if (!inertia_) return supports_.in_step(start, end, {points_, {}, {}});
  return supports_.in_step(start, end, {points_, inertia_->motion().v, inertia_->motion().w});
}

/// What is held of a node because nothing is stiff there; where inertia counts, what has mass may move.
NodeFreedoms Solver::unattached_in_step(std::size_t node) const {
  NodeFreedoms held = unattached_[node];
  if (!inertia_in_step_) return held;
  if (point_masses_.moves[node]) held.translation = {};
  if (point_masses_.turns[node]) held.rotation = {};
  return held;
}

void Solver::number_unknowns(const std::vector<NodeGiven>& given) {
  if (!stiffness_.pattern.start.empty() && numbered_with_inertia_ == inertia_in_step_ &&
      same(given, numbered_for_))
    return;
  renumber(given);
  analyse();
}

void Solver::renumber(const std::vector<NodeGiven>& given) {
  std::vector<NodeFreedoms> held;
  for (std::size_t n = 0; n < points_.size(); ++n) held.push_back(unattached_in_step(n));
  for (const NodeGiven& node : given) {
    add_all(node.translation.along, held[at(node.node)].translation);
    add_all(node.rotation.along, held[at(node.node)].rotation);
  }
  for (std::size_t n = 0; n < held.size(); ++n) {
    NodeFreedoms& node = held[n];
    const NodeFreedoms tied = dependents_.tied(static_cast<LocalId>(n));
    add_all(tied.translation, node.translation);
    add_all(tied.rotation, node.rotation);
    node.translation = dofs_of_point_[n] >= 3 ? node.translation.complement() : Directions{};
    node.rotation = dofs_of_point_[n] >= 6 ? node.rotation.complement() : Directions{};
  }
  dofs_ = DofMap(std::move(held), &dependents_);
  numbered_for_ = given;
  numbered_with_inertia_ = inertia_in_step_;
}

void Solver::analyse() {
  analysed_at_ = points_;
  analyse(false);
}

/// @param contacts_again with the pairs of the last pattern
void Solver::analyse(bool contacts_again) {
  const auto timer = clock_.time(Part::symbolic);
  std::vector<std::int64_t> begin{0}, all_begin{0};
  std::vector<std::int32_t> rows, all_rows;
  elements_.append_nodes(begin, rows);
  const auto append = [&](const std::vector<LocalId>& nodes) {
    rows.insert(rows.end(), nodes.begin(), nodes.end());
    begin.push_back(static_cast<std::int64_t>(rows.size()));
  };
  for (const std::vector<LocalId>& segment : loads_.segments()) append(segment);
  for (const std::vector<LocalId>& masters : dependents_.couplings()) append(masters);
  std::vector<std::vector<LocalId>> linked;
  links_.append_points(linked);
  for (const std::vector<LocalId>& points : linked) append(points);
  if (contacts_again)
    contacts_.append_nodes_again(begin, rows);
  else
    contacts_.append_nodes(begin, rows);
  if (dependents_.any()) {
    for (std::size_t e = 0; e + 1 < begin.size(); ++e) {
      for (std::int64_t i = begin[e]; i < begin[e + 1]; ++i)
        dependents_.append_points(rows[static_cast<std::size_t>(i)], all_rows);
      all_begin.push_back(static_cast<std::int64_t>(all_rows.size()));
    }
    begin.swap(all_begin), rows.swap(all_rows);
  }
  stiffness_.pattern = linear::pattern_of(dofs_.row_sizes(), begin, rows);
  stiffness_.matrix.pattern = &stiffness_.pattern;
  stiffness_.matrix.values.assign(static_cast<std::size_t>(stiffness_.pattern.value.back()), 0.0);
  if (dofs_.equations() > 0) {
    linear_->place(analysed_at_, dofs_.motions());
    analysis_ = linear_->analyse(stiffness_.pattern, analysed_at_);
    clock_.move(Part::symbolic, Part::ordering, analysis_.ordering_seconds);
    linear_->check_room();
  }
  factored_ = false;
  relief_.reset();
}

void Solver::hold_unattached() {
  if (cycle_ > first_cycle_ || looked_for_unattached_ || !control_->hold_unattached) return;
  looked_for_unattached_ = true;
  Increment none(points_.size());
  dependents_.move(points_, none);
  const Trial at_rest{points_, none, control_->steps.first, control_->steps.first};
  auto found = find_unattached(elements_, links_, dependents_, dofs_of_point_, at_rest, control_->unattached);
  if (!found) return;  // the step says so
  unattached_ = std::move(*found);
  for (const NodeFreedoms& held : unattached_) n_unattached_ += held.size();
}

Increment Solver::given_increment(const std::vector<NodeGiven>& given) {
  Increment sum(points_.size());
  for (const NodeGiven& node : given) {
    sum.u[at(node.node)] = node.translation.increment();
    sum.turn[at(node.node)] = cayley_of(node.rotation.increment());
  }
  dependents_.move(points_, sum);
  return sum;
}

/// A rotation vector of half a turn has no Cayley vector.
StepResult Solver::turned_too_far(const std::vector<NodeGiven>& given) const {
  constexpr double most = 170.0, degrees = 180.0 / std::numbers::pi;
  StepResult result;
  for (const NodeGiven& g : given)
    if (const double angle = degrees * norm(g.rotation.increment()); !(angle <= most)) {
      result.outcome.trouble = Trouble::iterations;
      result.trouble = fmt::format("{} is to turn by {:.0f} degrees, at most {:.0f} are possible in a step",
                                   name_of_point(g.node), angle, most);
      return result;
    }
  return result;
}

StepInput Solver::input(const Increment& given, double end) {
  return {elements_,
          loads_,
          dofs_,
          dependents_,
          stiffness_,
          points0_,
          points_,
          given,
          time_,
          end,
          contacts_.any() ? &contacts_ : nullptr,
          inertia_in_step_ ? &*inertia_ : nullptr,
          &clock_,
          relief(),
          links_.any() ? &links_ : nullptr};
}

void Solver::start_contacts(double end) {
  const auto timer = clock_.time(Part::contact);
  contacts_.start_step(nodal_.x, time_, end);
}

LinearWork Solver::take_linear_work() { return std::exchange(stiffness_.work, {}); }

const linear::Analysis& Solver::prepare(double dt) {
  const auto timer = clock_.time(Part::symbolic);
  elements_.begin_step(time_ + dt, dt);
  hold_unattached();
  hold_welded_nodes();
  start_contacts(time_ + dt);
  number_unknowns(given_in_step(time_, time_ + dt));
  return analysis_;
}

StepResult Solver::step(double dt, const std::function<void(const Iteration&)>& report) {
  timers_.begin_cycle(cycle_);
  const auto timer = timers_.time(Phase::elements);
  const auto part = clock_.time(Part::other);
  const double end = time_ + dt;
  elements_.begin_step(end, dt);
  if (dependents_.end_at(time_, dt)) stiffness_.pattern = {};
  if (stage_ == model::Stage::transient && welds_.end_at(time_, dt)) free_welded_nodes();
  hold_unattached();
  hold_welded_nodes();
  const std::vector<NodeGiven> given = given_in_step(time_, end);
  check_given(given);
  if (StepResult far = turned_too_far(given); !far.converged()) return far;
  start_contacts(end);
  inertia_in_step_ = inertia_ && inertia_->begin(time_, end, given);
  const double inertia = inertia_in_step_ ? inertia_->stiffness() : 0.0;
  number_unknowns(given);
  if (!contacts_.in_pattern()) analyse();
  if (control_->relief.active && !relief_) relief_.emplace(free_vibration(dt), control_->relief);
  const Increment motion = given_increment(given);
  StepEquations equations(input(motion, end));
  constexpr double rounding = 1e-6;  // of steps of the same length
  const bool reuse = factored_ && std::abs(inertia - factored_inertia_) <= rounding * inertia &&
                     steps_since_factor_ < control_->iterations.steps_between_reforms;
  factored_inertia_ = inertia;
  References references = references_;
  const std::int64_t factors_before = clock_.done.factors;
  StepResult result;
  if (by_arc_length())
    result.outcome = follow_path(equations, dt, references, report);
  else
    result.outcome = solve_step(equations, newton_, reuse, references, report);
  clock_.done.flops += analysis_.flops * double(clock_.done.factors - factors_before);
  factored_ = result.converged();
  steps_since_factor_ = result.outcome.factors > 0 ? 1 : steps_since_factor_ + 1;
  if (!result.converged()) {
    result.trouble = describe(result.outcome);
    return result;
  }
  if (const LocalId node = loaded_unattached(equations); node != model::kNone) {
    result.outcome.trouble = Trouble::unattached;
    result.trouble =
        fmt::format("a load acts on {} in a direction in which nothing is stiff there", name_of_point(node));
    return result;
  }
  if (contacts_.missed(equations.positions().first(nodal_.size())))
    return step(dt, report);  // with pairs from farther away
  references_ = references;
  if (by_arc_length()) result.load = path_.load;
  accept(equations, given, end);
  return result;
}

Outcome Solver::follow_path(StepEquations& equations, double dt, References& references,
                            const std::function<void(const Iteration&)>& report) {
  if (path_.speed == 0.0) path_.load = time_;
  if (!last_moved_.empty()) {
    NodalForces moved(last_moved_.size());
    moved.force = last_moved_;
    path_.last.resize(equations.size());
    dofs_.reduce(moved, path_.last);
  }
  Outcome outcome = solve_arc_step(equations, newton_, dt, control_->arc.factor, path_, references, report);
  if (outcome.trouble == Trouble::none) last_moved_ = equations.increment().u;
  return outcome;
}

FreeVibration Solver::free_vibration(double dt) {
  elements_.begin_step(time_ + dt, dt);
  hold_unattached();
  inertia_in_step_ = false;
  start_contacts(time_ + dt);
  const std::vector<NodeGiven> given = given_in_step(time_, time_ + dt);
  check_given(given);
  number_unknowns(given);
  if (!contacts_.in_pattern()) analyse();
  const Increment none(points_.size());
  StepEquations equations(input(none, time_ + dt));
  if (!equations.assemble(StepEquations::Parts::rest))
    throw Error("CR-I303", "free vibration: " + describe({.trouble = Trouble::broken}), {}, Exit::run);
  factored_ = false;
  FreeVibration of{&stiffness_.matrix, {}, {}, linear_.get(), &dofs_};
  if (dependents_.any()) {
    of.coupled_mass = mass_matrix();
    of.mass = of.coupled_mass->diagonal();
    return of;
  }
  for (std::size_t n = 0; n < nodal_.size(); ++n) {
    const NodeFreedoms& node = dofs_.free(static_cast<LocalId>(n));
    of.mass.insert(of.mass.end(), at(node.translation.count), nodal_.mass[n]);
    of.mass.insert(of.mass.end(), at(node.rotation.count), nodal_.inertia[n]);
  }
  return of;
}

Prestressed Solver::prestressed(double dt) {
  start_contacts(time_ + dt);
  inertia_in_step_ = false;
  number_unknowns(given_in_step(time_, time_ + dt));
  if (!contacts_.in_pattern()) analyse();
  const Increment none(points_.size());
  StepEquations equations(input(none, time_ + dt));
  equations.load_to(by_arc_length() ? path_.load : time_);
  const auto assemble = [&](StepEquations::Parts parts) {
    if (!equations.assemble(parts))
      throw Error("CR-I303", "buckling: " + describe({.trouble = Trouble::broken}), {}, Exit::run);
    return stiffness_.matrix;
  };
  Prestressed of;
  of.stress = assemble(StepEquations::Parts::all);
  const double stressed = largest_force(equations.internal());
  of.stiffness = assemble(StepEquations::Parts::unstressed);
  check_unstressed(equations.internal(), stressed);
  for (std::size_t i = 0; i < of.stress.values.size(); ++i) of.stress.values[i] -= of.stiffness.values[i];
  of.solver = linear_.get();
  factored_ = false;
  return of;
}

/// Springs keep their forces; of other elements none are left unless a law computes stress from the strain.
void Solver::check_unstressed(const NodalForces& internal, double stressed) const {
  constexpr double rounding = 1e-6;
  std::vector<char> at_spring(nodal_.size(), 0);
  for (const auto& nodes : subdomain_->model.discretes.nodes)
    for (const LocalId n : nodes)
      if (n != model::kNone) at_spring[at(n)] = 1;
  for (std::size_t n = 0; n < nodal_.size(); ++n)
    if (!at_spring[n] && norm(internal.force[n]) > rounding * stressed)
      throw Error(
          "CR-I306",
          fmt::format("buckling: the law of an element at node {} computes stress from the whole strain, so "
                      "that the stiffness without stress cannot be told apart",
                      nodal_.id[n]),
          {}, Exit::run);
}

Increment Solver::motion_of(std::span<const double> along) const {
  Increment motion(points_.size());
  dofs_.add(1.0, along, motion);
  dependents_.follow(motion.u, motion.turn);
  return motion;
}

/// The first node with a force out of balance along a direction that is held because nothing is stiff there.
LocalId Solver::loaded_unattached(const StepEquations& equations) const {
  if (n_unattached_ == 0) return model::kNone;
  constexpr double rounding = 1e-6;  // of the largest force and moment, those of forces on arms included
  double force = 0.0, moment = 0.0;
  NodalForces sum = equations.reactions();
  dependents_.gather(sum);
  for (std::size_t n = 0; n < points_.size(); ++n)
    for (const NodalForces* const f : {&equations.internal(), &equations.external()}) {
      force = std::max(force, norm(f->force[n]));
      moment = std::max(moment, norm(f->moment[n]));
    }
  for (const DependentNodes::Members& body : dependents_.bodies_from(0))
    for (std::size_t k = 0; k < body.nodes.size(); ++k)
      for (const NodalForces* const f : {&equations.internal(), &equations.external()})
        moment = std::max(moment, norm(body.arms[k]) * norm(f->force[at(body.nodes[k])]));
  const auto loaded = [](const Directions& of, const Vec3& f, double limit) {
    for (int k = 0; k < of.count; ++k)
      if (std::abs(dot(of.axis[at(k)], f)) > limit) return true;
    return false;
  };
  for (std::size_t n = 0; n < points_.size(); ++n) {
    const NodeFreedoms held = unattached_in_step(n);
    const auto given = std::ranges::lower_bound(numbered_for_, static_cast<LocalId>(n), {}, &NodeGiven::node);
    if (given != numbered_for_.end() && given->node == static_cast<LocalId>(n)) continue;
    if (loaded(held.translation, sum.force[n], rounding * force) ||
        loaded(held.rotation, sum.moment[n], rounding * moment))
      return static_cast<LocalId>(n);
  }
  return model::kNone;
}

std::string Solver::name_of_point(LocalId point) const {
  if (at(point) < nodal_.size()) return fmt::format("node {}", nodal_.id[at(point)]);
  const std::size_t b = (at(point) - nodal_.size()) % rigid_points_.size();
  return rigid_points_[b].name;
}

std::string Solver::worst_node(const Outcome& outcome) const {
  const auto largest = std::ranges::max_element(outcome.residual,
                                                [](double a, double b) { return std::abs(a) < std::abs(b); });
  if (largest == outcome.residual.end()) return "no unknowns";
  const auto equation = static_cast<std::int32_t>(largest - outcome.residual.begin());
  const LocalId point = dofs_.node_of(equation);
  const std::optional<GlobalId> contact = contacts_.contact_at(point);
  return fmt::format("the largest {} out of balance is {:.3e} at {}{}",
                     dofs_.rotations()[at(equation)] ? "moment" : "force", std::abs(*largest),
                     name_of_point(point), contact ? fmt::format(", in contact {}", *contact) : "");
}

std::string Solver::describe(const Outcome& outcome) const {
  switch (outcome.trouble) {
    case Trouble::none:
      return {};
    case Trouble::broken: {
      const ElementName& e = elements_.broken();
      return fmt::format("{} {} of part {} is turned inside out, or its forces are not numbers",
                         model::info(e.kind).name, e.id, e.part);
    }
    case Trouble::singular:
      return fmt::format(
          "the stiffness has no inverse: {} is free to {} (a rigid motion, a mechanism, or a part "
          "without support)",
          name_of_point(dofs_.node_of(outcome.singular)),
          dofs_.rotations()[at(outcome.singular)] ? "turn" : "move");
    case Trouble::negative:
      return "the stiffness has negative eigenvalues (NEGEV = 1): the structure is unstable";
    case Trouble::unattached:
      return {};  // said where it is found
    case Trouble::iterations:
      return fmt::format("no equilibrium in {} iterations with {} factors: {}", outcome.iterations,
                         outcome.factors, worst_node(outcome));
  }
  return {};
}

/// What holds and moves nodes answers the forces there.
void Solver::take_reactions(const StepEquations& equations, const std::vector<NodeGiven>& given) {
  NodalForces sum = equations.reactions();
  std::ranges::fill(tie_forces_, Vec3{});
  dependents_.tie_forces(sum, tie_forces_);
  if (welds_.can_break()) {
    std::vector<Vec3> held(points_.size());
    dependents_.forces_on_members(sum, held);
    welds_.measure(held, nodal_.x);
  }
  dependents_.gather(sum);
  std::map<LocalId, Reaction> before;
  for (const Reaction& r : drives_) before[r.node] = r;
  reactions_.clear();
  drives_.clear();
  const auto part = [](const Directions& of, int from, int to, const Vec3& f) {
    Vec3 sum;
    for (int k = from; k < to; ++k) sum += dot(of.axis[at(k)], f) * of.axis[at(k)];
    return sum;
  };
  for (const NodeGiven& g : given) {
    const std::size_t n = at(g.node);
    const Vec3 &f = sum.force[n], &m = sum.moment[n];
    const int moved = g.translation.moved, turned = g.rotation.moved;
    if (moved + turned > 0) {
      Reaction r{g.node, part(g.translation.along, 0, moved, f), part(g.rotation.along, 0, turned, m)};
      const Reaction& old = before[g.node];
      const Vec3& turn = equations.increment().turn[n];
      r.work = old.work + 0.5 * (dot(old.force + r.force, equations.increment().u[n]) +
                                 dot(old.moment + r.moment, n < nodal_.size() ? turn : rotation_of(turn)));
      if (inertia_in_step_)
        r.work += inertia_->work_beyond_mean(g, equations.increment(), old.node != model::kNone);
      drives_.push_back(r);
      before.erase(g.node);
    }
    if (g.translation.along.count + g.rotation.along.count > moved + turned)
      reactions_.push_back({g.node, part(g.translation.along, moved, g.translation.along.count, f),
                            part(g.rotation.along, turned, g.rotation.along.count, m)});
  }
  for (const auto& [node, ended] : before) work_of_ended_drives_ += ended.work;
}

std::vector<SupportShare> Solver::support_shares() const {
  std::vector<SupportShare> shares(subdomain_->model.supports.size());
  for (const Reaction& r : reactions_)
    if (const LocalId b = body_of(r.node); b != model::kNone)
      add_support_shares(subdomain_->model, b, rigid_points_[at(b)],
                         constraints::matrix(rigid_motions_[at(b)].orientation), r.force, r.moment, shares);
  return shares;
}

/// Orientations, and the work of the loads at centres of mass.
void Solver::move_bodies(const StepEquations& equations) {
  for (std::size_t p = 0; p < points_.size(); ++p) points_[p] += equations.increment().u[p];
  for (std::size_t b = 0; b < rigid_motions_.size(); ++b) {
    const std::size_t c = at(dependents_.centre(b));
    const Vec3 &u = equations.increment().u[c], &turn = equations.increment().turn[c];
    RigidMotion& body = rigid_motions_[b];
    body.centre = points_[c];
    body.displacement = points_[c] - points0_[c];
    body.rotation += rotation_of(turn);
    body.orientation = constraints::unit(constraints::cayley(turn) * body.orientation);
    const Vec3 &force = equations.external().force[c], &moment = equations.external().moment[c];
    body_work_ +=
        0.5 * (dot(on_bodies_.force[c] + force, u) + dot(on_bodies_.moment[c] + moment, rotation_of(turn)));
    on_bodies_.force[c] = force;
    on_bodies_.moment[c] = moment;
  }
}

void Solver::accept(const StepEquations& equations, const std::vector<NodeGiven>& given, double end) {
  const auto timer = clock_.time(Part::accept);
  const double dt = end - time_, rate = 1.0 / dt;
  const Trial trial{points_, equations.increment(), dt, end};
  sections_.measure(elements_, trial, equations.positions().first(nodal_.size()));
  links_.accept(trial);
  supports_.accept(time_, end, points_);
  const Increment& increment = equations.increment();
  for (std::size_t n = 0; n < nodal_.size(); ++n) {
    nodal_.x[n] += increment.u[n];
    nodal_.v[n] = rate * increment.u[n];
    nodal_.w[n] = rate * increment.turn[n];
  }
  move_bodies(equations);
  if (inertia_) inertia_->accept(increment);
  take_reactions(equations, given);
  {
    const auto of_contact = clock_.time(Part::contact);
    contacts_.accept(nodal_.x);
  }
  if (strains_) strains_->add(nodal_, elements_.groups(), dt);
  const std::vector<Elements::Deleted> gone = elements_.accept(nodal_, end, dt);
  for (const Elements::Deleted& element : gone) deleted_.push_back({end, element.name});
  end_with_elements(gone);
  for (parallel::LoadSum& loads : nodal_.loads) loads.clear();
  modules::Cycle cycle = cycle_now(by_arc_length() ? path_.load : end, dt);
  modules_.each(&modules::Module::add_forces, cycle);
  modules_.each(&modules::Module::pull, cycle);
  const std::vector<LocalId>& shown = subdomain_->model.output.history_nodes;
  for (std::size_t k = 0; k < shown.size(); ++k) rotation_[k] += rotation_of(increment.turn[at(shown[k])]);
  time_ = end;
  dt_ = dt;
  ++cycle_;
  if (welds_.can_break() && welds_.break_overloaded(end)) free_welded_nodes();
  if (inertia_) keep_motion();
}

std::vector<contact::ContactResult> Solver::contact_results() const {
  std::vector<contact::ContactResult> results = contacts_.results();
  if (const auto* const ties = links_.find<TieLinks>()) ties->add_results(results);
  return results;
}

Balance Solver::balance() const {
  Balance b;
  const std::span<const Vec3> v = inertia_ ? nodal_.v : zero_, w = inertia_ ? nodal_.w : zero_;
  const std::vector<double> v2 = squares_of(v), w2 = squares_of(w);
  b.parts = explicit_dynamics::global_energies(*comm_, nodal_, {v, w, v2, w2}, counted_, groups());
  if (inertia_) {
    const Inertia::OfBodies bodies = inertia_->of_bodies();
    b.parts.kinetic += bodies.kinetic;
    b.parts.mass += bodies.mass;
    b.parts.momentum += bodies.momentum;
  }
  const phases::Totals sums = totals();
  b.external_work = sums.external_work + before_.external_work;
  b.sliding = sums.sliding + before_.sliding;
  b.damping = sums.damping + before_.damping;
  b.joint = sums.joint + before_.joint;
  b.walls = sums.stonewall + before_.stonewall;
  const auto& p = b.parts;
  b.total = b.sliding + b.joint + b.walls + p.internal + p.hourglass + p.spring + p.eroded_internal +
            p.eroded_hourglass;
  if (inertia_) b.total += inertia_->share() * p.kinetic + sums.damping;
  b.total += before_.damping + before_.eroded_kinetic;
  b.initial = initial_energy_;
  return b;
}

/// Of this part of the run.
phases::Totals Solver::totals() const {
  phases::Totals sums;
  const modules::Work work = modules_.work();
  std::array<parallel::ExactSum, 1> sum{work.external};
  for (const Reaction& drive : drives_) sum[0] += drive.work;
  sum[0] += body_work_ + work_of_ended_drives_;
  parallel::ExactSum::reduce(*comm_, sum);
  sums.external_work = sum[0].value();
  for (const contact::ContactResult& r : contact_results()) sums.sliding += r.sliding_energy();
  if (const auto* const joints = links_.find<JointLinks>())
    for (const JointLinks::State& s : joints->states()) sums.joint += s.energy;
  if (const auto* const moments = links_.find<JointMoments>())
    for (const JointMoments::State& s : moments->states()) sums.joint += s.energy;
  if (const auto* const walls = links_.find<WallLinks>())
    for (const WallLinks::State& s : walls->states()) sums.stonewall += s.energy;
  if (inertia_) sums.damping = inertia_->damping_energy();
  return sums;
}

std::vector<explicit_dynamics::PartEnergies> Solver::parts() const {
  const std::span<const Vec3> v = inertia_ ? nodal_.v : zero_, w = inertia_ ? nodal_.w : zero_;
  const std::vector<double> v2 = squares_of(v), w2 = squares_of(w);
  return explicit_dynamics::part_energies(*comm_, subdomain_->model, masses_, {v, w, v2, w2}, groups());
}

std::uint64_t Solver::hash() const { return explicit_dynamics::state_hash(*comm_, nodal_, groups()); }

}  // namespace crumple::implicit
