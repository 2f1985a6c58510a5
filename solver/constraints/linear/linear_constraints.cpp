// Multipliers of linear constraints.
#include "constraints/linear/linear_constraints.hpp"

#include <cmath>
#include <utility>

#include "modules/modules.hpp"
#include "state/archive.hpp"

namespace crumple::constraints {

namespace {

/// A pivot below this fraction of the row's diagonal is rounding: the row depends on earlier ones.
constexpr double kDependent = 1e-11;

Vec3 answer_to(const LinearTerm& term, const Mobility& of) {
  return term.turns != 0 ? of.turned_by(term.along) : of.moved_by(term.along);
}

}  // namespace

void SemiDefinite::factor(std::vector<double> a, std::size_t n) {
  l_ = std::move(a);
  n_ = n;
  rank_ = 0;
  for (std::size_t j = 0; j < n; ++j) {
    double pivot = l_[j * n + j];
    for (std::size_t k = 0; k < j; ++k) pivot -= l_[j * n + k] * l_[j * n + k] * l_[k * n + k];
    const bool independent = pivot > kDependent * l_[j * n + j];
    rank_ += independent ? 1 : 0;
    for (std::size_t i = j + 1; i < n; ++i) {
      double entry = l_[i * n + j];
      for (std::size_t k = 0; k < j; ++k) entry -= l_[i * n + k] * l_[j * n + k] * l_[k * n + k];
      l_[i * n + j] = independent ? entry / pivot : 0.0;
    }
    l_[j * n + j] = independent ? pivot : 0.0;
  }
}

void SemiDefinite::solve(std::vector<double>& b) const {
  for (std::size_t i = 0; i < n_; ++i)
    for (std::size_t k = 0; k < i; ++k) b[i] -= l_[i * n_ + k] * b[k];
  for (std::size_t i = 0; i < n_; ++i) b[i] = l_[i * n_ + i] > 0.0 ? b[i] / l_[i * n_ + i] : 0.0;
  for (std::size_t i = n_; i-- > 0;)
    for (std::size_t k = i + 1; k < n_; ++k) b[i] -= l_[k * n_ + i] * b[k];
}

/// Terms of two constraints at one node.
void factor_rows(const LinearGroup& g, const std::vector<Mobility>& mobility, SemiDefinite& matrix) {
  const std::size_t n = g.ids.size();
  std::vector<double> a(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      for (auto s = g.first[i]; s < g.first[i + 1]; ++s)
        for (auto t = g.first[j]; t < g.first[j + 1]; ++t) {
          const LinearTerm& p = g.terms[static_cast<std::size_t>(s)];
          const LinearTerm& q = g.terms[static_cast<std::size_t>(t)];
          if (p.place == q.place && p.turns == q.turns)
            a[i * n + j] += dot(p.along, answer_to(q, mobility[static_cast<std::size_t>(q.place)]));
        }
  matrix.factor(std::move(a), n);
}

void hold_rows(const LinearGroup& g, const std::vector<Mobility>& mobility, const SemiDefinite& matrix,
               std::span<const double> excess, std::vector<double>& multiplier, state::Nodal& nodal) {
  multiplier.assign(g.ids.size(), 0.0);
  for (std::size_t i = 0; i < g.ids.size(); ++i) {
    if (!excess.empty()) multiplier[i] = excess[i];
    for (auto s = g.first[i]; s < g.first[i + 1]; ++s) {
      const LinearTerm& term = g.terms[static_cast<std::size_t>(s)];
      const LocalId n = g.nodes[static_cast<std::size_t>(term.place)];
      multiplier[i] += dot(term.along, term.turns != 0 ? nodal.w[at(n)] : nodal.v[at(n)]);
    }
  }
  matrix.solve(multiplier);
  for (std::size_t i = 0; i < g.ids.size(); ++i)
    for (auto s = g.first[i]; s < g.first[i + 1]; ++s) {
      const LinearTerm& term = g.terms[static_cast<std::size_t>(s)];
      const auto place = static_cast<std::size_t>(term.place);
      auto& velocity = term.turns != 0 ? nodal.w : nodal.v;
      velocity[at(g.nodes[place])] -= multiplier[i] * answer_to(term, mobility[place]);
    }
}

LinearConstraints::LinearConstraints(const modules::Start& start)
    : modules_(&start.started), rank_(start.comm.rank()) {
  std::vector<LocalId> nodes, turned;
  for (const LinearGroup& group : start.model.features.of<LinearGroup>()) {
    groups_.emplace_back().group = &group;
    nodes.insert(nodes.end(), group.nodes.begin(), group.nodes.end());
    for (const LinearTerm& term : group.terms)
      if (term.turns != 0) turned.push_back(group.nodes[static_cast<std::size_t>(term.place)]);
  }
  require_inertia(start, nodes, turned);
}

std::unique_ptr<modules::Module> LinearConstraints::start(const modules::Start& start) {
  if (!start.comm.any(!start.model.features.of<LinearGroup>().empty())) return nullptr;
  return std::make_unique<LinearConstraints>(start);
}

void LinearConstraints::add_held_nodes(std::vector<LocalId>& nodes) const {
  for (const Solved& of : groups_) nodes.insert(nodes.end(), of.group->nodes.begin(), of.group->nodes.end());
}

void LinearConstraints::hold(Solved& of, modules::Cycle& cycle) {
  const LinearGroup& g = *of.group;
  now_.clear();
  of.holds_any = false;
  for (const LocalId n : g.nodes) {
    now_.push_back(mobility_of(n, *modules_, cycle));
    of.holds_any = of.holds_any || now_.back().is_held();
  }
  if (now_ != of.mobility) {
    of.mobility = now_;
    factor_rows(g, of.mobility, of.matrix);
  }
  motion_.begin(cycle.nodal, g.nodes);
  hold_rows(g, of.mobility, of.matrix, {}, of.multiplier, cycle.nodal);
  motion_.finish(cycle, rank_, of.holds_any ? &work_ : nullptr);
}

void LinearConstraints::link(modules::Cycle& cycle) {
  work_.begin_step(cycle.first);
  for (Solved& of : groups_) hold(of, cycle);
}

/// Displacements need nothing: what is constrained is their rate.
void LinearConstraints::archive(state::Archive& archive, const parallel::IndexMap&) {
  const auto here = archive.module("linear constraints");
  archive.global_sum("work", work_, rank_);
}

}  // namespace crumple::constraints
