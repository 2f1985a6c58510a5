// Runs tangents of elements on trial states and the explicit kernels on accepted ones.
#include "implicit/elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "elements/solid/layout.hpp"
#include "elements/unstressed.hpp"
#include "state/archive_state.hpp"

namespace crumple::implicit {

using elements::kLanes;
using elements::TangentArguments;
using model::ElementKind;
using state::ElementGroup;

namespace {

constexpr int kMostNodes = 10;
constexpr std::int32_t kTogether = 256;  ///< elements that threads compute before they are visited

}  // namespace

Elements::Elements(const model::Model& model, elements::Isa isa)
    : model_(&model),
      groups_(state::make_groups<double>(model, isa)),
      views_(state::views_of(groups_)),
      nodal_pressure_(views_),
      by_dilatation_(groups_.size()),
      preloads_(model),
      temperatures_(model) {
  for (ElementGroup<double>& g : groups_) {
    g.ready.parameters = elements::static_parameters(g.ready.parameters);
    const elements::Formulation& f = *g.ready.formulation;
    tangents_.push_back(elements::find_tangent(isa, f.kind, f.elform));
    if (tangents_.back() == nullptr)
      throw Error("CR-I102",
                  fmt::format("part {}: elements {} (ELFORM {}) have no stiffness for implicit analysis",
                              model.parts[at(g.part)].id, f.name, f.elform % model::kThickShells));
    dofs_.push_back(f.rotations ? 6 : 3);
    auto& corners = corners_.emplace_back();
    for (std::int32_t e = 0; e < g.count; ++e) {
      auto& nodes = corners.emplace_back();
      for (int a = 0; a < f.n_nodes; ++a) nodes.push_back(g.node(e, a));
    }
    size_ += at(g.count);
  }
  for (ElementGroup<double>& g : groups_) writable_.emplace_back(g);
  results_.resize(kTogether);
}

void Elements::begin_step(double end, double dt, model::Stage stage) {
  preloads_.set(writable_, end, dt, model::Stage::transient);
  temperatures_.set(writable_, end, stage);
}

ElementName Elements::name_of(const ElementGroup<double>& group, std::int32_t e) const {
  return {group.kind(), group.id[at(e)], model_->parts[at(group.part)].id};
}

void Elements::compute(std::size_t group, std::int32_t e, const Trial& trial,
                       std::span<const double> dilatations, bool stiffness, Result& to) const {
  const ElementGroup<double>& g = groups_[group];
  const std::vector<LocalId>& nodes = corners_[group][at(e)];
  const std::size_t n_dof = nodes.size() * dofs_[group];
  double x[3 * kMostNodes], v[3 * kMostNodes], w[3 * kMostNodes];
  const double rate = 1.0 / trial.dt;
  for (std::size_t a = 0; a < nodes.size(); ++a)
    for (int i = 0; i < 3; ++i) {
      const Vec3 &u = trial.increment.u[at(nodes[a])], &turn = trial.increment.turn[at(nodes[a])];
      x[3 * a + at(i)] = trial.x0[at(nodes[a])][i] + u[i];
      v[3 * a + at(i)] = rate * u[i];
      w[3 * a + at(i)] = rate * turn[i];
    }
  const auto n_vars = at(g.layout.n_vars);
  thread_local std::vector<double> after, before;
  after.resize(n_vars * kLanes);
  to.force.resize(n_dof);
  to.stiffness.resize(stiffness ? n_dof * n_dof : 0);
  TangentArguments a;
  a.group = &g.ready.parameters;
  a.x = x;
  a.v = v;
  a.w = w;
  a.state = g.state.data() + at(e / kLanes) * n_vars * kLanes + at(e % kLanes);
  if (trial.unstressed || !dilatations.empty()) {
    before.resize(n_vars * kLanes);
    for (std::size_t k = 0; k < n_vars * kLanes; k += kLanes) before[k] = a.state[k];
    if (trial.unstressed) elements::remove_stress(*g.ready.formulation, g.ready.parameters, g.layout, before);
    if (!dilatations.empty())
      before[at(elements::solid::nodal_dilatation_at(g.ready.parameters)) * kLanes] = dilatations[at(e)];
    a.state = before.data();
  }
  a.dt = trial.dt;
  a.time = trial.end;
  a.state_after = after.data();
  a.force = to.force.data();
  a.stiffness = stiffness ? to.stiffness.data() : nullptr;
  to.by_given.resize(stiffness && !dilatations.empty() ? n_dof : 0);
  a.by_given = to.by_given.empty() ? nullptr : to.by_given.data();
  tangents_[group](a);
  to.valid = a.step > 0.0 && std::ranges::all_of(to.force, [](double f) { return std::isfinite(f); });
}

bool Elements::evaluate(const Trial& trial, bool stiffness, const Visit& visit) {
  const NodalPressure::Dilatations given = nodal_pressure_.dilatations(trial.x0, trial.increment.u);
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    const ElementGroup<double>& g = groups_[k];
    by_dilatation_[k].clear();
    for (std::int32_t first = 0; first < g.count; first += kTogether) {
      const std::int32_t end = std::min(g.count, first + kTogether);
#pragma omp parallel for schedule(dynamic, 8)
      for (std::int32_t e = first; e < end; ++e)
        if (g.is_alive(e)) compute(k, e, trial, given[k], stiffness, results_[at(e - first)]);
      for (std::int32_t e = first; e < end; ++e) {
        if (!g.is_alive(e)) continue;
        const Result& r = results_[at(e - first)];
        by_dilatation_[k].resize(r.by_given.size() * at(e));  // zero for those that are deleted
        by_dilatation_[k].insert(by_dilatation_[k].end(), r.by_given.begin(), r.by_given.end());
        if (!r.valid) {
          broken_ = name_of(g, e);
          return false;
        }
        visit({corners_[k][at(e)], dofs_[k], r.force, r.stiffness});
      }
    }
  }
  if (stiffness) nodal_pressure_.evaluate(trial.x0, trial.increment.u, by_dilatation_, visit);
  return true;
}

