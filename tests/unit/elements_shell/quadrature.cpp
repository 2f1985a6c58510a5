// Rules of integration through the thickness against exact integrals of polynomials.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "elements/shell/state.hpp"

namespace crumple::test {
namespace {

TEST(ShellQuadrature, IntegratesPolynomialsExactly) {
  using model::Quadrature;
  for (const Quadrature rule : {Quadrature::gauss, Quadrature::lobatto, Quadrature::trapezoidal}) {
    for (int n = rule == Quadrature::gauss ? 1 : 3; n <= 10; ++n) {
      double z[10], w[10];
      elements::shell::quadrature(rule, n, z, w);
      const int degree = rule == Quadrature::gauss ? 2 * n - 1 : rule == Quadrature::lobatto ? 2 * n - 3 : 1;
      for (int p = 0; p <= degree; ++p) {
        double sum = 0;
        for (int i = 0; i < n; ++i) sum += w[i] * std::pow(z[i], p);
        EXPECT_NEAR(sum, p % 2 ? 0.0 : 2.0 / (p + 1), 1e-13) << n << " points, degree " << p;
      }
      for (int i = 1; i < n; ++i) EXPECT_GT(z[i], z[i - 1]);
    }
  }
  double z[10], w[10];
  EXPECT_THROW(elements::shell::quadrature(Quadrature::gauss, 11, z, w), Error);
}

}  // namespace
}  // namespace crumple::test
