// Assembly: elements and contacts in a fixed order, symmetrised blocks along the unknowns.
#include "implicit/step_equations.hpp"

#include <algorithm>

namespace crumple::implicit {

namespace {

void add_scaled(double s, const Increment& what, Increment& to) {
  for (std::size_t n = 0; n < to.u.size(); ++n) {
    to.u[n] += s * what.u[n];
    to.turn[n] += s * what.turn[n];
  }
}

Vec3 vector_at(std::span<const double> values, std::size_t first) {
  return {values[first], values[first + 1], values[first + 2]};
}

/// to -= K given, of one element.
void subtract_given(const ElementTangent& e, const Increment& given, NodalForces& to) {
  const auto dofs = at(e.dofs), n = e.nodes.size() * dofs;
  double u[48];  // eight nodes, or those of a link
  bool any = false;
  for (std::size_t a = 0; a < e.nodes.size(); ++a)
    for (std::size_t i = 0; i < dofs; ++i) {
      const Increment& g = given;
      const double value = i < 3 ? g.u[at(e.nodes[a])][int(i)] : g.turn[at(e.nodes[a])][int(i) - 3];
      u[a * dofs + i] = value;
      any = any || value != 0.0;
    }
  if (!any) return;
  for (std::size_t a = 0; a < e.nodes.size(); ++a)
    for (std::size_t i = 0; i < dofs; ++i) {
      double sum = 0.0;
      for (std::size_t j = 0; j < n; ++j) sum += e.stiffness[(a * dofs + i) * n + j] * u[j];
      (i < 3 ? to.force : to.moment)[at(e.nodes[a])][int(i % 3)] -= sum;
    }
}

}  // namespace

StepEquations::StepEquations(const StepInput& input)
    : in_(input),
      load_time_(input.end),
      kept_(input.x.size()),
      trial_(input.x.size()),
      x_(input.x.begin(), input.x.end()),
      internal_(input.x.size()),
      external_(input.x.size()) {}

/// Forces of the trial, and with `stiffness` its matrix.
bool StepEquations::forces(bool stiffness, NodalForces* given_forces) {
  const auto timer = clock().time(stiffness ? Part::stiffness : Part::forces);
  ++clock().done.forces;
  in_.dependents.move(in_.x, trial_);
  for (std::size_t n = 0; n < x_.size(); ++n) x_[n] = in_.x[n] + trial_.u[n];
  internal_.clear();
  external_.clear();
  in_.loads.add(x_, load_time_, external_);
  if (in_.contacts != nullptr) {
    const auto of_contact = clock().time(Part::contact);
    in_.contacts->add(x_, external_.force);
  }
  const Trial trial{in_.x, trial_, in_.end - in_.start, in_.end, unstressed_};
  const bool derivatives = stiffness || given_forces != nullptr;
  const auto add = [&](const ElementTangent& e) {
    for (std::size_t a = 0; a < e.nodes.size(); ++a) {
      internal_.force[at(e.nodes[a])] += vector_at(e.force, a * at(e.dofs));
      if (e.dofs == 6) internal_.moment[at(e.nodes[a])] += vector_at(e.force, 6 * a + 3);
    }
    if (given_forces != nullptr) subtract_given(e, in_.given, *given_forces);
    if (stiffness) add_to_matrix(e);
  };
  if (in_.inertia != nullptr) {
    in_.inertia->evaluate(trial_, derivatives, add);
    if (stiffness) add_coupled_masses();
  }
  if (in_.links != nullptr) in_.links->evaluate(trial, derivatives, add);
  return in_.elements.evaluate(trial, derivatives, add);
}

/// The stiffness of an element by its unknowns: columns of rotations by further turns where nodes have
/// turned.
std::span<const double> StepEquations::by_unknowns(const ElementTangent& e) {
  if (e.dofs < 6) return e.stiffness;
  turned_.assign(e.stiffness.begin(), e.stiffness.end());
  const std::size_t n = 6 * e.nodes.size();
  for (std::size_t b = 0; b < e.nodes.size(); ++b) {
    const Vec3& turn = trial_.turn[at(e.nodes[b])];
    if (turn == Vec3{} || !in_.dofs.turns_freely(e.nodes[b])) continue;
    const constraints::Matrix3 by_turn = by_later_turn(turn);
    for (std::size_t i = 0; i < n; ++i) {
      double* const k = turned_.data() + i * n + 6 * b + 3;
      const Vec3 row = constraints::transpose_times(by_turn, Vec3{k[0], k[1], k[2]});
      for (int j = 0; j < 3; ++j) k[j] = row[j];
    }
  }
  return turned_;
}

/// Elements within a rigid body do not deform, and their forces are in balance. A single node is a mass.
void StepEquations::add_to_matrix(const ElementTangent& e) {
  if (e.nodes.size() > 1 && in_.dependents.any() && in_.dependents.in_one_body(e.nodes)) return;
  const std::span<const double> stiffness = by_unknowns(e);
  const int n = e.dofs * static_cast<int>(e.nodes.size());
  const auto moves = [&](LocalId node) {
    return in_.dofs.free(node).size() > 0 || in_.dependents.depends(node);
  };
  double mean[36];
  for (std::size_t a = 0; a < e.nodes.size(); ++a)
    for (std::size_t b = 0; b < e.nodes.size(); ++b) {
      if (e.nodes[a] > e.nodes[b] || !moves(e.nodes[a]) || !moves(e.nodes[b])) continue;
      for (int i = 0; i < e.dofs; ++i)
        for (int j = 0; j < e.dofs; ++j) {
          const std::size_t p = a * at(e.dofs) + at(i), q = b * at(e.dofs) + at(j);
          mean[i * e.dofs + j] = 0.5 * (stiffness[p * at(n) + q] + stiffness[q * at(n) + p]);
        }
      add_block(e.nodes[a], e.nodes[b], e.dofs, mean);
    }
}

void StepEquations::add_coupled_masses() {
  const auto moves = [&](LocalId node) {
    return in_.dofs.free(node).size() > 0 || in_.dependents.depends(node);
  };
  in_.inertia->add_coupling([&](LocalId a, LocalId b, int dofs, const double* m) {
    if (moves(a) && moves(b)) add_block(a, b, dofs, m);
  });
}

/// Half of the block and half of its transpose: the sum of all is symmetric.
void StepEquations::add_half(LocalId a, LocalId b, const constraints::Matrix3& block) {
  double k[9];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      k[3 * i + j] = a == b ? 0.5 * (block[at(i)][j] + block[at(j)][i]) : 0.5 * block[at(i)][j];
  add_block(a, b, 3, k);
}

void StepEquations::add_load_stiffness() {
  const auto timer = clock().time(Part::stiffness);
  in_.loads.add_stiffness(x_, load_time_, [&](LocalId a, LocalId b, const auto& k) { add_half(a, b, k); });
}

void StepEquations::add_contact_stiffness() {
  if (in_.contacts == nullptr) return;
  const auto timer = clock().time(Part::contact);
  in_.contacts->add_stiffness(x_, [&](LocalId a, LocalId b, const auto& k) { add_half(a, b, k); });
}

/// to -= K given, of contacts: segments that are moved push others at once.
void StepEquations::subtract_contact(NodalForces& to) {
  if (in_.contacts == nullptr) return;
  const auto timer = clock().time(Part::contact);
  in_.contacts->add_stiffness(x_, [&](LocalId a, LocalId b, const constraints::Matrix3& block) {
    const Vec3& u = in_.given.u[at(b)];
    to.force[at(a)] -= Vec3{dot(block[0], u), dot(block[1], u), dot(block[2], u)};
  });
}

void StepEquations::add_stiffness_of_dependents() {
  if (!in_.dependents.any()) return;
  in_.dependents.add_stiffness(
      out_of_balance(), [&](LocalId a, LocalId b, int dofs, const double* k) { add_block(a, b, dofs, k); });
}

NodalForces StepEquations::out_of_balance() const {
  NodalForces sum(x_.size());
  for (std::size_t n = 0; n < x_.size(); ++n) {
    sum.force[n] = external_.force[n] - internal_.force[n];
    sum.moment[n] = external_.moment[n] - internal_.moment[n];
  }
  return sum;
}

NodalForces StepEquations::reactions() const {
  NodalForces sum(x_.size());
  for (std::size_t n = 0; n < x_.size(); ++n) {
    sum.force[n] = internal_.force[n] - external_.force[n];
    sum.moment[n] = internal_.moment[n] - external_.moment[n];
  }
  return sum;
}

void StepEquations::imbalance(const NodalForces* given_forces, std::span<double> r) const {
  NodalForces sum = out_of_balance();
  for (std::size_t n = 0; given_forces != nullptr && n < x_.size(); ++n) {
    sum.force[n] += given_forces->force[n];
    sum.moment[n] += given_forces->moment[n];
  }
  in_.dependents.gather(sum);
  in_.dofs.reduce(sum, r);
  if (in_.relief != nullptr) in_.relief->balance(r);
}

bool StepEquations::linearise(bool reuse, std::span<double> r, StiffnessFound& found) {
  trial_ = kept_;
  NodalForces by_given(given_pending_ ? x_.size() : 0);
  NodalForces* const given = given_pending_ ? &by_given : nullptr;
  if (!reuse) std::ranges::fill(in_.stiffness.matrix.values, 0.0);
  if (!forces(!reuse, given)) return false;
  if (given != nullptr) subtract_contact(*given);
  if (!reuse) {
    add_load_stiffness();
    add_contact_stiffness();
    add_stiffness_of_dependents();
    if (in_.relief != nullptr) in_.relief->add_shift(in_.stiffness.matrix);
    if (size() > 0) found = factor();
  }
  imbalance(given, r);
  if (given_pending_) add_scaled(1.0, in_.given, kept_);
  given_pending_ = false;
  return true;
}

StiffnessFound StepEquations::factor() {
  const auto timer = clock().time(Part::factor);
  in_.stiffness.solver->place(x_, in_.dofs.motions());
  const linear::Factored factored = in_.stiffness.solver->factor(in_.stiffness.matrix);
  WorkDone& done = clock().done;
  ++done.factors;
  done.factor_bytes = std::max(done.factor_bytes, factored.bytes);
  in_.stiffness.work.stands_in = in_.stiffness.solver->stands_in();
  return {factored.negative, factored.singular};
}

/// By a difference of a step's length: exact where load curves are straight.
void StepEquations::load_rate(std::span<double> q) {
  const double length = in_.end - in_.start;
  NodalForces rate(x_.size());
  in_.loads.add(x_, load_time_ + length, rate);
  for (std::size_t n = 0; n < x_.size(); ++n) {
    rate.force[n] = (1.0 / length) * (rate.force[n] - external_.force[n]);
    rate.moment[n] = (1.0 / length) * (rate.moment[n] - external_.moment[n]);
  }
  in_.dependents.gather(rate);
  in_.dofs.reduce(rate, q);
}

bool StepEquations::assemble(Parts parts) {
  trial_ = kept_;
  std::ranges::fill(in_.stiffness.matrix.values, 0.0);
  unstressed_ = parts == Parts::unstressed;
  const bool sound = forces(true, nullptr);
  unstressed_ = false;
  if (!sound) return false;
  add_contact_stiffness();
  if (parts != Parts::all) return true;
  add_load_stiffness();
  add_stiffness_of_dependents();
  return true;
}

void StepEquations::solve(std::span<const double> r, std::span<double> d) {
  late_ = {};
  if (size() == 0) return;
  const auto timer = clock().time(Part::solve);
  const linear::Solved solved = in_.relief != nullptr ? in_.relief->solve(*in_.stiffness.solver, r, d)
                                                      : in_.stiffness.solver->solve(r, d);
  WorkDone& done = clock().done;
  ++done.solves;
  done.refinements += solved.refinements;
  done.residual = std::max(done.residual, solved.residual);
  in_.stiffness.work.iterations += solved.iterations;
  if (!solved.late) return;
  late_ = {solved.late->negative, solved.late->singular};
  in_.stiffness.work.stands_in = in_.stiffness.solver->stands_in();
}

bool StepEquations::residual(double s, std::span<const double> d, std::span<double> r) {
  trial_ = kept_;
  in_.dofs.add(s, d, trial_);
  if (!forces(false, nullptr)) return false;
  imbalance(nullptr, r);
  return true;
}

void StepEquations::keep() { kept_ = trial_; }

/// Rotations of the run are not a vector: those of the step count.
void StepEquations::displacement(bool total, std::span<double> u) const {
  NodalForces as_vectors(x_.size());
  for (std::size_t n = 0; n < x_.size(); ++n) {
    as_vectors.force[n] = total ? x_[n] - in_.at_start_of_run[n] : trial_.u[n];
    as_vectors.moment[n] = trial_.turn[n];
  }
  in_.dofs.reduce(as_vectors, u);
}

}  // namespace crumple::implicit
