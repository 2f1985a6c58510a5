// Slip rings: belt passes to the side of the larger tension.
#include <algorithm>
#include <cmath>

#include "loads/belts/belt_system.hpp"
#include "loads/belts/webbing.hpp"
#include "loads/load_curve.hpp"

namespace crumple::loads {

/// Between the directions of the belt before and behind the ring; 0 for a straight belt.
double BeltSystem::angle(std::size_t r, const Motion& m) const {
  const std::int64_t node = in_->rings[r].node;
  const Vec3 a = m.x[at(other_end(rings_[r].first, node))] - m.x[at(node)],
             b = m.x[at(other_end(rings_[r].second, node))] - m.x[at(node)];
  return std::atan2(norm(cross(a, b)), -dot(a, b));
}

void BeltSystem::slip(std::size_t r, Motion& m) {
  const SlipRing& in = in_->rings[r];
  SlipRingState& ring = rings_[r];
  if (m.stage == model::Stage::transient && m.time >= in.lock_time) return;
  const BeltElementState &first = elements_[at(ring.first)], &second = elements_[at(ring.second)];
  const double t1 = force_of(ring.first, first.length), t2 = force_of(ring.second, second.length);
  const double mu = in.friction_curve == model::kNone ? in.friction : curve(in.friction_curve)(m.time);
  const double ratio = std::exp(mu * angle(r, m));
  const bool to_second = t2 > ratio * t1, to_first = t1 > ratio * t2;
  if (!to_second && !to_first) return;
  if ((to_second && in.direction == 21) || (to_first && in.direction == 12)) return;
  const std::int64_t low = to_second ? ring.first : ring.second, high = to_second ? ring.second : ring.first;
  const double low_length = elements_[at(low)].length, high_length = elements_[at(high)].length;
  const double shortest = material(low).shortest;
  const bool may_pass =
      next(low, other_end(low, in.node)) >= 0 && high_length > 2.2 * material(high).shortest;
  // The excess of tension falls with the length that has passed.
  const auto excess = [&](double way) {
    return force_of(high, high_length + way) - ratio * force_of(low, low_length - way);
  };
  double least = 0.0, most = std::min(low_length - (may_pass ? 0.5 : 1.0) * shortest,
                                      elements_[at(high)].stretched - high_length);
  if (!(most > 0.0)) return;
  if (excess(most) < 0.0)
    for (int k = 0; k < 60 && most > least; ++k) {
      const double middle = 0.5 * (least + most);
      (excess(middle) > 0.0 ? least : most) = middle;
    }
  elements_[at(low)].length -= most;
  elements_[at(high)].length += most;
  ring.slip += to_second ? most : -most;
  if (may_pass && elements_[at(low)].length < shortest) pass(r, to_second, m);
}

/// The short element of one side goes to the other; the next one of its side takes its length and place.
void BeltSystem::pass(std::size_t r, bool from_first, Motion& m) {
  SlipRingState& ring = rings_[r];
  const std::int64_t node = in_->rings[r].node;
  const std::int64_t short_one = from_first ? ring.first : ring.second,
                     other = from_first ? ring.second : ring.first;
  const std::int64_t inner = other_end(short_one, node), following = next(short_one, inner),
                     far = other_end(other, node), freed = ring.held;
  BeltElementState &s = elements_[at(short_one)], &n = elements_[at(following)], &o = elements_[at(other)];
  // The side that becomes shorter: its strain stays, as the ring is now one element away.
  n.length += s.length;
  end_at(following, inner) = node;
  // The other side is divided.
  const double share = 1.1 * material(short_one).shortest / o.length;
  s.length = share * o.length;
  o.length -= s.length;
  put_between(freed, node, far, share, m);
  s.first = node;
  s.second = freed;
  end_at(other, node) = freed;
  put(inner, m.x[at(node)], m.v[at(node)], m);
  ring.held = inner;
  (from_first ? ring.first : ring.second) = following;
  (from_first ? ring.second : ring.first) = short_one;
  for (const std::int64_t e : {short_one, following, other}) {
    BeltElementState& of = elements_[at(e)];
    of.stretched = norm(m.x[at(of.second)] - m.x[at(of.first)]);
  }
  o.peak = std::max(o.stretched / o.length - 1.0, 0.0);
}

}  // namespace crumple::loads
