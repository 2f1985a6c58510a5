// Sums over the tetrahedra at each node, part by part.
#include "state/nodal_dilatation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "elements/solid/layout.hpp"

namespace crumple::state {
namespace {

constexpr int kNodalPressure = 13;  // ELFORM
constexpr int kCorners = 4;

struct VolumeChange {
  double volume = 0, change = 0;
};

/// Volume change of a tetrahedron at mid step: the trace of the velocity gradient there, which is zero in a
/// rigid rotation.
VolumeChange at_mid_step(const Nodal& nodal, const std::array<LocalId, kCorners>& nodes, double dt) {
  std::array<Vec3, 3> x, v;
  for (int a = 0; a < 3; ++a) {
    v[a] = nodal.v[nodes[a + 1]] - nodal.v[nodes[0]];
    x[a] = nodal.x[nodes[a + 1]] - nodal.x[nodes[0]] - 0.5 * dt * v[a];
  }
  const Vec3 n = cross(x[0], x[1]);
  const double rate = dot(n, v[2]) + dot(cross(v[0], x[1]) + cross(x[0], v[1]), x[2]);
  return {dot(n, x[2]) / 6, dt * rate / 6};
}

std::array<LocalId, kCorners> corners(const GroupView& g, std::int32_t e) {
  return {g.node(e, 0), g.node(e, 1), g.node(e, 2), g.node(e, 3)};
}

}  // namespace

NodalDilatation::NodalDilatation(const model::Model& m, std::size_t n_nodes, const parallel::Halo& halo) {
  for (std::size_t p = 0; p < m.parts.size(); ++p) {
    const model::Part& part = m.parts[p];
    if (part.kind == model::ElementKind::solid && part.rigid_body == model::kNone &&
        m.sections[part.section].elform == kNodalPressure)
      parts_.push_back(static_cast<LocalId>(p));
  }
  if (parts_.empty()) return;
  std::vector<double> largest(n_nodes, 0.0);
  for (LocalId e = 0; e < static_cast<LocalId>(m.solids.size()); ++e) {
    const Compact c = compact(m, model::ElementKind::solid, e);
    if (c.elform != kNodalPressure) continue;
    const Vec3& x0 = m.nodes.x[c.nodes[0]];
    const double volume =
        dot(cross(m.nodes.x[c.nodes[1]] - x0, m.nodes.x[c.nodes[2]] - x0), m.nodes.x[c.nodes[3]] - x0) / 6;
    for (int a = 0; a < kCorners; ++a) largest[c.nodes[a]] = std::max(largest[c.nodes[a]], volume);
  }
  halo.max(largest);
  constexpr int bits = 46;  // room for 2^15 times the largest volume at a node
  for (const double volume : largest)
    scale_.push_back(volume > 0 ? std::ldexp(1.0, bits - std::ilogb(volume)) : 1.0);
  sums_.resize(2 * n_nodes);
  dilatation_.resize(n_nodes);
}

void NodalDilatation::update(const Nodal& nodal, const parallel::Halo& halo,
                             std::span<const WritableGroup> groups, double dt) {
  if (dt == 0) return;
  for (const LocalId part : parts_) {
    const auto each = [&](auto&& visit) {
      for (const WritableGroup& g : groups)
        if (g.part == part && g.ready.formulation->elform == kNodalPressure)
          for (std::int32_t e = 0; e < g.count; ++e)
            if (g.is_alive(e)) visit(g, e, corners(g, e));
    };
    std::fill(sums_.begin(), sums_.end(), 0);
    each([&](const GroupView&, std::int32_t, const std::array<LocalId, kCorners>& nodes) {
      const VolumeChange of = at_mid_step(nodal, nodes, dt);
      for (const LocalId n : nodes) {
        sums_[2 * std::size_t(n)] += parallel::to_fixed(of.volume, scale_[n]);
        sums_[2 * std::size_t(n) + 1] += parallel::to_fixed(of.change, scale_[n]);
      }
    });
    const std::array<std::span<std::int64_t>, 1> arrays{sums_};
    halo.sum(arrays, 2);
    for (std::size_t n = 0; n < dilatation_.size(); ++n) {
      const auto volume = static_cast<double>(sums_[2 * n]);
      dilatation_[n] = volume > 0 ? static_cast<double>(sums_[2 * n + 1]) / volume : 0.0;
    }
    each([&](const WritableGroup& g, std::int32_t e, const std::array<LocalId, kCorners>& nodes) {
      double sum = 0;
      for (const LocalId n : nodes) sum += dilatation_[n];
      const int place = elements::solid::nodal_dilatation_at(g.ready.parameters);
      g.set_variable(e, place, sum / kCorners);
    });
  }
}

}  // namespace crumple::state
