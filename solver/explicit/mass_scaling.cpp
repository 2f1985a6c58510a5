// Finds elements that need mass, and adds it to nodes.
#include "explicit/mass_scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "model/element_rows.hpp"
#include "parallel/fixed_point.hpp"
#include "state/archive.hpp"
#include "state/foam_shapes.hpp"

namespace crumple::explicit_dynamics {

namespace {

using state::GroupView;

constexpr std::size_t kScaledForThreads = 8192;  ///< with fewer, starting threads takes longer than the work
constexpr std::size_t kNodesTogether = 256;      ///< nodes that are checked together for added mass

/// The power of two that puts a node's own mass at 2^36: added mass may be 2^26 times as large, and is
/// resolved to 1e-11 of it.
double scale_of(double own) { return own > 0.0 ? std::ldexp(1.0, 36 - std::ilogb(own)) : 1.0; }

bool has_mass(const GroupView& group) { return group.kind() != model::ElementKind::discrete; }

/// Whether any material has a step of its own (DT); the same on every rank.
bool material_asks(const model::Model& m) {
  return std::ranges::any_of(m.parts, [&](const model::Part& part) {
    return part.kind == model::ElementKind::beam && part.material != model::kNone &&
           materials::prepare(m, m.materials[part.material]).step_at_start > 0.0;
  });
}

}  // namespace

MassScaling::MassScaling(const model::Model& m, std::span<const GroupView> groups, const state::Nodal& nodal,
                         std::span<const char> rigid)
    : target_(std::abs(m.control.dt2ms)),
      shrink_(m.control.dt2ms > 0.0),
      once_(m.control.ms1st),
      elements_(groups),
      parts_(m.parts.size()) {
  nodal_added_.assign(nodal.size(), 0.0);
  active_ = target_ > 0.0 || material_asks(m);
  if (!active()) return;
  rigid_.assign(rigid.begin(), rigid.end());
  const state::FoamShapes foams(m);
  for (const GroupView& g : groups) {
    Group& group = groups_.emplace_back();
    group.step_at_start = g.ready.material.step_at_start;
    group.factor.assign(g.count, 1.0);
    group.changed.assign(g.blocks(), 0);
    if (!has_mass(g)) continue;
    const int corners = g.ready.formulation->n_nodes;
    for (std::int32_t e = 0; e < g.count; ++e) {
      std::vector<LocalId> nodes;
      for (int a = 0; a < corners; ++a) nodes.push_back(g.node(e, a));
      elements::ElementInput input = state::element_input(m, g.kind(), g.element[e], nodes);
      foams.put(g.kind(), g.part, nodes, input);
      const auto share = g.ready.formulation->mass(input, g.ready.parameters);
      for (int a = 0; a < corners; ++a) {
        group.mass.push_back(share.mass[a]);
        group.inertia.push_back(share.inertia[a]);
      }
    }
  }
  for (std::size_t i = 0; i < nodal.size(); ++i) {
    mass_scale_.push_back(scale_of(nodal.own_mass(i)));
    inertia_scale_.push_back(scale_of(nodal.own_inertia(i)));
  }
  mass_.assign(nodal.size(), 0);
  inertia_.assign(nodal.size(), 0);
  given_.assign((nodal.size() + kNodesTogether - 1) / kNodesTogether, 0);
}

void MassScaling::find_missing(bool border, std::int64_t cycle, Elements& elements) {
  if (!active()) return;
  cycle_ = cycle;
  elements.scale_steps(border, *this);
}

/// The mass factor that an element needs now; `factor` if it has enough.
double MassScaling::needed_factor(const Group& group, double factor, double step, bool first) const {
  const double own = first ? group.step_at_start : 0.0;
  const double target = std::max(target_, own);
  const double needed = (target / step) * (target / step);
  const bool shrinks = first && shrink_ && target_ >= own;
  return needed > factor || shrinks ? needed : factor;
}

/// Raises the factor of an element below the target; at the start it may also become less than 1. Returns
/// whether it changed.
bool MassScaling::raise(bool first, const GroupView& g, Group& group, std::int32_t e) {
  const double step = g.step[e];
  if (!g.is_alive(e) || !(step > 0.0)) return false;
  double& factor = group.factor[e];
  const double needed = needed_factor(group, factor, step, first);
  if (needed == factor) return false;
  const double more = needed - factor;
  factor = needed;
  const int corners = g.ready.formulation->n_nodes;
  for (int a = 0; a < corners; ++a) {
    const LocalId node = g.node(e, a);
    const std::size_t at = static_cast<std::size_t>(e) * corners + a;
    if (rigid_[node]) continue;
#pragma omp atomic
    mass_[node] += parallel::to_fixed(more * group.mass[at], mass_scale_[node]);
#pragma omp atomic
    inertia_[node] += parallel::to_fixed(more * group.inertia[at], inertia_scale_[node]);
#pragma omp atomic write
    given_[static_cast<std::size_t>(node) / kNodesTogether] = 1;
  }
#pragma omp atomic write
  found_ = true;
  return true;
}

/// Raises the factors of a block's elements. Nearly all blocks have no deletions, no added mass and steps
/// above the target; for them only the smallest step is checked.
std::span<const double> MassScaling::of_block(std::size_t k, std::int32_t block, double least) {
  const GroupView& g = elements_[k];
  Group& group = groups_[k];
  const bool first = cycle_ == 0, adds = adds_in(cycle_) && has_mass(g);
  const std::int32_t begin = block * elements::kLanes, end = std::min(begin + elements::kLanes, g.count);
  const bool may_skip = end == begin + elements::kLanes && !first && !shrink_;
  if (adds && !(may_skip && least >= target_))
    for (std::int32_t e = begin; e < end; ++e)
      if (raise(first, g, group, e)) group.changed[block] = 1;
  if (!group.changed[block]) return {};
  return std::span(group.factor).subspan(begin, end - begin);
}

/// Few elements need mass in a cycle, and only their nodes and shared nodes can get mass.
void MassScaling::give_to_nodes(std::int64_t cycle, int rank, const parallel::Halo& halo,
                                state::Nodal& nodal) {
  if (!adds_in(cycle)) return;
  const auto give = [&](std::size_t i, parallel::ExactSum& work) {
    if (mass_[i] == 0 && inertia_[i] == 0) return;
    const double mass = parallel::from_fixed(mass_[i], mass_scale_[i]);
    const double inertia = parallel::from_fixed(inertia_[i], inertia_scale_[i]);
    nodal.mass[i] += mass;
    nodal.inertia[i] += inertia;
    nodal_added_[i] += mass;
    mass_[i] = inertia_[i] = 0;
    if (cycle > 0 && nodal.owner[i] == rank)
      work += 0.5 * (mass * dot(nodal.v[i], nodal.v[i]) + inertia * dot(nodal.w[i], nodal.w[i]));
  };
  if (found_) {
#pragma omp parallel if (nodal.size() > kScaledForThreads)
    {
      parallel::ExactSum work;
#pragma omp for schedule(static) nowait
      for (std::size_t k = 0; k < given_.size(); ++k) {
        if (!given_[k]) continue;
        const std::size_t end = std::min((k + 1) * kNodesTogether, nodal.size());
        for (std::size_t i = k * kNodesTogether; i < end; ++i) give(i, work);
        given_[k] = 0;
      }
#pragma omp critical(crumple_added_mass)
      work_.add(work);
    }
  }
  for (const auto& nodes : halo.map().shared())
    for (const LocalId n : nodes) give(static_cast<std::size_t>(n), work_);
  found_ = false;
}

/// Sums the added mass of a block's elements.
void MassScaling::add_block(const GroupView& g, const Group& group, std::int32_t block,
                            parallel::ExactSum& sum) const {
  const int corners = g.ready.formulation->n_nodes;
  const std::int32_t begin = block * elements::kLanes, end = std::min(begin + elements::kLanes, g.count);
  for (std::int32_t e = begin; e < end; ++e)
    for (int a = 0; a < corners; ++a)
      if (!rigid_[g.node(e, a)])
        sum += (group.factor[e] - 1.0) * group.mass[static_cast<std::size_t>(e) * corners + a];
}

std::vector<double> MassScaling::by_part(const parallel::Communicator& comm) const {
  std::vector<parallel::ExactSum> sums(parts_);
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    const GroupView& g = elements_[k];
    if (!has_mass(g)) continue;
    for (std::int32_t block = 0; block < g.blocks(); ++block)
      if (groups_[k].changed[block]) add_block(g, groups_[k], block, sums[g.part]);
  }
  parallel::ExactSum::reduce(comm, sums);
  std::vector<double> added;
  for (const parallel::ExactSum& sum : sums) added.push_back(sum.value());
  return added;
}

