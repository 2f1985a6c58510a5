// The way of a solid from its reference shape to that at the start.
#include "state/foam_shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "base/no_limit.hpp"
#include "elements/solid/layout.hpp"
#include "loads/reference/foam_reference.hpp"
#include "parallel/load_sum.hpp"

namespace crumple::state {

using elements::kLanes;

FoamShapes::FoamShapes(const model::Model& m) {
  const auto& nodes = m.features.of<loads::FoamReferenceNode>();
  if (nodes.empty()) return;
  given_.assign(m.nodes.size(), 0);
  x_.assign(m.nodes.size(), Vec3{});
  for (const loads::FoamReferenceNode& of : nodes) given_[at(of.node)] = 1, x_[at(of.node)] = of.x;
  for (const model::Part& part : m.parts)
    asking_.push_back(part.material != model::kNone &&
                      loads::asks_for_reference(m.materials[at(part.material)]));
}

bool FoamShapes::put(model::ElementKind kind, LocalId part, std::span<const LocalId> nodes,
                     elements::ElementInput& input) const {
  if (given_.empty() || kind != model::ElementKind::solid || asking_[at(part)] == 0) return false;
  if (std::ranges::none_of(nodes, [&](LocalId n) { return given_[at(n)] != 0; })) return false;
  for (std::size_t a = 0; a < nodes.size(); ++a)
    if (given_[at(nodes[a])] != 0) input.x[a] = x_[at(nodes[a])];
  return true;
}

namespace {

using AxisRows = std::array<Vec3, 3>;

Vec3 times(const AxisRows& m, const Vec3& v) { return {dot(m[0], v), dot(m[1], v), dot(m[2], v)}; }

Vec3 centre_of(std::span<const Vec3> x) {
  Vec3 sum;
  for (const Vec3& p : x) sum += p;
  return (1.0 / static_cast<double>(x.size())) * sum;
}

/// The rotation next to `m`, by Newton's iteration (Higham 1986, "Computing the polar decomposition - with
/// applications", SIAM J. Sci. Stat. Comput. 7, 1160-1174, eq. 3.1, with its scale of norms); the identity
/// where `m` has none.
AxisRows rotation_of(AxisRows m) {
  const AxisRows identity{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  for (int k = 0; k < 60; ++k) {
    const AxisRows cofactors{cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])};
    const double det = dot(m[0], cofactors[0]);
    if (!(det > 0.0)) return identity;
    double size = 0.0, inverse_size = 0.0, change = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      size += dot(m[i], m[i]);
      inverse_size += dot(cofactors[i], cofactors[i]) / (det * det);
    }
    const double scale = std::pow(inverse_size / size, 0.25);
    AxisRows next;
    for (std::size_t i = 0; i < 3; ++i) {
      next[i] = 0.5 * (scale * m[i] + (1.0 / (scale * det)) * cofactors[i]);
      change = std::max(change, norm(next[i] - m[i]));
    }
    m = next;
    if (change < 1e-15) break;
  }
  return m;
}

/// The corners X of the reference shape, turned about their centre as they lie at the start and moved there:
/// the rotation R is that for which |R (X - X_c) - (x - x_c)| is least. So the way from them is a stretch
/// that turns nothing.
std::vector<Vec3> laid_like(std::span<const Vec3> reference, std::span<const Vec3> x) {
  const Vec3 from = centre_of(reference), to = centre_of(x);
  AxisRows sum{};
  for (std::size_t a = 0; a < x.size(); ++a)
    for (int i = 0; i < 3; ++i) sum[static_cast<std::size_t>(i)] += (x[a] - to)[i] * (reference[a] - from);
  const AxisRows rotation = rotation_of(sum);
  std::vector<Vec3> laid;
  for (const Vec3& p : reference) laid.push_back(to + times(rotation, p - from));
  return laid;
}

