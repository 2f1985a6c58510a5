// Follows a belt of shells from one edge to the next.
#include "loads/belts/shell_rows.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace crumple::loads {

ShellRows::ShellRows(std::vector<Corners> quads) : corners_(std::move(quads)), quads_(corners_.size()) {
  for (std::size_t q = 0; q < corners_.size(); ++q)
    for (std::size_t k = 0; k < 4; ++k)
      quads_at_[edge_of(corners_[q][k], corners_[q][(k + 1) % 4])].push_back(static_cast<std::int32_t>(q));
}

std::string ShellRows::follow(std::span<const LocalId> edge, std::span<const Vec3> x) {
  if (edge.empty()) return "it is empty";
  if (const auto known = place_.find(edge.front()); known != place_.end()) {
    for (const LocalId n : edge)
      if (const auto at = place_.find(n); at == place_.end() || at->second.first != known->second.first)
        return "it is no edge across the belt that its nodes belong to";
    return {};
  }
  std::vector<LocalId> path;
  if (!order(edge, path)) return "its nodes are not in a line along sides of the belt's elements";
  const auto belt = static_cast<std::int32_t>(belts_.size());
  belts_.push_back(measure(path, x));
  std::vector<Edge> next;
  for (std::size_t k = 0; k < path.size(); ++k) {
    place_[path[k]] = {belt, static_cast<std::int32_t>(k)};
    if (k > 0) next.push_back(edge_of(path[k - 1], path[k]));
  }
  for (std::size_t k = 0; k < next.size(); ++k) {
    const Edge across = next[k];
    for (const std::int32_t quad : quads_at_[across])
      if (std::string wrong = pass(quad, across, next); !wrong.empty()) return wrong;
  }
  return {};
}

/// Nodes of an edge from one end to the other, along sides of quadrilaterals; begins at the smaller end.
bool ShellRows::order(std::span<const LocalId> edge, std::vector<LocalId>& path) const {
  const std::set<LocalId> members(edge.begin(), edge.end());
  std::map<LocalId, std::vector<LocalId>> beside;
  for (const auto& [ends, quads] : quads_at_)
    if (members.contains(ends.first) && members.contains(ends.second)) {
      beside[ends.first].push_back(ends.second);
      beside[ends.second].push_back(ends.first);
    }
  for (const LocalId n : members)
    if (beside[n].empty() || beside[n].size() > 2) return false;
  const auto end = std::ranges::find_if(members, [&](LocalId n) { return beside[n].size() == 1; });
  if (end == members.end()) return false;
  path = {*end};
  for (LocalId before = *end, at = beside[*end].front();;) {
    path.push_back(at);
    const std::vector<LocalId>& of = beside[at];
    if (of.size() == 1) break;
    before = std::exchange(at, of[0] == before ? of[1] : of[0]);
  }
  return path.size() == members.size();
}

ShellRows::Belt ShellRows::measure(const std::vector<LocalId>& path, std::span<const Vec3> x) const {
  Belt belt;
  const auto at = [&](std::size_t k) { return x[static_cast<std::size_t>(path[k])]; };
  for (std::size_t k = 1; k < path.size(); ++k) belt.gap.push_back(norm(at(k) - at(k - 1)));
  for (const double gap : belt.gap) belt.width += gap;
  belt.share.assign(path.size(), 0.0);
  for (std::size_t k = 0; k < belt.gap.size(); ++k) {
    belt.gap[k] = belt.width > 0.0 ? belt.gap[k] / belt.width : 0.0;
    belt.share[k] += 0.5 * belt.gap[k];
    belt.share[k + 1] += 0.5 * belt.gap[k];
  }
  return belt;
}

/// From a side across a quadrilateral to the opposite one.
std::string ShellRows::pass(std::int32_t number, Edge across, std::vector<Edge>& next) {
  const Corners& n = corners_[static_cast<std::size_t>(number)];
  Quad& quad = quads_[static_cast<std::size_t>(number)];
  std::size_t k = 0;
  while (edge_of(n[k], n[(k + 1) % 4]) != across) ++k;
  if (quad.belt >= 0)
    return quad.across == (k % 2 == 0) ? std::string{} : "the belt is no grid: rows of elements end in it";
  const LocalId a = n[k], b = n[(k + 1) % 4], beyond_b = n[(k + 2) % 4], beyond_a = n[(k + 3) % 4];
  const auto [belt, row_a] = place_.at(a);
  const auto [belt_b, row_b] = place_.at(b);
  if (belt_b != belt || std::abs(row_a - row_b) != 1) return "the belt is no grid: its rows meet";
  for (const auto& [node, row] : {std::pair{beyond_a, row_a}, std::pair{beyond_b, row_b}})
    if (const auto [at, fresh] = place_.try_emplace(node, belt, row); at->second != std::pair{belt, row})
      return "the belt is no grid: its rows meet";
  quad.belt = belt;
  quad.gap = std::min(row_a, row_b);
  quad.across = k % 2 == 0;
  quad.sides = {side(a, beyond_a, row_a, number), side(b, beyond_b, row_b, number)};
  next.push_back(edge_of(beyond_a, beyond_b));
  return {};
}

std::int32_t ShellRows::side(LocalId first, LocalId second, std::int32_t row, std::int32_t quad) {
  const auto [at, fresh] =
      side_at_.try_emplace(edge_of(first, second), static_cast<std::int32_t>(sides_.size()));
  if (fresh) sides_.push_back({first, second, row, place_.at(first).first, {}});
  sides_[static_cast<std::size_t>(at->second)].quads.push_back(quad);
  return at->second;
}

}  // namespace crumple::loads