void MassScaling::archive(state::Archive& archive, const model::Model& model,
                          const parallel::IndexMap& nodes) {
  using state::Of, state::Rows;
  static_assert(field_count<Group>() == 5, "is the new member carried on?");
  if (!active()) return;
  const auto here = archive.module("mass scaling");
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    const GroupView& g = elements_[k];
    Group& group = groups_[k];
    std::vector<GlobalId> orders;
    for (const LocalId e : g.element)
      orders.push_back(model::rows_of(model, g.kind()).order[static_cast<std::size_t>(e)]);
    archive.field(fmt::format("factor {}", model::kind_name(g.kind())), Rows::own(Of::element, orders),
                  std::span(group.factor));
    for (std::int32_t e = 0; archive.reading() && e < g.count; ++e)
      if (group.factor[e] != 1.0) group.changed[e / elements::kLanes] = 1;
  }
  archive.field("added to node", Rows::nodes(nodes.global(), nodes.owners(), nodes.rank()),
                std::span(nodal_added_));
  archive.global_sum("work", work_, nodes.rank());
}

std::vector<double> MassScaling::of_nodes(const state::Nodal& nodal, bool percent) const {
  std::vector<double> added = nodal_added_;
  for (std::size_t i = 0; percent && i < added.size(); ++i)
    if (const double own = nodal.mass[i] - added[i]; own > 0.0) added[i] *= 100.0 / own;
  return added;
}

}  // namespace crumple::explicit_dynamics
