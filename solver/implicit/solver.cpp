// A static step from its unknowns to its accepted state.
#include "implicit/solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "explicit/state_hash.hpp"
#include "state/assembly.hpp"

namespace crumple::implicit {

using constraints::Directions;
using constraints::identity3;
using constraints::Matrix3;

namespace {

/// What solves unless LSOLVR asks for MUMPS by name: every build has it, and its bits do not depend on
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

const parallel::Communicator& one_rank(const parallel::Communicator& comm) {
  if (comm.size() > 1)
    throw Error("CR-I103",
                fmt::format("implicit analysis runs on one rank, with threads (ncpu=), not on {} ranks",
                            comm.size()));
  return comm;
}

void add_all(const Directions& from, Directions& to) {
  for (int k = 0; k < from.count; ++k) to.add(from.axis[at(k)]);
}

}  // namespace

Solver::Solver(const parallel::Communicator& comm, const decomposition::Subdomain& subdomain,
               SolverOptions options)
    : comm_(&one_rank(comm)),
      subdomain_(&subdomain),
      control_(&subdomain.model.control.implicit),
      halo_(comm, subdomain.nodes),
      nodal_(state::make_nodal(subdomain, comm, halo_)),
      elements_(subdomain.model, options.isa),
      rigid_bodies_(subdomain.model, nodal_, comm),
      masses_(subdomain.model),
      loads_(subdomain.model, nodal_.mass),
      supports_(subdomain.model),
      dofs_of_node_(elements_.dofs_of_nodes(nodal_.size())),
      unattached_(nodal_.size()),
      rotation_(subdomain.model.output.history_nodes.size()),
      zero_(nodal_.size()) {
  const model::Model& m = subdomain.model;
  const state::Transfer keep = [](std::vector<double> mass) { return mass; };
  modules_.start({comm, halo_, m, nodal_, rigid_bodies_, keep, nodal_.mass, modules_});
  if (state::strains_asked(m.output)) strains_.emplace(m, options.threads);
  linear::SolverOptions how;
  how.method = control_->mumps ? linear::Method::mumps : kDirect;
  how.threads = options.threads;
  how.single_precision = options.single_factor;
  how.out_of_core_if_needed = true;
  how.memory_limit = control_->mumps ? 0.0 : options.linear_memory;  // MUMPS would take all of it
  how.folder = options.folder;
  linear_ = linear::make_solver(how);
  stiffness_.solver = linear_.get();
  newton_ = {control_->iterations, control_->stop_if_negative, size_of(nodal_.x0)};
  for (const double part : state::part_masses(m, comm)) mass_ += part;
  for (auto* rows : {&nodal_.v, &nodal_.w, &nodal_.a, &nodal_.alpha})
    std::fill(rows->begin(), rows->end(), Vec3{});
  modules::Cycle cycle = cycle_now(0.0, 0.0);
  modules_.each(&modules::Module::add_forces, cycle);  // loads begin to count their work
  modules_.each(&modules::Module::pull, cycle);
}

modules::Cycle Solver::cycle_now(double end, double dt) {
  modules::Cycle cycle{nodal_, rigid_bodies_};
  cycle.stage = model::Stage::transient;
  cycle.first = dt == 0.0;
  cycle.time = end;
  cycle.dt_last = cycle.penalty_step = cycle.dt_v = cycle.dt_x = dt;
  return cycle;
}

void Solver::number_unknowns(const std::vector<NodeGiven>& given) {
  if (!stiffness_.pattern.start.empty() && same(given, numbered_for_)) return;
  std::vector<NodeFreedoms> held = unattached_;
  for (const NodeGiven& node : given) {
    add_all(node.translation.along, held[at(node.node)].translation);
    add_all(node.rotation.along, held[at(node.node)].rotation);
  }
  for (std::size_t n = 0; n < held.size(); ++n) {
    NodeFreedoms& node = held[n];
    node.translation = dofs_of_node_[n] >= 3 ? node.translation.complement() : Directions{};
    node.rotation = dofs_of_node_[n] >= 6 ? node.rotation.complement() : Directions{};
  }
  dofs_ = DofMap(std::move(held));
  numbered_for_ = given;
  analyse();
}

void Solver::analyse() {
  std::vector<std::int64_t> begin{0};
  std::vector<std::int32_t> rows;
  elements_.append_nodes(begin, rows);
  for (const std::vector<LocalId>& segment : loads_.segments()) {
    rows.insert(rows.end(), segment.begin(), segment.end());
    begin.push_back(static_cast<std::int64_t>(rows.size()));
  }
  stiffness_.pattern = linear::pattern_of(dofs_.row_sizes(), begin, rows);
  stiffness_.matrix.pattern = &stiffness_.pattern;
  stiffness_.matrix.values.assign(static_cast<std::size_t>(stiffness_.pattern.value.back()), 0.0);
  if (dofs_.equations() > 0) {
    analysis_ = linear_->analyse(stiffness_.pattern, nodal_.x);
    linear_->check_room();
  }
  factored_ = false;
}

/// Directions of translation or rotation of single nodes in which nothing is stiff beside the stiffest
/// direction there: of springs, trusses and membranes, and rotations about the normals of shells. They are
/// held.
void Solver::find_unattached() {
  if (cycle_ > 0 || looked_for_unattached_ || !control_->hold_unattached) return;
  looked_for_unattached_ = true;
  std::vector<Matrix3> translation(nodal_.size(), Matrix3{}), rotation(nodal_.size(), Matrix3{});
  const Increment none(nodal_.size());
  const Trial at_rest{nodal_.x, none, control_->steps.first, control_->steps.first};
  const bool sound = elements_.evaluate(at_rest, true, [&](const ElementTangent& e) {
    const std::size_t dofs = at(e.dofs), n = dofs * e.nodes.size();
    for (std::size_t a = 0; a < e.nodes.size(); ++a)
      for (std::size_t i = 0; i < dofs; ++i)
        for (std::size_t j = i < 3 ? 0 : 3; j < (i < 3 ? 3 : 6); ++j)
          (i < 3 ? translation : rotation)[at(e.nodes[a])][i % 3][int(j % 3)] +=
              0.5 * (e.stiffness[(a * dofs + i) * n + a * dofs + j] +
                     e.stiffness[(a * dofs + j) * n + a * dofs + i]);
  });
  if (!sound) return;  // the step says so
  const auto hold = [&](const Matrix3& stiffness, Directions& held) {
    const constraints::Eigen3 e = constraints::eigen(stiffness);
    const double largest = std::max({std::abs(e.value[0]), std::abs(e.value[1]), std::abs(e.value[2])});
    for (std::size_t k = 0; k < 3; ++k)
      if (std::abs(e.value[k]) <= control_->unattached * largest) held.add(e.axis[k]);
    n_unattached_ += held.count;
  };
  for (std::size_t n = 0; n < nodal_.size(); ++n) {
    if (dofs_of_node_[n] >= 3) hold(translation[n], unattached_[n].translation);
    if (dofs_of_node_[n] >= 6) hold(rotation[n], unattached_[n].rotation);
  }
}

Increment Solver::given_increment(const std::vector<NodeGiven>& given) const {
  Increment sum(nodal_.size());
  for (const NodeGiven& node : given) {
    sum.u[at(node.node)] = node.translation.increment();
    sum.turn[at(node.node)] = cayley_of(node.rotation.increment());
  }
  return sum;
}

const linear::Analysis& Solver::prepare(double dt) {
  find_unattached();
  number_unknowns(supports_.in_step(time_, time_ + dt, nodal_.x));
  return analysis_;
}

StepResult Solver::step(double dt, const std::function<void(const Iteration&)>& report) {
  timers_.begin_cycle(cycle_);
  const auto timer = timers_.time(Phase::elements);
  find_unattached();
  const double end = time_ + dt;
  const std::vector<NodeGiven> given = supports_.in_step(time_, end, nodal_.x);
  number_unknowns(given);
  const Increment motion = given_increment(given);
  StepEquations equations({elements_, loads_, dofs_, stiffness_, nodal_.x0, nodal_.x, motion, time_, end});
  const bool reuse = factored_ && steps_since_factor_ < control_->iterations.steps_between_reforms;
  References references = references_;
  StepResult result{solve_step(equations, newton_, reuse, references, report), {}};
  factored_ = result.converged();
  steps_since_factor_ = result.outcome.factors > 0 ? 1 : steps_since_factor_ + 1;
  if (!result.converged()) {
    result.trouble = describe(result.outcome);
    return result;
  }
  if (const LocalId node = loaded_unattached(equations); node != model::kNone) {
    result.outcome.trouble = Trouble::unattached;
    result.trouble = fmt::format("a load acts on node {} in a direction in which nothing is stiff there",
                                 nodal_.id[at(node)]);
    return result;
  }
  references_ = references;
  accept(equations, given, end);
  return result;
}

FreeVibration Solver::free_vibration(double dt) {
  find_unattached();
  number_unknowns(supports_.in_step(time_, time_ + dt, nodal_.x));
  const Increment none(nodal_.size());
  StepEquations equations(
      {elements_, loads_, dofs_, stiffness_, nodal_.x0, nodal_.x, none, time_, time_ + dt});
  if (!equations.assemble())
    throw Error("CR-I303", "free vibration: " + describe({.trouble = Trouble::broken}), {}, Exit::run);
  factored_ = false;
  FreeVibration of{&stiffness_.matrix, {}, linear_.get(), &dofs_};
  for (std::size_t n = 0; n < nodal_.size(); ++n) {
    const NodeFreedoms& node = dofs_.free(static_cast<LocalId>(n));
    of.mass.insert(of.mass.end(), at(node.translation.count), nodal_.mass[n]);
    of.mass.insert(of.mass.end(), at(node.rotation.count), nodal_.inertia[n]);
  }
  return of;
}

/// The first node with a force out of balance along a direction that is held because nothing is stiff there.
LocalId Solver::loaded_unattached(const StepEquations& equations) const {
  if (n_unattached_ == 0) return model::kNone;
  constexpr double rounding = 1e-6;  // of the largest force and moment
  double force = 0.0, moment = 0.0;
  for (std::size_t n = 0; n < nodal_.size(); ++n)
    for (const NodalForces* const f : {&equations.internal(), &equations.external()}) {
      force = std::max(force, norm(f->force[n]));
      moment = std::max(moment, norm(f->moment[n]));
    }
  const auto loaded = [](const Directions& of, const Vec3& f, double limit) {
    for (int k = 0; k < of.count; ++k)
      if (std::abs(dot(of.axis[at(k)], f)) > limit) return true;
    return false;
  };
  for (std::size_t n = 0; n < nodal_.size(); ++n) {
    const NodeFreedoms& held = unattached_[n];
    const auto given = std::ranges::lower_bound(numbered_for_, static_cast<LocalId>(n), {}, &NodeGiven::node);
    if (given != numbered_for_.end() && given->node == static_cast<LocalId>(n)) continue;
    if (loaded(held.translation, equations.internal().force[n] - equations.external().force[n],
               rounding * force) ||
        loaded(held.rotation, equations.internal().moment[n] - equations.external().moment[n],
               rounding * moment))
      return static_cast<LocalId>(n);
  }
  return model::kNone;
}

std::string Solver::worst_node(const Outcome& outcome) const {
  const auto largest = std::ranges::max_element(outcome.residual,
                                                [](double a, double b) { return std::abs(a) < std::abs(b); });
  if (largest == outcome.residual.end()) return "no unknowns";
  const auto equation = static_cast<std::int32_t>(largest - outcome.residual.begin());
  return fmt::format("the largest {} out of balance is {:.3e} at node {}",
                     dofs_.rotations()[at(equation)] ? "moment" : "force", std::abs(*largest),
                     nodal_.id[at(dofs_.node_of(equation))]);
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
          "the stiffness has no inverse: node {} is free to {} (a rigid motion, a mechanism, or a part "
          "without support)",
          nodal_.id[at(dofs_.node_of(outcome.singular))],
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
    const Vec3 f = equations.internal().force[n] - equations.external().force[n];
    const Vec3 m = equations.internal().moment[n] - equations.external().moment[n];
    const int moved = g.translation.moved, turned = g.rotation.moved;
    if (moved + turned > 0) {
      Reaction r{g.node, part(g.translation.along, 0, moved, f), part(g.rotation.along, 0, turned, m)};
      const Reaction& old = before[g.node];
      r.work = old.work + 0.5 * (dot(old.force + r.force, equations.increment().u[n]) +
                                 dot(old.moment + r.moment, equations.increment().turn[n]));
      drives_.push_back(r);
    }
    if (g.translation.along.count + g.rotation.along.count > moved + turned)
      reactions_.push_back({g.node, part(g.translation.along, moved, g.translation.along.count, f),
                            part(g.rotation.along, turned, g.rotation.along.count, m)});
  }
}