/// So many that each changes an element by about a 200th of its size.
int steps_between(std::span<const Vec3> from, std::span<const Vec3> to) {
  double change = 0.0, size = 0.0;
  const Vec3 centre = centre_of(from);
  for (std::size_t a = 0; a < from.size(); ++a) {
    change = std::max(change, norm(to[a] - from[a]));
    size = std::max(size, norm(from[a] - centre));
  }
  return std::clamp(static_cast<int>(std::ceil(200.0 * change / size)), 10, 400);
}

/// One element in a block of its own: all lanes have its nodes, the first one is alive.
class Way {
 public:
  Way(const elements::Formulation& formulation, const elements::GroupParameters& group,
      std::span<const double> variables)
      : n_nodes_(static_cast<std::size_t>(formulation.n_nodes)),
        x(n_nodes_),
        v(n_nodes_),
        loads_(parallel::zero_loads(n_nodes_, kNoForce, kNoForce)),
        alive_(kLanes, 0.0),
        step_(kLanes, kNoLimit),
        energy_(elements::kEnergies * kLanes, 0.0) {
    for (std::size_t a = 0; a < n_nodes_; ++a) nodes_.insert(nodes_.end(), kLanes, std::int32_t(a));
    for (const double value : variables) state_.insert(state_.end(), kLanes, value);
    alive_[0] = 1.0;
    arguments_.x = x.data();
    arguments_.v = v.data();
    arguments_.w = v.data();  // solids do not turn their nodes
    arguments_.loads = loads_.data();
    arguments_.nodes = nodes_.data();
    arguments_.state = state_.data();
    arguments_.alive = alive_.data();
    arguments_.energy = energy_.data();
    arguments_.stable_step = step_.data();
    arguments_.group = &group;
    arguments_.end = 1;
  }

  /// @returns whether the element is as it should be
  bool step(elements::Kernel<double> kernel, double dt) {
    arguments_.time += dt;
    arguments_.dt = dt;
    kernel(arguments_);
    return alive_[0] == 1.0 && step_[0] > 0.0;
  }
  double work() const { return energy_[0] + energy_[kLanes]; }
  void take(std::span<double> variables) const {
    for (std::size_t k = 0; k < variables.size(); ++k) variables[k] = state_[k * kLanes];
  }

 private:
  /// Of sums that nobody reads: they do not overflow.
  static constexpr double kNoForce = 0x1p-200;
  std::size_t n_nodes_;

 public:
  AlignedVector<Vec3> x, v;  ///< at the end of the step; kernels read a little past the last one

 private:
  AlignedVector<parallel::LoadSum> loads_;
  AlignedVector<std::int32_t> nodes_;
  AlignedVector<double> state_, alive_, step_, energy_;
  elements::KernelArguments<double> arguments_;
};

}  // namespace

double follow_from_reference(const elements::Formulation& formulation, const elements::GroupParameters& group,
                             elements::Kernel<double> kernel, const elements::ElementInput& reference,
                             const Vec3* x, std::span<double> variables) {
  constexpr double kLong = 1e12;  // a step, in any unit: rates are next to zero
  const auto n = static_cast<std::size_t>(formulation.n_nodes);
  const std::span<const Vec3> to(x, n);
  const std::vector<Vec3> from = laid_like({reference.x, n}, to);
  elements::ElementInput laid = reference;
  std::ranges::copy(from, laid.x);
  formulation.initialise(laid, group, variables);
  Way way(formulation, group, variables);
  const int steps = steps_between(from, to);
  bool good = true;
  for (int k = 1; k <= steps && good; ++k) {
    const double share = static_cast<double>(k) / steps;
    for (std::size_t a = 0; a < n; ++a) {
      way.x[a] = k == steps ? to[a] : from[a] + share * (to[a] - from[a]);
      way.v[a] = (1.0 / (steps * kLong)) * (to[a] - from[a]);
    }
    good = way.step(kernel, kLong);
  }
  if (!good)
    throw Error("CR-E215",
                "on its way from the reference shape to that at the start it is turned inside out or fails");
  way.take(variables);
  variables[elements::solid::kViscosity] = 0.0;
  return way.work();
}

}  // namespace crumple::state
