// Groups of welded nodes, the two sides of a weld, and the criterion by which it breaks.
#include "implicit/welds.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "state/archive.hpp"

namespace crumple::implicit {

Welds::Welds(const model::Model& model)
    : model_(&model),
      broken_(model.welds.size(), 0),
      force_(model.welds.size()),
      behind_(model.welds.size()) {
  std::set<LocalId> of_breaking;
  for (const model::Weld& weld : model.welds)
    if (weld.can_break()) of_breaking.insert(weld.nodes.begin(), weld.nodes.end());
  can_break_ = !of_breaking.empty();
  for (const std::vector<LocalId>& group : groups()) {
    const bool may_part = std::ranges::any_of(group, [&](LocalId n) { return of_breaking.contains(n); });
    most_groups_ += may_part ? group.size() / 2 : 1;  // of two nodes each
  }
  find_sides();
}

std::vector<std::vector<LocalId>> Welds::groups() const {
  std::map<LocalId, LocalId> up;  // to a smaller node of the group
  const auto first = [&](LocalId n) {
    while (up.try_emplace(n, n).first->second != n) n = up[n];
    return n;
  };
  for (std::size_t w = 0; w < broken_.size(); ++w) {
    if (broken_[w]) continue;
    const model::Weld& weld = model_->welds[w];
    const LocalId a = first(weld.nodes[0]), b = first(weld.nodes[1]);
    up[std::max(a, b)] = std::min(a, b);
  }
  std::map<LocalId, std::vector<LocalId>> of_first;
  for (const auto& [node, smaller] : up) of_first[first(smaller)].push_back(node);
  std::vector<std::vector<LocalId>> all;
  for (auto& [node, nodes] : of_first) all.push_back(std::move(nodes));
  return all;
}

/// Readers refuse rings of welds that can break by force.
void Welds::find_sides() {
  if (!can_break_) return;
  std::map<LocalId, std::vector<std::size_t>> at_node;
  for (std::size_t w = 0; w < broken_.size(); ++w)
    for (const LocalId n : model_->welds[w].nodes)
      if (!broken_[w]) at_node[n].push_back(w);
  for (std::size_t w = 0; w < broken_.size(); ++w) {
    behind_[w].clear();
    if (broken_[w] || !model_->welds[w].has_strength()) continue;
    std::set<LocalId> reached{model_->welds[w].nodes[1]};
    std::vector<LocalId> next(reached.begin(), reached.end());
    while (!next.empty()) {
      const LocalId here = next.back();
      next.pop_back();
      for (const std::size_t other : at_node[here])
        for (const LocalId n : model_->welds[other].nodes)
          if (other != w && reached.insert(n).second) next.push_back(n);
    }
    behind_[w].assign(reached.begin(), reached.end());
  }
}

void Welds::measure(std::span<const Vec3> held, std::span<const Vec3> x) {
  for (std::size_t w = 0; w < force_.size(); ++w) {
    if (behind_[w].empty()) continue;
    Vec3 on_second;
    for (const LocalId n : behind_[w]) on_second += held[at(n)];
    const auto& [a, b] = model_->welds[w].nodes;
    const Vec3 along = x[at(b)] - x[at(a)], normal = (1.0 / norm(along)) * along;
    const double tension = -dot(on_second, normal);
    force_[w] = {tension, norm(on_second + tension * normal)};
  }
}

bool Welds::overloaded(std::size_t w) const {
  const model::Weld& weld = model_->welds[w];
  const auto& [normal, shear] = force_[w];
  double used = 0.0;
  if (weld.normal_strength > 0.0 && normal > 0.0)
    used += std::pow(normal / weld.normal_strength, weld.normal_power);
  if (weld.shear_strength > 0.0 && shear > 0.0)
    used += std::pow(shear / weld.shear_strength, weld.shear_power);
  return used >= 1.0;
}

template <class Goes>
bool Welds::let_go(double time, Goes goes) {
  bool any = false;
  for (std::size_t w = 0; w < broken_.size(); ++w) {
    if (broken_[w] || !goes(w)) continue;
    const auto& [a, b] = model_->welds[w].nodes;
    broken_[w] = any = true;
    breaks_.push_back(
        {model_->nodes.id[at(a)], model_->nodes.id[at(b)], time, force_[w].normal, force_[w].shear});
  }
  if (any) find_sides();
  return any;
}

bool Welds::break_overloaded(double time) {
  return let_go(time, [&](std::size_t w) { return overloaded(w); });
}

bool Welds::end_at(double time, double dt) {
  constexpr double rounding = 1e-6;
  return let_go(time, [&](std::size_t w) { return time >= model_->welds[w].failure_time - rounding * dt; });
}

void Welds::begin_with(std::span<const char> broken, std::span<const Break> breaks) {
  broken_.assign(broken.begin(), broken.end());
  breaks_.assign(breaks.begin(), breaks.end());
  find_sides();
}

void Welds::archive(state::Archive& archive) {
  if (!can_break_) return;
  using state::Of, state::Rows;
  const auto here = archive.module("welds");
  const std::vector<GlobalId> welds = state::numbered(broken_.size());
  archive.field("broken", Rows::own(Of::entity, welds), std::span(broken_));
  std::vector<GlobalId> breaks = state::numbered(breaks_.size());
  archive.list("breaks", breaks, 1, [](std::span<const GlobalId>) { return true; });
  breaks_.resize(breaks.size());
  archive.structs("break", Rows::own(Of::entity, breaks), std::span(breaks_));
  if (archive.reading()) find_sides();
}

}  // namespace crumple::implicit
