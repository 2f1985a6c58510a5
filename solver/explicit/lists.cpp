// Lists that the solver gathers from all ranks: broken welds, deleted elements, elements that limit the step.
#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "constraints/stiff_links/stiff_links.hpp"
#include "explicit/solver.hpp"
#include "explicit/state_hash.hpp"

namespace crumple::explicit_dynamics {

std::vector<constraints::SpotWelds::Break> Solver::broken_welds() const {
  using Break = constraints::SpotWelds::Break;
  std::vector<Break> mine = spot_welds_.breaks();
  if (const auto* const links = modules_.find<constraints::StiffLinks>()) {
    const std::vector<Break> more = links->breaks();
    mine.insert(mine.end(), more.begin(), more.end());
  }
  std::vector<Break> all = comm_->gather<Break>(mine);
  std::sort(all.begin(), all.end(), [](const Break& a, const Break& b) {
    return std::tuple(a.time, a.first, a.second) < std::tuple(b.time, b.first, b.second);
  });
  return all;
}

std::vector<DeletedElement> Solver::deleted_elements(std::size_t from) const {
  std::vector<DeletedElement> all =
      comm_->gather<DeletedElement>(std::span(deleted_).subspan(std::min(from, deleted_.size())));
  std::sort(all.begin(), all.end(), [](const DeletedElement& a, const DeletedElement& b) {
    return std::tuple(a.time, a.name.kind, a.name.id) < std::tuple(b.time, b.name.kind, b.name.id);
  });
  return all;
}

std::vector<GlobalId> Solver::names_of_deleted(std::size_t from) const {
  std::vector<GlobalId> names;
  for (const DeletedElement& e : std::span(deleted_).subspan(std::min(from, deleted_.size())))
    names.insert(names.end(), {static_cast<GlobalId>(e.name.kind), e.name.id});
  return names;
}

void Solver::put_last(std::span<const GlobalId> names) {
  std::set<std::pair<GlobalId, GlobalId>> last;
  for (std::size_t k = 0; k + 1 < names.size(); k += 2) last.emplace(names[k], names[k + 1]);
  std::stable_partition(deleted_.begin(), deleted_.end(), [&](const DeletedElement& e) {
    return !last.contains({static_cast<GlobalId>(e.name.kind), e.name.id});
  });
}

/// The element with this rank's smallest step. Local.
ElementName Solver::controlling_here() const {
  return element_with_step(elements_->groups(), subdomain_->model, elements_->smallest_step());
}

ElementName Solver::controlling() const {
  const double smallest = comm_->min(elements_->smallest_step());
  return smallest_name(*comm_, elements_->smallest_step() == smallest ? controlling_here() : ElementName{});
}

std::vector<std::pair<double, ElementName>> Solver::smallest_steps(std::size_t count) const {
  using Row = std::pair<double, ElementName>;
  static_assert(std::is_trivially_copyable_v<ElementName>);
  struct Packed {
    double step;
    ElementName name;
  };
  std::vector<Packed> mine;
  for (const Row& row : shortest_steps(elements_->groups(), subdomain_->model, count))
    mine.push_back({row.first, row.second});
  std::vector<Packed> all = comm_->gather<Packed>(mine);
  std::sort(all.begin(), all.end(), [](const Packed& a, const Packed& b) {
    return std::tuple(a.step, a.name.kind, a.name.id) < std::tuple(b.step, b.name.kind, b.name.id);
  });
  if (all.size() > count) all.resize(count);
  std::vector<Row> rows;
  for (const Packed& p : all) rows.emplace_back(p.step, p.name);
  return rows;
}

std::uint64_t Solver::hash() const { return state_hash(*comm_, nodal_, elements_->groups()); }

}  // namespace crumple::explicit_dynamics