void Elements::forces_of(const Wanted& wanted, const Trial& trial, const VisitOne& visit) const {
  Result result;
  const NodalPressure::Dilatations given = nodal_pressure_.dilatations(trial.x0, trial.increment.u);
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    const ElementGroup<double>& g = groups_[k];
    for (const LocalId element : wanted(g.kind())) {
      const auto place = std::ranges::lower_bound(g.element, element);
      if (place == g.element.end() || *place != element) continue;
      const auto e = static_cast<std::int32_t>(place - g.element.begin());
      if (!g.is_alive(e)) continue;
      compute(k, e, trial, given[k], false, result);
      visit(views_[k], e, {corners_[k][at(e)], dofs_[k], result.force, {}});
    }
  }
}

std::vector<Elements::Deleted> Elements::accept(state::Nodal& nodal, double end, double dt) {
  std::vector<Deleted> deleted;
  const NodalPressure::Dilatations given = nodal_pressure_.dilatations(nodal.x, nodal.v, dt);
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    ElementGroup<double>& g = groups_[k];
    for (std::size_t e = 0; e < given[k].size(); ++e)
      writable_[k].set_variable(static_cast<std::int32_t>(e),
                                elements::solid::nodal_dilatation_at(g.ready.parameters), given[k][e]);
    const AlignedVector<double> alive = g.alive;
    g.run(nodal, nodal.loads.data(), end, dt, 0, g.blocks());
    for (std::int32_t e = 0; e < g.count; ++e)
      if (alive[at(e)] != 0.0 && !g.is_alive(e)) deleted.push_back({name_of(g, e), g.element[at(e)]});
  }
  return deleted;
}

void Elements::archive(state::Archive& archive) { state::archive_groups<double>(archive, *model_, groups_); }

void Elements::leave_out_but(std::span<const LocalId> parts) {
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    ElementGroup<double>& g = groups_[k];
    if (std::ranges::find(parts, g.part) != parts.end()) continue;
    for (std::int32_t e = 0; e < g.count; ++e) {
      if (!g.is_alive(e)) continue;
      g.alive[at(e)] = 0.0;
      left_out_.emplace_back(k, e);
    }
  }
}

void Elements::take_all() {
  for (const auto& [group, e] : left_out_) groups_[group].alive[at(e)] = 1.0;
  left_out_.clear();
}

std::vector<Elements::Deleted> Elements::gone() const {
  std::vector<Deleted> all;
  for (const ElementGroup<double>& g : groups_)
    for (std::int32_t e = 0; e < g.count; ++e)
      if (!g.is_alive(e)) all.push_back({name_of(g, e), g.element[at(e)]});
  return all;
}

void Elements::append_nodes(std::vector<std::int64_t>& begin, std::vector<std::int32_t>& rows) const {
  for (const auto& group : corners_)
    for (const auto& nodes : group) {
      rows.insert(rows.end(), nodes.begin(), nodes.end());
      begin.push_back(static_cast<std::int64_t>(rows.size()));
    }
  nodal_pressure_.append_nodes(begin, rows);
}

std::vector<std::uint8_t> Elements::dofs_of_nodes(std::size_t nodes) const {
  std::vector<std::uint8_t> dofs(nodes, 0);
  for (std::size_t k = 0; k < groups_.size(); ++k)
    for (std::int32_t e = 0; e < groups_[k].count; ++e)
      if (groups_[k].is_alive(e))
        for (const LocalId n : corners_[k][at(e)]) dofs[at(n)] = std::max(dofs[at(n)], dofs_[k]);
  return dofs;
}

}  // namespace crumple::implicit
