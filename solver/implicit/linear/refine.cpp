// Conjugate gradients and plain refinement with a factor.
#include "implicit/linear/refine.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace crumple::implicit::linear {

namespace {

constexpr int kMostSteps = 60;

double product_of(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

Refined refine(const BlockMatrix& matrix, bool definite, double wanted,
               const std::function<void(std::span<const double> r, std::span<double> z)>& apply,
               std::span<const double> b, std::span<double> x) {
  const std::size_t n = b.size();
  std::vector<double> r(b.begin(), b.end()), z(n), p(n), q(n), last(n), best(n, 0.0), now(n, 0.0);
  const double size = std::sqrt(product_of(b, b));
  Refined done;
  double least = size, old_rz = 0;
  int since = 0;
  while (size > 0 && least > wanted * size && done.steps < kMostSteps && since < 5) {
    apply(r, z);
    const double rz = product_of(r, z);
    double beta = 0;
    // Polak and Ribiere's form, which a preconditioner that rounds differently from step to step does not
    // disturb.
    if (definite && done.steps > 0) beta = (rz - product_of(last, z)) / old_rz;
    for (std::size_t i = 0; i < n; ++i) p[i] = z[i] + beta * p[i];
    matrix.multiply(p, q);
    const double pq = product_of(p, q);
    const double alpha = definite && pq > 0 ? product_of(r, p) / pq : 1.0;
    last = r;
    old_rz = rz;
    for (std::size_t i = 0; i < n; ++i) now[i] += alpha * p[i], r[i] -= alpha * q[i];
    ++done.steps;
    ++since;
    const double norm = std::sqrt(product_of(r, r));
    if (norm < 0.5 * least) since = 0;
    if (norm < least) least = norm, best = now;
  }
  std::copy(best.begin(), best.end(), x.begin());
  done.residual = size > 0 ? least / size : 0;
  return done;
}

}  // namespace crumple::implicit::linear
