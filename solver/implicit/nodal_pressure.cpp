// Sums over the elements at a node, and their derivatives.
#include "implicit/nodal_pressure.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "implicit/elements.hpp"

namespace crumple::implicit {

namespace {

constexpr int kCorners = 4;
constexpr double kShare = 1.0 / kCorners;  ///< of a node in its elements, and of an element in its nodes

/// A tetrahedron at mid step, and its change in the step. Derivatives are by the displacements of the second
/// to the fourth corner; the first has minus their sum.
struct MidStep {
  double volume = 0, change = 0;
  std::array<Vec3, 3> of_volume, of_change;
};

/// 6 V = x1 . (x2 x x3), and 6 dV the sum of the same with one x replaced by its u; x moves by half of u.
MidStep at_mid_step(const std::array<Vec3, 3>& x, const std::array<Vec3, 3>& u) {
  MidStep is;
  for (int a = 0; a < 3; ++a) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    const Vec3 area = cross(x[at(b)], x[at(c)]);
    const Vec3 of_area = cross(u[at(b)], x[at(c)]) + cross(x[at(b)], u[at(c)]);
    is.change += dot(u[at(a)], area) / 6;
    is.of_volume[at(a)] = (1.0 / 12) * area;
    is.of_change[at(a)] = (1.0 / 6) * area + (1.0 / 12) * of_area;
  }
  is.volume = dot(x[0], cross(x[1], x[2])) / 6;
  return is;
}

}  // namespace

NodalPressure::NodalPressure(std::span<const state::GroupView> groups) : groups_(groups) {
  std::set<LocalId> parts;
  for (const auto& g : groups)
    if (g.ready.parameters.nodal_dilatation) parts.insert(g.part);
  for (const LocalId part : parts) add_patches(part);
}

void NodalPressure::add_patches(LocalId part) {
  std::map<LocalId, Patch> at_node;
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    const auto& g = groups_[k];
    if (g.part != part || !g.ready.parameters.nodal_dilatation) continue;
    for (std::int32_t e = 0; e < g.count; ++e)
      for (int a = 0; a < kCorners; ++a)
        at_node[g.node(e, a)].elements.push_back({static_cast<std::int32_t>(k), e});
  }
  for (auto& [node, patch] : at_node) {
    std::vector<LocalId>& nodes = patch.nodes;
    const auto corner = [&](const Corner& c, int a) { return groups_[at(c.group)].node(c.element, a); };
    for (const Corner& c : patch.elements)
      for (int a = 0; a < kCorners; ++a) nodes.push_back(corner(c, a));
    std::ranges::sort(nodes);
    nodes.erase(std::ranges::unique(nodes).begin(), nodes.end());
    for (const Corner& c : patch.elements) {
      auto& place = patch.place.emplace_back();
      for (int a = 0; a < kCorners; ++a)
        place[at(a)] =
            static_cast<std::int32_t>(std::ranges::lower_bound(nodes, corner(c, a)) - nodes.begin());
    }
    patches_.push_back(std::move(patch));
  }
}

/// theta_a of the patch's node, and d theta_a / du in `derivative` (nodes of the patch) if that is not empty.
double NodalPressure::dilatation(const Patch& patch, const Motion& motion, std::span<Vec3> derivative) const {
  double volume = 0, change = 0;
  std::vector<MidStep> all;
  std::ranges::fill(derivative, Vec3{});
  for (std::size_t k = 0; k < patch.elements.size(); ++k) {
    const Corner& c = patch.elements[k];
    if (!groups_[at(c.group)].is_alive(c.element)) continue;
    const auto node = [&](int a) { return at(patch.nodes[at(patch.place[k][at(a)])]); };
    std::array<Vec3, 3> x, u;
    for (int a = 0; a < 3; ++a) {
      u[at(a)] = motion.u[node(a + 1)] - motion.u[node(0)];
      x[at(a)] = motion.x[node(a + 1)] - motion.x[node(0)] + motion.back * u[at(a)];
    }
    const MidStep is = at_mid_step(x, u);
    volume += is.volume;
    change += is.change;
    if (!derivative.empty()) all.push_back(is);
  }
  if (!(volume > 0)) return 0.0;
  const double theta = change / volume;
  for (std::size_t k = 0, alive = 0; alive < all.size(); ++k) {
    if (!groups_[at(patch.elements[k].group)].is_alive(patch.elements[k].element)) continue;
    const MidStep& is = all[alive++];
    for (int a = 0; a < 3; ++a) {
      const Vec3 of = (1.0 / volume) * (is.of_change[at(a)] - theta * is.of_volume[at(a)]);
      derivative[at(patch.place[k][at(a + 1)])] += of;
      derivative[at(patch.place[k][0])] -= of;
    }
  }
  return theta;
}

NodalPressure::Dilatations NodalPressure::of(const Motion& motion) const {
  Dilatations all(groups_.size());
  for (std::size_t k = 0; k < groups_.size(); ++k)
    if (groups_[k].ready.parameters.nodal_dilatation) all[k].assign(at(groups_[k].count), 0.0);
  for (const Patch& patch : patches_) {
    const double theta = dilatation(patch, motion, {});
    for (const Corner& c : patch.elements) all[at(c.group)][at(c.element)] += kShare * theta;
  }
  return all;
}

NodalPressure::Dilatations NodalPressure::dilatations(std::span<const Vec3> x0,
                                                      std::span<const Vec3> u) const {
  return of({x0, u, 0.5});
}

NodalPressure::Dilatations NodalPressure::dilatations(std::span<const Vec3> x, std::span<const Vec3> v,
                                                      double dt) const {
  std::vector<Vec3> u(v.begin(), v.end());
  for (Vec3& of_node : u) of_node *= dt;
  return of({x, u, -0.5});
}

void NodalPressure::append_nodes(std::vector<std::int64_t>& begin, std::vector<std::int32_t>& rows) const {
  for (const Patch& patch : patches_) {
    rows.insert(rows.end(), patch.nodes.begin(), patch.nodes.end());
    begin.push_back(static_cast<std::int64_t>(rows.size()));
  }
}

void NodalPressure::evaluate(std::span<const Vec3> x0, std::span<const Vec3> u,
                             std::span<const std::vector<double>> by_dilatation,
                             const std::function<void(const ElementTangent&)>& visit) const {
  std::vector<Vec3> force, of_theta;
  std::vector<double> none, stiffness;
  for (const Patch& patch : patches_) {
    const std::size_t n = patch.nodes.size();
    force.assign(n, Vec3{});
    of_theta.resize(n);
    dilatation(patch, {x0, u, 0.5}, of_theta);
    for (std::size_t k = 0; k < patch.elements.size(); ++k) {
      const Corner& c = patch.elements[k];
      if (!groups_[at(c.group)].is_alive(c.element)) continue;
      const double* const f = by_dilatation[at(c.group)].data() + 3 * kCorners * at(c.element);
      for (int a = 0; a < kCorners; ++a)
        force[at(patch.place[k][at(a)])] += kShare * Vec3{f[3 * a], f[3 * a + 1], f[3 * a + 2]};
    }
    none.assign(3 * n, 0.0);
    stiffness.resize(9 * n * n);
    for (std::size_t row = 0; row < 3 * n; ++row)
      for (std::size_t column = 0; column < 3 * n; ++column)
        stiffness[row * 3 * n + column] =
            force[row / 3][int(row % 3)] * of_theta[column / 3][int(column % 3)];
    visit({patch.nodes, 3, none, stiffness});
  }
}

}  // namespace crumple::implicit
