// A step from its unknowns to its accepted state.
#include "implicit/solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "implicit/eigen/modes.hpp"
#include "model/implicit_matrices.hpp"
#include "state/assembly.hpp"

namespace crumple::implicit {

using constraints::Directions;

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

linear::SolverOptions linear_options(const model::Model& model, const SolverOptions& options) {
  const model::Implicit& control = model.control.implicit;
  linear::SolverOptions how;
  if (model::implicit_matrices(model).ordered_by_planes) how.ordering = linear::Ordering::geometric;
  const model::IterativeSolver& iterative = control.iterative;
  how.method = control.mumps                            ? linear::Method::mumps
               : iterative.active && !options.for_modes ? linear::Method::conjugate_gradients
                                                        : kDirect;
  how.relative_tolerance = iterative.relative;
  how.absolute_tolerance = iterative.absolute;
  how.most_iterations = iterative.most_iterations;
  how.threads = options.threads;
  how.isa = options.isa;
  how.single_precision = options.single_factor;
  how.out_of_core_if_needed = true;
  how.memory_limit = control.mumps ? 0.0 : options.linear_memory;  // MUMPS would take all of it
  const std::size_t modes = control.relief.active ? relief_modes(control.relief) : options.modes;
  if (modes > 0) {
    const eigen::KeptVectors kept = eigen::vectors_kept(modes);
    how.vectors_beside = kept.all;
    if (!control.relief.active) how.vectors_on_disk = kept.all - kept.in_use;
  }
  if (modes > 0) how.matrices_beside = 2;  // K - s M, and M where it is no diagonal
  how.folder = options.folder;
  how.workers = options.workers;
  how.predicted_ranks = options.predicted_ranks;
  how.elsewhere = options.elsewhere;
  return how;
}

}  // namespace

Solver::Solver(const parallel::Communicator& comm, const decomposition::Subdomain& subdomain,
               const SolverOptions& options)
    : comm_(&comm),
      subdomain_(&subdomain),
      control_(&subdomain.model.control.implicit),
      stage_(options.stage),
      for_modes_(options.for_modes || control_->eigenvalues.count > 0),
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
  linear_ = linear::make_solver(linear_options(m, options));
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
  if (control_->relief.active || for_modes_) give_unknowns_to_masses(false);
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

Increment Solver::given_increment(const std::vector<NodeGiven>& given) {
  Increment sum(points_.size());
  for (const NodeGiven& node : given) {
    sum.u[at(node.node)] = node.translation.increment();
    sum.turn[at(node.node)] = cayley_of(node.rotation.increment());
  }
  dependents_.move(points_, sum);
  return sum;
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
  elements_.begin_step(time_ + dt, dt, stage_);
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
  elements_.begin_step(end, dt, stage_);
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

}  // namespace crumple::implicit
