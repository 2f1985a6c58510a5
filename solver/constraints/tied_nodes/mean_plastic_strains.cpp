// Sums of volumes and strains around nodes.
#include "constraints/tied_nodes/mean_plastic_strains.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "model/geometry.hpp"
#include "parallel/fixed_point.hpp"
#include "state/group_view.hpp"

namespace crumple::constraints {

using model::ElementKind;
using model::kNone;

namespace {

/// At the start.
double shell_volume(const model::Model& m, LocalId e) {
  const std::array<LocalId, 4>& nodes = m.shells.nodes[at(e)];
  std::array<Vec3, 4> x;
  for (std::size_t k = 0; k < 4; ++k) x[k] = m.nodes.x[at(nodes[k])];
  const LocalId section = m.parts[at(m.shells.part[at(e)])].section;
  std::array<double, 4> thickness{};
  if (!m.shells.thickness.empty()) thickness = m.shells.thickness[at(e)];
  double sum = 0.0;
  for (std::size_t k = 0; k < 4; ++k)
    sum += thickness[k] > 0.0 ? thickness[k] : section != kNone ? m.sections[at(section)].thickness[k] : 0.0;
  return 0.25 * sum * model::quad_shape(x).area;
}

double solid_volume_of(const model::Model& m, LocalId e) {
  std::array<Vec3, 8> x;
  for (std::size_t k = 0; k < 8; ++k) x[k] = m.nodes.x[at(m.solids.nodes[at(e)][k])];
  return model::solid_volume(x).volume;
}

double volume_of(const model::Model& m, ElementKind kind, LocalId e) {
  return std::max(kind == ElementKind::shell ? shell_volume(m, e) : solid_volume_of(m, e), 0.0);
}

std::span<const LocalId> corners_of(const model::Model& m, ElementKind kind, LocalId e) {
  if (kind == ElementKind::shell) return m.shells.nodes[at(e)];
  return m.solids.nodes[at(e)];
}

double mean_plastic_strain(const state::GroupView& g, std::int32_t e) {
  const int points = g.layout.n_points;
  double sum = 0.0;
  for (int p = 0; p < points; ++p) sum += g.variable(e, g.layout.plastic_strain + p * g.layout.point_stride);
  return points > 0 ? sum / points : 0.0;
}

}  // namespace

MeanPlasticStrains::MeanPlasticStrains(const modules::Start& start, std::vector<Around> groups)
    : model_(&start.model), comm_(&start.comm), around_(std::move(groups)), sums_(2 * around_.size(), 0) {
  double largest = 0.0;
  for (const ElementKind kind : {ElementKind::shell, ElementKind::solid}) {
    const std::size_t count = kind == ElementKind::shell ? model_->shells.size() : model_->solids.size();
    for (std::size_t e = 0; e < count; ++e)
      largest = std::max(largest, volume_of(*model_, kind, static_cast<LocalId>(e)));
  }
  largest = start.comm.max(largest);
  scale_ = std::ldexp(1.0, 40 - (largest > 0.0 ? std::ilogb(largest) : 0));
}

/// Elements of the rank at the nodes of each group.
void MeanPlasticStrains::find_elements(std::span<const state::GroupView> groups) {
  watching_ = true;
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<std::size_t> group_of(model_->nodes.size(), none);
  for (std::size_t k = 0; k < around_.size(); ++k)
    for (const LocalId n : around_[k].nodes) group_of[at(n)] = k;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const ElementKind kind = groups[g].kind();
    if (kind != ElementKind::shell && kind != ElementKind::solid) continue;
    for (std::int32_t e = 0; e < groups[g].count; ++e) {
      const LocalId element = groups[g].element[static_cast<std::size_t>(e)];
      std::set<std::size_t> here;
      for (const LocalId n : corners_of(*model_, kind, element))
        if (const std::size_t k = group_of[at(n)]; k != none && around_[k].kind == kind) here.insert(k);
      for (const std::size_t k : here) watched_.push_back({k, g, e, volume_of(*model_, kind, element)});
    }
  }
}

void MeanPlasticStrains::find(std::span<const state::GroupView> groups, std::span<const char> done,
                              std::span<double> strain) {
  if (std::ranges::find(done, 0) == done.end()) return;
  if (!watching_) find_elements(groups);
  std::ranges::fill(sums_, 0);
  for (const Watched& w : watched_) {
    const state::GroupView& g = groups[w.group];
    if (done[w.at_nodes] || !g.is_alive(w.element)) continue;
    std::int64_t &volume = sums_[2 * w.at_nodes], &flowed = sums_[2 * w.at_nodes + 1];
    volume = parallel::plus(volume, parallel::to_fixed(w.volume, scale_));
    flowed = parallel::plus(flowed, parallel::to_fixed(w.volume * mean_plastic_strain(g, w.element), scale_));
  }
  comm_->sum(sums_);
  for (std::size_t k = 0; k < around_.size(); ++k)
    if (!done[k] && sums_[2 * k] > 0)
      strain[k] = static_cast<double>(sums_[2 * k + 1]) / static_cast<double>(sums_[2 * k]);
}

}  // namespace crumple::constraints
