// Which elements and nodes of belts are at devices, and how these change.
#include <algorithm>
#include <cmath>

#include "loads/belts/belt_system.hpp"

namespace crumple::loads {

std::int64_t& BeltSystem::end_at(std::int64_t element, std::int64_t node) {
  BeltElementState& s = elements_[at(element)];
  return s.first == node ? s.first : s.second;
}

std::int64_t BeltSystem::other_end(std::int64_t element, std::int64_t node) const {
  const BeltElementState& s = elements_[at(element)];
  return s.first == node ? s.second : s.first;
}

bool BeltSystem::at_device(std::int64_t element) const {
  for (const SlipRingState& ring : rings_)
    if (ring.first == element || ring.second == element) return true;
  for (const RetractorState& r : retractors_)
    if (r.mouth == element) return true;
  return false;
}

std::int64_t BeltSystem::next(std::int64_t element, std::int64_t node) const {
  std::int64_t found = -1;
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const BeltElementState& s = elements_[e];
    const auto number = static_cast<std::int64_t>(e);
    if (number == element || s.within >= 0 || (s.first != node && s.second != node)) continue;
    if (found >= 0) return -1;
    found = number;
  }
  return found >= 0 && !at_device(found) && elements_[at(found)].first != elements_[at(found)].second ? found
                                                                                                      : -1;
}

void BeltSystem::put(std::int64_t node, const Vec3& x, const Vec3& v, Motion& m) {
  m.x[at(node)] = x;
  m.v[at(node)] = v;
  moved_.push_back(node);
}

/// A node at a share of the way between two nodes, with the velocity that the belt has there: along the belt
/// that of the far node, since the belt moves as a whole.
void BeltSystem::put_between(std::int64_t node, std::int64_t from, std::int64_t to, double share, Motion& m) {
  const Vec3 way = m.x[at(to)] - m.x[at(from)];
  const Vec3 along = (1.0 / norm(way)) * way, dv = m.v[at(to)] - m.v[at(from)];
  const double flow = dot(along, dv);
  const Vec3 across = dv - flow * along;
  put(node, m.x[at(from)] + share * way, m.v[at(from)] + flow * along + share * across, m);
}

/// One that is about to be drawn in counts, so that no step sees it without area.
std::vector<std::size_t> BeltSystem::shells_inside() const {
  std::vector<std::size_t> list;
  if (in_->shells.empty()) return list;
  const auto inside = [&](std::int64_t element) {
    const BeltElementState& s = elements_[at(element)];
    if (s.within >= 0) return true;
    return s.length < 1.25 * material(element).shortest &&
           std::ranges::any_of(retractors_, [&](const RetractorState& r) { return r.mouth == element; });
  };
  for (std::size_t k = 0; k < in_->shells.size(); ++k) {
    const BeltShell& shell = in_->shells[k];
    if (inside(shell.first) || inside(shell.second)) list.push_back(k);
  }
  return list;
}

void BeltSystem::list_carried() {
  carried_.clear();
  for (std::size_t r = 0; r < rings_.size(); ++r) carried_.push_back({rings_[r].held, in_->rings[r].node});
  for (std::size_t r = 0; r < retractors_.size(); ++r) {
    const std::int64_t node = in_->retractors[r].node;
    carried_.push_back({retractors_[r].held, node});
    std::int64_t near = retractors_[r].held;  // from the mouth inwards
    for (std::int64_t place = retractors_[r].inside - 1; place >= 0; --place)
      for (std::size_t e = 0; e < elements_.size(); ++e)
        if (elements_[e].within == static_cast<std::int64_t>(r) && elements_[e].place == place) {
          near = other_end(static_cast<std::int64_t>(e), near);
          carried_.push_back({near, node});
        }
  }
}

}  // namespace crumple::loads
