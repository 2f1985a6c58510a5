// The search for the nearest shell of a sheet, and its values for another one.
#include "springback/stamped_part.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace crumple::springback {

/// By the region of the triangle's plane in which the point lies (Ericson 2005, "Real-Time Collision
/// Detection", section 5.1.5).
double distance_to_triangle(const Vec3& x, const std::array<Vec3, 3>& c) {
  const Vec3 ab = c[1] - c[0], ac = c[2] - c[0], a = x - c[0], b = x - c[1], d = x - c[2];
  const double d1 = dot(ab, a), d2 = dot(ac, a), d3 = dot(ab, b), d4 = dot(ac, b), d5 = dot(ab, d),
               d6 = dot(ac, d);
  if (d1 <= 0.0 && d2 <= 0.0) return norm(a);
  if (d3 >= 0.0 && d4 <= d3) return norm(b);
  if (d6 >= 0.0 && d5 <= d6) return norm(d);
  const double wc = d1 * d4 - d3 * d2, wb = d5 * d2 - d1 * d6, wa = d3 * d6 - d5 * d4;
  if (wc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return norm(a - (d1 / (d1 - d3)) * ab);
  if (wb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return norm(a - (d2 / (d2 - d6)) * ac);
  if (wa <= 0.0 && d4 >= d3 && d5 >= d6)
    return norm(b - ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (c[2] - c[1]));
  const double sum = wa + wb + wc;
  return norm(a - (wb / sum) * ab - (wc / sum) * ac);
}

namespace {

double distance_to(const Vec3& x, const StampedShell& shell) {
  const std::array<Vec3, 4>& c = shell.x;
  const double first = distance_to_triangle(x, {c[0], c[1], c[2]});
  return c[3] == c[2] ? first : std::min(first, distance_to_triangle(x, {c[0], c[2], c[3]}));
}

std::uint64_t cell_key(const std::array<std::int64_t, 3>& cell) {
  std::uint64_t key = 0;
  for (const std::int64_t c : cell) key = key << 21 | (static_cast<std::uint64_t>(c) & 0x1fffff);
  return key;
}

/// Values over T, the mean of the points at each.
std::map<double, std::vector<double>> values_over_height(const GivenStress& stress, bool flipped) {
  std::map<double, std::vector<double>> sums;
  std::map<double, int> counts;
  for (const GivenStress::Point& point : stress.points) {
    const double t = flipped ? -point.at : point.at;
    std::vector<double>& sum = sums[t];
    sum.resize(point.values.size(), 0.0);
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += point.values[k];
    ++counts[t];
  }
  for (auto& [t, sum] : sums)
    for (double& value : sum) value /= counts[t];
  return sums;
}

std::vector<double> at_height(const std::map<double, std::vector<double>>& values, double t) {
  const auto above = values.lower_bound(t);
  if (above == values.end()) return values.rbegin()->second;
  if (above == values.begin()) return above->second;
  const auto below = std::prev(above);
  const double share = (t - below->first) / (above->first - below->first);
  std::vector<double> mean = below->second;
  for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += share * (above->second[k] - mean[k]);
  return mean;
}

}  // namespace

StampedSheet::StampedSheet(std::vector<StampedShell> shells) : shells_(std::move(shells)) {
  for (const StampedShell& shell : shells_) {
    const Vec3 centre = 0.25 * (shell.x[0] + shell.x[1] + shell.x[2] + shell.x[3]);
    for (const Vec3& corner : shell.x) radius_ = std::max(radius_, norm(corner - centre));
    centre_.push_back(centre);
  }
  if (radius_ > 0.0) size_ = 2.0 * radius_;
  for (std::size_t i = 0; i < shells_.size(); ++i) in_cell_[cell_key(cell(centre_[i]))].push_back(i);
}

std::array<std::int64_t, 3> StampedSheet::cell(const Vec3& x) const {
  return {std::llround(std::floor(x.x / size_)), std::llround(std::floor(x.y / size_)),
          std::llround(std::floor(x.z / size_))};
}

/// Shell by shell in growing boxes of cells: those outside the box of half width k have their centres
/// farther than k cells.
const StampedShell* StampedSheet::nearest(const Vec3& x, double within) const {
  const StampedShell* best = nullptr;
  double least = within;
  const std::array<std::int64_t, 3> home = cell(x);
  const auto look_in = [&](const std::array<std::int64_t, 3>& at) {
    const auto found = in_cell_.find(cell_key(at));
    if (found == in_cell_.end()) return;
    for (const std::size_t i : found->second) {
      const double d = distance_to(x, shells_[i]);
      if (d > least || (best != nullptr && d == least && best->id < shells_[i].id)) continue;
      best = &shells_[i];
      least = d;
    }
  };
  const auto last = static_cast<std::int64_t>(std::ceil((within + radius_) / size_)) + 1;
  for (std::int64_t k = 0; k <= last; ++k) {
    if (static_cast<double>(k - 1) * size_ - radius_ > least) break;
    for (std::int64_t i = -k; i <= k; ++i)
      for (std::int64_t j = -k; j <= k; ++j) {
        const bool edge = std::abs(i) == k || std::abs(j) == k;
        for (std::int64_t l = -k; l <= k; l += edge || k == 0 ? 1 : 2 * k)
          look_in({home[0] + i, home[1] + j, home[2] + l});
      }
  }
  return best;
}

GivenStress stress_from(const StampedPart& of, const StampedShell& shell, bool flipped,
                        const elements::GroupParameters& group) {
  GivenStress to{.kind = model::ElementKind::shell, .points = {}};
  to.layers = static_cast<int>(group.layers.size());
  to.planes = group.n_points / to.layers;
  to.history = of.history ? shell.stress->history : 0;
  const auto values = values_over_height(*shell.stress, flipped);
  for (const elements::Layer& layer : group.layers) {
    std::vector<double> at = at_height(values, layer.zeta);
    if (!of.stress) std::fill_n(at.begin(), 6, 0.0);
    if (!of.plastic_strain) at[6] = 0.0;
    if (!of.history) at.resize(7);
    for (int p = 0; p < to.planes; ++p) to.points.push_back({layer.zeta, at});
  }
  return to;
}

std::vector<double> strain_from(const StampedShell& shell, bool flipped) {
  std::vector<double> strain = shell.strains;
  if (flipped) std::rotate(strain.begin(), strain.begin() + 6, strain.end());
  return strain;
}

}  // namespace crumple::springback
