// Penalty of two round bars at their closest points (crossing) or along their length (parallel), with
// friction and damping.
#include "contact/edges/line_force.hpp"

#include <algorithm>
#include <cmath>

#include "contact/edges/closest_lines.hpp"
#include "contact/force/penalty.hpp"

namespace crumple::contact {

namespace {

// Squared sines of the angles (10 and 20 degrees) of the transition from parallel to crossing lines. At 10
// degrees bars with a thickness of 0.2 of their length still touch along their whole length.
constexpr double kAlong2 = 0.030153689607045807, kAcross2 = 0.11697777844051105;
constexpr double kGauss = 0.21132486540518713;  ///< 2-point rule on 0..1

/// A pair of points where the lines may touch.
struct Place {
  double s = 0.0, t = 0.0;
  double weight = 0.0;
};

/// The places of a pair. The sum of their weights is 1 where both lines extend beyond each other.
class Places {
 public:
  Places(const LineView& first, const LineView& second) : first_(first), second_(second) {
    const Vec3 a = first.x[1] - first.x[0], b = second.x[1] - second.x[0], n = cross(a, b);
    const double lengths = dot(a, a) * dot(b, b);
    const double sin2 = lengths > 0.0 ? dot(n, n) / lengths : 1.0;
    const double u = std::clamp((sin2 - kAlong2) / (kAcross2 - kAlong2), 0.0, 1.0);
    const double across = u * u * (3.0 - 2.0 * u);
    if (across > 0.0) {
      const ClosestLines c = closest_lines(first.x[0], first.x[1], second.x[0], second.x[1]);
      add(c.s, c.t, across);
    }
    if (across < 1.0)
      for (const double g : {kGauss, 1.0 - kGauss}) {
        add(g, closest_on_line(second.x[0], second.x[1], first.at(g)), 0.25 * (1.0 - across));
        add(closest_on_line(first.x[0], first.x[1], second.at(g)), g, 0.25 * (1.0 - across));
      }
  }
  const Place* begin() const { return place_.data(); }
  const Place* end() const { return place_.data() + n_; }

