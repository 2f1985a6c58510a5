// The iteration.
#include "implicit/linear/mass_solution.hpp"

#include <algorithm>
#include <numeric>

namespace crumple::implicit::linear {

void solve_with_mass(const BlockMatrix& mass, std::span<const double> b, std::span<double> x) {
  constexpr int most = 500;
  constexpr double rounding = 1e-30;  // of squares
  const std::size_t n = b.size();
  const std::vector<double> diagonal = mass.diagonal();
  std::vector<double> r(b.begin(), b.end()), z(n), p(n, 0.0), q(n);
  std::fill(x.begin(), x.end(), 0.0);
  double last = 0.0, enough = 0.0;
  for (int step = 0; step < most; ++step) {
    for (std::size_t i = 0; i < n; ++i) z[i] = diagonal[i] > 0.0 ? r[i] / diagonal[i] : 0.0;
    const double rz = std::inner_product(r.begin(), r.end(), z.begin(), 0.0);
    if (step == 0) enough = rounding * rz;
    if (!(rz > enough)) return;
    for (std::size_t i = 0; i < n; ++i) p[i] = z[i] + (last > 0.0 ? rz / last : 0.0) * p[i];
    mass.multiply(p, q);
    const double length = rz / std::inner_product(p.begin(), p.end(), q.begin(), 0.0);
    for (std::size_t i = 0; i < n; ++i) x[i] += length * p[i], r[i] -= length * q[i];
    last = rz;
  }
}

}  // namespace crumple::implicit::linear
