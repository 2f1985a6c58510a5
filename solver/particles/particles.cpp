// Sums over neighbours.
#include "particles/particles.hpp"

#include <algorithm>
#include <cmath>

#include "elements/particle/layout.hpp"
#include "particles/smoothing_kernel.hpp"

namespace crumple::particles {

namespace layout = elements::particle;
using model::ElementKind;

namespace {
constexpr Matrix kIdentity{1, 0, 0, 0, 1, 0, 0, 0, 1};

Vec3 times(const Matrix& m, const Vec3& v) {
  return {m[0] * v.x + m[1] * v.y + m[2] * v.z, m[3] * v.x + m[4] * v.y + m[5] * v.z,
          m[6] * v.x + m[7] * v.y + m[8] * v.z};
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      c[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
  return c;
}

/// Adds weight r r': xx, yy, zz, xy, yz, zx.
void add_moments(double weight, const Vec3& r, std::array<double, 6>& moments) {
  for (int a = 0; a < 3; ++a) {
    moments[std::size_t(a)] += weight * r[a] * r[a];
    moments[3 + std::size_t(a)] += weight * r[a] * r[(a + 1) % 3];
  }
}
}  // namespace

Matrix gradient_correction(const std::array<double, 6>& m) {
  const auto [xx, yy, zz, xy, yz, zx] = m;
  const double a = yy * zz - yz * yz, b = zx * yz - xy * zz, c = xy * yz - yy * zx;
  const double determinant = xx * a + xy * b + zx * c, mean = (xx + yy + zz) / 3;
  const double minors = a + (xx * zz - zx * zx) + (xx * yy - xy * xy);  // the trace of the inverse, times it
  constexpr double most_trace = 16;  // 3 inside a body, 11 at the corner of a lattice
  if (!(determinant > 1e-9 * mean * mean * mean && minors <= most_trace * determinant)) return kIdentity;
  const double f = 1 / determinant;
  const double yy_zz = f * (xx * zz - zx * zx), zz_zz = f * (xx * yy - xy * xy),
               yz_yz = f * (xy * zx - xx * yz);
  return {f * a, f * b, f * c, f * b, yy_zz, yz_yz, f * c, yz_yz, zz_zz};
}

/// Two particles within reach.
struct Particles::Pair {
  Vec3 way;                         ///< from j to i
  double distance2, length, slope;  ///< mean smoothing length, (dW / dr) / r
};

/// Of a particle, over its neighbours.
struct Particles::Sums {
  Matrix gradient{};
  double steepness = 0, closing = 0, heating = 0;
  int count = 0;
};

Particles::Particles(const model::Model& model, const parallel::Communicator& comm,
                     std::span<const state::WritableGroup> groups, int threads)
    : model_(model), comm_(comm), threads_(threads), renormalised_(model.control.sph.renormalised) {
  for (const model::Part& part : model.parts) {
    PartInput& input = parts_.emplace_back();
    if (part.kind != ElementKind::sph || part.section == model::kNone) continue;
    const model::SphSection& section = model.sections[at(part.section)].sph;
    input = {part.hourglass.q2, part.hourglass.q1, std::max(section.birth, model.control.sph.birth),
             std::min(section.death, model.control.sph.death)};
  }
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (std::int32_t e = 0; groups[g].kind() == ElementKind::sph && e < groups[g].count; ++e) {
      own_.push_back({static_cast<std::int32_t>(g), e, groups[g].node(e, 0)});
      number_.push_back(
          static_cast<std::int32_t>(model.particles.order[at(groups[g].element[std::size_t(e)])]));
    }
  order_ = comm.all_gather<std::int32_t>(number_);
  if (order_.empty()) return;
  const auto n = static_cast<std::size_t>(*std::ranges::max_element(order_)) + 1;
  part_.resize(n), mass_.resize(n), length_.resize(n), density_.resize(n), speed_.resize(n);
  present_.assign(n, 0), x_.resize(n), v_.resize(n), stress_.resize(n);
  share<2>(
      [&](std::size_t k, double* to) {
        const state::WritableGroup& g = groups[std::size_t(own_[k].group)];
        to[0] = model_.particles.mass[at(g.element[std::size_t(own_[k].element)])];
        to[1] = g.part;
      },
      [&](std::size_t i, const double* from) {
        mass_[i] = from[0];
        part_[i] = static_cast<LocalId>(from[1]);
      });
}

/// Sends N numbers of each particle to all ranks.
template <std::size_t N, class Pack, class Take>
void Particles::share(Pack&& pack, Take&& take) const {
  std::vector<double> mine(N * own_.size());
  for (std::size_t k = 0; k < own_.size(); ++k) pack(k, &mine[N * k]);
  const std::vector<double> all = comm_.size() == 1 ? std::move(mine) : comm_.all_gather<double>(mine);
  for (std::size_t k = 0; k < order_.size(); ++k) take(static_cast<std::size_t>(order_[k]), &all[N * k]);
}

void Particles::share_motion(const state::Nodal& nodal, std::span<const state::WritableGroup> groups,
                             double time) {
  share<10>(
      [&](std::size_t k, double* to) {
        const Own& own = own_[k];
        const state::WritableGroup& g = groups[std::size_t(own.group)];
        const Vec3 &x = nodal.x[at(own.node)], &v = nodal.v[at(own.node)];
        to[0] = x.x, to[1] = x.y, to[2] = x.z, to[3] = v.x, to[4] = v.y, to[5] = v.z;
        to[6] = g.variable(own.element, layout::kLength);
        to[7] = g.ready.parameters.density / g.variable(own.element, layout::kRatio);
        to[8] = g.variable(own.element, layout::kSpeed);
        to[9] = g.is_alive(own.element) ? 1.0 : 0.0;
      },
      [&](std::size_t i, const double* from) {
        const PartInput& part = parts_[at(part_[i])];
        x_[i] = {from[0], from[1], from[2]}, v_[i] = {from[3], from[4], from[5]};
        length_[i] = from[6], density_[i] = from[7], speed_[i] = from[8];
        present_[i] = from[9] != 0.0 && time >= part.birth && time <= part.death ? 1 : 0;
      });
}

/// Bound of what positions change in half a step, beside a common motion.
double Particles::drift(double dt) const {
  Vec3 mean;
  double n = 0, most = 0;
  for (std::size_t i = 0; i < x_.size(); ++i)
    if (present_[i] != 0) mean += v_[i], ++n;
  if (n > 0) mean *= 1.0 / n;
  for (std::size_t i = 0; i < x_.size(); ++i)
    if (present_[i] != 0) most = std::max(most, norm(v_[i] - mean));
  return 0.5 * dt * most;
}

bool Particles::meet(std::size_t i, std::size_t j) const {
  return present_[j] != 0 && (model_.control.sph.parts_interact || part_[i] == part_[j]);
}

/// Calls visit(j, pair) for the neighbours of own particle k, at the time `back` before now.
template <class Visit>
void Particles::each_pair(std::size_t k, double back, Visit&& visit) const {
  const auto i = static_cast<std::size_t>(number_[k]);
  if (present_[i] == 0) return;
  for (const std::int32_t other : neighbours_.of(k)) {
    const auto j = static_cast<std::size_t>(other);
    if (!meet(i, j)) continue;
    Pair pair;
    pair.way = (x_[i] - x_[j]) - back * (v_[i] - v_[j]);
    pair.distance2 = dot(pair.way, pair.way);
    pair.length = 0.5 * (length_[i] + length_[j]);
    if (!(pair.distance2 < kSupport * kSupport * pair.length * pair.length)) continue;
    pair.slope = kernel_slope(std::sqrt(pair.distance2), pair.length);
    visit(j, pair);
  }
}

/// m_i m_j P of a pair that closes at -mu.
double Particles::viscous(std::size_t i, std::size_t j, const Pair& pair, double mu) const {
  if (model_.control.sph.solid_viscosity || !(pair.distance2 > 0)) return 0;
  const PartInput &of_i = parts_[at(part_[i])], &of_j = parts_[at(part_[j])];
  const double alpha = 0.5 * (of_i.alpha + of_j.alpha), beta = 0.5 * (of_i.beta + of_j.beta);
  const double speed = 0.5 * (speed_[i] + speed_[j]), density = 0.5 * (density_[i] + density_[j]);
  return mass_[i] * mass_[j] * mu * (alpha * speed + beta * mu) / density;
}

namespace {
/// -mu_ij where a pair closes, else 0.
double closing_speed(const Vec3& way, const Vec3& velocity, double distance2, double length) {
  return std::max(0.0, -length * dot(velocity, way) / (distance2 + 0.01 * length * length));
}
}  // namespace

Particles::Sums Particles::rates_of(std::size_t k, double dt) const {
  const auto i = static_cast<std::size_t>(number_[k]);
  Sums sums;
  std::array<double, 6> moments{};
  each_pair(k, 0.5 * dt, [&](std::size_t j, const Pair& pair) {
    const Vec3 v = v_[i] - v_[j];
    const Vec3& r = pair.way;
    const double volume = mass_[j] / density_[j];
    const double weight = -pair.slope * (renormalised_ ? volume : mass_[j] / density_[i]);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) sums.gradient[3 * std::size_t(a) + std::size_t(b)] += weight * v[a] * r[b];
    add_moments(-volume * pair.slope, r, moments);
    sums.steepness += weight * std::sqrt(pair.distance2);
    const double mu = closing_speed(r, v, pair.distance2, pair.length);
    sums.closing = std::max(sums.closing, mu);
    sums.heating += 0.5 * viscous(i, j, pair, mu) * pair.slope * dot(v, r);
    ++sums.count;
  });
  if (renormalised_) {
    const Matrix b = gradient_correction(moments);
    sums.gradient = product(sums.gradient, b);
    sums.steepness *= std::max({b[0], b[4], b[8]});
  }
  sums.steepness *= length_[i] / kGradientIntegral;
  return sums;
}

void Particles::find_rates(const state::Nodal& nodal, std::span<const state::WritableGroup> groups,
                           double time, double dt) {
  if (order_.empty()) return;
  share_motion(nodal, groups, time);
  neighbours_.update(x_, length_, present_, number_, drift(dt), threads_);
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (std::size_t k = 0; k < own_.size(); ++k) {
    const Sums sums = rates_of(k, dt);
    const state::WritableGroup& g = groups[std::size_t(own_[k].group)];
    const auto set = [&](int variable, double value) { g.set_variable(own_[k].element, variable, value); };
    for (int c = 0; c < 9; ++c) set(layout::kGradient + c, sums.gradient[std::size_t(c)]);
    set(layout::kHeating, dt * sums.heating / g.variable(own_[k].element, layout::kVolume0));
    set(layout::kSteepness, sums.steepness);
    set(layout::kClosing, sums.closing);
    set(layout::kNeighbours, sums.count);
    const Vec3& v = v_[std::size_t(number_[k])];
    set(layout::kGone, norm(v) > model_.control.sph.most_speed ? 1.0 : 0.0);
  }
}

Matrix Particles::correction_of(std::size_t k) const {
  if (!renormalised_) return kIdentity;
  std::array<double, 6> moments{};
  each_pair(k, 0.0, [&](std::size_t j, const Pair& pair) {
    add_moments(-pair.slope * mass_[j] / density_[j], pair.way, moments);
  });
  return gradient_correction(moments);
}

/// Lengths, densities and speeds of sound at the end of the step.
void Particles::share_sizes(std::span<const state::WritableGroup> groups) {
  share<4>(
      [&](std::size_t k, double* to) {
        const state::WritableGroup& g = groups[std::size_t(own_[k].group)];
        to[0] = g.variable(own_[k].element, layout::kLength);
        to[1] = g.ready.parameters.density / g.variable(own_[k].element, layout::kRatio);
        to[2] = g.variable(own_[k].element, layout::kSpeed);
        to[3] = g.is_alive(own_[k].element) ? 1.0 : 0.0;
      },
      [&](std::size_t i, const double* from) {
        length_[i] = from[0], density_[i] = from[1], speed_[i] = from[2];
        if (from[3] == 0.0) present_[i] = 0;
      });
}

/// The stresses, with the corrections of gradients at the end of the step.
void Particles::share_stresses(std::span<const state::WritableGroup> groups) {
  std::vector<Matrix> mine(own_.size());
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (std::size_t k = 0; k < own_.size(); ++k) {
    const state::WritableGroup& g = groups[std::size_t(own_[k].group)];
    const auto s = [&](int c) { return g.variable(own_[k].element, layout::kPoint + c); };
    const double q = g.variable(own_[k].element, layout::kViscosity);
    mine[k] = product({s(0) - q, s(3), s(5), s(3), s(1) - q, s(4), s(5), s(4), s(2) - q}, correction_of(k));
  }
  share<9>([&](std::size_t k, double* to) { std::ranges::copy(mine[k], to); },
           [&](std::size_t i, const double* from) { std::copy_n(from, 9, stress_[i].begin()); });
}

void Particles::add_forces(state::Nodal& nodal, std::span<const state::WritableGroup> groups) {
  if (order_.empty()) return;
  share_sizes(groups);
  neighbours_.update(x_, length_, present_, number_, 0.0, threads_);
  share_stresses(groups);
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (std::size_t k = 0; k < own_.size(); ++k) {
    const auto i = static_cast<std::size_t>(number_[k]);
    each_pair(k, 0.0, [&](std::size_t j, const Pair& pair) {
      const double masses = mass_[i] * mass_[j], both = density_[i] * density_[j];
      const double of_i = renormalised_ ? masses / both : masses / (density_[i] * density_[i]);
      const double of_j = renormalised_ ? masses / both : masses / (density_[j] * density_[j]);
      const double mu = closing_speed(pair.way, v_[i] - v_[j], pair.distance2, pair.length);
      const Vec3 stress = of_i * times(stress_[i], pair.way) + of_j * times(stress_[j], pair.way);
      nodal.add_force(own_[k].node, pair.slope * (stress - viscous(i, j, pair, mu) * pair.way));
    });
  }
}

}  // namespace crumple::particles