 private:
  void add(double s, double t, double weight) {
    weight *= first_.share(s, second_.at(t)) * second_.share(t, first_.at(s));
    if (weight > 0.0) place_[n_++] = {s, t, weight};
  }
  const LineView &first_, &second_;
  std::array<Place, 5> place_;
  int n_ = 0;
};

/// Stiffness of a pair. With the reduced mass m* and the step dt: k = scale m* / (2 dt^2) (Hallquist 2006,
/// LS-DYNA Theory Manual, sections 29.6.2 and 29.6.3), m* of the points that touch or of the whole lines.
double pair_stiffness(const PenaltyLaw& law, const LineView& first, const LineView& second, double a,
                      double b, double soft_dt) {
  double k = law.stiffness(first.line->stiffness, second.line->stiffness);
  if (!(soft_dt > 0.0)) return law.segment_based ? 0.0 : k;
  const double step = std::max(soft_dt, law.step), step2 = step * step;
  if (law.segment_based)
    k = law.edge_scale * 0.5 * law.mass_scale *
        inverse(inverse(first.own_mass()) + inverse(second.own_mass())) / step2;
  else if (law.soft)
    k = std::max(k, 0.5 * law.sofscl * inverse(a + b) / step2);
  const double moving = (first.line->rigid ? 0.0 : a) + (second.line->rigid ? 0.0 : b);
  return moving > 0.0 ? std::min(k, kStableShare / (moving * (soft_dt * soft_dt))) : k;
}

/// Power of forces on the nodes of both lines.
double power(const std::array<Vec3, 4>& force, const LineView& first, const LineView& second) {
  return (dot(force[0], first.v[0]) + dot(force[1], first.v[1])) +
         (dot(force[2], second.v[0]) + dot(force[3], second.v[1]));
}

void spread(std::array<Vec3, 4>& force, const Vec3& f, double s, double t) {
  force[0] += (1.0 - s) * f;
  force[1] += s * f;
  force[2] -= (1.0 - t) * f;
  force[3] -= t * f;
}

/// Resultant of the normal forces of a pair: friction acts once, at the point of the resultant.
struct Resultant {
  Vec3 force;
  double size = 0.0, s = 0.0, t = 0.0, stiffness = 0.0;  ///< stiffness: of friction
};

/// Coulomb's friction by return mapping, as for nodes and segments.
Vec3 friction_force(const model::Friction& law, const Vec3& last, const Vec3& slide, const Vec3& n,
                    const Resultant& normal, double dt, SlidingWork& work) {
  const Vec3 trial = (last - dot(last, n) * n) - (normal.stiffness * dt) * slide;
  const double limit = law.coefficient(norm(slide)) * normal.size, size = norm(trial);
  if (size <= limit) return trial;
  if (normal.stiffness > 0.0) work.friction += limit * (size - limit) / normal.stiffness;
  return (limit / size) * trial;
}

/// Gap and direction from the second to the first. Bars whose axes have passed each other stay on the side
/// from which they came.
double gap_at(const LineView& first, const LineView& second, const Place& place, const LineContactState* last,
              Vec3& n) {
  const Vec3 d = first.at(place.s) - second.at(place.t);
  const double distance = norm(d);
  if (distance > 0.0) {
    n = (1.0 / distance) * d;
    if (!last || dot(n, last->direction) >= 0.0) return distance;
    n = -n;
    return -distance;
  }
  n = last ? last->direction : cross(first.x[1] - first.x[0], second.x[1] - second.x[0]);
  const double length = norm(n);
  if (length > 0.0) n *= 1.0 / length;
  return 0.0;
}

}  // namespace

double LineView::inverse_mass(double s) const {
  return (1.0 - s) * (1.0 - s) * inverse(mass[0]) + s * s * inverse(mass[1]);
}

double LineView::own_mass() const { return mass[0] / line->lines_at(0) + mass[1] / line->lines_at(1); }

double LineView::share(double s, const Vec3& other) const {
  if (s > 0.0 && s < 1.0) return 1.0;
  const int end = s > 0.0 ? 1 : 0;
  const Vec3& here = x[end];
  for (int k = 0; k < model::kLineNeighbours; ++k) {
    const std::int32_t beyond = line->node[2 + end * model::kLineNeighbours + k];
    if (beyond >= 0 && dot(other - here, used->x[beyond] - here) > 0.0) return 0.0;
  }
  return 1.0 / line->lines_at(end);
}

bool touch(const PenaltyLaw& law, const LineView& first, const LineView& second, double dt, double soft_dt,
           bool at_start, const LineContactState* last, LineContactState& now, SlidingWork& work) {
  // Half of the step's motion under the last forces, half under the new ones: see update_node.
  if (last) work.total -= 0.5 * dt * power(last->force, first, second);
  const double thickness = first.radius() + second.radius();
  const Places places(first, second);
  double deepest = 0.0;
  for (const Place& place : places) {
    Vec3 n;
    const double penetration = thickness - gap_at(first, second, place, last, n);
    if (!(penetration > deepest)) continue;
    deepest = penetration;
    now.direction = n;
  }
  if (!(deepest > 0.0)) return false;
  now.penetration = deepest;
  now.offset = last ? std::min(last->offset, deepest) : (at_start ? deepest : 0.0);
  now.force = {};
  now.friction = {};
  Resultant normal;
  for (const Place& place : places) {
    Vec3 n;
    const double depth = thickness - gap_at(first, second, place, last, n) - now.offset;
    if (!(depth > 0.0)) continue;
    const double a = first.inverse_mass(place.s), b = second.inverse_mass(place.t);
    const double k = place.weight * pair_stiffness(law, first, second, a, b, soft_dt);
    double f = k * depth;
    if (law.damping > 0.0) {
      const double opening = dot(first.velocity(place.s) - second.velocity(place.t), n);
      f -= law.damping * 2.0 * inverse(std::max(a, b)) * std::sqrt(k * (a + b)) * opening;
    }
    if (!(f > 0.0)) continue;
    spread(now.force, f * n, place.s, place.t);
    normal.force += f * n;
    normal.size += f;
    normal.s += f * place.s;
    normal.t += f * place.t;
    normal.stiffness += law.friction_scale * k;
  }
  if (const double size = norm(normal.force); law.friction && size > 0.0) {
    const double s = normal.s / normal.size, t = normal.t / normal.size;
    const Vec3 n = (1.0 / size) * normal.force;
    const Vec3 v = first.velocity(s) - second.velocity(t);
    now.friction = friction_force(law.of_parts(first.line->part, second.line->part),
                                  last ? last->friction : Vec3{}, v - dot(v, n) * n, n, normal, dt, work);
    spread(now.force, now.friction, s, t);
  }
  work.total -= 0.5 * dt * power(now.force, first, second);
  return true;
}

}  // namespace crumple::contact