void Solver::accept(const StepEquations& equations, const std::vector<NodeGiven>& given, double end) {
  const double dt = end - time_, rate = 1.0 / dt;
  supports_.accept(time_, end, nodal_.x);
  const Increment& increment = equations.increment();
  for (std::size_t n = 0; n < nodal_.size(); ++n) {
    nodal_.x[n] += increment.u[n];
    nodal_.v[n] = rate * increment.u[n];
    nodal_.w[n] = rate * increment.turn[n];
  }
  take_reactions(equations, given);
  if (strains_) strains_->add(nodal_, elements_.groups(), dt);
  for (const Elements::Deleted& gone : elements_.accept(nodal_, end, dt)) {
    deleted_.push_back({end, gone.name});
    if (gone.name.kind == model::ElementKind::shell) loads_.delete_shell(gone.element);
    modules_.each(&modules::Module::delete_element, gone.name.kind, gone.element);
  }
  for (parallel::LoadSum& loads : nodal_.loads) loads.clear();
  modules::Cycle cycle = cycle_now(end, dt);
  modules_.each(&modules::Module::add_forces, cycle);
  modules_.each(&modules::Module::pull, cycle);
  const std::vector<LocalId>& shown = subdomain_->model.output.history_nodes;
  for (std::size_t k = 0; k < shown.size(); ++k) rotation_[k] += rotation_of(increment.turn[at(shown[k])]);
  time_ = end;
  dt_ = dt;
  ++cycle_;
}

Balance Solver::balance() const {
  Balance b;
  const std::vector<char> counted(nodal_.size(), 1);
  const std::vector<double> none(nodal_.size(), 0.0);
  b.parts = explicit_dynamics::global_energies(*comm_, nodal_, {zero_, zero_, none, none}, counted, groups());
  const modules::Work work = modules_.work();
  std::array<parallel::ExactSum, 1> sum{work.external};
  for (const Reaction& drive : drives_) sum[0] += drive.work;
  parallel::ExactSum::reduce(*comm_, sum);
  b.external_work = sum[0].value();
  const auto& p = b.parts;
  b.total = p.internal + p.hourglass + p.spring + p.eroded_internal + p.eroded_hourglass;
  return b;
}

std::vector<explicit_dynamics::PartEnergies> Solver::parts() const {
  const std::vector<double> none(nodal_.size(), 0.0);
  return explicit_dynamics::part_energies(*comm_, subdomain_->model, masses_, {zero_, zero_, none, none},
                                          groups());
}

std::uint64_t Solver::hash() const { return explicit_dynamics::state_hash(*comm_, nodal_, groups()); }

}  // namespace crumple::implicit
