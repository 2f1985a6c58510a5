// Initial frame, length and mass of beams, and the layout of their state variables.
#include "elements/beam/layout.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace crumple::elements::beam {
namespace {

/// Unit vector normal to `axis`, in the plane of `axis` and `towards`.
Vec3 across(const Vec3& axis, const Vec3& towards) {
  const Vec3 p = towards - dot(towards, axis) * axis;
  const double n = norm(p);
  if (!(n > 1e-6 * norm(towards)))
    throw Error("CR-E302", "the third node is in line with the beam, so it gives no orientation");
  return (1 / n) * p;
}

/// The global axis with the largest angle to the beam; of equal ones the first.
Vec3 default_direction(const Vec3& axis) {
  int best = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(axis[i]) < std::abs(axis[best])) best = i;
  Vec3 d;
  d[best] = 1;
  return d;
}

}  // namespace

void check_law(const GroupParameters& group) {
  if (!(group.young > 0) || !(group.density > 0))
    throw Error("CR-E307", "a beam needs a material with positive density and Young's modulus");
}

StateLayout layout(const GroupParameters& group, int extra) {
  StateLayout l;
  l.n_vars = extra_offset(group) + extra;
  l.stress = kPoints;
  l.plastic_strain = kPoints + 6;
  l.history = kPoints + kHistory;
  l.point_stride = point_stride(group);
  l.n_points = group.n_points;
  l.stress_is_local = true;
  l.resultants = kResultants;
  return l;
}

double initial_length(const ElementInput& input) {
  const double length = norm(input.x[1] - input.x[0]);
  if (!(length > 0)) throw Error("CR-E301", "the beam has no length: its two nodes are at the same place");
  return length;
}

void initialise_beam(const ElementInput& input, std::span<double> variables) {
  std::ranges::fill(variables, 0.0);
  const double length = initial_length(input);
  const Vec3 axis = (1 / length) * (input.x[1] - input.x[0]);
  const Vec3 s =
      across(axis, input.has_orientation ? input.orientation - input.x[0] : default_direction(axis));
  variables[kLength0] = length;
  for (int i = 0; i < 3; ++i) variables[kAxis + static_cast<std::size_t>(i)] = s[i];
}

NodalShare beam_mass(const ElementInput& input, const GroupParameters& group, double area, double inertia) {
  const double length = initial_length(input);
  const double per_length = group.density * area + group.section->nsm;
  NodalShare share;
  for (int a = 0; a < 2; ++a) {
    share.mass[a] = per_length * length / 2;
    share.inertia[a] = length / 2 * (group.density * inertia + per_length * length * length / 12);
  }
  return share;
}

}  // namespace crumple::elements::beam
