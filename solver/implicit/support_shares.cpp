// Conjugate gradients on the six equations of a body: at most six steps, of a matrix that may be singular.
#include "implicit/support_shares.hpp"

#include <algorithm>
#include <array>

namespace crumple::implicit {

namespace {

using Six = std::array<double, 6>;

double product_of_six(const Six& a, const Six& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < 6; ++i) sum += a[i] * b[i];
  return sum;
}

struct SupportColumn {
  std::size_t support = 0;
  Vec3 direction;
  bool rotation = false;
  Six a{};
};

Six six(const Vec3& force, const Vec3& moment) {
  return {force.x, force.y, force.z, moment.x, moment.y, moment.z};
}

/// (A A') z.
Six applied(const std::vector<SupportColumn>& columns, const Six& z) {
  Six sum{};
  for (const SupportColumn& c : columns) {
    const double along = product_of_six(c.a, z);
    for (std::size_t i = 0; i < 6; ++i) sum[i] += along * c.a[i];
  }
  return sum;
}

Six least_squares(const std::vector<SupportColumn>& columns, const Six& b) {
  Six z{}, r = b, p = b;
  double rr = product_of_six(r, r);
  const double enough = 1e-28 * rr;
  for (int step = 0; step < 24 && rr > enough; ++step) {
    const Six q = applied(columns, p);
    const double pq = product_of_six(p, q);
    if (!(pq > 0.0)) break;
    for (std::size_t i = 0; i < 6; ++i) z[i] += rr / pq * p[i], r[i] -= rr / pq * q[i];
    const double next = product_of_six(r, r);
    for (std::size_t i = 0; i < 6; ++i) p[i] = r[i] + next / rr * p[i];
    rr = next;
  }
  return z;
}

}  // namespace

void add_support_shares(const model::Model& model, LocalId body, const RigidPoint& point,
                        const constraints::Matrix3& turned, Vec3 force, Vec3 moment,
                        std::vector<SupportShare>& to) {
  double length = 0.0;
  for (const model::Support& s : model.supports)
    if (s.body == body) length = std::max(length, norm(s.point - point.point0));
  if (length == 0.0) length = 1.0;
  std::vector<SupportColumn> columns;
  for (std::size_t k = 0; k < model.supports.size(); ++k) {
    const model::Support& s = model.supports[k];
    const Vec3 arm = constraints::operator*(turned, s.point - point.point0);
    for (int i = 0; s.body == body && i < 6; ++i) {
      const Vec3& d = s.axis[at(i % 3)];
      const bool rotation = i >= 3;
      const Vec3 rest = (rotation ? point.by_cmo.rotation : point.by_cmo.translation).removed_from(d);
      if (!(s.mask & (1u << i)) || norm(rest) <= 1e-8) continue;
      columns.push_back({k, d, rotation, rotation ? six({}, d) : six(d, (1.0 / length) * cross(arm, d))});
    }
  }
  force = point.by_cmo.translation.removed_from(force);
  moment = point.by_cmo.rotation.removed_from(moment);
  const Six z = least_squares(columns, six(force, (1.0 / length) * moment));
  for (const SupportColumn& c : columns) {
    const double along = product_of_six(c.a, z);
    (c.rotation ? to[c.support].moment : to[c.support].force) +=
        (c.rotation ? length * along : along) * c.direction;
  }
}

}  // namespace crumple::implicit
