// Lists of neighbours by cells.
#include "particles/neighbours.hpp"

namespace crumple::particles {

/// Whether no pair outside the lists can have come within reach. A motion that all share does not count.
bool Neighbours::hold(std::span<const Vec3> x, std::span<const double> length, std::span<const char> present,
                      double drift) const {
  if (x_.size() != x.size()) return false;
  Vec3 mean;
  std::size_t n = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (present[i] == 0) continue;
    if (present_[i] == 0) return false;  // it begins
    mean += x[i] - x_[i], ++n;
  }
  if (n == 0) return true;
  mean *= 1.0 / static_cast<double>(n);
  double farthest = 0, growth = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (present[i] == 0) continue;
    farthest = std::max(farthest, norm(x[i] - x_[i] - mean));
    growth = std::max(growth, length[i] - length_[i]);
  }
  return 2 * (farthest + drift + growth) < margin_;
}

void Neighbours::update(std::span<const Vec3> x, std::span<const double> length,
                        std::span<const char> present, std::span<const std::int32_t> own, double drift,
                        int threads) {
  if (hold(x, length, present, drift)) return;
  x_.assign(x.begin(), x.end());
  length_.assign(length.begin(), length.end());
  present_.assign(present.begin(), present.end());
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (present[i] != 0) most = std::max(most, length[i]);
  constexpr double of_reach = 0.1;
  margin_ = of_reach * 2 * most + 4 * drift;
  cells_.sort(x_, 2 * most + margin_);
  make(own, threads);
}

void Neighbours::make(std::span<const std::int32_t> own, int threads) {
  lists_.resize(own.size());
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t k = 0; k < own.size(); ++k) {
    const auto i = static_cast<std::size_t>(own[k]);
    std::vector<std::int32_t>& list = lists_[k];
    list.clear();
    if (present_[i] == 0) continue;
    cells_.visit_near(x_[i], [&](std::int32_t other) {
      const auto j = static_cast<std::size_t>(other);
      const double reach = length_[i] + length_[j] + margin_;
      const Vec3 r = x_[i] - x_[j];
      if (i != j && present_[j] != 0 && dot(r, r) < reach * reach) list.push_back(other);
    });
    std::sort(list.begin(), list.end());
  }
}

}  // namespace crumple::particles
